#include "tb/plot/completion_times.h"

#include <algorithm>
#include <cmath>

namespace weir::tb {

labelled_values job_times(const run_data& run) {
    labelled_values times{run.label, {}};
    for (const auto& by_kind : run.completed.jobs_by_kind) {
        for (const completion& c : by_kind.second) {
            times.values.push_back(c.time_ns);
        }
    }
    std::sort(times.values.begin(), times.values.end());
    return times;
}

labelled_values transfer_times(const run_data& run) {
    labelled_values times{run.label, {}};
    for (const completion& c : run.completed.transfers) {
        times.values.push_back(c.time_ns);
    }
    std::sort(times.values.begin(), times.values.end());
    return times;
}

labelled_values transfer_slowdowns(const run_data& run) {
    labelled_values all{run.label, {}};
    for (const completion& t : run.completed.transfers) {
        if (!std::isnan(t.slowdown)) {
            all.values.push_back(t.slowdown);
        }
    }
    std::sort(all.values.begin(), all.values.end());
    return all;
}

bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const labelled_values& x, const labelled_values& y) { return x.values == y.values; });
}

}  // namespace weir::tb
