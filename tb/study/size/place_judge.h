// Whether all goals hold at one place (one configuration), decided from as few runs as can be.
//
// Runs count in the order of their seeds, whatever the order in which they end, and none counts after the one
// that decides: so the verdict does not depend on how many runs go on at a time.
//
//   place_judge judge(goals, 0.001);
//   judge.allow(50);
//   while (!judge.settled()) {
//       judge.add(judge.runs(), run_of_seed(judge.runs()));
//   }
//   judge.state();
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/study/size/size_goal.h"

namespace weir::tb {

/// How a run came to its end.
enum class run_end : std::uint8_t {
    whole,     ///< it did all that it was to do
    loss,      ///< it lost a frame of a lossless class
    deadlock,  ///< its frames wait for each other for good
    failure    ///< anything else, which says nothing about the goals
};

/// What a run gave.
struct run_outcome {
    /// A run that ended with a loss or a deadlock misses every goal, and has no values.
    run_end end = run_end::whole;
    /// What it said of an end that is not whole.
    std::string message;
    /// By goal; nothing where the run had nothing to measure, which misses the goal.
    std::vector<std::optional<value_range>> values;
    /// Goals whose value is a percentile of too few values: their maximum.
    std::set<std::size_t> of_few = {};
    /// Transfers that had started and not completed.
    std::uint64_t unfinished = 0;
    /// Value of each relative goal's metric in this run, and in the run of the reference point; their ratio is
    /// in `values`. Empty if no goal is relative.
    std::vector<std::optional<value_range>> measured = {};
    std::vector<std::optional<value_range>> references = {};
};

/// The value that a goal bounds, over all runs: the quantile that the goal asks for.
struct goal_estimate {
    /// Infinite if it is that of a run without a value.
    value_range value;
    /// Ends of its interval; nothing if the runs prove none.
    std::optional<double> low = {};
    std::optional<double> high = {};
};

/// Estimates the quantile from the values of runs. A run without a value counts as infinitely bad, a bound
/// stands for any value beyond it. A strict test has no interval, because it is about the share. Precondition:
/// there are runs.
goal_estimate estimate_of(const std::vector<std::optional<value_range>>& values, bool wants_small,
                          const share_test& test);

class place_judge {
 public:
    /// `goals` must outlive it. `error`: as of share_test, of each goal.
    place_judge(const std::vector<size_goal>& goals, double error);

    /// At most so many runs, in all; never fewer than before.
    void allow(std::size_t runs);
    /// Of the index-th seed, from 0. Those that do not count are ignored.
    void add(std::size_t index, run_outcome outcome);

    /// met: all goals are; not_met: one is not; never not_possible.
    verdict state() const { return m_state; }
    /// A run that is needed has failed, so nothing more can be said; what it said. The run is the one of index
    /// `runs()`.
    const std::optional<std::string>& failure() const { return m_failure; }
    /// It is decided, or all runs that were allowed are in.
    bool settled() const { return m_state != verdict::not_decided || m_counted.size() >= m_most; }
    /// The runs that count.
    std::size_t runs() const { return m_counted.size(); }
    const run_outcome& outcome(std::size_t index) const { return m_counted[index]; }
    /// Up to which seed runs are needed, from 0, exclusive: a decision takes at least these, unless one of them
    /// misses a strict goal.
    std::size_t needed() const;

    /// Of the runs that count.
    std::size_t ended(run_end how) const;
    /// Unfinished transfers, of each run at most so many: with 1, the number of runs that have some.
    std::uint64_t unfinished(std::uint64_t most_of_a_run = UINT64_MAX) const;
    std::size_t misses(std::size_t goal) const { return m_misses[goal]; }
    /// Runs whose bound neither meets nor misses the goal. A goal is met only if it would be with these
    /// as misses, and not met only if it would not be with these as hits.
    std::size_t undecided(std::size_t goal) const { return m_undecided[goal]; }
    verdict goal_state(std::size_t goal) const { return m_goal_states[goal]; }
    /// Interval of the share of runs that miss the goal, whether or not the undecided ones do.
    share_interval miss_share(std::size_t goal) const;
    /// Returns nothing if there are no runs, or for `lossless`.
    std::optional<goal_estimate> value(std::size_t goal) const;
    const share_test& test(std::size_t goal) const { return m_tests[goal]; }

 private:
    /// Returns nothing if the range of the run's value does not decide it.
    std::optional<bool> misses_goal(const run_outcome& outcome, std::size_t goal) const;
    verdict decide(std::size_t goal) const;
    void count(run_outcome outcome);

    const std::vector<size_goal>& m_goals;
    std::vector<share_test> m_tests;
    std::size_t m_most = 0;
    std::vector<run_outcome> m_counted;
    /// Ended before those that come before them.
    std::map<std::size_t, run_outcome> m_early;
    std::vector<std::size_t> m_misses;
    std::vector<std::size_t> m_undecided;
    /// A goal that was decided once stays decided: the error holds for all moments together.
    std::vector<verdict> m_goal_states;
    verdict m_state = verdict::not_decided;
    std::optional<std::string> m_failure;
};

}  // namespace weir::tb
