// Runs of a campaign as processes of their own, several at a time: starts them, and takes in what they leave.
//
// A run's directory gets its name as soon as it ends. While a pool lives, the signals that end a
// command early (ending_signals.h) wait to be asked for with `wait`; its runs die with it.
//
//   run_pool pool(runs, layout, lock.descriptor());
//   pool.start({0, 1});  // point 0 with seed 1
//   while (pool.active() > 0 && pool.wait() == 0) {
//       for (const ended_run& run : pool.take_ended()) { ... }
//   }
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <vector>

#include "tb/campaign/campaign_directory.h"
#include "tb/campaign/run_list.h"
#include "tb/process/child_process.h"
#include "tb/process/ending_signals.h"

namespace weir::tb {

struct ended_run {
    pending_run what;
    /// `missing`: the environment ended it (no memory, a full disk, a signal), nothing of it is left, and it is
    /// to be run again.
    run_record record;
    /// Unit: s. Nothing for one that an earlier pool had run and not named.
    std::optional<double> seconds;
};

class run_pool {
 public:
    struct active_run {
        pending_run what;
        child_process process;
    };

    /// `lock`: descriptor of the directory's lock, which the runs inherit.
    run_pool(const run_list& runs, const campaign_layout& layout, int lock);

    /// Starts it; one that had ended without getting its name gets it, and has ended at once. Throws
    /// output_error where a file cannot be written, std::system_error where no process can be made.
    void start(const pending_run& what);
    const std::list<active_run>& running() const { return m_active; }
    std::size_t active() const { return m_active.size(); }
    /// Waits until a run ends, at most a quarter of a second. Returns the signal that is to end everything, or
    /// 0.
    int wait();
    /// What has ended since the last call, in no order. Throws output_error as above, std::runtime_error where
    /// the configuration is no longer what it was.
    std::vector<ended_run> take_ended();
    /// Ends a run, and leaves nothing of it; one that had just ended stays to be taken.
    void cancel(const pending_run& what);
    /// The same for all.
    void stop();

 private:
    void finish(active_run& run);
    void end(active_run& run);

    const run_list& m_runs;
    const campaign_layout& m_layout;
    run_store m_store;
    int m_lock;
    waiting_signals m_signals;
    std::list<active_run> m_active;
    std::vector<ended_run> m_ended;
};

}  // namespace weir::tb
