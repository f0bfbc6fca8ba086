#include "weir/model/config/switch_config.h"

#include <string>

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
    const auto holds_a_frame = [&](const char* field, bytes memory) {
        return check.fits(field) &&
               check.require(memory >= frame, field, memory,
                             "at least " + to_text(frame) +
                                 (device.memory_cell > 0_B
                                      ? " (one frame of switch.max_frame, in whole cells of switch.memory_cell)"
                                      : " (switch.max_frame)"));
    };
    holds_a_frame("ingress_buffer", device.ingress_buffer);
    const bool whole_frame = holds_a_frame("egress_buffer", device.egress_buffer);
    if (!whole_frame || !check.fits("classes") || device.classes < 2) {
        return;
    }
    if (device.share == egress_share::fixed) {
        const bytes least = frame * device.classes;
        check.require(device.egress_buffer >= least, "egress_buffer", device.egress_buffer,
                      "at least " + to_text(least) +
                          " (one frame of switch.max_frame for each class, because switch.share = fixed)");
    }
    const double share = device.share_alpha * static_cast<double>(device.egress_buffer.count());
    if (device.share == egress_share::dynamic && check.fits("share_alpha") &&
        share < static_cast<double>(frame.count())) {
        check.fail("share_alpha", "'" + field_text(device.share_alpha) + "' of switch.egress_buffer (" +
                                      to_text(device.egress_buffer) +
                                      ") is less than one frame of switch.max_frame (" +
                                      to_text(device.max_frame) + "); expected a larger factor");
    }
}

void check_thresholds(range_check& check, const switch_config& device) {
    const std::vector<bytes>& thresholds = device.balance_thresholds;
    if (thresholds.empty() && device.balance == balance_policy::adaptive) {
        check.fail("balance_thresholds",
                   "'' is empty; expected at least one threshold, because switch.balance = adaptive");
    }
    if (!check.fits("balance_thresholds")) {
        return;
    }
    for (std::size_t i = 1; i < thresholds.size(); ++i) {
        if (thresholds[i] <= thresholds[i - 1]) {
            check.fail("balance_thresholds", "'" + to_text(thresholds[i]) + "' is not above " +
                                                 to_text(thresholds[i - 1]) +
                                                 "; expected ascending thresholds of at least 1B");
            return;
        }
    }
}

}  // namespace

scheduler_config switch_config::egress_scheduler() const {
    scheduler_config config;
    config.algorithm = scheduler;
    config.weights = weights;
    return config;
}

config_errors switch_config::validate() const {
    range_check check = check_ranges(*this, "switch");
    check_memory(check, *this);
    check_thresholds(check, *this);
    if (check.fits("weights")) {
        check.add(egress_scheduler().validate("switch"));
    }
    return check.take();
}

}  // namespace weir::model
