// Runs of a campaign, several at a time: starts them where there is a place (run_places.h), and takes in what
// they leave.
//
// A run's directory gets its name as soon as it ends. While a pool lives, the signals that end a
// command early (ending_signals.h) wait to be asked for with `wait`; its runs die with it.
//
//   run_pool pool(runs, layout, places);
//   pool.start({0, 1});  // point 0 with seed 1
//   while (pool.active() > 0 && pool.wait() == 0) {
//       for (const ended_run& run : pool.take_ended()) { ... }
//   }
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "tb/campaign/campaign_directory.h"
#include "tb/campaign/run_list.h"
#include "tb/campaign/run_places.h"
#include "tb/process/ending_signals.h"

namespace weir::tb {

struct ended_run {
    pending_run what;
    /// `missing`: the environment ended it (no memory, a full disk, a signal), nothing of it is left, and it is
    /// to be run again. So is one that its launcher did not wait for, or that another command is making; what
    /// is there of it stays.
    run_record record;
    /// Unit: s. Nothing for one that this pool has not seen from beginning to end.
    std::optional<double> seconds;
};

class run_pool {
 public:
    struct active_run {
        pending_run what;
        std::unique_ptr<started_run> process;
        std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    };

    /// All outlive this.
    run_pool(const run_list& runs, const campaign_layout& layout, run_places& places);

    /// Starts it; one that had ended without getting its name gets it, and has ended at once, as has one that
    /// another command is making. Throws output_error where a file cannot be written, std::system_error where
    /// no process can be made.
    void start(const pending_run& what);
    const std::list<active_run>& running() const { return m_active; }
    std::size_t active() const { return m_active.size(); }
    /// Waits until a run ends, at most for a moment. Returns the signal that is to end everything, or
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
    void take_end(active_run& run);

    const run_list& m_runs;
    const campaign_layout& m_layout;
    run_store m_store;
    run_places& m_places;
    waiting_signals m_signals;
    std::list<active_run> m_active;
    std::vector<ended_run> m_ended;
};

}  // namespace weir::tb
