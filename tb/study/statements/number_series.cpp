#include "tb/study/statements/number_series.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace weir::tb {

namespace {

std::optional<double> number_at(const paper_statement& s, const std::vector<double>& operands) {
    switch (s.kind) {
        case statement_kind::value:
            return operands[0] / s.paper.scale;
        case statement_kind::difference:
            return (operands[0] - operands[1]) / s.paper.scale;
        case statement_kind::share:
            return operands[0] > operands[2]
                       ? std::optional(100 * (operands[0] - operands[1]) / (operands[0] - operands[2]))
                       : std::nullopt;
        default:
            break;
    }
    if (operands[0] <= 0 || operands[1] <= 0) {
        return std::nullopt;
    }
    const double ratio = operands[0] / operands[1];
    return s.kind == statement_kind::below ? 100 * (1 - ratio) : ratio;
}

/// The jackknife (Efron and Tibshirani, An introduction to the bootstrap, 1993, chapter 11): of n seeds, n
/// times the number of all less n - 1 times the number without a seed is that seed's pseudo-value.
seed_values pseudo_values(const paper_statement& s, const statement_cell& cell) {
    std::vector<std::vector<double>> seeds;
    for_each_seed(cell.operands, [&](std::size_t, const auto& operands) { seeds.push_back(operands); });
    const auto n = static_cast<double>(seeds.size());
    const auto effect_without = [&](std::size_t left_out) {
        std::vector<double> mean(cell.operands.size(), 0);
        for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
            for (std::size_t k = 0; seed != left_out && k < mean.size(); ++k) {
                mean[k] += seeds[seed][k] / (left_out < seeds.size() ? n - 1 : n);
            }
        }
        const std::optional<double> number = number_at(s, mean);
        return number ? std::optional(effect_of(s.kind, *number)) : std::nullopt;
    };
    const std::optional<double> whole = seeds.empty() ? std::nullopt : effect_without(seeds.size());
    std::size_t next = 0;
    return by_seed(cell.operands, [&](const auto&) {
        const std::optional<double> rest = seeds.size() > 1 ? effect_without(next) : 0.0;
        ++next;
        return whole && rest ? std::optional(number_of(s.kind, n * *whole - (n - 1) * *rest)) : std::nullopt;
    });
}

bool is_ratio(const number_series& series) {
    return series.scale == statement_kind::ratio || series.scale == statement_kind::equivalent;
}

std::vector<seed_values> values_of(const std::vector<number_series>& all,
                                   const std::vector<std::size_t>& places) {
    std::vector<seed_values> values;
    std::transform(places.begin(), places.end(), std::back_inserter(values),
                   [&](std::size_t place) { return all[place].values; });
    return values;
}

std::optional<double> spread_of(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least > 0 ? std::optional(*most / *least) : std::nullopt;
}

/// Places of cells that differ along the first option that moves, and in nothing else.
std::vector<std::vector<std::size_t>> groups_along(const std::vector<statement_cell>& cells) {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& each) {
            return cells[each.front()].others == cells[i].others;
        });
        (group != groups.end() ? *group : groups.emplace_back()).push_back(i);
    }
    return groups;
}

/// The greatest number divided by the least, over the values of the first option that moves.
std::vector<number_series> spreads_of(const std::vector<statement_cell>& cells,
                                      const std::vector<number_series>& all) {
    std::vector<number_series> spreads;
    for (const std::vector<std::size_t>& group : groups_along(cells)) {
        spreads.push_back(
            {cells[group.front()].others, by_seed(values_of(all, group), spread_of), statement_kind::ratio});
    }
    return spreads;
}

/// The number at the last value of the first option that moves, compared with that at the first value.
std::vector<number_series> changes_of(const std::vector<statement_cell>& cells,
                                      const std::vector<number_series>& all) {
    std::vector<number_series> changes;
    const auto is_before = [&](std::size_t a, std::size_t b) { return cells[a].along < cells[b].along; };
    for (const std::vector<std::size_t>& group : groups_along(cells)) {
        const std::size_t first = *std::min_element(group.begin(), group.end(), is_before);
        const std::size_t last = *std::max_element(group.begin(), group.end(), is_before);
        const bool of_ratios = is_ratio(all[first]);
        const auto change = [&](const std::vector<double>& end) {
            return !of_ratios   ? std::optional(end[1] - end[0])
                   : end[0] > 0 ? std::optional(end[1] / end[0])
                                : std::nullopt;
        };
        changes.push_back({cells[first].others, by_seed(values_of(all, {first, last}), change),
                           of_ratios ? statement_kind::ratio : statement_kind::difference});
    }
    return changes;
}

/// The mean over all places, seed by seed.
number_series mean_of(const std::vector<number_series>& all) {
    std::vector<std::size_t> places(all.size());
    std::iota(places.begin(), places.end(), 0);
    return {"",
            by_seed(values_of(all, places),
                    [](const std::vector<double>& values) {
                        return std::accumulate(values.begin(), values.end(), 0.0) /
                               static_cast<double>(values.size());
                    }),
            all.front().scale};
}

/// The least or the greatest number of all runs.
number_series extreme_run(const std::vector<number_series>& all, bool greatest) {
    number_series extreme{all.front().name, {std::nullopt}, all.front().scale};
    for (const number_series& each : all) {
        for (const std::optional<double>& value : each.values) {
            std::optional<double>& found = extreme.values.front();
            if (value && (!found || (greatest ? *value > *found : *value < *found))) {
                found = value;
            }
        }
    }
    return extreme;
}

}  // namespace

number_series series_of(const paper_statement& s, const statement_cell& cell) {
    return {cell.name,
            s.over_seeds ? pseudo_values(s, cell)
                         : by_seed(cell.operands, [&](const auto& operands) { return number_at(s, operands); }),
            s.kind};
}

std::vector<number_series> taken_series(const paper_statement& s, const std::vector<statement_cell>& cells,
                                        double confidence) {
    std::vector<number_series> all;
    for (const statement_cell& cell : cells) {
        all.push_back(series_of(s, cell));
    }
    const auto by_mean = [&](const number_series& a, const number_series& b) {
        return measured(a, confidence).mean < measured(b, confidence).mean;
    };
    switch (s.take) {
        case place_take::least:
            return {*std::min_element(all.begin(), all.end(), by_mean)};
        case place_take::most:
            return {*std::max_element(all.begin(), all.end(), by_mean)};
        case place_take::ends:
            return {*std::min_element(all.begin(), all.end(), by_mean),
                    *std::max_element(all.begin(), all.end(), by_mean)};
        case place_take::mean:
            return {mean_of(all)};
        case place_take::spread:
            return spreads_of(cells, all);
        case place_take::change:
            return changes_of(cells, all);
        case place_take::least_run:
        case place_take::most_run:
            return {extreme_run(all, s.take == place_take::most_run)};
        default:
            return all;
    }
}

judged_mean measured(const number_series& series, double confidence) {
    std::vector<double> effects;
    for (const std::optional<double>& value : series.values) {
        if (value && std::isfinite(effect_of(series.scale, *value))) {
            effects.push_back(effect_of(series.scale, *value));
        }
    }
    const mean_interval m = interval_of(effects, confidence);
    if (m.n == 0) {
        return {};
    }
    const double width = m.has_width() ? m.half_width : 0;
    return {m.n, number_of(series.scale, m.mean), number_of(series.scale, m.mean - width),
            number_of(series.scale, m.mean + width), m.has_width()};
}

}  // namespace weir::tb
