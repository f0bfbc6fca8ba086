#include "tb/plot/completion_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace weir::tb {

labelled_values job_times(const run_data& run) {
    labelled_values times{run.label, {}};
    for (const auto& by_kind : run.jobs_by_kind) {
        for (const completion& c : by_kind.second) {
            times.values.push_back(c.time_ns);
        }
    }
    std::sort(times.values.begin(), times.values.end());
    return times;
}

labelled_values transfer_times(const run_data& run) {
    labelled_values times{run.label, {}};
    for (const completion& c : run.transfers) {
        times.values.push_back(c.time_ns);
    }
    std::sort(times.values.begin(), times.values.end());
    return times;
}

labelled_values transfer_slowdowns(const run_data& run) {
    labelled_values all{run.label, {}};
    for (const finished_transfer& t : run.transfers) {
        if (!std::isnan(t.slowdown)) {
            all.values.push_back(t.slowdown);
        }
    }
    std::sort(all.values.begin(), all.values.end());
    return all;
}

transfer_groups transfers_by_group(const std::vector<run_data>& runs, double finished_transfer::*value,
                                   std::size_t most) {
    std::map<std::string, transfer_group> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const finished_transfer& t : runs[i].transfers) {
            if (!std::isnan(t.*value)) {
                transfer_group& group = groups[runs[i].transfer_groups[t.group]];
                group.runs.resize(runs.size());
                group.runs[i].values.push_back(t.*value);
            }
        }
    }
    transfer_groups made;
    const auto count = [](const transfer_group& group) {
        return std::accumulate(
            group.runs.begin(), group.runs.end(), std::size_t{0},
            [](std::size_t sum, const labelled_values& run) { return sum + run.values.size(); });
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
                      [](const labelled_values& x, const labelled_values& y) { return x.values == y.values; });
}

}  // namespace weir::tb
