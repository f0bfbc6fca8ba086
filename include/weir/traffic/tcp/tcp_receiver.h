// One TCP transfer, receiving side: takes segments in any order, and says with each ACK which byte it
// expects next.
//
// Segments above that byte are kept in a bitmap, one bit each, which is borrowed from the host's pool only
// while something is missing (DeTail's reorder buffer; bounded by the receive window). Data goes to the
// application as soon as it is in order, so the window that a receiver offers never shrinks.
//
// ACKs: at once for a segment out of order, one that fills a gap, a duplicate, and the last one; otherwise
// for every `ack_every`-th segment, or when the oldest has waited `delayed_ack_timeout`. An ACK echoes CE as
// the congestion control wants it. As in RFC 8257 3.2, ECE says whether the segments that it is for were
// marked, and where the mark changes between them, the ones before the change are confirmed first, by an ACK of
// their own; or, as in RFC 3168 6.1.3, ACKs have ECE from a mark on until a segment with CWR comes.
//
//   tcp_receiver r;
//   r.open(tcp, data, slot);
//   if (r.on_data(context, tcp, bitmaps, data)) { ... }   // every byte is here
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/protocol/frame.h"
#include "weir/traffic/tcp/tcp_context.h"
#include "weir/traffic/transport/segment_bitmaps.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// The ACK that confirms bytes before `next` of the transfer to which `data` belongs.
ethernet_frame make_ack(const tcp_constants& tcp, const ethernet_frame& data, std::uint64_t next);

class alignas(64) tcp_receiver {
 public:
    /// `data` is any segment of a new transfer; `slot` the number of this receiver on its host.
    void open(const tcp_constants& tcp, const ethernet_frame& data, std::uint32_t slot);
    /// True when this segment makes the transfer complete; the slot is then free.
    bool on_data(transport_context& context, const tcp_constants& tcp, segment_bitmaps& bitmaps,
                 const ethernet_frame& data);
    /// An entry of this slot's delayed-ACK timer has come up.
    void on_timer(transport_context& context, const timer_entry& entry);
    /// Payload that has arrived, each byte once; `payload` is that of a full frame. Unit: B.
    std::uint64_t received_bytes(const segment_bitmaps& bitmaps, std::uint64_t payload) const {
        const transfer_fields& t = m_ack.transfer;
        return t.sequence + m_kept.bytes(bitmaps, t.sequence, payload, t.flow_bytes);
    }

 private:
    void acknowledge(transport_context& context);
    [[gnu::cold]] void keep(transport_context& context, const tcp_constants& tcp, segment_bitmaps& bitmaps,
                            const ethernet_frame& data);
    /// A segment that was sent once and comes after the one at `furthest`.
    [[gnu::cold]] static void note_late(transport_context& context, const tcp_constants& tcp,
                                        const ethernet_frame& data, std::uint64_t furthest);
    /// A segment whose mark is not `m_marked`.
    [[gnu::cold]] void change_mark(transport_context& context, const tcp_constants& tcp,
                                   const ethernet_frame& data);
    /// A segment that is not the next one.
    [[gnu::cold]] void on_other_order(transport_context& context, const tcp_constants& tcp,
                                      segment_bitmaps& bitmaps, const ethernet_frame& data);
    std::uint64_t payload_at(const tcp_constants& tcp, std::uint64_t sequence) const {
        const std::uint64_t left = m_ack.transfer.flow_bytes - sequence;
        return left < tcp.mss ? left : tcp.mss;
    }

    /// The next ACK as it will be sent; its sequence is the next byte expected.
    ethernet_frame m_ack;

    lazy_timer m_timer;
    /// Where something is kept: the last of it.
    std::uint64_t m_furthest = 0;
    kept_segments m_kept;
    /// Segments that no ACK was sent for.
    std::uint32_t m_unacknowledged = 0;
    std::uint32_t m_slot = 0;
    /// ECE of the next ACK.
    bool m_marked = false;
};
static_assert(sizeof(tcp_receiver) == 128, "two cache lines");

}  // namespace weir::traffic
