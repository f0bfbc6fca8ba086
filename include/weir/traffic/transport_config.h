// Parameters of the transports.
#pragma once

#include <cstdint>

#include "weir/base/config_error.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

struct tcp_config {
    /// Payload of a full segment. Unit: bytes. Range: 1-9,146.
    bytes mss{1460};
    /// Ethernet, IPv4 and TCP headers and FCS of every segment. Unit: bytes. Range: 58-128.
    /// 14 + 20 + 20 + 4 B; DeTail's full frame of 1,530 B needs 70 B.
    bytes header{58};
    /// Shortest retransmission timeout. Range: > 0. Default 10 ms: DeTail 8.1, without flow control.
    picoseconds min_rto{10ms};
    /// Timeout before the first round-trip sample. Default 1 s: RFC 6298 2.1.
    picoseconds initial_rto{1s};
    /// Bound of the exponential back-off. Default 60 s: RFC 6298 2.4 allows no less.
    picoseconds max_rto{60s};
    /// Clock granularity G of the retransmission timer (RFC 6298); 0 = exact. Default 1 ms.
    picoseconds rto_granularity{1ms};
    /// Segments. Range: 1-65,535. Default 3: RFC 3390 at 1,460 B (the papers' years); RFC 6928 says 10.
    std::uint32_t initial_window = 3;
    /// Duplicate ACKs that start fast retransmit; 0 turns it off. Default 3: RFC 5681.
    std::uint32_t duplicate_acks = 3;
    /// Receive window. Unit: bytes. Range: >= mss.
    bytes receive_window{1_MiB};
    /// SYN and SYN-ACK before the first data segment. Default off: connections are kept open.
    bool handshake = false;
    /// Segments per ACK. Range: 1-2; 2 = delayed ACK (RFC 1122 4.2.3.2).
    std::uint32_t ack_every = 1;
    /// Longest delay of a delayed ACK. Range: (0, 500 ms] (RFC 1122).
    picoseconds delayed_ack_timeout{40ms};

    config_errors validate() const;
};

struct udp_config {
    /// Payload of a full datagram. Unit: bytes. Range: 1-9,158.
    bytes payload{1472};
    /// Ethernet, IPv4 and UDP headers and FCS. Unit: bytes. 14 + 20 + 8 + 4 B.
    bytes header{46};
    /// Gaps between datagrams: constant, or exponential with the same mean.
    bool random_gaps = false;

    config_errors validate() const;
};

}  // namespace weir
