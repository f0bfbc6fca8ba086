#include "tb/plot/completion_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace weir::tb {

namespace {

/// Calls take(completion, value) for each.
template <class Take>
void for_each(const run_data& run, completion_measure measure, Take&& take) {
    if (measure == completion_measure::job_time) {
        for (const auto& by_kind : run.completed.jobs_by_kind) {
            for (const completion& c : by_kind.second) {
                take(c, c.time_ns);
            }
        }
        return;
    }
    for (const completion& c : run.completed.transfers) {
        const double value = measure == completion_measure::transfer_time ? c.time_ns : c.slowdown;
        if (!std::isnan(value)) {
            take(c, value);
        }
    }
}

}  // namespace

void add_to(labelled_values& all, const completion& c, double value) {
    (c.is_unfinished ? all.ages : all.values).push_back(value);
}

std::vector<labelled_values> completion_values_of(const std::vector<run_data>& runs,
                                                  completion_measure measure) {
    std::vector<labelled_values> all;
    for (const run_data& run : runs) {
        labelled_values& values = all.emplace_back(labelled_values{run.label, {}});
        for_each(run, measure, [&](const completion& c, double value) { add_to(values, c, value); });
        std::sort(values.values.begin(), values.values.end());
    }
    return all;
}

completion_groups completions_by_group(const std::vector<run_data>& runs, completion_measure measure,
                                       std::size_t most) {
    std::map<std::string, completion_group_values> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for_each(runs[i], measure, [&](const completion& c, double value) {
            completion_group_values& group = groups[runs[i].completed.groups[c.group]];
            group.runs.resize(runs.size());
            add_to(group.runs[i], c, value);
        });
    }
    completion_groups made;
    const auto count = [](const completion_group_values& group) {
        return std::accumulate(group.runs.begin(), group.runs.end(), std::size_t{0},
                               [](std::size_t sum, const labelled_values& run) { return sum + run.started(); });
    };
    while (groups.size() > most) {
        const auto least = std::min_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
            return count(a.second) < count(b.second);
        });
        made.left_out.push_back(least->first);
        groups.erase(least);
    }
    for (auto& [name, group] : groups) {
        group.name = name;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            group.runs[i].label = runs[i].label;
            std::sort(group.runs[i].values.begin(), group.runs[i].values.end());
        }
        made.shown.push_back(std::move(group));
    }
    return made;
}

bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const labelled_values& x, const labelled_values& y) {
                          return x.values == y.values && x.ages.size() == y.ages.size();
                      });
}

}  // namespace weir::tb
