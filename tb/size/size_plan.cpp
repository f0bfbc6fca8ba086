#include "tb/size/size_plan.h"

#include <algorithm>

#include "tb/files/json_file.h"
#include "tb/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

std::vector<std::vector<std::size_t>> size_plan::lines(const std::vector<bool>& refused) const {
    const std::size_t along = runs.axes.back().values.size();
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t first = 0; first < runs.points(); first += along) {
        std::vector<std::size_t> line;
        if (wishes.back() == axis_wish::each) {
            for (std::size_t point = first; point < first + along; ++point) {
                all.push_back(refused[point] ? std::vector<std::size_t>{} : std::vector<std::size_t>{point});
            }
            continue;
        }
        for (std::size_t i = 0; i < along; ++i) {
            const std::size_t point = first + (wishes.back() == axis_wish::largest ? along - 1 - i : i);
            if (!refused[point]) {
                line.push_back(point);
            }
        }
        all.push_back(std::move(line));
    }
    return all;
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
