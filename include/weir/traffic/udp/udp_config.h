// Parameters of UDP.
#pragma once

#include <cstdint>

#include "weir/base/config_field.h"
#include "weir/base/units.h"

namespace weir::traffic {

struct udp_config {
    bytes payload{1472};
    static constexpr field_range payload_range{1_B, 9'158_B};
    bytes header{46};
    static constexpr field_range header_range{46_B, 128_B};
    bool random_gaps = false;
    std::uint32_t path_every = 0;
    std::uint32_t paths = 8;
    static constexpr const char* used = "udp_is_used";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("payload", &self::payload)
                   .range(1_B, 9'158_B)
                   .needs(used)
                   .help("Payload of a full datagram. If UDP is used, udp.payload + udp.header must not exceed "
                         "switch.max_frame.")
                   .source("IEEE 802.3: a packet of 1,500 B"));
        fields(field("header", &self::header)
                   .range(46_B, 128_B)
                   .needs(used)
                   .help("Ethernet, IPv4 and UDP headers and FCS.")
                   .source("IEEE 802.3, RFC 791, RFC 768: 14 + 20 + 8 + 4 B"));
        fields(field("random_gaps", &self::random_gaps)
                   .needs("datagrams_are_paced")
                   .help("Gaps between datagrams are exponentially distributed. off: constant, with the same "
                         "mean."));
        fields(field("path_every", &self::path_every)
                   .range(0U, 1'000'000'000U)
                   .needs(used)
                   .help("A transfer changes its path after this many datagrams: it takes the next value of V, "
                         "which switches hash with the addresses. 0: it keeps its path.")
                   .source("FlowBender 3.4.3: packets or bursts"));
        fields(field("paths", &self::paths)
                   .range(2U, 65'536U)
                   .needs(used, "udp.path_every above 0")
                   .help("Number of values of V, which are taken in turn.")
                   .source("FlowBender 3.3: 8"));
    }
};

}  // namespace weir::traffic
