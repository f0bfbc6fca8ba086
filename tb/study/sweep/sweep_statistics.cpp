#include "tb/study/sweep/sweep_statistics.h"

#include <cmath>

#include "tb/run/completions/student_t.h"

namespace weir::tb {

mean_interval interval_of(const std::vector<double>& values, double confidence) {
    mean_interval found;
    found.n = values.size();
    if (values.empty()) {
        return found;
    }
    const auto n = static_cast<double>(values.size());
    for (const double value : values) {
        found.mean += value;
    }
    found.mean /= n;
    if (values.size() > 1) {
        double squares = 0;
        for (const double value : values) {
            squares += (value - found.mean) * (value - found.mean);
        }
        found.half_width =
            squares == 0 ? 0 : student_t(confidence, values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    }
    return found;
}

mean_interval paired_difference(const std::vector<std::pair<double, double>>& pairs, double confidence) {
    std::vector<double> differences;
    for (const auto& [first, second] : pairs) {
        differences.push_back(second - first);
    }
    return interval_of(differences, confidence);
}

}  // namespace weir::tb
