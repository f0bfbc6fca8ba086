// A goal, as `--goal` takes it: what must hold of a run, and in which share of all runs.
//
//     lossless                      no run loses a frame of a lossless class
//     lossless in 80% of runs       at most a fifth of all runs do
//     drops = 0                     no run loses any frame
//     drops = 0 proven in 99% of runs  the same, met once fewer than 1 % of runs are proven to lose one
//     p99.9 fct <= 10ms             the 99.9th percentile of completion times, in half of all runs
//     p99 jct of query.8192.7 <= 5ms in 90% of runs
//     paused host <= 2ms
//     goodput >= 40Gbps              payload that all hosts together received
//     pfc.xoff_sent <= 1000
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/size/share_test.h"
#include "tb/sweep/metrics.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

struct size_goal {
    /// In the project's own words: `fct_ns.p99_9 <= 10ms in 50% of runs`.
    std::string text;
    /// Of summary.json; empty: `lossless`.
    std::string metric;
    enum class operators { at_most, below, at_least, above };
    operators op = operators::at_most;
    /// In the metric's unit: ns, bit/s, or 1.
    double bound = 0;
    share_rule rule;

    bool is_lossless() const { return metric.empty(); }
    /// It is shown as the share of runs that miss it, for want of a value or because one miss decides.
    bool counts_runs() const { return is_lossless() || rule.strict; }
    /// Without the share: `lossless`, `frames.dropped = 0`.
    std::string claim() const;
    /// Small values are good.
    bool wants_small() const { return op == operators::at_most || op == operators::below; }
    bool holds(double value) const;
    /// The same of a value that is only known to be at least this; nothing where that does not decide it.
    std::optional<bool> holds_from(double lower_bound) const;
};

/// Errors: a form that is none of the above, an unknown metric, a bound without its unit.
parse_result<size_goal> read_goal(const std::string& text);

/// True if the metric is of a group of transfers or jobs. A run in which none of the group has started does not
/// have it.
bool is_of_group(const std::string& metric);

/// A metric among a run's; null where its value is, or where it is of a group that the run does not have.
/// Throws std::runtime_error where the run has no other metric of this name.
const metric_value* judged_metric(const std::string& metric, const std::vector<metric_value>& metrics);

/// For people: `12.3 ms`, `17`; `-` for what is not finite.
std::string goal_value_text(const std::string& metric, double value);

}  // namespace weir::tb
