// What the transports of one host share: the way to the NIC, the clock of the call that is being served,
// timers and counters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/endpoint.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/transport/segment_log.h"
#include "weir/traffic/transport/timer_queue.h"

namespace weir::traffic {

/// Totals of one host since its start.
struct transport_counters {
    /// Frames and the sum of their `frame_bytes`, by `frame_kind`.
    struct traffic {
        struct of_kind {
            std::uint64_t frames = 0;
            std::uint64_t bytes = 0;
        };
        std::array<of_kind, frame_kinds> kinds{};

        void count(const ethernet_frame& frame) {
            of_kind& counts = kinds[static_cast<unsigned>(frame.kind)];
            ++counts.frames;
            counts.bytes += frame.frame_bytes;
        }
        std::uint64_t frames_of(frame_kind kind) const { return kinds[static_cast<unsigned>(kind)].frames; }
        std::uint64_t bytes_of(frame_kind kind) const { return kinds[static_cast<unsigned>(kind)].bytes; }
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
    /// Times that a sender took another path.
    std::uint64_t path_changes = 0;
    /// ACKs that arrived after a later one.
    std::uint64_t old_acks = 0;
    /// Frames of a transfer that is over, or of none that is known here.
    std::uint64_t stale_frames = 0;
    /// Segments that arrived before one that precedes them.
    std::uint64_t out_of_order_segments = 0;
    /// Segments that were here already.
    std::uint64_t duplicate_segments = 0;
    /// Segments that came out of order and were dropped, because so many were kept (`tcp.reassembly_limit`).
    std::uint64_t reassembly_drops = 0;
    /// Segments that came with a mark (ECN CE).
    std::uint64_t marked_segments = 0;
    /// Segments beyond the receive window or the transfer's end: only a foreign sender makes them.
    std::uint64_t outside_window = 0;
    /// Payload handed to applications, each byte once. Unit: B.
    std::uint64_t delivered_bytes = 0;
};

/// An Ethernet frame is never shorter (802.3 3.2.7).
inline constexpr std::uint32_t min_frame_bytes = 64;

constexpr std::uint16_t frame_length(std::uint64_t header, std::uint64_t payload,
                                     std::uint32_t shortest = min_frame_bytes) {
    const std::uint64_t length = header + payload;
    return static_cast<std::uint16_t>(length < shortest ? shortest : length);
}

constexpr std::uint8_t flag_if(bool condition, frame_flags flag) {
    return condition ? static_cast<std::uint8_t>(flag) : std::uint8_t{0};
}

struct transport_context {
    host_services* host = nullptr;
    /// Time of the call that is being served.
    picoseconds now{0};
    timer_queue timers;
    transport_counters counters;
    /// Of the frame that is being received; null where there is none.
    const frame_annex* annex = nullptr;
    /// Null: nobody asks for it.
    std::unique_ptr<segment_log> segments;

    struct held_frame {
        ethernet_frame frame;
        std::optional<frame_annex> returned;
    };
    /// Frames that the NIC takes later, in order.
    std::vector<held_frame> held;
    /// Kinds of frames that were offered and not taken since `endpoint::ready`, one bit each.
    unsigned refused = 0;
    static_assert(frame_kinds <= 32);
    /// The last refusal was of one flow: others may be taken.
    bool refuses_single_flows = false;

    /// A frame of the transfer that `of` belongs to came while one before it was missing.
    [[gnu::cold]] void count_early(const ethernet_frame& of) {
        ++counters.out_of_order_segments;
        if (segments != nullptr) {
            ++segments->of(of).early;
        }
    }

    /// A segment of the transfer that `of` belongs to is sent again.
    [[gnu::cold]] void count_retransmit(const ethernet_frame& of) {
        ++counters.retransmits;
        if (segments != nullptr) {
            ++segments->of(of).retransmits;
        }
    }
    /// Its retransmission timer has run out.
    [[gnu::cold]] void count_timeout(const ethernet_frame& of) {
        ++counters.timeouts;
        if (segments != nullptr) {
            ++segments->of(of).timeouts;
        }
    }

    /// A frame that the NIC drops is lost, as one that was dropped on its way; one that it does not take now
    /// waits here.
    void send(const ethernet_frame& frame) { settle(frame, nullptr, host->send(frame)); }
    /// As `send`, but false where the NIC does not take the frame now: it stays with the sender until
    /// `transport::ready`. Range: a frame of one of the transport's own kinds.
    bool offer(const ethernet_frame& frame) {
        const send_outcome outcome = host->send(frame);
        if (is_refusal(outcome)) {
            refused |= 1U << static_cast<unsigned>(frame.kind);
            refuses_single_flows = outcome == send_outcome::not_this;
            return false;
        }
        settle(frame, nullptr, outcome);
        return true;
    }
    /// An acknowledgement of the frame that is being received: the annex goes back with it.
    void answer(const ethernet_frame& frame) {
        if (__builtin_expect(annex == nullptr, 1)) {
            send(frame);
        } else {
            settle(frame, annex, host->return_annex(*annex, frame));
        }
    }
    /// Hands over once more what waits.
    void send_held() {
        std::vector<held_frame> waiting;
        waiting.swap(held);
        for (const held_frame& each : waiting) {
            if (each.returned) {
                settle(each.frame, &*each.returned, host->return_annex(*each.returned, each.frame));
            } else {
                send(each.frame);
            }
        }
    }

 private:
    void settle(const ethernet_frame& frame, const frame_annex* returned, send_outcome outcome) {
        if (__builtin_expect(outcome == send_outcome::taken, 1)) {
            counters.sent.count(frame);
        } else {
            not_taken(frame, returned, outcome);
        }
    }
    [[gnu::cold]] void not_taken(const ethernet_frame& frame, const frame_annex* returned,
                                 send_outcome outcome) {
        if (is_refusal(outcome)) {
            held.push_back({frame, returned != nullptr ? std::optional(*returned) : std::nullopt});
        } else {
            ++counters.dropped_at_nic;
        }
    }
};

}  // namespace weir::traffic
