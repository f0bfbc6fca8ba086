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

#include "tb/size/size_goal.h"

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
    std::vector<std::optional<double>> values;
    /// Goals whose value is a percentile of too few values: their maximum. None of `lower_bounds`.
    std::set<std::size_t> of_few = {};
    /// Goals whose value is only known to be at least this: work that has not completed hides the percentile.
    std::set<std::size_t> lower_bounds = {};
    /// Some transfers had started and not completed.
    bool has_unfinished = false;
};

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
    std::size_t misses(std::size_t goal) const { return m_misses[goal]; }
    /// Runs whose lower bound neither meets nor misses the goal. A goal is met only if it would be with these
    /// as misses, and not met only if it would not be with these as hits.
    std::size_t undecided(std::size_t goal) const { return m_undecided[goal]; }
    verdict goal_state(std::size_t goal) const { return m_goal_states[goal]; }
    /// Interval of the share of runs that miss the goal, whether or not the undecided ones do.
    share_interval miss_share(std::size_t goal) const;
    /// Interval of the value that the goal bounds; nothing without runs, and for `lossless`. A run without a
    /// value counts as infinitely bad. A lower bound stands for any value above it, the worst in `value`.
    /// Intervals of strict goals are empty: they are about the share.
    std::optional<quantile_interval> value(std::size_t goal) const;
    const share_test& test(std::size_t goal) const { return m_tests[goal]; }

 private:
    /// Nothing where the run's value is a lower bound that does not decide it.
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
