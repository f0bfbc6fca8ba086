#include "tb/reproduce/statement_cells.h"

#include "tb/text/joined.h"

namespace weir::tb {

namespace {

using axis_places = std::vector<std::vector<std::size_t>>;

std::string value_text(const sweep_axis& axis, std::size_t place) {
    return axis.keys.front() + "=" + axis.values[place].front();
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
            names.push_back(value_text(plan.axes[a], operands.front()[a][step[a]]));
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

std::vector<statement_cell> cells_of(const paper_statement& s, const std::vector<statement_place>& places,
                                     const sweep_results& results) {
    const metric_filter wanted(s.metrics);
    std::vector<std::size_t> metrics;
    for (std::size_t m = 0; m < results.metrics().size(); ++m) {
        if (wanted.takes(results.metrics()[m])) {
            metrics.push_back(m);
        }
    }
    std::vector<statement_cell> all;
    for (const statement_place& place : places) {
        for (const std::size_t m : metrics) {
            statement_cell cell;
            cell.name = place.name;
            if (metrics.size() > 1) {
                cell.name += (cell.name.empty() ? "" : ", ") + results.metrics()[m];
            }
            for (const std::size_t point : place.points) {
                std::vector<std::optional<double>>& values = cell.operands.emplace_back();
                for (std::size_t seed = 0; seed < results.plan().seeds.size(); ++seed) {
                    const auto& value = results.value(point, seed, m);
                    const bool sound = value.is_number() && !results.is_of_few_values(point, seed, m);
                    values.push_back(sound ? std::optional(value.get<double>()) : std::nullopt);
                }
            }
            all.push_back(std::move(cell));
        }
    }
    return all;
}

}  // namespace weir::tb
