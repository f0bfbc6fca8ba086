#include "weir/traffic/tcp/tcp_receiver.h"

#include <utility>

#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

ethernet_frame make_ack(const ethernet_frame& data, std::uint64_t next, std::uint16_t frame_bytes) {
    ethernet_frame ack = make_answer(data, frame_kind::tcp_ack, next, frame_bytes);
    ack.flags = flag_if((data.flags & ecn_marked) != 0, ecn_echo);
    return ack;
}

void tcp_receiver::open(const tcp_constants& tcp, const ethernet_frame& data, std::uint32_t slot) {
    m_ack = make_ack(data, 0, tcp.empty_frame);
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
        on_other_order(context, tcp, bitmaps, data.transfer.sequence);
        return false;
    }
    std::uint64_t next = before + payload_at(tcp, before);
    const bool fills_gap = m_kept.any();
    if (fills_gap) {
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
                                  segment_bitmaps& bitmaps, std::uint64_t sequence) {
    if (sequence > m_ack.transfer.sequence) {
        keep(context, tcp, bitmaps, sequence);
    } else {
        ++context.counters.duplicate_segments;
    }
    acknowledge(context);
}

void tcp_receiver::keep(transport_context& context, const tcp_constants& tcp, segment_bitmaps& bitmaps,
                        std::uint64_t sequence) {
    const std::uint64_t flow_bytes = m_ack.transfer.flow_bytes;
    if (sequence >= flow_bytes ||
        sequence + payload_at(tcp, sequence) > m_ack.transfer.sequence + tcp.receive_window) {
        ++context.counters.outside_window;
        return;
    }
    ++(m_kept.add(bitmaps, sequence / tcp.mss) ? context.counters.out_of_order_segments
                                               : context.counters.duplicate_segments);
}

void tcp_receiver::on_timer(transport_context& context, const timer_entry& entry) {
    if (m_timer.expired(context.timers, entry)) {
        acknowledge(context);
    }
}

}  // namespace weir::traffic
