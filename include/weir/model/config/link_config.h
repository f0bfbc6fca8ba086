// Parameters of links.
#pragma once

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// Defaults of links that a topology leaves open. Keys: [link].
struct link_config {
    bit_rate rate{1_Gbps};
    static constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
    /// One way: propagation and transceivers (T_P). The lookahead of a fabric is its smallest latency.
    /// DeTail 7.1: 1.6 us + 5 us.
    picoseconds latency{6600ns};
    static constexpr field_range latency_range{1_ps, picoseconds{1s}};
    /// Preamble, start-of-frame delimiter and inter-frame gap, counted with each frame. IEEE 802.3: 20 B.
    bytes wire_overhead{20};
    static constexpr field_range wire_overhead_range{0_B, 1000_B};

    config_errors validate() const;
};

}  // namespace weir
