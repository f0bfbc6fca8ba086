#include "weir/traffic/roce/queue_pair_sender.h"

#include <algorithm>

namespace weir::traffic {

void queue_pair_sender::open(transport_context& context, roce_context& roce, const ethernet_frame& header,
                             transfer_owner owner, std::uint32_t slot) {
    // The timers stay: their entries in the heap may still be there, and serve this transfer too.
    m_frame = header;
    m_frame.kind = frame_kind::roce_data;
    m_frame.transfer.connection = slot & transfer_fields::connection_mask;
    m_frame.flags = flag_if(roce.heeds_marks, ecn_capable);
    m_owner = owner;
    m_una = m_next = m_max = m_resend = m_lost_end = 0;
    m_sent_at = context.now;
    m_sent_wire = 0_B;
    m_bitmap = segment_bitmaps::none;
    m_is_open = true;
    m_is_waiting = false;
    m_retransmits = m_timeouts = 0;
    roce.rates.clear(slot);
    roce.control->open(roce.rate_of(slot));
    go_on(context, roce);
}

bool queue_pair_sender::has_more(roce_context& roce) {
    if (__builtin_expect(m_resend < m_lost_end, 0)) {
        skip_confirmed(roce);
        if (m_resend < m_lost_end) {
            return true;
        }
    }
    const std::uint64_t flow_bytes = m_frame.transfer.flow_bytes;
    return m_next < flow_bytes && m_next + payload_at(roce, m_next) <= m_una + roce.window;
}

void queue_pair_sender::go_on(transport_context& context, roce_context& roce) {
    if (m_is_waiting || m_pacing.running() || !has_more(roce)) {
        return;
    }
    rate_state& rate = roce.rate_of(slot());
    roce.control->advance(rate, context.now);
    if (context.now < m_sent_at + transmission_time(m_sent_wire, rate.rate)) {
        pace(context, roce);
    } else if (!hand_over(context, roce)) {
        m_is_waiting = true;
    }
}

void queue_pair_sender::pace(transport_context& context, roce_context& roce) {
    const rate_state& rate = roce.rate_of(slot());
    const picoseconds due = m_sent_at + transmission_time(m_sent_wire, rate.rate);
    m_pacing.set(context.timers, std::min(due, rate.next_change), roce.pacing_timer(slot()));
}

bool queue_pair_sender::hand_over(transport_context& context, roce_context& roce) {
    const std::uint64_t offset = next_offset();
    const std::uint64_t payload = payload_at(roce, offset);
    const bool again = offset < m_max;
    m_frame.flags =
        static_cast<std::uint8_t>(flag_if(roce.heeds_marks, ecn_capable) | flag_if(again, retransmitted) |
                                  flag_if(offset + payload == m_frame.transfer.flow_bytes, last_segment));
    m_frame.transfer.sequence = offset & transfer_fields::length_mask;
    m_frame.frame_bytes = payload == roce.payload ? roce.full_frame : frame_length(roce.header, payload);
    if (!context.offer(m_frame)) {
        return false;
    }
    if (again) {
        ++m_retransmits;
        context.count_retransmit(m_frame);
    }
    if (m_resend < m_lost_end) {
        m_resend = offset + payload;
    } else {
        m_next = offset + payload;
    }
    m_max = std::max(m_max, offset + payload);
    m_sent_at = context.now;
    m_sent_wire = m_frame.length() + roce.wire_overhead;
    roce.control->on_sent(roce.rate_of(slot()), static_cast<std::uint64_t>(m_sent_wire.count()));
    if (!m_timeout.running()) {
        restart_timeout(context, roce);
    }
    if (has_more(roce)) {
        pace(context, roce);
    }
    return true;
}

bool queue_pair_sender::on_ready(transport_context& context, roce_context& roce) {
    m_is_waiting = false;
    if (!has_more(roce)) {
        return true;
    }
    roce.control->advance(roce.rate_of(slot()), context.now);
    m_is_waiting = !hand_over(context, roce);
    return !m_is_waiting;
}

void queue_pair_sender::on_timer(transport_context& context, roce_context& roce, const timer_entry& entry) {
    if (kind_of_timer(entry.id) == roce.pacing) {
        if (m_pacing.expired(context.timers, entry)) {
            go_on(context, roce);
        }
    } else if (m_timeout.expired(context.timers, entry)) {
        on_timeout(context, roce);
    }
}

bool queue_pair_sender::on_ack(transport_context& context, roce_context& roce, const ethernet_frame& ack) {
    const std::uint64_t next = ack.transfer.sequence;
    if (next > m_max) {
        ++context.counters.stale_frames;
        return false;
    }
    if (next < m_una) {
        ++context.counters.old_acks;
        return false;
    }
    if (next > m_una) {
        if (__builtin_expect(m_bitmap != segment_bitmaps::none, 0)) {
            forget_confirmed(roce, next);
        }
        m_una = next;
        // After going back; what is confirmed meanwhile is not sent again.
        m_next = std::max(m_next, next);
        m_resend = std::max(m_resend, next);
        if (next == m_frame.transfer.flow_bytes) {
            m_pacing.stop();
            m_timeout.stop();
            m_is_open = false;
            return true;
        }
        if (m_una < m_max) {
            restart_timeout(context, roce);
        } else {
            m_timeout.stop();
        }
    }
    if (__builtin_expect(ack.kind == frame_kind::roce_nak, 0)) {
        on_nak(context, roce, ack.transfer.selected());
    }
    go_on(context, roce);
    return false;
}

void queue_pair_sender::on_nak(transport_context& context, roce_context& roce, std::uint64_t selected) {
    ++context.counters.fast_retransmits;
    if (!roce.selective) {
        m_next = m_una;
        return;
    }
    const std::uint64_t arrived = m_una + selected * roce.payload;
    if (selected == 0 || arrived >= m_max) {  // only a foreign receiver says so
        return;
    }
    if (m_bitmap == segment_bitmaps::none) {
        m_bitmap = roce.bitmaps.take();
    }
    roce.bitmaps.set(m_bitmap, arrived / roce.payload);
    m_lost_end = std::max(m_lost_end, arrived);
}

void queue_pair_sender::skip_confirmed(roce_context& roce) {
    while (m_bitmap != segment_bitmaps::none && m_resend < m_lost_end &&
           roce.bitmaps.holds(m_bitmap, m_resend / roce.payload)) {
        m_resend += roce.payload;
    }
}

/// All before `end` is confirmed.
void queue_pair_sender::forget_confirmed(roce_context& roce, std::uint64_t end) {
    for (std::uint64_t offset = m_una; offset < end; offset += roce.payload) {
        roce.bitmaps.clear(m_bitmap, offset / roce.payload);
    }
    // Nothing is known of frames behind `m_lost_end` but the one that begins there.
    if (end > m_lost_end || end == m_frame.transfer.flow_bytes) {
        roce.bitmaps.give_back(m_bitmap);
        m_bitmap = segment_bitmaps::none;
    }
}

void queue_pair_sender::on_notification(transport_context& context, roce_context& roce) {
    roce.control->on_notification(roce.rate_of(slot()), context.now);
}

void queue_pair_sender::on_timeout(transport_context& context, roce_context& roce) {
    ++m_timeouts;
    context.count_timeout(m_frame);
    if (roce.selective) {
        m_resend = m_una;
        m_lost_end = m_max;
    } else {
        m_next = m_una;
    }
    restart_timeout(context, roce);
    go_on(context, roce);
}

}  // namespace weir::traffic
