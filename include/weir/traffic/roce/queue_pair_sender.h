// One RoCE transfer, sending side: a queue pair that spaces its frames by a rate.
//
// The next frame is due when the one before would have left a wire of the queue pair's rate; when the rate
// changes meanwhile, so does that time. A frame that is due goes to the NIC. A NIC that does not take it now
// (its class is paused, other queue pairs are before) leaves it here, and calls when it may: no frame is made
// before it can leave, so that a pause holds back no frames in the NIC.
//
// Frames begin at multiples of the payload. What is lost comes again by go-back-N (a NAK or the timeout sends
// `next` back to the first byte that is not confirmed), or selectively: each NAK names a frame that has
// arrived; what is before it and has not is sent again, once, and after a timeout all that is not confirmed.
//
//   queue_pair_sender s;
//   s.open(context, roce, header, {destination, owner}, slot);    // sends the first frame
//   if (s.on_ack(context, roce, ack)) { ... }                     // every byte is confirmed
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/roce/roce_context.h"
#include "weir/traffic/transport/transfer.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

class alignas(64) queue_pair_sender {
 public:
    /// Starts a transfer in this slot. `header` has all that the transfer's frames have in common.
    void open(transport_context& context, roce_context& roce, const ethernet_frame& header,
              transfer_owner owner, std::uint32_t slot);
    /// An ACK or NAK. True when it confirms the last byte; a frame that was to be sent again may still wait.
    bool on_ack(transport_context& context, roce_context& roce, const ethernet_frame& ack);
    void on_notification(transport_context& context, roce_context& roce);
    /// An entry of one of this slot's timers has come up.
    void on_timer(transport_context& context, roce_context& roce, const timer_entry& entry);
    /// The NIC may take a frame. False: it has not.
    bool on_ready(transport_context& context, roce_context& roce);

    /// A frame that is due waits for the NIC.
    bool is_waiting() const { return m_is_waiting; }
    bool is_open() const { return m_is_open; }
    bool is_sending(std::uint64_t flow) const { return m_is_open && m_frame.transfer.flow == flow; }
    /// The present transfer's frame, or the last one's.
    const ethernet_frame& frame() const { return m_frame; }
    transfer_owner owner() const { return m_owner; }
    std::uint32_t retransmits() const { return m_retransmits; }
    std::uint32_t timeouts() const { return m_timeouts; }
    std::uint64_t una() const { return m_una; }

    /// The next one that waits for the NIC (`waiting_senders`).
    std::uint32_t next_waiting = waiting_senders::absent;

 private:
    /// Sends what is due, or sets the timer for it.
    void go_on(transport_context& context, roce_context& roce);
    /// False: the NIC does not take it now.
    bool hand_over(transport_context& context, roce_context& roce);
    void pace(transport_context& context, roce_context& roce);
    bool has_more(roce_context& roce);
    /// Offset of what to send next.
    std::uint64_t next_offset() const { return m_resend < m_lost_end ? m_resend : m_next; }
    [[gnu::cold]] void on_timeout(transport_context& context, roce_context& roce);
    [[gnu::cold]] void skip_confirmed(roce_context& roce);
    [[gnu::cold]] void on_nak(transport_context& context, roce_context& roce, std::uint64_t selected);
    [[gnu::cold]] void forget_confirmed(roce_context& roce, std::uint64_t end);
    std::uint64_t payload_at(const roce_constants& roce, std::uint64_t offset) const {
        const std::uint64_t left = m_frame.transfer.flow_bytes - offset;
        return left < roce.payload ? left : roce.payload;
    }
    std::uint32_t slot() const { return m_frame.transfer.connection; }
    void restart_timeout(transport_context& context, const roce_context& roce) {
        m_timeout.set(context.timers, context.now + roce.ack_timeout, roce.retransmission_timer(slot()));
    }

    /// Template of every frame; only sequence, length and flags change.
    ethernet_frame m_frame;

    std::uint64_t m_una = 0;
    std::uint64_t m_next = 0;
    std::uint64_t m_max = 0;
    // Selective: frames from `m_resend` up to `m_lost_end` that are not in the bitmap are lost, and come first.
    std::uint64_t m_resend = 0;
    std::uint64_t m_lost_end = 0;
    /// Of the last frame.
    picoseconds m_sent_at{0};
    bytes m_sent_wire{0};
    segment_bitmaps::handle m_bitmap = segment_bitmaps::none;
    bool m_is_open = false;
    bool m_is_waiting = false;

    lazy_timer m_pacing;
    lazy_timer m_timeout;
    std::uint32_t m_retransmits = 0;
    std::uint32_t m_timeouts = 0;
    transfer_owner m_owner;
};

}  // namespace weir::traffic
