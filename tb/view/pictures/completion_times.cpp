#include "tb/view/pictures/completion_times.h"

#include <algorithm>

namespace weir::tb {

void add_to(labelled_values& all, const completion& c, double value) {
    (c.is_unfinished ? all.ages : all.values).push_back(value);
}

std::vector<labelled_values> completion_values_of(const std::vector<run_data>& runs,
                                                  completion_measure measure) {
    std::vector<labelled_values> all;
    for (const run_data& run : runs) {
        labelled_values& values = all.emplace_back(labelled_values{run.label, {}});
        for_each_completion(run, measure, [&](const completion& c, double value, const std::string& /*kind*/) {
            add_to(values, c, value);
        });
        std::sort(values.values.begin(), values.values.end());
    }
    return all;
}

bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const labelled_values& x, const labelled_values& y) {
                          return x.values == y.values && x.ages.size() == y.ages.size();
                      });
}

}  // namespace weir::tb
