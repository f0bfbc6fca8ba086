#include "weir/traffic/tcp/tcp_sender.h"

#include <algorithm>

namespace weir {

namespace {

constexpr std::uint8_t per_frame_flags = retransmitted | last_segment;

picoseconds round_up(picoseconds time, picoseconds granularity) {
    if (granularity <= 0_ps) {
        return time;
    }
    const std::int64_t ticks = (time.count() + granularity.count() - 1) / granularity.count();
    return granularity * ticks;
}

}  // namespace

void tcp_sender::open(transport_context& context, const ethernet_frame& header, transfer_owner owner,
                      std::uint32_t slot) {
    // The timer stays: its entry in the heap may still be there, and serves this transfer too.
    m_frame = header;
    m_frame.connection = slot;
    m_frame.flags = flag_if(context.congestion->ecn_capable(), ecn_capable);
    m_owner = owner;
    m_una = m_next = m_max = 0;
    m_timed_end = no_timing;
    m_rto = context.tcp.initial_rto;
    m_duplicates = 0;
    m_partial_ack_seen = m_sampled = false;
    m_recover = m_timeout_una = -1;
    m_srtt = m_rttvar = 0_ps;
    m_retransmits = m_timeouts = 0;
    if (context.tcp.handshake) {
        m_phase = phase::syn_sent;
        m_timed_at = context.now;
        send_syn(context);
    } else {
        begin_data(context, context.tcp.initial_window);
    }
}

void tcp_sender::send_syn(transport_context& context) {
    ethernet_frame syn = m_frame;
    syn.kind = frame_kind::tcp_syn;
    syn.frame_bytes = context.tcp.empty_frame;
    syn.flags = flag_if(m_timeouts > 0, retransmitted);
    restart_timer(context);
    context.send(syn);
}

void tcp_sender::on_syn_ack(transport_context& context) {
    if (m_phase != phase::syn_sent) {
        return;
    }
    if (m_timeouts == 0) {
        take_sample(context.tcp, context.now - m_timed_at);
    }
    m_timer.stop();
    // RFC 5681 3.1: after a lost SYN or SYN-ACK the initial window is one segment.
    begin_data(context, m_timeouts == 0 ? context.tcp.initial_window : context.tcp.mss);
}

void tcp_sender::begin_data(transport_context& context, std::uint64_t initial_window) {
    m_phase = phase::open;
    context.congestion->open(m_congestion, initial_window, context.tcp.receive_window);
    transmit(context);
}

void tcp_sender::send_segment(transport_context& context, std::uint64_t sequence, std::uint64_t payload) {
    std::uint8_t flags = static_cast<std::uint8_t>(m_frame.flags & ~per_frame_flags);
    const std::uint64_t end = sequence + payload;
    if (sequence < m_max) {
        flags |= retransmitted;
        ++m_retransmits;
        ++context.counters.retransmits;
    } else {
        m_max = end;
        if (m_timed_end == no_timing) {
            m_timed_end = end;
            m_timed_at = context.now;
        }
    }
    if (end == m_frame.transfer.flow_bytes) {
        flags |= last_segment;
    }
    m_frame.flags = flags;
    m_frame.transfer.sequence = sequence & transfer_fields::length_mask;
    m_frame.frame_bytes =
        payload == context.tcp.mss ? context.tcp.full_frame : frame_length(context.tcp.header, payload);
    context.send(m_frame);
}

void tcp_sender::transmit(transport_context& context) {
    const std::uint64_t window = std::min(m_congestion.cwnd, context.tcp.receive_window);
    const std::uint64_t limit = m_una + window;
    const std::uint64_t flow_bytes = m_frame.transfer.flow_bytes;
    while (m_next < flow_bytes) {
        const std::uint64_t payload = std::min(context.tcp.mss, flow_bytes - m_next);
        if (m_next + payload > limit) {
            break;
        }
        send_segment(context, m_next, payload);
        m_next += payload;
    }
    if (!m_timer.running()) {
        restart_timer(context);  // RFC 6298 5.1
    }
}

void tcp_sender::retransmit_first(transport_context& context) {
    m_timed_end = no_timing;
    send_segment(context, m_una, std::min(context.tcp.mss, m_frame.transfer.flow_bytes - m_una));
}

bool tcp_sender::on_ack(transport_context& context, const ethernet_frame& ack) {
    const std::uint64_t next = ack.transfer.sequence;
    if (next > m_max) {
        ++context.counters.stale_frames;
        return false;
    }
    ack_event event{next - m_una, next, m_max, context.now, 0_ps, (ack.flags & ecn_echo) != 0};
    if (next <= m_una) {
        if (next < m_una) {
            ++context.counters.old_acks;
        } else if (m_max > m_una) {
            on_duplicate_ack(context, event);
        }
        return false;
    }
    if (next >= m_timed_end) {
        m_timed_end = no_timing;
        event.round_trip = context.now - m_timed_at;
        take_sample(context.tcp, event.round_trip);
    }
    m_una = next;
    // After a timeout sending goes back to `m_una`; what is confirmed meanwhile is not sent again.
    m_next = std::max(m_next, next);
    m_duplicates = 0;
    if (next == m_frame.transfer.flow_bytes) {
        m_timer.stop();
        m_phase = phase::closed;
        return true;
    }
    bool restart = true;  // RFC 6298 5.3
    if (m_phase == phase::open) {
        context.congestion->on_ack(m_congestion, event);
    } else {
        restart = recover(context, event);
    }
    if (restart) {
        restart_timer(context);
    }
    transmit(context);
    return false;
}

bool tcp_sender::recover(transport_context& context, const ack_event& event) {
    if (static_cast<std::int64_t>(m_una) >= m_recover) {
        context.congestion->on_recovered(m_congestion, event);
        m_phase = phase::open;
        return true;
    }
    context.congestion->on_partial_ack(m_congestion, event);
    retransmit_first(context);
    // RFC 6582 3.2 step 3: the timer restarts for the first partial ACK only.
    const bool first = !m_partial_ack_seen;
    m_partial_ack_seen = true;
    return first;
}

void tcp_sender::on_duplicate_ack(transport_context& context, const ack_event& event) {
    ++context.counters.duplicate_acks;
    const std::uint32_t threshold = context.tcp.duplicate_acks;
    if (m_phase == phase::recovery) {
        context.congestion->on_recovery_duplicate(m_congestion, event);
        transmit(context);
        return;
    }
    ++m_duplicates;
    context.congestion->on_duplicate(m_congestion, event);
    // RFC 6582 3.2 step 2: duplicates of what an earlier recovery or timeout sent twice do not count.
    if (m_duplicates != threshold || static_cast<std::int64_t>(m_una) <= m_recover) {
        return;
    }
    ++context.counters.fast_retransmits;
    context.congestion->on_loss(m_congestion, flight(), threshold);
    m_phase = phase::recovery;
    m_recover = static_cast<std::int64_t>(m_max);
    m_partial_ack_seen = false;
    retransmit_first(context);
    restart_timer(context);
    transmit(context);
}

void tcp_sender::on_timer(transport_context& context, const timer_entry& entry) {
    if (m_timer.expired(context.timers, entry)) {
        on_timeout(context);
    }
}

void tcp_sender::on_timeout(transport_context& context) {
    ++m_timeouts;
    ++context.counters.timeouts;
    m_rto = std::min(m_rto * 2, context.tcp.max_rto);  // RFC 6298 5.5; kept until the next sample
    if (m_phase == phase::syn_sent) {
        ++m_retransmits;
        ++context.counters.retransmits;
        send_syn(context);
        return;
    }
    const auto una = static_cast<std::int64_t>(m_una);
    context.congestion->on_timeout(m_congestion, flight(), m_timeout_una == una);
    m_timeout_una = una;
    m_timed_end = no_timing;
    m_next = m_una;
    m_recover = static_cast<std::int64_t>(m_max);
    m_phase = phase::open;
    m_duplicates = 0;
    restart_timer(context);
    transmit(context);
}

void tcp_sender::take_sample(const tcp_constants& tcp, picoseconds round_trip) {
    if (!m_sampled) {  // RFC 6298 2.2
        m_sampled = true;
        m_srtt = round_trip;
        m_rttvar = round_trip / 2;
    } else {  // 2.3; division rounds towards zero, to whole picoseconds
        m_rttvar += (std::chrono::abs(m_srtt - round_trip) - m_rttvar) / 4;
        m_srtt += (round_trip - m_srtt) / 8;
    }
    const picoseconds exact = m_srtt + std::max(tcp.rto_granularity, 4 * m_rttvar);
    m_rto = std::clamp(round_up(exact, tcp.rto_granularity), tcp.min_rto, tcp.max_rto);
}

}  // namespace weir
