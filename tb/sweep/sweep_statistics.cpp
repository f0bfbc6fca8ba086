#include "tb/sweep/sweep_statistics.h"

#include <cmath>

#include "tb/results/student_t.h"
#include "tb/sweep/quantity.h"
#include "tb/text/text_format.h"

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

nlohmann::ordered_json json_of(const mean_interval& interval) {
    nlohmann::ordered_json j{{"n", interval.n}};
    j["mean"] = interval.n > 0 ? plain_number(interval.mean) : nlohmann::ordered_json();
    j["low"] = interval.has_width() ? plain_number(interval.low()) : nlohmann::ordered_json();
    j["high"] = interval.has_width() ? plain_number(interval.high()) : nlohmann::ordered_json();
    return j;
}

std::string width_text(const mean_interval& interval) {
    const double percent = 100 * interval.half_width / std::fabs(interval.mean);
    return interval.has_width() && interval.mean != 0
               ? " +-" + decimal_text(percent, percent < 100 ? 1 : 0) + "%"
               : "";
}

mean_interval paired_difference(const std::vector<std::pair<double, double>>& pairs, double confidence) {
    std::vector<double> differences;
    for (const auto& [first, second] : pairs) {
        differences.push_back(second - first);
    }
    return interval_of(differences, confidence);
}

}  // namespace weir::tb
