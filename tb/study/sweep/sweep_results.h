// The results of a sweep, read from its runs: what tables and pictures are made of. Always rebuilt from the
// runs' directories, so that it does not matter how often a sweep was interrupted.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/sweep_statistics.h"

namespace weir::tb {

/// How a run ended, and its metrics if it is done.
struct read_metrics {
    run_record record;
    std::vector<metric_value> metrics{};
};
using metric_source = std::function<read_metrics(std::size_t point, std::uint64_t seed)>;

class sweep_results {
 public:
    sweep_results(const sweep_plan& plan, const metric_source& source, const metric_filter& filter);
    /// Without names in the filter: all metrics, but for groups if there are more than `most_shown_groups`.
    sweep_results(const sweep_plan& plan, const campaign_layout& layout, const metric_filter& filter);

    /// Groups were left out.
    bool without_groups() const { return m_without_groups; }

    /// In the order of their first appearance, point by point and seed by seed.
    const std::vector<std::string>& metrics() const { return m_names; }
    /// All metrics of the runs, whatever the filter takes.
    std::vector<std::string> seen() const { return {m_seen.begin(), m_seen.end()}; }
    /// Places of those that a filter of these names takes.
    std::vector<std::size_t> metrics_like(const std::vector<std::string>& wanted) const;
    const sweep_plan& plan() const { return m_plan; }
    const run_record& record(std::size_t point, std::size_t seed) const { return at(point, seed).record; }
    /// A number, or null where the run has none. `seed` is its place in the plan's list.
    const nlohmann::ordered_json& value(std::size_t point, std::size_t seed, std::size_t metric) const {
        return of(at(point, seed), metric).value;
    }
    /// It is a percentile, and its run has too few values for it: it is their maximum.
    bool is_of_few_values(std::size_t point, std::size_t seed, std::size_t metric) const {
        return of(at(point, seed), metric).is_of_few;
    }
    /// True if the value is only known to be at least this (output-files.md, unfinished transfers).
    bool is_lower_bound(std::size_t point, std::size_t seed, std::size_t metric) const {
        return of(at(point, seed), metric).is_lower_bound;
    }
    /// True if a run of the point has a mean that some transfers or jobs are missing in, or a metric derived
    /// from one.
    bool leaves_out_unfinished(std::size_t point, std::size_t metric) const;
    /// True if some run has a lower bound of the metric.
    bool any_lower_bound(std::size_t metric) const { return m_bounded.count(metric) != 0; }
    /// A number that may be shown to people: nothing where the run has none, or a percentile of too few values.
    std::optional<double> sound_value(std::size_t point, std::size_t seed, std::size_t metric) const;
    std::size_t count(run_record::states state) const;
    std::size_t count(std::size_t point, run_record::states state) const;
    /// Adds the runs of the point.
    void add_runs(std::size_t point, failed_runs& to) const;
    /// A line for people where runs have transfers that did not complete; else empty.
    std::string unfinished_warning() const;

    /// Over the seeds that have a value. A mean with a lower bound among them is one itself.
    mean_interval mean(std::size_t point, std::size_t metric, double confidence) const;
    /// The same without percentiles of too few values: what is shown to people.
    mean_interval sound_mean(std::size_t point, std::size_t metric, double confidence) const;
    /// Some run has a value of the metric, of too few.
    bool any_of_few_values(std::size_t metric) const;
    /// To `reference`, over the seeds that both have. Lower bounds of the reference do not count.
    mean_interval difference(std::size_t point, std::size_t reference, std::size_t metric,
                             double confidence) const;
    /// Divided by `reference`, seed by seed; as `sound_mean`, without percentiles of too few values, and
    /// without seeds whose reference is 0 or a lower bound.
    mean_interval sound_ratio(std::size_t point, std::size_t reference, std::size_t metric,
                              double confidence) const;

 private:
    /// As `metric_value` has it.
    struct value_facts {
        nlohmann::ordered_json value;
        bool is_lower_bound = false;
        bool is_of_few = false;
        bool leaves_out_unfinished = false;
    };
    struct run_values {
        run_record record;
        /// By metric; shorter where the last ones are missing.
        std::vector<value_facts> values;
        /// Some transfers had started and not completed.
        bool has_unfinished = false;
    };

    const run_values& at(std::size_t point, std::size_t seed) const {
        return m_runs[point * m_plan.seeds.size() + seed];
    }
    /// Null if the run lacks the metric.
    static const value_facts& of(const run_values& run, std::size_t metric);
    std::optional<double> number(std::size_t point, std::size_t seed, std::size_t metric) const;
    template <class ValueOf>
    mean_interval mean_over(std::size_t point, std::size_t metric, double confidence,
                            const ValueOf& value_of) const;
    void read(const metric_source& source, const metric_filter& filter, bool with_groups);

    const sweep_plan& m_plan;
    std::vector<run_values> m_runs;
    std::vector<std::string> m_names;
    std::map<std::string, std::size_t> m_places;
    std::set<std::string> m_seen;
    /// Metrics with a lower bound in some run.
    std::set<std::size_t> m_bounded;
    bool m_without_groups = false;
};

}  // namespace weir::tb
