#include "tb/study/sweep/sweep_results.h"

#include <algorithm>

namespace weir::tb {

using nlohmann::ordered_json;

sweep_results::sweep_results(const sweep_plan& plan, const campaign_layout& layout, const metric_filter& filter)
    : sweep_results(
          plan,
          [&](std::size_t point, std::uint64_t seed) {
              read_metrics read{layout.record(point, seed)};
              if (read.record.state == run_record::states::done) {
                  read.metrics = metrics_of(layout.summary(point, seed), plan.metrics);
              }
              return read;
          },
          filter) {}

sweep_results::sweep_results(const sweep_plan& plan, const metric_source& source, const metric_filter& filter)
    : m_plan(plan) {
    read(source, filter, true);
    if (filter.takes_all() && has_many_groups(m_names)) {
        m_without_groups = true;
        read(source, filter, false);
    }
}

void sweep_results::read(const metric_source& source, const metric_filter& filter, bool with_groups) {
    m_runs.assign(m_plan.runs(), {});
    m_names.clear();
    m_places.clear();
    m_bounded.clear();
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const std::size_t point = i / m_plan.seeds.size();
        const std::uint64_t seed = m_plan.seeds[i % m_plan.seeds.size()];
        auto [record, metrics] = source(point, seed);
        m_runs[i].record = std::move(record);
        m_runs[i].has_unfinished = find_metric("flows.unfinished", metrics) != nullptr;
        for (const metric_value& metric : metrics) {
            m_seen.insert(metric.name);
            if (!filter.takes(metric.name) || (!with_groups && !group_of(metric.name).empty())) {
                continue;
            }
            const auto [place, is_new] = m_places.emplace(metric.name, m_names.size());
            if (is_new) {
                m_names.push_back(metric.name);
            }
            std::vector<value_facts>& values = m_runs[i].values;
            values.resize(std::max(values.size(), place->second + 1));
            values[place->second] = {metric.value, metric.is_lower_bound, metric.is_of_few,
                                     metric.leaves_out_unfinished};
            if (metric.is_lower_bound) {
                m_bounded.insert(place->second);
            }
        }
    }
    for (const auto& [name, place] : m_places) {
        for (run_values& run : m_runs) {
            if (is_zero_if_absent(name) && run.record.state == run_record::states::done) {
                run.values.resize(std::max(run.values.size(), place + 1));
                if (run.values[place].value.is_null()) {
                    run.values[place].value = 0;
                }
            }
        }
    }
}

std::string sweep_results::unfinished_warning() const {
    const auto unfinished =
        std::count_if(m_runs.begin(), m_runs.end(), [](const run_values& run) { return run.has_unfinished; });
    return unfinished == 0
               ? ""
               : "warning: " + std::to_string(unfinished) + " of " +
                     std::to_string(count(run_record::states::done)) +
                     " runs have transfers that did not complete: a percentile that they hide is a lower "
                     "bound ('at least'), and means of times are over completed ones\n";
}

std::vector<std::size_t> sweep_results::metrics_like(const std::vector<std::string>& wanted) const {
    const metric_filter filter(wanted);
    std::vector<std::size_t> places;
    for (std::size_t m = 0; m < m_names.size(); ++m) {
        if (filter.takes(m_names[m])) {
            places.push_back(m);
        }
    }
    return places;
}

const sweep_results::value_facts& sweep_results::of(const run_values& run, std::size_t metric) {
    static const value_facts none;
    return metric < run.values.size() ? run.values[metric] : none;
}

bool sweep_results::leaves_out_unfinished(std::size_t point, std::size_t metric) const {
    const run_values* const first = &at(point, 0);
    return std::any_of(first, first + m_plan.seeds.size(),
                       [&](const run_values& run) { return of(run, metric).leaves_out_unfinished; });
}

std::size_t sweep_results::count(std::size_t point, run_record::states state) const {
    std::size_t runs = 0;
    for (std::size_t s = 0; s < m_plan.seeds.size(); ++s) {
        runs += record(point, s).state == state ? 1 : 0;
    }
    return runs;
}

void sweep_results::add_runs(std::size_t point, failed_runs& to) const {
    for (std::size_t s = 0; s < m_plan.seeds.size(); ++s) {
        const auto seed = m_plan.is_of_runs ? std::nullopt : std::optional(m_plan.seeds[s]);
        to.add(m_plan.settings(point), seed, record(point, s));
    }
}

std::size_t sweep_results::count(run_record::states state) const {
    std::size_t runs = 0;
    for (std::size_t point = 0; point < m_plan.points(); ++point) {
        runs += count(point, state);
    }
    return runs;
}

/// Over the places of seeds for which `value_of` has a value.
template <class ValueOf>
mean_interval sweep_results::mean_over(std::size_t point, std::size_t metric, double confidence,
                                       const ValueOf& value_of) const {
    std::vector<double> values;
    bool any_bound = false;
    for (std::size_t s = 0; s < m_plan.seeds.size(); ++s) {
        if (const std::optional<double> value = value_of(s)) {
            values.push_back(*value);
            any_bound = any_bound || is_lower_bound(point, s, metric);
        }
    }
    const mean_interval found = interval_of(values, confidence);
    return any_bound ? found.as_lower_bound() : found;
}

std::optional<double> sweep_results::number(std::size_t point, std::size_t seed, std::size_t metric) const {
    const ordered_json& found = value(point, seed, metric);
    return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::optional<double> sweep_results::sound_value(std::size_t point, std::size_t seed,
                                                 std::size_t metric) const {
    return is_of_few_values(point, seed, metric) ? std::nullopt : number(point, seed, metric);
}

mean_interval sweep_results::mean(std::size_t point, std::size_t metric, double confidence) const {
    return mean_over(point, metric, confidence, [&](std::size_t s) { return number(point, s, metric); });
}

mean_interval sweep_results::sound_mean(std::size_t point, std::size_t metric, double confidence) const {
    return mean_over(point, metric, confidence, [&](std::size_t s) { return sound_value(point, s, metric); });
}

mean_interval sweep_results::sound_ratio(std::size_t point, std::size_t reference, std::size_t metric,
                                         double confidence) const {
    return mean_over(point, metric, confidence, [&](std::size_t s) {
        const std::optional<double> here = sound_value(point, s, metric);
        const std::optional<double> there = sound_value(reference, s, metric);
        return here && there && *there != 0 && !is_lower_bound(reference, s, metric)
                   ? std::optional(*here / *there)
                   : std::nullopt;
    });
}

bool sweep_results::any_of_few_values(std::size_t metric) const {
    return std::any_of(m_runs.begin(), m_runs.end(),
                       [&](const run_values& run) { return of(run, metric).is_of_few; });
}

mean_interval sweep_results::difference(std::size_t point, std::size_t reference, std::size_t metric,
                                        double confidence) const {
    return mean_over(point, metric, confidence, [&](std::size_t s) {
        const std::optional<double> here = number(point, s, metric);
        const std::optional<double> there = number(reference, s, metric);
        return here && there && !is_lower_bound(reference, s, metric) ? std::optional(*here - *there)
                                                                      : std::nullopt;
    });
}

}  // namespace weir::tb
