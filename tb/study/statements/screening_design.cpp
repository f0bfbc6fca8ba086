#include "tb/study/statements/screening_design.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

/// -1 in a row with the first row's value, 1 in another.
int level(const sweep_axis& axis, std::size_t row, std::size_t option) {
    return axis.values[row][option] == axis.values.front()[option] ? -1 : 1;
}

std::vector<std::string> values_of(const sweep_axis& axis, std::size_t option) {
    std::vector<std::string> all;
    for (const std::vector<std::string>& row : axis.values) {
        if (std::find(all.begin(), all.end(), row[option]) == all.end()) {
            all.push_back(row[option]);
        }
    }
    return all;
}

}  // namespace

std::vector<std::string> design_faults(const sweep_axis& axis) {
    const std::size_t rows = axis.values.size();
    std::vector<std::string> faults;
    std::vector<std::size_t> sound;
    for (std::size_t k = 0; k < axis.keys.size(); ++k) {
        const std::vector<std::string> values = values_of(axis, k);
        const auto first = static_cast<std::size_t>(
            std::count_if(axis.values.begin(), axis.values.end(),
                          [&](const std::vector<std::string>& row) { return row[k] == values.front(); }));
        if (values.size() != 2) {
            faults.push_back("'" + axis.keys[k] + "' has " + std::to_string(values.size()) +
                             (values.size() == 1 ? " value (" : " values (") + joined(values, ", ") +
                             ") in the design's rows; expected two");
        } else if (2 * first != rows) {
            faults.push_back("'" + axis.keys[k] + "' is " + values[0] + " in " + std::to_string(first) +
                             " rows and " + values[1] + " in " + std::to_string(rows - first) +
                             "; expected as many rows of one as of the other");
        } else {
            sound.push_back(k);
        }
    }
    for (std::size_t i = 0; i < sound.size(); ++i) {
        for (std::size_t j = i + 1; j < sound.size(); ++j) {
            int product = 0;
            for (std::size_t row = 0; row < rows; ++row) {
                product += level(axis, row, sound[i]) * level(axis, row, sound[j]);
            }
            if (product != 0) {
                const bool aliased = static_cast<std::size_t>(std::abs(product)) == rows;
                faults.push_back("'" + axis.keys[sound[i]] + "' and '" + axis.keys[sound[j]] + "' " +
                                 (aliased ? "always change together, so that their effects cannot be told apart"
                                          : "change together more often than not, or less often, so that "
                                            "each effect holds a part of the other") +
                                 "; expected each pair of their values in a quarter of the rows");
            }
        }
    }
    return faults;
}

design_effects main_effects(const sweep_axis& axis, const std::vector<seed_values>& values, double confidence) {
    const std::size_t rows = axis.values.size();
    // Values by row, of the seeds that have all.
    std::vector<std::vector<double>> whole;
    for_each_seed(values, [&](std::size_t, const std::vector<double>& v) { whole.push_back(v); });
    // Over the seeds, of the rows' sum with these signs.
    const auto interval = [&](double share, const auto& sign_of) {
        std::vector<double> sums;
        for (const std::vector<double>& v : whole) {
            double sum = 0;
            for (std::size_t row = 0; row < rows; ++row) {
                sum += sign_of(row) * v[row];
            }
            sums.push_back(sum * share);
        }
        return interval_of(sums, confidence);
    };
    design_effects found;
    found.mean = interval(1.0 / static_cast<double>(rows), [](std::size_t) { return 1; });
    for (std::size_t k = 0; k < axis.keys.size(); ++k) {
        const std::vector<std::string> levels = values_of(axis, k);
        found.effects.push_back(
            {axis.keys[k], levels[0], levels[1],
             interval(2.0 / static_cast<double>(rows), [&](std::size_t row) { return level(axis, row, k); })});
    }
    std::stable_sort(found.effects.begin(), found.effects.end(),
                     [](const main_effect& a, const main_effect& b) {
                         return std::fabs(a.effect.mean) > std::fabs(b.effect.mean);
                     });
    return found;
}

}  // namespace weir::tb
