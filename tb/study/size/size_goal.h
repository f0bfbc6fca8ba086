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
//     fct_ns.p99 <= 1.1 x of switch.ingress_buffer=1GiB   the ratio to the value at a reference point
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/points/sweep_axis.h"
#include "tb/study/size/share_test.h"
#include "tb/study/sweep/metrics.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// Range of a number. Unfinished transfers may hide the number: then it is at least `low` or at most `high`. A
/// number that is not there is infinite.
struct value_range : metric_range {
    value_range(double exact = 0) : value_range(exact, exact) {}
    value_range(double at_least, double at_most) : metric_range{at_least, at_most} {}
    value_range(const metric_range& range) : metric_range(range) {}

    bool is_exact() const { return low == high; }
    /// True for the ratio of two lower bounds: any number but a negative one.
    bool is_unknown() const { return low == 0 && high == HUGE_VAL; }
    bool is_upper_bound() const { return low < high && std::isfinite(high); }
    /// The number, or the bound; infinite if there is neither.
    double end() const { return is_upper_bound() || is_unknown() ? high : low; }
    /// `at least`, `at most`; empty for the number, and if there is none.
    const char* bound() const {
        return is_exact() || is_unknown() ? "" : is_upper_bound() ? "at most" : "at least";
    }
    /// Range of the ratio to a number that is above 0.
    value_range ratio_to(const value_range& other) const;
};

struct size_goal {
    /// In the project's own words: `fct_ns.p99_9 <= 10ms in 50% of runs`.
    std::string text;
    /// Of summary.json; empty: `lossless`.
    std::string metric;
    enum class operators { at_most, below, at_least, above, equal };
    operators op = operators::at_most;
    /// Unit: that of the metric (ns, bit/s, or 1). For a relative goal: the factor.
    double bound = 0;
    /// Options of the reference point: `switch.ingress_buffer=1GiB,pfc.xoff=20KB`. Empty for other goals.
    std::string reference;
    /// An axis with one value for each of these options; filled by `read_reference`.
    std::vector<sweep_axis> reference_axes;
    share_rule rule;

    bool is_lossless() const { return metric.empty(); }
    /// True if it bounds the ratio of the metric to its value at the reference point, with the same seed.
    bool is_relative() const { return !reference.empty(); }
    /// True if it is shown as the share of runs that miss it: it has no value, or one miss decides.
    bool counts_runs() const { return is_lossless() || rule.strict; }
    /// Without the share: `lossless`, `frames.dropped = 0`.
    std::string claim() const;
    /// Small values are good.
    bool wants_small() const { return op != operators::at_least && op != operators::above; }
    bool holds(double value) const;
    /// Returns nothing if some numbers in the range meet the goal and others do not.
    std::optional<bool> holds(const value_range& value) const;
};

/// Errors: a form that is none of the above, a bound without its unit.
parse_result<size_goal> read_goal(const std::string& text);
/// Reads the options of a relative goal's reference point, and writes them into its text in the project's own
/// words. Errors: an option that is unknown, given twice or without effect on results; a value that the option
/// refuses; several values.
config_errors read_reference(size_goal& goal, const option_table& table);

/// A metric for people: `12.3 ms`, `at least 17`; `none` for a value that is not there.
std::string measured_text(const std::string& metric, const value_range& value);
/// Errors of goals about metrics that no run has and that are not defined.
config_errors unknown_metrics(const std::vector<size_goal>& goals, const derived_metrics& definitions);

/// True if not every run has the metric: it is on request, derived, or of a group of transfers or jobs.
bool may_lack(const std::string& metric);

/// A metric among a run's; null if none of its group has started in the run, or if it is derived and the run
/// lacks an operand. Throws std::runtime_error if the run has no other metric of this name.
const metric_value* judged_metric(const std::string& metric, const std::vector<metric_value>& metrics);

}  // namespace weir::tb
