// Parameters of links.
#pragma once

#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

/// Defaults of links that a topology leaves open. Keys: [link].
struct link_config {
    bit_rate rate{1_Gbps};
    picoseconds latency{6600ns};
    bytes wire_overhead{20};
    /// Of all links, those of single tiers too.
    static constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
    static constexpr field_range latency_range{1_ps, picoseconds{1s}};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("rate", &self::rate)
                   .range(1_Mbps, 10'000_Gbps)
                   .needs("some_tier_has_no_rate")
                   .help("Rate of a link, the same in both directions.")
                   .source("DeTail 7.1"));
        fields(field("latency", &self::latency)
                   .range(1_ps, 1s)
                   .needs("some_tier_has_no_latency")
                   .help("One-way latency: propagation and transceivers (T_P). It cannot be 0, because the "
                         "smallest latency in the fabric is the lookahead.")
                   .source("DeTail 7.1: 1.6 us + 5 us"));
        fields(
            field("wire_overhead", &self::wire_overhead)
                .range(0_B, 1000_B)
                .help("Preamble, start-of-frame delimiter and inter-frame gap, added to each frame on the wire "
                      "and in the crossbar. Use 0 if frame sizes already include it (DeTail's 1,530 B).")
                .source("IEEE 802.3: 8 + 12 B"));
    }
};

}  // namespace weir::model
