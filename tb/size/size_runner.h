// Gives a search its runs: from the directory where they are there, else as processes, several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "tb/size/size_plan.h"
#include "tb/sweep/point_source.h"
#include "tb/sweep/run_pool.h"
#include "tb/sweep/sweep_directory.h"

namespace weir {

class size_runner {
 public:
    struct options {
        /// Runs at a time. Range: at least 1.
        unsigned jobs = 1;
        /// Descriptor of the directory's lock, which the runs inherit.
        int lock = -1;
        /// Runs may be made; else the search ends where it has no more of them.
        bool may_run = true;
        /// Called now and then, with the place that is looked at.
        std::function<void(const std::string&)> progress;
    };

    size_runner(const size_plan& plan, const point_source& source, const sweep_layout& layout, options o)
        : m_plan(plan), m_source(source), m_layout(layout), m_options(std::move(o)) {}

    /// Until the search is finished. Returns the signal that ended it, or 0. A run that lost a frame of a
    /// lossless class, or ended in a deadlock, is an outcome; any other failure is a std::runtime_error that
    /// names its place: the first one, whatever the number of jobs, unless it is about the machine (a full
    /// disk), which ends the search at once. Throws output_error where a file cannot be written.
    int run(size_search& search);

    /// Runs that this object has made.
    std::size_t made() const { return m_made; }

 private:
    using run_key = std::pair<std::size_t, std::size_t>;

    bool take_from_directory(size_search& search, const wanted_run& run);
    void give(size_search& search, const wanted_run& run, const run_record& record);
    bool fill(size_search& search, run_pool& pool);
    void take(size_search& search, run_pool& pool);
    std::string failure_text(const wanted_run& run, const std::string& error) const;
    void show(const size_search& search, const run_pool& pool) const;

    const size_plan& m_plan;
    const point_source& m_source;
    const sweep_layout& m_layout;
    options m_options;
    /// Known to the search, or under way.
    std::set<run_key> m_begun;
    std::size_t m_made = 0;
};

/// Removes the runs that the answer does not rest on: begun because several went on at a time, or for other
/// goals. Throws output_error.
void remove_uncounted_runs(const size_plan& plan, const size_search& search, const sweep_layout& layout);

}  // namespace weir
