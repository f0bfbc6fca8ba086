// When an ingress port's memory is full, and when it pauses its link partner.
#pragma once

#include <cstdint>

#include "weir/model/config/pfc_config.h"

namespace weir::model {

/// One ingress port's memory. All counts in bytes.
struct ingress_limits {
    std::uint32_t capacity = 0;
    /// Count at which a class is paused; `no_threshold` where there is no flow control.
    std::uint32_t xoff = 0;
    /// Count below which it is released. Range: 1 to xoff.
    std::uint32_t xon = 0;
    threshold_count count = threshold_count::drain_bytes;
    /// 802.3x: all classes are counted, paused and released as one.
    bool one_class = false;

    static constexpr std::uint32_t no_threshold = ~std::uint32_t{0};
};

}  // namespace weir::model
