// One pFabric transfer, sending side: a window of a bandwidth-delay product, one fixed timeout, and nothing
// else (SIGCOMM 2013, section 4.3).
//
// Frames begin at multiples of the payload, and all counts here are of frames. The window bounds those that are
// under way: sent and not confirmed, in whatever order. Each ACK of something new lets it grow, by one in slow
// start, and else by one for as many ACKs as it is large. What is lost is noticed by the timeout alone, which
// runs from when the first byte that is not confirmed became so: the sender goes back to it, in slow start from
// one frame to half of the window. After some timeouts in a row nothing but a probe is sent, a frame without
// payload, one per timeout; an ACK of any kind ends that.
//
// The rank of a frame is what is left of the transfer as it is sent: the frames that are not confirmed.
//
//   pfabric_sender s;
//   s.open(context, pfabric, header, {destination, owner}, slot);
//   while (s.may_send(pfabric) && s.send_next(context, pfabric)) {}
//   if (s.on_ack(context, pfabric, ack)) { ... }                    // every byte is confirmed
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/pfabric/pfabric_context.h"
#include "weir/traffic/transport/transfer.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

class alignas(64) pfabric_sender {
 public:
    /// Starts a transfer in this slot. `header` has all that the transfer's frames have in common.
    void open(transport_context& context, const pfabric_context& pfabric, const ethernet_frame& header,
              transfer_owner owner, std::uint32_t slot);
    bool may_send(const pfabric_context& pfabric) const {
        return m_next < m_frames && m_flight < m_window && m_next - m_una < pfabric.reach && !m_is_probing;
    }
    /// Hands the next frame to the NIC. False: it does not take it now. Range: may_send().
    bool send_next(transport_context& context, const pfabric_context& pfabric);
    /// True when this ACK confirms the last byte.
    bool on_ack(transport_context& context, pfabric_context& pfabric, const ethernet_frame& ack);
    /// An entry of this slot's timer has come up.
    void on_timer(transport_context& context, const pfabric_context& pfabric, const timer_entry& entry);

    bool is_open() const { return m_una < m_frames; }
    /// Bytes that are confirmed, to less than a frame.
    std::uint64_t una() const { return m_frames > 0 ? m_frame.transfer.flow_bytes * m_una / m_frames : 0; }
    bool is_sending(std::uint64_t flow) const { return is_open() && m_frame.transfer.flow == flow; }
    /// The present transfer's frame, or the last one's.
    const ethernet_frame& frame() const { return m_frame; }
    transfer_owner owner() const { return m_owner; }
    std::uint32_t retransmits() const { return m_retransmits; }
    std::uint32_t timeouts() const { return m_timeouts; }
    /// Frames that are not confirmed.
    std::uint64_t left() const { return m_frames - m_una - m_selected; }
    std::uint32_t window() const { return m_window; }
    bool is_probing() const { return m_is_probing; }

 private:
    /// All before frame `next` is confirmed.
    void confirm_up_to(pfabric_context& pfabric, std::uint64_t next);
    [[gnu::cold]] void forget_selected(pfabric_context& pfabric, std::uint64_t next);
    /// True: it is new that this frame has arrived.
    [[gnu::cold]] bool select(pfabric_context& pfabric, std::uint64_t frame);
    /// What is confirmed is not sent again.
    void skip_selected(const pfabric_context& pfabric) {
        while (__builtin_expect(m_bitmap != segment_bitmaps::none, 0) && m_next < m_max &&
               pfabric.bitmaps.holds(m_bitmap, m_next)) {
            ++m_next;
        }
    }
    void grow();
    [[gnu::cold]] void on_timeout(transport_context& context, const pfabric_context& pfabric);
    [[gnu::cold]] void send_probe(transport_context& context, const pfabric_context& pfabric);
    void restart_timer(transport_context& context, const pfabric_context& pfabric) {
        m_timer.set(context.timers, context.now + pfabric.rto,
                    timer_id(pfabric.retransmission, m_frame.transfer.connection));
    }

    /// Template of every frame; only sequence, length, rank and flags change.
    ethernet_frame m_frame;

    std::uint64_t m_frames = 0;
    std::uint64_t m_una = 0;
    /// The next to send; not confirmed.
    std::uint64_t m_next = 0;
    /// Behind all that were ever sent.
    std::uint64_t m_max = 0;
    /// From `m_una` up to `m_next`: not confirmed.
    std::uint32_t m_flight = 0;
    std::uint32_t m_window = 0;
    std::uint32_t m_slow_start_end = 0;
    /// Since the window grew, beyond slow start.
    std::uint32_t m_acks = 0;
    lazy_timer m_timer;

    /// Confirmed behind `m_una`: how many, and which.
    std::uint32_t m_selected = 0;
    segment_bitmaps::handle m_bitmap = segment_bitmaps::none;
    std::uint32_t m_timeouts_in_row = 0;
    bool m_is_probing = false;
    std::uint32_t m_retransmits = 0;
    std::uint32_t m_timeouts = 0;
    transfer_owner m_owner;
};

}  // namespace weir::traffic
