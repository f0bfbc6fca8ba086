// Weights of classes, and what they mean to a scheduler of egress ports.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::model {

struct weights_config {
    /// Share of the class in what strict classes leave. No unit: relative to the other weights, percent as
    /// well as any. 0 makes the class strict.
    std::array<std::uint32_t, pfc_classes> weights{1, 1, 1, 1, 1, 1, 1, 1};
    static constexpr field_range weight_range{0U, 65'535U};
    /// A class earns weight * this per turn. Unit: bytes. Range: 1 to 2^30 / largest weight. Smaller is
    /// smoother and costs nothing. Default: one full frame, so that weight 1 sends at least one frame per turn
    /// (Shreedhar and Varghese); with weights in percent 64 B is a good choice.
    bytes quantum_per_weight{1'538};

    /// Keys are `section` + ".weights" and so on.
    config_errors validate(const std::string& section) const;
};

}  // namespace weir::model
