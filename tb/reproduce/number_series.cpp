#include "tb/reproduce/number_series.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace weir::tb {

namespace {

using seed_values = std::vector<std::optional<double>>;

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

/// The operands that have a value with this seed.
std::vector<double> operands_at(const statement_cell& cell, std::size_t seed) {
    std::vector<double> operands;
    for (const seed_values& values : cell.operands) {
        if (values[seed]) {
            operands.push_back(*values[seed]);
        }
    }
    return operands;
}

/// The jackknife (Efron and Tibshirani, An introduction to the bootstrap, 1993, chapter 11): of n seeds, n
/// times the number of all less n - 1 times the number without a seed is that seed's pseudo-value.
seed_values pseudo_values(const paper_statement& s, const statement_cell& cell) {
    std::vector<std::vector<double>> seeds;
    std::vector<std::size_t> numbers;
    seed_values all(cell.operands.front().size());
    for (std::size_t seed = 0; seed < all.size(); ++seed) {
        if (std::vector<double> operands = operands_at(cell, seed); operands.size() == cell.operands.size()) {
            seeds.push_back(std::move(operands));
            numbers.push_back(seed);
        }
    }
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
    for (std::size_t seed = 0; whole && seed < seeds.size(); ++seed) {
        const std::optional<double> rest = seeds.size() > 1 ? effect_without(seed) : 0.0;
        all[numbers[seed]] =
            rest ? std::optional(number_of(s.kind, n * *whole - (n - 1) * *rest)) : std::nullopt;
    }
    return all;
}

bool is_ratio(const number_series& series) {
    return series.scale == statement_kind::ratio || series.scale == statement_kind::equivalent;
}

/// Numbers of several series, combined seed by seed; none where one of them has none.
template <class Combine>
seed_values combined(const std::vector<number_series>& all, Combine combine) {
    seed_values values;
    for (std::size_t seed = 0; seed < all.front().values.size(); ++seed) {
        std::vector<double> here;
        for (const number_series& each : all) {
            if (seed < each.values.size() && each.values[seed]) {
                here.push_back(*each.values[seed]);
            }
        }
        values.push_back(here.size() == all.size() ? combine(here) : std::nullopt);
    }
    return values;
}

std::optional<double> mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> spread_of(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least > 0 ? std::optional(*most / *least) : std::nullopt;
}

/// The greatest number divided by the least, over the values of the first option that moves.
std::vector<number_series> spreads_of(const std::vector<statement_cell>& cells,
                                      const std::vector<number_series>& all) {
    std::map<std::string, std::vector<number_series>> groups;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto [group, is_new] = groups.try_emplace(cells[i].others);
        group->second.push_back(all[i]);
        if (is_new) {
            order.push_back(cells[i].others);
        }
    }
    std::vector<number_series> spreads;
    for (const std::string& others : order) {
        spreads.push_back({others, combined(groups.at(others), spread_of), statement_kind::ratio});
    }
    return spreads;
}

/// The number at the last value of the first option that moves, compared with that at the first value.
std::vector<number_series> changes_of(const std::vector<statement_cell>& cells,
                                      const std::vector<number_series>& all) {
    std::vector<number_series> changes;
    std::map<std::string, std::pair<std::size_t, std::size_t>> ends;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto [known, is_new] = ends.emplace(cells[i].others, std::pair{i, i});
        if (is_new) {
            order.push_back(cells[i].others);
        }
        known->second.first = cells[i].along < cells[known->second.first].along ? i : known->second.first;
        known->second.second = cells[i].along > cells[known->second.second].along ? i : known->second.second;
    }
    for (const std::string& others : order) {
        const auto [first, last] = ends.at(others);
        const bool of_ratios = is_ratio(all[first]);
        changes.push_back({others,
                           combined({all[first], all[last]},
                                    [&](const std::vector<double>& end) {
                                        return of_ratios
                                                   ? end[0] > 0 ? std::optional(end[1] / end[0]) : std::nullopt
                                                   : std::optional(end[1] - end[0]);
                                    }),
                           of_ratios ? statement_kind::ratio : statement_kind::difference});
    }
    return changes;
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
    number_series series{cell.name, {}, s.kind};
    if (s.over_seeds) {
        series.values = pseudo_values(s, cell);
        return series;
    }
    for (std::size_t seed = 0; seed < cell.operands.front().size(); ++seed) {
        const std::vector<double> operands = operands_at(cell, seed);
        series.values.push_back(operands.size() == cell.operands.size() ? number_at(s, operands)
                                                                        : std::nullopt);
    }
    return series;
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
            return {{"", combined(all, mean_of), s.kind}};
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
