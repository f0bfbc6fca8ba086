#include "tb/sweep/sweep_statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace weir::tb {

double student_t(double confidence, std::size_t degrees) {
    const boost::math::students_t distribution(static_cast<double>(degrees));
    return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

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
