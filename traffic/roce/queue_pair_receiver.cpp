#include "weir/traffic/roce/queue_pair_receiver.h"

#include "weir/traffic/transport/reliable_transport.h"

namespace weir::traffic {

ethernet_frame make_ack(const roce_constants& roce, const ethernet_frame& data, std::uint64_t next) {
    ethernet_frame ack = make_answer(data, frame_kind::roce_ack, next, roce.ack_frame);
    ack.priority = roce.ack_priority.value_or(data.priority);
    return ack;
}

ethernet_frame make_cnp(const roce_constants& roce, const ethernet_frame& data) {
    ethernet_frame cnp;
    cnp.src = data.dst;
    cnp.dst = data.src;
    cnp.frame_bytes = static_cast<std::uint16_t>(cnp_frame_bytes.count());
    cnp.path_tag = data.path_tag;
    cnp.priority = roce.cnp_priority;
    cnp.kind = frame_kind::cnp;
    cnp.notification = notification_fields{};
    cnp.notification.flow = data.transfer.flow;
    return cnp;
}

void queue_pair_receiver::open(const roce_constants& roce, const ethernet_frame& data) {
    m_ack = make_ack(roce, data, 0);
    m_notifications = {};
    m_told_gap = no_gap;
    m_kept = {};
    m_unacknowledged = 0;
}

bool queue_pair_receiver::on_data(transport_context& context, roce_context& roce, const ethernet_frame& data) {
    if ((data.flags & ecn_marked) != 0) {
        on_mark(context, roce, data);
    }
    m_ack.path_tag = data.path_tag;
    const std::uint64_t before = m_ack.transfer.sequence;
    if (data.transfer.sequence != before) {
        on_other_order(context, roce, data.transfer.sequence);
        return false;
    }
    std::uint64_t next = before + payload_at(roce, before);
    const bool fills_gap = m_kept.any();
    if (fills_gap) {
        next = m_kept.take_from(roce.bitmaps, next, roce.payload, m_ack.transfer.flow_bytes);
    }
    m_ack.transfer.sequence = next & transfer_fields::length_mask;
    context.counters.delivered_bytes += next - before;
    const bool complete = next == m_ack.transfer.flow_bytes;
    if (++m_unacknowledged >= roce.ack_every || fills_gap || complete) {
        acknowledge(context);
    }
    return complete;
}

void queue_pair_receiver::on_mark(transport_context& context, const roce_context& roce,
                                  const ethernet_frame& data) {
    ++context.counters.marked_segments;
    if (roce.heeds_marks && m_notifications.on_marked(context.now, roce.cnp_interval)) {
        context.send(make_cnp(roce, data));
    }
}

void queue_pair_receiver::on_other_order(transport_context& context, roce_context& roce, std::uint64_t offset) {
    const std::uint64_t expected = m_ack.transfer.sequence;
    if (offset < expected) {
        ++context.counters.duplicate_segments;
        acknowledge(context);
    } else if (offset >= m_ack.transfer.flow_bytes || offset - expected >= roce.window) {
        ++context.counters.outside_window;
    } else if (roce.selective) {
        if (m_kept.add(roce.bitmaps, offset / roce.payload)) {
            context.count_early(m_ack);
        } else {
            ++context.counters.duplicate_segments;
        }
        refuse(context, static_cast<std::uint32_t>((offset - expected) / roce.payload));
    } else {
        context.count_early(m_ack);
        if (m_told_gap != expected || context.now >= m_tell_again) {
            m_told_gap = expected;
            m_tell_again = context.now + roce.nak_interval;
            refuse(context, 0);
        }
    }
}

void queue_pair_receiver::acknowledge(transport_context& context) {
    m_unacknowledged = 0;
    context.send(m_ack);
}

/// A NAK confirms what is before it, too.
void queue_pair_receiver::refuse(transport_context& context, std::uint32_t selected) {
    m_unacknowledged = 0;
    ethernet_frame nak = m_ack;
    nak.kind = frame_kind::roce_nak;
    nak.transfer.set_selected(selected);
    context.send(nak);
}

}  // namespace weir::traffic
