// What applications and transports say to each other of transfers.
//
// A *transfer* is one way: a query is a request (one transfer) and its response (another).
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::traffic {

class write_schedule;

/// A kind of transport that is registered (transport_kinds.h): `named<transport_kind>("udp")`. The first one,
/// the default, is TCP.
enum class transport_kind : std::uint8_t {};

/// Of the frames with which a transfer begins: every transfer hashes to a path of its own, as one from a fresh
/// port does.
inline std::uint16_t path_tag_of(std::uint64_t flow) {
    return static_cast<std::uint16_t>(random_stream::mix(flow) >> 48);
}

/// What an application asks of the transport.
struct transfer_request {
    host_id dst = 0;
    bytes flow_bytes{0};
    pfc_class priority = 0;
    std::uint8_t tag = 0;
    transport_kind transport{};
    /// Unique in the fabric; `application_services::next_flow` gives one.
    std::uint64_t flow = 0;
    std::uint64_t job = 0;
    /// Travels with the data: how long the receiver's response shall be; 0 for none.
    bytes reply_bytes{0};
    /// Sending rate of an unreliable transfer; 0 = the link's. Unit: bit/s.
    bit_rate udp_rate{0};
    /// When the application writes what is to be sent; null: all of it at once. It outlives the transfer. Only
    /// transports with `transport_traits::waits_for_writes` take one.
    const write_schedule* written = nullptr;
};

/// What the receiver of a complete transfer knows of it.
struct received_transfer {
    host_id src;
    std::uint64_t flow;
    std::uint64_t job;
    bytes flow_bytes;
    bytes reply_bytes;
    picoseconds start;
    pfc_class priority;
    std::uint8_t tag;
    transport_kind transport;
};

/// What a sender may have outstanding, and how far it is. Unit: B.
struct send_window {
    std::uint64_t cwnd = 0;
    std::uint64_t receive_window = 0;
    /// Sent at least once.
    std::uint64_t sent = 0;
};

/// A transfer that its sender is not done with.
struct open_transfer {
    std::uint64_t flow;
    transport_kind transport;
    host_id src;
    host_id dst;
    bytes flow_bytes;
    picoseconds start;
    std::uint32_t retransmits;
    std::uint32_t timeouts;
    /// What the receiver knows it by (incoming_transfers.h). Nothing where senders await no confirmation (UDP).
    std::optional<std::uint32_t> ordinal;
    ipv4_address src_address;
    std::uint8_t tag = 0;
    /// Confirmed; of an unreliable transfer: sent.
    std::uint64_t done_bytes = 0;
    /// Of TCP's senders.
    std::optional<send_window> window;
    /// Of a queue pair, as of its last frame or notification.
    std::optional<bit_rate> rate;
    pfc_class priority = 0;
    std::uint64_t job = 0;
};

/// What the endpoint wants back when a transfer is over.
struct transfer_owner {
    host_id dst = 0;
    /// Index of the application that started it.
    std::uint32_t application = 0;
};

}  // namespace weir::traffic
