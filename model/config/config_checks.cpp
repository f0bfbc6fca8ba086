#include <algorithm>
#include <string>

#include "weir/base/share_text.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/weights_config.h"

namespace weir::model {

config_errors host_config::validate() const {
    range_check check = check_ranges(*this, "host");
    check.require(stack_distribution != delay_shape::exponential || stack_deviation <= 1, "stack_deviation",
                  share_text(stack_deviation), "at most 100% with {stack_distribution} = exponential");
    return check.take();
}

/// Deficits stay below a quantum plus a frame, in 32 bits.
static constexpr std::int64_t max_quantum = std::int64_t{1} << 30;

config_errors weights_config::validate(const std::string& section) const {
    range_check check(section);
    field_element<decltype(weights)>::all(
        weights, [&](std::uint32_t weight) { return check.within("weights", weight, weight_range); });
    const std::uint32_t largest = *std::max_element(weights.begin(), weights.end());
    const std::int64_t limit = max_quantum / std::max<std::int64_t>(largest, 1);
    check.require(1_B <= quantum_per_weight && quantum_per_weight.count() <= limit, "quantum_per_weight",
                  quantum_per_weight, "1B to " + std::to_string(limit) + "B (2^30 over the largest weight)");
    return check.take();
}

}  // namespace weir::model
