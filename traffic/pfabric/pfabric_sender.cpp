#include "weir/traffic/pfabric/pfabric_sender.h"

#include <algorithm>

namespace weir::traffic {

/// RFC 5681, eq. 4. Unit: frames.
static constexpr std::uint32_t least_slow_start_end = 2;

void pfabric_sender::open(transport_context& /*context*/, const pfabric_context& pfabric,
                          const ethernet_frame& header, transfer_owner owner, std::uint32_t slot) {
    // The timer stays: its entry in the heap may still be there, and serves this transfer too.
    m_frame = header;
    m_frame.kind = frame_kind::pfabric_data;
    m_frame.transfer.connection = slot & transfer_fields::connection_mask;
    m_owner = owner;
    m_frames = (m_frame.transfer.flow_bytes + pfabric.payload - 1) / pfabric.payload;
    m_una = m_next = m_max = 0;
    m_flight = m_acks = m_selected = 0;
    m_window = m_slow_start_end = pfabric.window;
    m_bitmap = segment_bitmaps::none;
    m_timeouts_in_row = 0;
    m_is_probing = false;
    m_retransmits = m_timeouts = 0;
}

bool pfabric_sender::send_next(transport_context& context, const pfabric_context& pfabric) {
    const std::uint64_t offset = m_next * pfabric.payload;
    const std::uint64_t left_bytes = m_frame.transfer.flow_bytes - offset;
    const bool is_last = left_bytes <= pfabric.payload;
    const bool again = m_next < m_max;
    m_frame.flags = static_cast<std::uint8_t>(flag_if(again, retransmitted) | flag_if(is_last, last_segment));
    m_frame.transfer.sequence = offset & transfer_fields::length_mask;
    m_frame.transfer.set_rank(left());
    m_frame.frame_bytes =
        left_bytes >= pfabric.payload ? pfabric.full_frame : frame_length(pfabric.header, left_bytes);
    if (!context.offer(m_frame)) {
        return false;
    }
    if (again) {
        ++m_retransmits;
        context.count_retransmit(m_frame);
    }
    ++m_flight;
    ++m_next;
    m_max = std::max(m_max, m_next);
    skip_selected(pfabric);
    if (!m_timer.running()) {
        restart_timer(context, pfabric);
    }
    return true;
}

bool pfabric_sender::on_ack(transport_context& context, pfabric_context& pfabric, const ethernet_frame& ack) {
    const std::uint64_t bytes_confirmed = ack.transfer.sequence;
    const std::uint64_t next =
        bytes_confirmed == m_frame.transfer.flow_bytes ? m_frames : bytes_confirmed / pfabric.payload;
    const std::uint64_t selected = next + ack.transfer.selected();
    if (selected > m_max) {  // only a foreign receiver says so
        ++context.counters.stale_frames;
        return false;
    }
    bool is_new = next > m_una;
    if (is_new) {
        confirm_up_to(pfabric, next);
        if (m_una == m_frames) {
            m_timer.stop();
            return true;
        }
        if (m_flight > 0) {
            restart_timer(context, pfabric);
        } else {
            m_timer.stop();
        }
    }
    if (selected > m_una && selected > next && select(pfabric, selected)) {
        is_new = true;
    }
    if (__builtin_expect(m_is_probing, 0)) {
        m_is_probing = false;
        m_timeouts_in_row = 0;
        m_timer.stop();
    }
    if (is_new) {
        m_timeouts_in_row = 0;
        grow();
    } else {
        ++(next < m_una ? context.counters.old_acks : context.counters.duplicate_acks);
    }
    return false;
}

void pfabric_sender::confirm_up_to(pfabric_context& pfabric, std::uint64_t next) {
    if (__builtin_expect(m_bitmap != segment_bitmaps::none, 0)) {
        forget_selected(pfabric, next);
    } else {
        m_flight -= static_cast<std::uint32_t>(std::min(next, m_next) - m_una);
    }
    m_una = next;
    // After a timeout; what is confirmed meanwhile is not sent again.
    m_next = std::max(m_next, next);
    skip_selected(pfabric);
}

void pfabric_sender::forget_selected(pfabric_context& pfabric, std::uint64_t next) {
    for (std::uint64_t frame = m_una; frame < next; ++frame) {
        if (pfabric.bitmaps.clear(m_bitmap, frame)) {
            --m_selected;
        } else {
            m_flight -= frame < m_next ? 1 : 0;
        }
    }
    if (m_selected == 0) {
        pfabric.bitmaps.give_back(m_bitmap);
        m_bitmap = segment_bitmaps::none;
    }
}

bool pfabric_sender::select(pfabric_context& pfabric, std::uint64_t frame) {
    if (frame >= m_max) {
        return false;
    }
    if (m_bitmap == segment_bitmaps::none) {
        m_bitmap = pfabric.bitmaps.take();
    }
    if (!pfabric.bitmaps.set(m_bitmap, frame)) {
        return false;
    }
    ++m_selected;
    m_flight -= frame < m_next ? 1 : 0;
    skip_selected(pfabric);
    return true;
}

void pfabric_sender::grow() {
    if (m_window < m_slow_start_end) {
        ++m_window;
    } else if (++m_acks >= m_window) {
        m_acks = 0;
        ++m_window;
    }
}

void pfabric_sender::on_timer(transport_context& context, const pfabric_context& pfabric,
                              const timer_entry& entry) {
    if (m_timer.expired(context.timers, entry)) {
        on_timeout(context, pfabric);
    }
}

void pfabric_sender::on_timeout(transport_context& context, const pfabric_context& pfabric) {
    ++m_timeouts;
    context.count_timeout(m_frame);
    ++m_timeouts_in_row;
    m_slow_start_end = std::max(m_window / 2, least_slow_start_end);
    m_window = 1;
    m_acks = 0;
    m_flight = 0;
    // The timer begins anew when the frame leaves.
    m_next = m_una;
    m_is_probing = m_timeouts_in_row >= pfabric.probe_after;
    if (m_is_probing) {
        send_probe(context, pfabric);
    }
}

void pfabric_sender::send_probe(transport_context& context, const pfabric_context& pfabric) {
    ethernet_frame probe = m_frame;
    probe.kind = frame_kind::pfabric_probe;
    probe.flags = 0;
    probe.transfer.sequence = m_una * pfabric.payload & transfer_fields::length_mask;
    probe.transfer.set_rank(left());
    probe.frame_bytes = pfabric.empty_frame;
    restart_timer(context, pfabric);
    context.send(probe);
}

}  // namespace weir::traffic
