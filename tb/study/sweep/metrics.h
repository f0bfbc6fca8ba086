// Metrics: the numbers of a summary.json, by name.
//
//     fct_ns.p99    frames.dropped    drops.egress_full    pfc.paused_ns.tier1    flows.completed
//     goodput.bps    all hosts together
//     drops.total    pfc.paused_ns.total                    sums over all reasons, over all tiers
//     groups.query.8192.7.jct_ns.p99                        a group's tag, bytes and priority
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/results/derived_metric.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/support/record/column_format.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct metric_value {
    std::string name;
    /// A number, or null where the run had nothing to measure.
    nlohmann::ordered_json value;
    /// The value is only known to be at least this: a percentile that too much unfinished work hides.
    bool is_lower_bound = false;
    /// The value is a percentile of so few values that it is their maximum by definition (the 99th: of fewer
    /// than 100), or is derived from one.
    bool is_of_few = false;
    /// The value is the mean of a distribution some of whose transfers or jobs did not complete, or is derived
    /// from one. The long ones are missing in it, so it is not compared with others.
    bool leaves_out_unfinished = false;
    /// Values that a derived metric may have, if lower bounds of its operands leave `value` null.
    std::optional<metric_range> range{};

    /// All values that the metric may have; nothing if there was nothing to measure.
    std::optional<metric_range> values() const;
};

std::string metric_text(const std::string& name, double value);

/// Metrics of all summaries. Tiers, tags and groups are left out, whose names depend on the run.
std::vector<std::string> known_metrics();
/// Every number of a summary but its seed, in its order; then those derived metrics whose operands it has.
std::vector<metric_value> metrics_of(const nlohmann::ordered_json& summary,
                                     const derived_metrics& definitions = {});

/// Which metrics to report: a list of names, of names' beginnings up to a dot (`fct_ns` is all of it), and of
/// patterns with `*` and `?` (`*.p99`). A definition stands for its name. Empty: all.
class metric_filter {
 public:
    metric_filter() = default;
    explicit metric_filter(std::vector<std::string> wanted);

    bool takes(const std::string& name) const;
    bool takes_all() const { return m_wanted.empty(); }
    /// Errors about names that no run can have and that are not defined. Members such as tiers and tags depend
    /// on the fabric and the traffic and may have any name.
    config_errors check(const std::string& key, const derived_metrics& definitions = {}) const;
    /// Wanted ones that take none of these.
    std::vector<std::string> unused(const std::vector<std::string>& names) const;

 private:
    std::vector<std::string> m_wanted;
};

/// What a metric that is not among `names`, those of the runs, may stand for: `; did you mean
/// tags.query.fct_ns.p99?` or `; the tags are bulk, query`. Empty if the runs have its tag, size, priority or
/// group, or do not tell.
std::string meant_text(const std::string& name, const std::vector<std::string>& names);
/// `no run has 'tags.web.fct_ns.p99'; the tags are bulk, query`, or `no run has all operands of 'x = ...': ...`
/// with the first operand that is missing. `expected` goes on behind it.
std::string absent_text(const std::string& name, const derived_metrics& definitions,
                        const std::vector<std::string>& names, const std::string& expected = {});
/// Warnings about metrics that `output.metrics` requests and the summary of the run does not have.
std::vector<std::string> absent_requests(const std::vector<std::string>& requested,
                                         const nlohmann::ordered_json& summary);
/// True for `flows.unfinished`, `fct_ns.unfinished` and the like: a summary without one stands for 0.
bool is_zero_if_absent(const std::string& metric);
/// The metric of this name; null where there is none.
const metric_value* find_metric(const std::string& name, const std::vector<metric_value>& metrics);
/// Smallest count of values of which one is expected above a percentile: 100 for `fct_ns.p99`. 0 for other
/// metrics.
std::uint64_t values_needed(const std::string& metric);
/// `fct_ns` of `fct_ns.p99`
std::string measured_by(const std::string& metric);
/// Most groups of equal tag, size and priority that tables show without being asked for.
inline constexpr std::size_t most_shown_groups = 32;
/// Whether there are more groups among these metrics.
bool has_many_groups(const std::vector<std::string>& metrics);
/// `groups.query.8192.7`: what the names of a group's metrics begin with.
std::string name_of_group(const nlohmann::ordered_json& group);
/// `groups.query.8192.7` of `groups.query.8192.7.fct_ns.p99`; empty for other names.
std::string group_of(const std::string& metric);
/// `12 of 40 runs have fewer than 100 values of fct_ns, so their fct_ns.p99 is the maximum`. `metric`: a
/// percentile, or derived from one.
std::string few_values_text(const std::string& metric, std::size_t few, std::size_t runs);
/// `3 of 40 runs have work that did not complete: fct_ns.p99 is only a lower bound there`
std::string lower_bounds_text(const std::string& percentile, std::size_t bounds, std::size_t runs);
/// `no run to draw has 100 values of fct_ns: fct_ns.p99 is their maximum`
std::string only_few_values_text(const std::string& percentile);

}  // namespace weir::tb
