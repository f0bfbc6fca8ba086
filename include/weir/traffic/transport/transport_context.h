// What the transports of one host share: the way to the NIC, the clock of the call that is being served,
// timers, counters, and TCP's parameters in the form in which the frame path needs them.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/endpoint.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/transport/timer_queue.h"
#include "weir/traffic/transport/transport_config.h"

namespace weir {

/// Totals of one host since its start.
struct transport_counters {
    static constexpr unsigned kinds = 8;
    /// Frames and the sum of their `frame_bytes`, by `frame_kind`.
    struct traffic {
        std::array<std::uint64_t, kinds> frames{};
        std::array<std::uint64_t, kinds> bytes{};

        void count(const ethernet_frame& frame) {
            const auto kind = static_cast<unsigned>(frame.kind);
            ++frames[kind];
            bytes[kind] += frame.frame_bytes;
        }
        std::uint64_t frames_of(frame_kind kind) const { return frames[static_cast<unsigned>(kind)]; }
        std::uint64_t bytes_of(frame_kind kind) const { return bytes[static_cast<unsigned>(kind)]; }
    };

    /// What the NIC accepted, and what arrived.
    traffic sent;
    traffic received;
    /// Frames that the NIC had no space for.
    std::uint64_t dropped_at_nic = 0;
    /// Segments (SYNs too) sent again, for whatever reason.
    std::uint64_t retransmits = 0;
    /// Times that fast retransmit began.
    std::uint64_t fast_retransmits = 0;
    /// Times that a retransmission timer ran out.
    std::uint64_t timeouts = 0;
    std::uint64_t duplicate_acks = 0;
    /// ACKs that arrived after a later one.
    std::uint64_t old_acks = 0;
    /// Frames of a transfer that is over, or of none that is known here.
    std::uint64_t stale_frames = 0;
    /// Segments that arrived before one that precedes them.
    std::uint64_t out_of_order_segments = 0;
    /// Segments that were here already.
    std::uint64_t duplicate_segments = 0;
    /// Segments that came with a mark (ECN CE).
    std::uint64_t marked_segments = 0;
    /// Segments beyond the receive window or the transfer's end: only a foreign sender makes them.
    std::uint64_t outside_window = 0;
    /// Payload handed to applications, each byte once. Unit: B.
    std::uint64_t delivered_bytes = 0;
};

/// `tcp_config` in plain numbers. Lengths in B.
struct tcp_constants {
    std::uint64_t mss;
    std::uint64_t receive_window;
    std::uint64_t initial_window;
    std::uint32_t header;
    /// Frame of a full segment, and of one without payload.
    std::uint16_t full_frame;
    std::uint16_t empty_frame;
    std::uint32_t duplicate_acks;
    std::uint32_t ack_every;
    picoseconds min_rto;
    picoseconds initial_rto;
    picoseconds max_rto;
    picoseconds rto_granularity;
    picoseconds delayed_ack_timeout;
    bool handshake;

    explicit tcp_constants(const tcp_config& config);
};

/// An Ethernet frame is never shorter (802.3 3.2.7).
inline constexpr std::uint32_t min_frame_bytes = 64;

constexpr std::uint16_t frame_length(std::uint64_t header, std::uint64_t payload) {
    const std::uint64_t length = header + payload;
    return static_cast<std::uint16_t>(length < min_frame_bytes ? min_frame_bytes : length);
}

constexpr std::uint8_t flag_if(bool condition, frame_flags flag) {
    return condition ? static_cast<std::uint8_t>(flag) : std::uint8_t{0};
}

/// What the endpoint wants back when a transfer is over.
struct transfer_owner {
    host_id dst = 0;
    /// Index of the application that started it.
    std::uint32_t application = 0;
};

struct transport_context {
    transport_context(const tcp_config& config, const congestion_control& algorithm)
        : tcp(config), congestion(&algorithm) {}

    tcp_constants tcp;
    const congestion_control* congestion;
    host_services* host = nullptr;
    /// Time of the call that is being served.
    picoseconds now{0};
    timer_queue timers;
    transport_counters counters;

    /// A refused frame is lost, as one that was dropped on its way.
    void send(const ethernet_frame& frame) {
        if (host->send(frame)) {
            counters.sent.count(frame);
        } else {
            ++counters.dropped_at_nic;
        }
    }
};

}  // namespace weir
