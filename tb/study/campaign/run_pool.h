// Runs of a campaign, several at a time: starts them where there is a place (run_places.h), and takes in what
// they leave. A demand says which runs are wanted next: all may be known beforehand (run_queue), or each may
// follow from the results of those before it, as in a search.
//
// A run's directory gets its name as soon as it ends. While a pool lives, the signals that end a
// command early (ending_signals.h) wait to be asked for with `wait`; its runs die with it.
//
//   run_pool pool(runs, layout, places);
//   const made_runs made = make_runs(demand, pool, 8, [&](const std::string& text) { line.show(text); });
//   if (made.signal != 0) { ... }
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/campaign/run_places.h"
#include "tb/support/process/ending_signals.h"

namespace weir::tb {

class run_pool;

struct ended_run {
    pending_run what;
    /// `missing`: the environment ended it (no memory, a full disk, a signal), nothing of it is left, and it is
    /// to be run again. So is one that its launcher did not wait for, or that another command is making; what
    /// is there of it stays.
    run_record record;
    /// Unit: s. Nothing for one that this pool has not seen from beginning to end.
    std::optional<double> seconds;
};

/// Says which runs of a campaign are wanted next.
class run_demand {
 public:
    virtual ~run_demand() = default;

    /// Nothing more is wanted; what is still under way then is ended.
    virtual bool finished(const run_pool& pool) const = 0;
    /// Takes in what needs no run, and asks `wants` anew.
    virtual void look() {}
    /// A run that is under way is still wanted. One that is not may be asked for again.
    virtual bool wants(const pending_run&) const { return true; }
    virtual void cancelled(const pending_run&) {}
    /// The next run to begin; nothing as long as none is wanted beside those under way. Each is named once.
    virtual std::optional<pending_run> next() = 0;
    /// A run has ended.
    virtual void take(const ended_run& run) = 0;
    /// Nothing is under way any more. What it throws ends the command.
    virtual void end() {}
    /// How far it is, for the user; empty where there is nothing to say.
    virtual std::string progress(const run_pool& pool) = 0;
};

class run_pool {
 public:
    struct active_run {
        pending_run what;
        std::unique_ptr<started_run> process;
        std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    };

    /// All outlive this.
    run_pool(const run_list& runs, const campaign_layout& layout, run_places& places)
        : m_runs(runs), m_layout(layout), m_places(places) {}

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
    /// Ends the runs that the demand does not want any more, and leaves nothing of them; one that had just
    /// ended stays to be taken.
    void cancel_unwanted(run_demand& demand);
    /// The same for all.
    void stop();

 private:
    void finish(active_run& run);
    void take_end(active_run& run);
    /// True if the partial run has ended, and all of its files are there. A campaign that was killed before it
    /// named the run leaves one.
    bool is_whole(const pending_run& what) const;
    /// Leaves what is to be kept of a partial run, and gives it its name.
    void keep_and_name(const pending_run& what) const;

    const run_list& m_runs;
    const campaign_layout& m_layout;
    run_places& m_places;
    waiting_signals m_signals;
    std::list<active_run> m_active;
    std::vector<ended_run> m_ended;
};

struct made_runs {
    /// That ended it, or 0.
    int signal = 0;
    /// Those that came to an end of their own: done, or failed by the model's verdict.
    std::size_t count = 0;
};

/// Until the demand is finished. Throws output_error where a file cannot be written, std::runtime_error where
/// the configuration is no longer what it was, and what `take` and `look` throw; the runs under way end with
/// the pool.
made_runs make_runs(run_demand& demand, run_pool& pool, unsigned jobs,
                    const std::function<void(const std::string&)>& show);

}  // namespace weir::tb
