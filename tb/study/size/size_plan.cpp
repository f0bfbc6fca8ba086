#include "tb/study/size/size_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "tb/support/files/json_file.h"

namespace weir::tb {

using nlohmann::ordered_json;

std::vector<std::vector<std::size_t>> size_plan::lines(const std::vector<bool>& refused) const {
    const std::size_t along = runs.axes.back().values.size();
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t first = 0; first < runs.points(); first += along) {
        for (std::size_t i = 0; i < along; ++i) {
            if (i == 0 || wishes.back() == axis_wish::each) {
                all.emplace_back();
            }
            const std::size_t point = first + (wishes.back() == axis_wish::largest ? along - 1 - i : i);
            if (!refused[point]) {
                all.back().push_back(point);
            }
        }
    }
    return all;
}

void size_plan::add_references() {
    std::size_t next = runs.points();
    for (const size_goal& goal : goals) {
        const bool is_known = std::any_of(references.begin(), references.end(), [&](const reference_set& set) {
            return set.options == goal.reference;
        });
        if (!goal.is_relative() || is_known) {
            continue;
        }
        reference_set set{goal.reference, {}};
        set.runs.seeds = runs.seeds;
        set.runs.axes = goal.reference_axes;
        set.has_each = asks_for_each() &&
                       std::none_of(set.runs.axes.begin(), set.runs.axes.end(), [&](const sweep_axis& axis) {
                           return runs.axes.front().has(axis.keys.front());
                       });
        if (set.has_each) {
            set.runs.axes.insert(set.runs.axes.begin(), runs.axes.front());
        }
        for (std::size_t i = 0; i < set.runs.points(); ++i) {
            set.numbers.push_back(next++);
        }
        references.push_back(std::move(set));
    }
}

std::optional<std::size_t> size_plan::reference(std::size_t goal, std::size_t point) const {
    for (const reference_set& set : references) {
        if (set.options == goals[goal].reference) {
            return set.numbers[set.place(runs, point)];
        }
    }
    return std::nullopt;
}

void size_plan::merge_equal_references(const refusals& refused, const run_list& all) {
    std::map<std::string, std::size_t> known;
    const auto text_of = [&](std::size_t point) { return all.effective_ini({point, seed(0)}); };
    const std::vector<std::size_t> used = reference_points(refused);
    for (const std::size_t point : used) {
        known.emplace(text_of(point), point);
    }
    for (std::size_t point = 0; point < runs.points() && !known.empty(); ++point) {
        if (const auto same = known.find(refused[point].empty() ? text_of(point) : ""); same != known.end()) {
            same->second = std::min(same->second, point);
        }
    }
    for (reference_set& set : references) {
        for (std::size_t& number : set.numbers) {
            number = std::binary_search(used.begin(), used.end(), number) ? known.at(text_of(number)) : number;
        }
    }
}

std::vector<std::size_t> size_plan::reference_points(const refusals& refused) const {
    std::set<std::size_t> points;
    for (std::size_t point = 0; point < runs.points(); ++point) {
        for (std::size_t g = 0; g < goals.size() && refused[point].empty(); ++g) {
            if (const auto number = reference(g, point)) {
                points.insert(*number);
            }
        }
    }
    return {points.begin(), points.end()};
}

std::pair<const sweep_plan&, std::size_t> size_plan::at(std::size_t point) const {
    std::size_t first = runs.points();
    for (const reference_set& set : references) {
        if (point >= first && point < first + set.numbers.size()) {
            return {set.runs, point - first};
        }
        first += set.numbers.size();
    }
    return {runs, point};
}

std::string size_plan::settings_text(std::size_t point) const {
    const auto [plan, number] = at(point);
    return plan.settings_text(number);
}

std::string search_runs::describe(std::size_t point) const {
    return (point < m_plan.runs.points() ? "point " : "reference point ") + m_plan.runs.name(point) + ": " +
           m_plan.settings_text(point);
}

std::string size_plan::value(std::size_t point, std::size_t axis) const {
    return joined(runs.axes[axis].values[runs.places(point)[axis]], ",");
}

ordered_json to_json(const size_plan& plan) {
    ordered_json j;
    j["wishes"] = ordered_json::array();
    for (const axis_wish wish : plan.wishes) {
        j["wishes"].push_back(name_of(wish));
    }
    j["goals"] = ordered_json::array();
    for (const size_goal& goal : plan.goals) {
        j["goals"].push_back(goal.text);
    }
    j["confidence"] = plan.limits.confidence;
    j["max_runs"] = plan.limits.runs;
    j["curve"] = plan.limits.curve;
    j["curve_runs"] = plan.limits.curve_runs;
    j["runs"] = to_json(plan.runs);
    return j;
}

config_errors search_differences(const std::string& there, const size_plan& wanted, const std::string& file) {
    const plan_result runs = search_plan(parse_json(there, file, "the search.json of a search"), file);
    if (!runs.errors.empty()) {
        return runs.errors;
    }
    config_errors found = differences(runs.plan, wanted.runs, file, false, "search");
    for (config_error& error : found) {
        if (error.key == "--vary") {
            error.key = "--" + std::string(name_of(wanted.wishes.back()));
        } else if (error.key == "--seeds") {
            error.key = "run.seed";
        }
    }
    return found;
}

}  // namespace weir::tb
