// What a shared memory may be configured to, and its factors as ratios.
#include "weir/model/memory/shared_buffer_config.h"

#include <algorithm>
#include <cmath>

#include "weir/base/unit_text.h"
#include "weir/model/memory/shared_limits.h"

namespace weir::model {

/// Whether a factor is a whole number of parts, as exactly as its decimals are read.
static bool is_whole_of(double alpha, double parts) {
    return std::round(alpha * parts) / parts == alpha;
}
static constexpr double binary_parts = 1024;
static constexpr double decimal_parts = 1'000'000;

bool is_exact_alpha(double alpha) {
    return is_whole_of(alpha, binary_parts) || is_whole_of(alpha, decimal_parts);
}

config_errors shared_buffer_config::validate() const {
    range_check check = check_ranges(*this, "shared");
    const auto check_alpha = [&](const char* field, double value) {
        check.require(is_exact_alpha(value), field, value, "up to six decimals, or a multiple of 1/1024");
    };
    check_alpha("alpha", alpha);
    check_alpha("lossy_alpha", lossy_alpha);
    check_alpha("queue_alpha", queue_alpha);
    check_alpha("lossless_queue_alpha", lossless_queue_alpha.value_or(alpha_range.high));
    return check.take();
}

bool shared_buffer_config::is_lossless(unsigned c) const {
    return !lossless_classes ||
           std::find(lossless_classes->begin(), lossless_classes->end(), c) != lossless_classes->end();
}

cell_threshold cell_threshold::of_factor(double alpha) {
    const double parts = is_whole_of(alpha, binary_parts) ? binary_parts : decimal_parts;
    return {0, static_cast<std::uint64_t>(std::llround(alpha * parts)), static_cast<std::uint64_t>(parts)};
}

}  // namespace weir::model
