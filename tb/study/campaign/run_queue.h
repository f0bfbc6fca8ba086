// Runs that are all known beforehand, one after another, with the progress of the whole.
//
//   const inventory found = take_inventory(all_runs, runs, layout, false);
//   run_queue queue(runs, found, points, jobs);
//   queue.note = [&](const std::string& text) { ... };
//   make_runs(queue, pool, jobs, [&](const std::string& text) { line.show(text); });
//   queue.status().failed;
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tb/study/campaign/run_pool.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// How far a campaign is.
struct campaign_status {
    std::size_t total = 0;
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t running = 0;
    /// Unit: s; negative where nothing is known yet.
    double seconds_left = -1;
    /// The environment ended them.
    std::size_t not_finished = 0;
};

/// `37 of 200 runs done, 1 failed, 1 not finished, 2 running, 3 min 12 s left`.
std::string progress_text(const campaign_status& status);

/// What there is of a campaign, and what is left.
struct inventory {
    /// In the order in which they should run.
    std::vector<pending_run> pending;
    std::size_t done = 0;
    std::size_t failed = 0;
    /// Runs that are there and have another configuration than the plan says: what to tell the user.
    config_errors foreign;
};

/// `wanted`: all runs, in the order in which they should run. With `retry_failed`, those that failed are left
/// to be run again.
inventory take_inventory(const std::vector<pending_run>& wanted, const run_list& runs,
                         const campaign_layout& layout, bool retry_failed);

class run_queue : public run_demand {
 public:
    /// `points`: how many there are in all. `jobs`: runs at a time.
    run_queue(const run_list& runs, const inventory& found, std::size_t points, unsigned jobs);

    /// A message about a run, for the user.
    std::function<void(const std::string&)> note;

    bool finished(const run_pool& pool) const override;
    std::optional<pending_run> next() override;
    void take(const ended_run& run) override;
    std::string progress(const run_pool& pool) override;

    const campaign_status& status() const { return m_status; }

 private:
    double seconds_left(const run_pool& pool) const;

    const run_list& m_runs;
    std::vector<pending_run> m_pending;
    unsigned m_jobs;
    std::size_t m_next = 0;
    campaign_status m_status;
    /// By point: seconds of the runs that have ended here, and how many these are.
    std::vector<double> m_seconds;
    std::vector<std::size_t> m_ended;
};

}  // namespace weir::tb
