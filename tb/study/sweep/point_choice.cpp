#include "tb/study/sweep/point_choice.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

#include "tb/study/sweep/swept_axis.h"

namespace weir::tb {

parse_result<choice> read_choice(const std::string& text) {
    const auto refuse = [](const std::string& what) {
        return parse_result<choice>{{},
                                    what + "; expected KEY=VALUE, KEY=VALUE,VALUE or KEY, with blanks between"};
    };
    choice all;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        axis_choice one{word.substr(0, equals), {}};
        if (equals != std::string::npos) {
            const auto values = split_at_commas(word.substr(equals + 1));
            if (!values || values.value.empty() ||
                std::count(values.value.begin(), values.value.end(), "") != 0) {
                return refuse("'" + word + "' has no value");
            }
            if (std::set<std::string>(values.value.begin(), values.value.end()).size() != values.value.size()) {
                return refuse("'" + word + "' has a value twice; expected each once");
            }
            one.values = values.value;
        }
        if (one.key.empty()) {
            return refuse("'" + word + "' names no option");
        }
        if (std::any_of(all.begin(), all.end(), [&](const axis_choice& c) { return c.key == one.key; })) {
            return refuse("'" + one.key + "' is there twice");
        }
        all.push_back(std::move(one));
    }
    return {all, {}};
}

/// Returns the first option or value of the choice that the plan lacks; empty if it has all.
static std::string unknown_choice(const sweep_plan& plan, const choice& chosen) {
    for (const axis_choice& one : chosen) {
        if (!plan.varies(one.key)) {
            return "'" + one.key + "' is not varied in the experiment; expected one of " +
                   joined(plan.keys(), ", ");
        }
        const swept_axis axis(plan, one.key);
        for (const std::string& value : one.values) {
            if (!axis.place_of(value)) {
                return "'" + one.key + "' never has the value '" + value + "'; expected one of " +
                       axis.all_texts();
            }
        }
    }
    return {};
}

parse_result<choice> read_choice(const std::string& text, const sweep_plan& plan) {
    parse_result<choice> read = read_choice(text);
    if (read) {
        read.error = unknown_choice(plan, read.value);
    }
    return read;
}

/// Places that one choice takes: with `first_only` one for each value, else all that have the value.
static std::vector<std::size_t> places_of(const swept_axis& axis, const axis_choice& one, bool first_only) {
    std::vector<std::size_t> places;
    if (one.place) {
        return {*one.place};
    }
    if (one.values.empty()) {
        places.resize(axis.size());
        std::iota(places.begin(), places.end(), 0);
    }
    for (const std::string& value : one.values) {
        std::vector<std::size_t> those = axis.places_of(value);
        those.resize(first_only ? std::min<std::size_t>(those.size(), 1) : those.size());
        places.insert(places.end(), those.begin(), those.end());
    }
    return places;
}

std::optional<std::vector<std::vector<std::size_t>>> chosen_places(const sweep_plan& plan,
                                                                   const choice& chosen) {
    std::vector<std::vector<std::size_t>> places(plan.axes.size());
    std::vector<choice> by_axis(plan.axes.size());
    for (const axis_choice& one : chosen) {
        choice& those = by_axis[swept_axis(plan, one.key).index()];
        const auto same = std::find_if(those.begin(), those.end(),
                                       [&](const axis_choice& each) { return each.key == one.key; });
        if (same != those.end()) {
            *same = one;
        } else {
            those.push_back(one);
        }
    }
    for (std::size_t a = 0; a < places.size(); ++a) {
        if (by_axis[a].empty()) {
            places[a].resize(plan.axes[a].values.size() == 1 ? 1 : 0);
            continue;
        }
        const auto restricts = [](const axis_choice& one) { return one.place || !one.values.empty(); };
        const bool is_alone = std::count_if(by_axis[a].begin(), by_axis[a].end(), restricts) < 2;
        std::stable_partition(by_axis[a].begin(), by_axis[a].end(), restricts);
        places[a] = places_of(swept_axis(plan, by_axis[a].front().key), by_axis[a].front(), is_alone);
        for (const axis_choice& other : by_axis[a]) {
            const std::vector<std::size_t> allowed = places_of(swept_axis(plan, other.key), other, false);
            places[a].erase(std::remove_if(places[a].begin(), places[a].end(),
                                           [&](std::size_t place) {
                                               return std::find(allowed.begin(), allowed.end(), place) ==
                                                      allowed.end();
                                           }),
                            places[a].end());
        }
        if (places[a].empty()) {
            return std::nullopt;
        }
    }
    return places;
}

std::vector<std::size_t> chosen_points(const sweep_plan& plan, const choice& chosen) {
    const auto wanted = *chosen_places(plan, chosen);
    const auto takes = [](const std::vector<std::size_t>& places, std::size_t place) {
        return places.empty() || std::find(places.begin(), places.end(), place) != places.end();
    };
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const std::vector<std::size_t> at = plan.places(point);
        if (std::equal(wanted.begin(), wanted.end(), at.begin(), takes)) {
            points.push_back(point);
        }
    }
    return points;
}

std::string place_name(const sweep_axis& axis, std::size_t place) {
    for (std::size_t key = 0; key < axis.keys.size(); ++key) {
        const std::string& value = axis.values[place][key];
        if (std::count_if(axis.values.begin(), axis.values.end(),
                          [&](const auto& values) { return values[key] == value; }) == 1) {
            return axis.keys[key] + "=" + value;
        }
    }
    return "row " + std::to_string(place + 1);
}

std::string open_option(const sweep_plan& plan, const std::vector<std::vector<std::size_t>>& places) {
    for (std::size_t a = 0; a < places.size(); ++a) {
        if (places[a].empty()) {
            return plan.axes[a].keys.front();
        }
    }
    return {};
}

}  // namespace weir::tb
