#include "weir/traffic/tcp/tcp_receiver.h"

#include <utility>

#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

ethernet_frame make_ack(const tcp_constants& tcp, const ethernet_frame& data, std::uint64_t next) {
    ethernet_frame ack = make_answer(data, frame_kind::tcp_ack, next, tcp.empty_frame);
    ack.flags = flag_if((data.flags & ecn_marked) != 0, ecn_echo);
    return ack;
}

void tcp_receiver::open(const tcp_constants& tcp, const ethernet_frame& data, std::uint32_t slot) {
    m_ack = make_ack(tcp, data, 0);
    m_kept = {};
    m_unacknowledged = 0;
    m_slot = slot;
    m_marked = (data.flags & ecn_marked) != 0;
}

void tcp_receiver::acknowledge(transport_context& context) {
    m_unacknowledged = 0;
    m_timer.stop();
    m_ack.flags = flag_if(m_marked, ecn_echo);
    context.answer(m_ack);
}

bool tcp_receiver::on_data(transport_context& context, const tcp_constants& tcp, segment_bitmaps& bitmaps,
                           const ethernet_frame& data) {
    const bool marked = (data.flags & ecn_marked) != 0;
    context.counters.marked_segments += marked ? 1 : 0;
    if (marked != m_marked) {
        change_mark(context, tcp, data);
    }
    m_ack.path_tag = data.path_tag;
    const std::uint64_t before = m_ack.transfer.sequence;
    if (data.transfer.sequence != before) {
        on_other_order(context, tcp, bitmaps, data);
        return false;
    }
    std::uint64_t next = before + payload_at(tcp, before);
    const bool fills_gap = m_kept.any();
    if (fills_gap) {
        note_late(context, tcp, data, m_furthest);
        next = m_kept.take_from(bitmaps, next, tcp.mss, m_ack.transfer.flow_bytes);
    }
    m_ack.transfer.sequence = next & transfer_fields::length_mask;
    context.counters.delivered_bytes += next - before;
    const bool complete = next == m_ack.transfer.flow_bytes;
    if (++m_unacknowledged >= tcp.ack_every || fills_gap || complete) {
        acknowledge(context);
    } else if (!m_timer.running()) {
        m_timer.set(context.timers, context.now + tcp.delayed_ack_timeout,
                    timer_id(timer_kind::tcp_delayed_ack, m_slot));
    }
    return complete;
}

void tcp_receiver::change_mark(transport_context& context, const tcp_constants& tcp,
                               const ethernet_frame& data) {
    if (tcp.latches_echo) {
        m_marked = !m_marked || (data.flags & window_reduced) == 0;
        return;
    }
    if (m_unacknowledged > 0) {
        // It confirms earlier segments; the annex is that of the one which has come now.
        const frame_annex* const newest = std::exchange(context.annex, nullptr);
        acknowledge(context);
        context.annex = newest;
    }
    m_marked = !m_marked;
}

void tcp_receiver::on_other_order(transport_context& context, const tcp_constants& tcp,
                                  segment_bitmaps& bitmaps, const ethernet_frame& data) {
    const std::uint64_t next = m_ack.transfer.sequence;
    if (data.transfer.sequence > next) {
        keep(context, tcp, bitmaps, data);
    } else {
        ++context.counters.duplicate_segments;
        note_late(context, tcp, data, m_kept.any() ? m_furthest : next - 1);
    }
    acknowledge(context);
}

// What was sent again says nothing of the order in which the network delivers.
void tcp_receiver::note_late(transport_context& context, const tcp_constants& tcp, const ethernet_frame& data,
                             std::uint64_t furthest) {
    if (context.segments != nullptr && (data.flags & retransmitted) == 0) {
        const std::uint64_t behind = furthest / tcp.mss - data.transfer.sequence / tcp.mss;
        context.segments->on_late(data, std::max<std::uint64_t>(behind, 1));
    }
}

void tcp_receiver::keep(transport_context& context, const tcp_constants& tcp, segment_bitmaps& bitmaps,
                        const ethernet_frame& data) {
    const std::uint64_t sequence = data.transfer.sequence;
    const std::uint64_t flow_bytes = m_ack.transfer.flow_bytes;
    if (sequence >= flow_bytes ||
        sequence + payload_at(tcp, sequence) > m_ack.transfer.sequence + tcp.largest_window) {
        ++context.counters.outside_window;
        return;
    }
    if (tcp.reassembly_limit > 0 && m_kept.count() >= tcp.reassembly_limit) {
        ++context.counters.reassembly_drops;
        return;
    }
    if (!m_kept.any()) {
        m_furthest = 0;
    }
    if (!m_kept.add(bitmaps, sequence / tcp.mss)) {
        ++context.counters.duplicate_segments;
        return;
    }
    context.count_early(data);
    if (sequence < m_furthest) {
        note_late(context, tcp, data, m_furthest);
    } else {
        m_furthest = sequence;
    }
}

void tcp_receiver::on_timer(transport_context& context, const timer_entry& entry) {
    if (m_timer.expired(context.timers, entry)) {
        acknowledge(context);
    }
}

}  // namespace weir::traffic
