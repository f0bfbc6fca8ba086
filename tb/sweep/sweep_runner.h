// Runs what is missing of a sweep, several runs at a time, each a process of its own.
//
// Runs go seed by seed: once the first seed is through, every point has a result. A run's directory gets its
// name as soon as it ends. The signals of ending_signals.h end the runs; what has ended before stays.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tb/sweep/point_source.h"
#include "tb/sweep/run_pool.h"
#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plan.h"

namespace weir {

/// How far a sweep is.
struct sweep_status {
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
std::string progress_text(const sweep_status& status);

class sweep_runner {
 public:
    struct options {
        /// Runs at a time. Range: at least 1.
        unsigned jobs = 1;
        /// Descriptor of the sweep's lock, which the runs inherit.
        int lock = -1;
        /// Called now and then.
        std::function<void(const sweep_status&)> progress;
        /// A message about a run, for the user.
        std::function<void(const std::string&)> note;
    };

    sweep_runner(const sweep_plan& plan, const point_source& source, const sweep_layout& layout, options o);

    /// Runs these; `done` and `failed` say what there is already. Returns the signal that ended it, or 0.
    /// Throws output_error where a file cannot be written, std::runtime_error where the configuration is no
    /// longer what it was; the runs under way have then been ended.
    int run(const std::vector<pending_run>& pending, std::size_t done, std::size_t failed);

    const sweep_status& status() const { return m_status; }

 private:
    void take(run_pool& pool);
    void show(const run_pool& pool);

    const sweep_plan& m_plan;
    const point_source& m_source;
    const sweep_layout& m_layout;
    options m_options;
    sweep_status m_status;
    std::vector<double> m_seconds;
    std::vector<std::size_t> m_ended;
    const std::vector<pending_run>* m_pending = nullptr;
    std::size_t m_next = 0;
};

/// What there is of a sweep, and what is left.
struct sweep_inventory {
    /// In the order in which they should run.
    std::vector<pending_run> pending;
    std::size_t done = 0;
    std::size_t failed = 0;
    /// Runs that are there and have another configuration than the plan says: what to tell the user.
    config_errors foreign;
};

/// Reads only. A run that failed counts as failed, unless `retry_failed`.
sweep_inventory take_inventory(const sweep_plan& plan, const point_source& source, const sweep_layout& layout,
                               bool retry_failed);

}  // namespace weir
