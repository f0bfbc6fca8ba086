// Parameters of pFabric at the hosts: frames, the window it begins with, timeouts.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::traffic {

/// Keys: [pfabric].
struct pfabric_config {
    bytes payload{1460};
    bytes header{58};
    std::optional<std::uint32_t> window;
    std::optional<picoseconds> rto;
    std::uint32_t probe_after = 5;
    bytes receive_window{1_MiB};
    static constexpr const char* used = "pfabric_is_used";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(used);
        fields(field("payload", &self::payload)
                   .range(1_B, 9'146_B)
                   .help("Payload of a full frame, in which ranks are counted. If pFabric is used, "
                         "pfabric.payload + pfabric.header must not exceed switch.max_frame.")
                   .source("pFabric (SIGCOMM 2013) 5.1: packets of 1,500 B"));
        fields(field("header", &self::header)
                   .range(58_B, 128_B)
                   .help("Ethernet, IPv4 and TCP headers and FCS of every frame, the rank included.")
                   .source("IEEE 802.3, RFC 791, RFC 793: 14 + 20 + 20 + 4 B"));
        fields(field("window", &self::window)
                   .range(1U, 65'535U)
                   .help("Frames that a transfer begins with. auto: what a host's link carries in the longest "
                         "round trip between two hosts of the empty fabric.")
                   .source("pFabric 4.3: a bandwidth-delay product; 12 at 10 Gb/s"));
        fields(field("rto", &self::rto)
                   .range(1_ps, 60s)
                   .help("Retransmission timeout; it does not change. auto: three times the longest round trip "
                         "between two hosts of the empty fabric.")
                   .source("pFabric 4.3: 3 round trips, 45 us at 10 Gb/s; DIBS 5.8: 350 us at 1 Gb/s"));
        fields(field("probe_after", &self::probe_after)
                   .range(1U, 1'000'000U)
                   .help("Timeouts in a row after which a sender sends probes instead of data, one per "
                         "timeout, until one is answered.")
                   .source("pFabric 4.3: 5"));
        fields(field("receive_window", &self::receive_window)
                   .range(1_B, 1_MiB * 1024)
                   .help("Data is sent only up to this distance behind the first unacknowledged byte; at least "
                         "pfabric.payload, at most 1048576 times that."));
    }

    config_errors validate() const;
};

}  // namespace weir::traffic
