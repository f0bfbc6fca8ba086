#include "tb/reproduce/statement_cells.h"

#include <algorithm>

#include "tb/sweep/swept_axis.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

using axis_places = std::vector<std::vector<std::size_t>>;

/// Of cells place by place, in each of them metric by metric: one for each metric.
std::vector<statement_cell> reached_cells(const paper_statement& s, const sweep_plan& plan,
                                          const std::vector<statement_cell>& cells, std::size_t metrics) {
    const auto along =
        std::find_if(s.at.begin(), s.at.end(), [](const axis_choice& c) { return c.values.size() != 1; });
    const swept_axis axis(plan, along->key);
    const std::vector<std::size_t> chosen = chosen_places(plan, s.at)->at(axis.index());
    std::vector<statement_cell> all;
    for (std::size_t m = 0; m < metrics; ++m) {
        statement_cell cell = cells[m];
        cell.name.clear();
        for (std::size_t k = 0; k < cell.operands.size(); ++k) {
            for (std::size_t seed = 0; seed < cell.operands[k].size(); ++seed) {
                std::vector<double> x;
                std::vector<std::optional<double>> values;
                for (std::size_t i = 0; i < axis.size(); ++i) {
                    const auto place = std::find(chosen.begin(), chosen.end(), axis.in_order()[i]);
                    if (place != chosen.end()) {
                        const auto row = static_cast<std::size_t>(place - chosen.begin());
                        x.push_back(axis.position(i));
                        values.push_back(cells[row * metrics + m].operands[k][seed]);
                    }
                }
                const std::optional<bounded_reach> reach = reach_of(x, values, *s.bound);
                cell.operands[k][seed] = reach ? std::optional(reach->x) : std::nullopt;
                if (reach && reach->beyond != censoring::none) {
                    cell.beyond = reach->beyond;
                }
            }
        }
        all.push_back(std::move(cell));
    }
    return all;
}

}  // namespace

std::vector<statement_place> places_of(const paper_statement& s, const sweep_plan& plan) {
    const std::optional<axis_places> at = chosen_places(plan, s.at);
    std::vector<axis_places> operands;
    for (const choice& operand : s.operands) {
        choice whole = s.at;
        whole.insert(whole.end(), operand.begin(), operand.end());
        const std::optional<axis_places> own = chosen_places(plan, whole);
        if (!at || !own) {
            return {};
        }
        operands.push_back(*own);
    }
    // Axes along which all operands move together.
    std::vector<std::size_t> moving;
    std::size_t count = 1;
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
        if (operands.front()[a].size() > 1) {
            moving.push_back(a);
            count *= operands.front()[a].size();
        }
    }
    std::vector<statement_place> all;
    for (std::size_t i = 0; i < count; ++i) {
        statement_place place;
        std::vector<std::string> names;
        std::vector<std::size_t> step(plan.axes.size(), 0);
        std::size_t rest = i;
        for (auto a = moving.rbegin(); a != moving.rend(); ++a) {
            step[*a] = rest % operands.front()[*a].size();
            rest /= operands.front()[*a].size();
        }
        for (const std::size_t a : moving) {
            names.push_back(place_name(plan.axes[a], operands.front()[a][step[a]]));
        }
        for (const axis_places& operand : operands) {
            std::vector<std::size_t> where;
            for (std::size_t a = 0; a < operand.size(); ++a) {
                where.push_back(operand[a][operand[a].size() > 1 ? step[a] : 0]);
            }
            place.points.push_back(plan.point(where));
        }
        place.name = joined(names, ", ");
        all.push_back(std::move(place));
    }
    return all;
}

std::vector<std::optional<double>> sound_values(const sweep_results& results, std::size_t point,
                                                std::size_t metric) {
    std::vector<std::optional<double>> values;
    for (std::size_t seed = 0; seed < results.plan().seeds.size(); ++seed) {
        values.push_back(results.sound_value(point, seed, metric));
    }
    return values;
}

std::optional<bounded_reach> reach_of(const std::vector<double>& x,
                                      const std::vector<std::optional<double>>& values, double bound) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!values[i]) {
            return std::nullopt;
        }
        if (*values[i] > bound) {
            if (i == 0) {
                return bounded_reach{x[0], censoring::below};
            }
            const double share = (bound - *values[i - 1]) / (*values[i] - *values[i - 1]);
            return bounded_reach{x[i - 1] + share * (x[i] - x[i - 1]), censoring::none};
        }
    }
    return bounded_reach{x.back(), censoring::above};
}

std::vector<statement_cell> cells_of(const paper_statement& s, const std::vector<statement_place>& places,
                                     const sweep_results& results) {
    const std::vector<std::size_t> metrics = results.metrics_like(s.metrics);
    std::vector<statement_cell> all;
    for (const statement_place& place : places) {
        for (const std::size_t m : metrics) {
            statement_cell cell;
            cell.name = place.name;
            if (metrics.size() > 1) {
                cell.name += (cell.name.empty() ? "" : ", ") + results.metrics()[m];
            }
            for (const std::size_t point : place.points) {
                cell.operands.push_back(sound_values(results, point, m));
            }
            all.push_back(std::move(cell));
        }
    }
    return s.bound ? reached_cells(s, results.plan(), all, metrics.size()) : all;
}

}  // namespace weir::tb
