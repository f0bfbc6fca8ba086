// Parameters of the transports.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/path_choice.h"

namespace weir {

struct tcp_config {
    /// Payload of a full segment. Unit: bytes.
    bytes mss{1460};
    static constexpr field_range mss_range{1_B, 9'146_B};
    /// Ethernet, IPv4 and TCP headers and FCS of every segment. Unit: bytes.
    /// 14 + 20 + 20 + 4 B; DeTail's full frame of 1,530 B needs 70 B.
    bytes header{58};
    static constexpr field_range header_range{58_B, 128_B};
    /// Shortest retransmission timeout. Default 10 ms: DeTail 8.1, without flow control.
    picoseconds min_rto{10ms};
    static constexpr field_range rto_range{1_ps, longest_time};
    /// Timeout before the first round-trip sample; not set: `min_rto`. `rto_range`, at least min_rto. Default 1
    /// s: RFC 6298 2.1.
    std::optional<picoseconds> initial_rto{1s};
    /// Bound of the exponential back-off; at least initial_rto. Default 60 s: RFC 6298 2.4 allows no less.
    picoseconds max_rto{60s};
    static constexpr field_range max_rto_range{1_ps, picoseconds{1h}};
    /// Clock granularity G of the retransmission timer (RFC 6298); 0 = exact. Default 1 ms.
    picoseconds rto_granularity{1ms};
    static constexpr field_range rto_granularity_range{0_ps, picoseconds{1s}};
    /// Segments. Default 3: RFC 3390 at 1,460 B (the papers' years); RFC 6928 says 10.
    std::uint32_t initial_window = 3;
    static constexpr field_range initial_window_range{1U, 65'535U};
    /// Most that one ACK adds to the congestion window in slow start; 0 = all that it confirms. Unit: segments.
    /// Default 1: RFC 5681 eq. 2, and ns-3; RFC 3465 says 2; Linux has no limit.
    std::uint32_t slow_start_limit = 1;
    static constexpr field_range slow_start_limit_range{0U, 65'535U};
    /// Duplicate ACKs that start fast retransmit; 0 turns it off. Default 3: RFC 5681.
    std::uint32_t duplicate_acks = 3;
    static constexpr field_range duplicate_acks_range{0U, 65'535U};
    /// Receive window; at least mss. Unit: bytes.
    bytes receive_window{1_MiB};
    static constexpr field_range receive_window_range{1_B, 1_MiB * 1024};
    /// SYN and SYN-ACK before the first data segment. Default off: connections are kept open.
    bool handshake = false;
    /// Segments per ACK; 2 = delayed ACK (RFC 1122 4.2.3.2).
    std::uint32_t ack_every = 1;
    static constexpr field_range ack_every_range{1U, 2U};
    /// Longest delay of a delayed ACK (RFC 1122).
    picoseconds delayed_ack_timeout{40ms};
    static constexpr field_range delayed_ack_timeout_range{0_ps, picoseconds{500ms}, range_ends::low_excluded};

    /// Not set: `newreno_ecn` where switches mark, else `newreno`.
    std::optional<congestion_kind> congestion;
    path_kind path_choice = path_kind::fixed;

    picoseconds first_rto() const { return initial_rto.value_or(min_rto); }
    config_errors validate() const;
};

struct udp_config {
    /// Payload of a full datagram. Unit: bytes.
    bytes payload{1472};
    static constexpr field_range payload_range{1_B, 9'158_B};
    /// Ethernet, IPv4 and UDP headers and FCS. Unit: bytes. 14 + 20 + 8 + 4 B.
    bytes header{46};
    static constexpr field_range header_range{46_B, 128_B};
    /// Gaps between datagrams: constant, or exponential with the same mean.
    bool random_gaps = false;

    config_errors validate() const;
};

}  // namespace weir
