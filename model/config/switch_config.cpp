#include "weir/model/config/switch_config.h"

#include <algorithm>
#include <functional>

#include "weir/base/unit_text.h"

namespace weir::model {

namespace {

/// Packet memory that a frame of `length` occupies.
bytes occupied(bytes length, bytes memory_cell) {
    return memory_cell > 0_B ? memory_cell * cells_of(length, memory_cell).count() : length;
}

void check_memory(range_check& check, const switch_config& device) {
    const bool frame_fits = check.fits("memory_cell") && check.fits("max_frame");
    const bytes frame = frame_fits ? occupied(device.max_frame, device.memory_cell) : 64_B;
    const bytes memory = device.egress_buffer;
    const bool in_cells = device.memory_cell > 0_B;
    const auto holds_a_frame = [&](const char* field, bytes size) {
        check.require(in_cells || size >= frame, field, size, "at least {} ({switch.max_frame})", frame);
        check.require(!in_cells || size >= frame, field, size,
                      "at least {} (one frame of {switch.max_frame}, in whole cells of {switch.memory_cell})",
                      frame);
    };
    holds_a_frame("ingress_buffer", device.ingress_buffer);
    holds_a_frame("egress_buffer", memory);
    const bool some = check.fits("classes") && device.classes > 1;
    const bytes least = some ? frame * device.classes : frame;
    const bool divided = some && device.share == egress_share::fixed;
    check.require(
        !divided || !check.fits("egress_buffer") || memory >= least, "egress_buffer", memory,
        "at least {} (one frame of {switch.max_frame} for each class, because {switch.share} = fixed)", least);
    const double share = device.share_alpha * static_cast<double>(memory.count());
    check.refuse(
        some && device.share == egress_share::dynamic && share < static_cast<double>(frame.count()),
        "share_alpha",
        "'{}' of {switch.egress_buffer} ({}) is less than one frame of {switch.max_frame} ({}); expected a "
        "larger factor",
        device.share_alpha, memory, device.max_frame);
}

void check_thresholds(range_check& check, const switch_config& device) {
    const std::vector<bytes>& thresholds = device.balance_thresholds;
    const auto falls = std::adjacent_find(thresholds.begin(), thresholds.end(), std::greater_equal<>());
    if (falls != thresholds.end()) {
        check.refuse(true, "balance_thresholds",
                     "'{}' is not above {}; expected ascending thresholds of at least 1B", falls[1], falls[0]);
    }
}

}  // namespace

weights_config switch_config::shares() const {
    weights_config config;
    config.weights = weights;
    return config;
}

config_errors switch_config::validate() const {
    range_check check = check_ranges(*this, "switch");
    check_memory(check, *this);
    check_thresholds(check, *this);
    if (check.fits("weights")) {
        check.add(shares().validate("switch"));
    }
    return check.take();
}

}  // namespace weir::model
