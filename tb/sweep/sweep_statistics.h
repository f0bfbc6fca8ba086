// Means over seeds and how far to trust them: intervals of Student's t.
//
//   interval_of({10, 12, 11}, 0.95);                     // 11, from 8.52 to 13.48
//   paired_difference({{10, 20}, {12, 23}}, 0.95);       // 10.5: of pairs, the second less the first
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace weir::tb {

struct mean_interval {
    std::size_t n = 0;
    double mean = 0;
    /// Half of the interval's width; negative where fewer than two values give none.
    double half_width = -1;

    bool has_width() const { return half_width >= 0; }
    double low() const { return mean - half_width; }
    double high() const { return mean + half_width; }
};

/// Of values that are independent and roughly normal, as means and percentiles of long runs with different
/// seeds are. Range of confidence: above 0, below 1.
mean_interval interval_of(const std::vector<double>& values, double confidence);

/// `n`, `mean`, `low` and `high`; null where there is none.
nlohmann::ordered_json json_of(const mean_interval& interval);
/// ` +-11.2%`: half of the interval as a share of the mean; empty where there is none.
std::string width_text(const mean_interval& interval);

/// Of second less first. Pairs ran with the same seed, so what chance does to both falls out.
mean_interval paired_difference(const std::vector<std::pair<double, double>>& pairs, double confidence);

}  // namespace weir::tb
