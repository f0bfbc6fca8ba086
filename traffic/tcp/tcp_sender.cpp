#include "weir/traffic/tcp/tcp_sender.h"

#include <algorithm>

namespace weir::traffic {

namespace {

constexpr std::uint8_t per_frame_flags = retransmitted | last_segment | window_reduced;

}  // namespace

void tcp_sender::open(transport_context& context, tcp_context& tcp, const ethernet_frame& header,
                      transfer_owner owner, std::uint32_t slot, const write_schedule* written) {
    // The timer stays: its entry in the heap may still be there, and serves this transfer too.
    m_frame = header;
    m_frame.kind = frame_kind::tcp_data;
    m_frame.transfer.connection = slot & transfer_fields::connection_mask;
    m_frame.flags = flag_if(tcp.congestion->ecn_capable(), ecn_capable);
    m_owner = owner;
    tcp.open(slot, written);
    if (tcp.path != nullptr) {
        path_state& state = tcp.paths.of<path_state>(slot);
        state.tag = m_frame.path_tag;
        tcp.path->open(state, m_frame.transfer.flow);
    }
    m_una = m_next = m_max = 0;
    m_timed_end = no_timing;
    m_rto = tcp.initial_rto;
    m_duplicates = 0;
    m_partial_ack_seen = m_sampled = false;
    m_recover = m_timeout_una = -1;
    m_srtt = m_rttvar = 0_ps;
    m_retransmits = m_timeouts = 0;
    if (tcp.caches_connections) {
        recall(tcp);
    }
    if (tcp.handshake) {
        m_phase = phase::syn_sent;
        m_timed_at = context.now;
        send_syn(context, tcp);
    } else {
        begin_data(context, tcp);
    }
}

void tcp_sender::send_syn(transport_context& context, tcp_context& tcp) {
    ethernet_frame syn = m_frame;
    syn.kind = frame_kind::tcp_syn;
    syn.frame_bytes = tcp.syn_frame;
    syn.flags = flag_if(m_timeouts > 0, retransmitted);
    restart_timer(context);
    context.send(syn);
}

void tcp_sender::on_syn_ack(transport_context& context, tcp_context& tcp) {
    if (m_phase != phase::syn_sent) {
        return;
    }
    if (m_timeouts == 0) {
        take_sample(tcp, elapsed(tcp, m_timed_at, context.now));
    }
    m_timer.stop();
    if (tcp.handshake_ack) {
        // The receiver keeps no state before the first data, and takes no notice.
        ethernet_frame ack = m_frame;
        ack.kind = frame_kind::tcp_ack;
        ack.frame_bytes = tcp.empty_frame;
        ack.flags = 0;
        context.send(ack);
    }
    begin_data(context, tcp);
}

void tcp_sender::begin_data(transport_context& context, tcp_context& tcp) {
    m_phase = phase::open;
    std::uint64_t window = tcp.initial_window;
    std::uint64_t ssthresh = tcp.largest_window;
    if (tcp.caches_connections) {
        if (const cached_connection* const last = tcp.connections.find(m_owner.dst)) {
            window = last->cwnd;
            ssthresh = last->ssthresh;
        }
    }
    // RFC 5681 3.1: after a lost SYN or SYN-ACK the initial window is one segment.
    tcp.congestion->open(tcp.window_of(slot()), m_timeouts == 0 ? window : tcp.mss, ssthresh);
    transmit(context, tcp);
}

void tcp_sender::send_segment(transport_context& context, tcp_context& tcp, std::uint64_t sequence,
                              std::uint64_t payload) {
    std::uint8_t flags = static_cast<std::uint8_t>(m_frame.flags & ~per_frame_flags);
    const std::uint64_t end = sequence + payload;
    if (__builtin_expect(tcp.watches_segments, 0)) {
        flags |= watch_segment(context, tcp, sequence, end);
    }
    if (sequence < m_max) {
        flags |= retransmitted;
        count_retransmit(context);
    } else {
        m_max = end;
        if (m_timed_end == no_timing && !tcp.samples_each_ack) {
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
        payload == tcp.mss ? tcp.full_frame : frame_length(tcp.header, payload, tcp.min_frame);
    context.send(m_frame);
}

void tcp_sender::count_retransmit(transport_context& context) {
    ++m_retransmits;
    context.count_retransmit(m_frame);
}

void tcp_sender::transmit(transport_context& context, tcp_context& tcp) {
    std::uint64_t limit = m_una + std::min(tcp.window_of(slot()).cwnd, tcp.receive_window);
    if (__builtin_expect(tcp.limits_differ, 0)) {
        limit = own_limit(context, tcp);
    }
    const std::uint64_t flow_bytes = m_frame.transfer.flow_bytes;
    while (m_next < flow_bytes) {
        const std::uint64_t payload = std::min(tcp.mss, flow_bytes - m_next);
        if (m_next + payload > limit) {
            break;
        }
        send_segment(context, tcp, m_next, payload);
        m_next += payload;
    }
    if (!m_timer.running() && m_max > m_una) {
        restart_timer(context);  // RFC 6298 5.1
    }
}

std::uint64_t tcp_sender::own_limit(transport_context& context, tcp_context& tcp) {
    const std::uint64_t limit = m_una + std::min(tcp.window_of(slot()).cwnd, tcp.limit_of(slot()));
    const bool all_written = tcp.limits.of<sender_limit>(slot()).written == nullptr;
    return all_written ? limit : written_limit(context, tcp, limit);
}

std::uint64_t tcp_sender::written_limit(transport_context& context, tcp_context& tcp, std::uint64_t limit) {
    sender_limit& own = tcp.limits.of<sender_limit>(slot());
    if (m_una == m_max) {
        m_timer.stop();  // RFC 6298 5.2
    }
    if (m_phase == phase::open) {
        // FreeBSD (tcp_input.c, CCF_CWND_LIMITED): a window grows where it is not above the receive window,
        // whether or not the application fills it.
        congestion_state& window = tcp.window_of(slot());
        window.cwnd = std::min(window.cwnd, own.bytes);
    }
    const std::uint64_t flow_bytes = m_frame.transfer.flow_bytes;
    const std::uint64_t written = own.written->at(context.now);
    if (written >= flow_bytes) {
        return limit;
    }
    const std::uint64_t whole = written - written % tcp.mss;
    const picoseconds next = own.written->time_of(std::min(whole + tcp.mss, flow_bytes));
    // With less than the window to send nothing but time changes that.
    if (whole < limit && next > own.wakes_until && next != never) {
        own.wakes_until = next;
        context.timers.push({next, timer_id(timer_kind::tcp_written, slot())});
    }
    return std::min(limit, whole);
}

void tcp_sender::retransmit_first(transport_context& context, tcp_context& tcp) {
    m_timed_end = no_timing;
    send_segment(context, tcp, m_una, std::min(tcp.mss, m_frame.transfer.flow_bytes - m_una));
}

bool tcp_sender::on_ack(transport_context& context, tcp_context& tcp, const ethernet_frame& ack) {
    const std::uint64_t next = ack.transfer.sequence;
    if (next > m_max) {
        ++context.counters.stale_frames;
        return false;
    }
    ack_event event{next - m_una, next, m_max, context.now, 0_ps, (ack.flags & ecn_echo) != 0, ack.path_tag};
    if (next <= m_una) {
        if (next < m_una) {
            ++context.counters.old_acks;
        } else if (m_max > m_una) {
            choose_path(context, tcp, &event);
            on_duplicate_ack(context, tcp, event);
        }
        return false;
    }
    if (next >= m_timed_end) {
        m_timed_end = no_timing;
        event.round_trip = elapsed(tcp, m_timed_at, context.now);
        take_sample(tcp, event.round_trip);
    }
    if (__builtin_expect(tcp.watches_acks, 0)) {
        watch_ack(context, tcp, event);
    }
    m_una = next;
    // After a timeout sending goes back to `m_una`; what is confirmed meanwhile is not sent again.
    m_next = std::max(m_next, next);
    m_duplicates = 0;
    if (next == m_frame.transfer.flow_bytes) {
        m_timer.stop();
        if (m_phase == phase::recovery) {  // whoever inherits the window gets none that is inflated
            congestion_state& window = tcp.window_of(slot());
            window.cwnd = std::min(window.cwnd, window.ssthresh);
        }
        m_phase = phase::closed;
        return true;
    }
    bool restart = true;  // RFC 6298 5.3
    if (m_phase == phase::open) {
        tcp.congestion->on_ack(tcp.window_of(slot()), event);
    } else {
        restart = recover(context, tcp, event);
    }
    if (restart) {
        restart_timer(context);
    }
    transmit(context, tcp);
    return false;
}

bool tcp_sender::recover(transport_context& context, tcp_context& tcp, const ack_event& event) {
    if (static_cast<std::int64_t>(m_una) >= m_recover) {
        tcp.congestion->on_recovered(tcp.window_of(slot()), event);
        m_phase = phase::open;
        return true;
    }
    tcp.congestion->on_partial_ack(tcp.window_of(slot()), event);
    retransmit_first(context, tcp);
    // RFC 6582 3.2 step 3: the timer restarts for the first partial ACK only.
    const bool first = !m_partial_ack_seen;
    m_partial_ack_seen = true;
    return first;
}

void tcp_sender::on_duplicate_ack(transport_context& context, tcp_context& tcp, const ack_event& event) {
    ++context.counters.duplicate_acks;
    const std::uint32_t threshold = tcp.duplicate_acks;
    if (m_phase == phase::recovery) {
        tcp.congestion->on_recovery_duplicate(tcp.window_of(slot()), event);
        transmit(context, tcp);
        return;
    }
    ++m_duplicates;
    tcp.congestion->on_duplicate(tcp.window_of(slot()), event);
    // RFC 6582 3.2 step 2: duplicates of what an earlier recovery or timeout sent twice do not count.
    if (m_duplicates != threshold || static_cast<std::int64_t>(m_una) <= m_recover) {
        return;
    }
    if (tcp.ignores_duplicates_after_mark && tcp.congestion->is_cut_by_marks(tcp.window_of(slot()), m_una)) {
        return;
    }
    ++context.counters.fast_retransmits;
    tcp.congestion->on_loss(tcp.window_of(slot()), flight(), threshold);
    m_phase = phase::recovery;
    m_recover = static_cast<std::int64_t>(m_max);
    m_partial_ack_seen = false;
    retransmit_first(context, tcp);
    restart_timer(context);
    transmit(context, tcp);
}

void tcp_sender::on_timer(transport_context& context, tcp_context& tcp, const timer_entry& entry) {
    if (m_timer.expired(context.timers, entry)) {
        on_timeout(context, tcp);
    }
}

void tcp_sender::on_timeout(transport_context& context, tcp_context& tcp) {
    ++m_timeouts;
    context.count_timeout(m_frame);
    m_rto = std::min(m_rto * 2, tcp.max_rto);  // RFC 6298 5.5; kept until the next sample
    if (m_phase == phase::syn_sent) {
        count_retransmit(context);
        choose_path(context, tcp, nullptr);
        send_syn(context, tcp);
        return;
    }
    const auto una = static_cast<std::int64_t>(m_una);
    tcp.congestion->on_timeout(tcp.window_of(slot()), flight(), m_timeout_una == una);
    choose_path(context, tcp, nullptr);
    m_timeout_una = una;
    m_timed_end = no_timing;
    m_next = m_una;
    m_recover = static_cast<std::int64_t>(m_max);
    m_phase = phase::open;
    m_duplicates = 0;
    restart_timer(context);
    transmit(context, tcp);
}

std::uint8_t tcp_sender::watch_segment(const transport_context& context, tcp_context& tcp,
                                       std::uint64_t sequence, std::uint64_t end) {
    const bool again = sequence < m_max;
    if (tcp.times_segments) {
        tcp.times.note(slot(), sequence / tcp.mss, m_una / tcp.mss, context.now, again);
    }
    if (tcp.path != nullptr && tcp.path->marks_segments()) {
        m_frame.path_tag = tcp.path->tag_of_segment(tcp.paths.of<path_state>(slot()), end, again);
    }
    congestion_state& window = tcp.window_of(slot());
    if (again || !window.reduced || !tcp.congestion->ecn_capable()) {
        return 0;
    }
    window.reduced = false;
    return window_reduced;
}

void tcp_sender::watch_ack(transport_context& context, tcp_context& tcp, ack_event& event) {
    if (context.annex != nullptr && context.annex->returns && tcp.congestion->wants_telemetry()) {
        event.telemetry = context.annex;
    }
    if (tcp.times_segments) {
        const picoseconds sent = tcp.times.of(slot(), (event.una - 1) / tcp.mss);
        event.round_trip = sent == never ? 0_ps : elapsed(tcp, sent, event.now);
        if (tcp.samples_each_ack && sent != never) {
            take_sample(tcp, event.round_trip);
        }
    }
    event.smoothed_round_trip = m_srtt;
    if (tcp.limits_grow) {
        tcp.limits.of<sender_limit>(slot()).on_ack(event.una, event.max, tcp.largest_window);
    }
    event.receive_window = tcp.limit_of(slot());
    if (event.una < m_frame.transfer.flow_bytes) {
        choose_path(context, tcp, &event);
    }
}

void tcp_sender::ask_path(transport_context& context, tcp_context& tcp, const ack_event* ack) {
    path_state& state = tcp.paths.of<path_state>(slot());
    const std::uint16_t before = state.tag;
    if (ack != nullptr) {
        tcp.path->on_ack(state, *ack);
    } else {
        tcp.path->on_timeout(state);
    }
    if (state.tag != before) {
        ++context.counters.path_changes;
        if (context.segments != nullptr) {
            context.segments->leave_path(m_frame, {before, state.tag}, context.now, m_max,
                                         ack != nullptr ? path_end::marks : path_end::timeout);
        }
    }
    m_frame.path_tag = state.tag;
}

picoseconds tcp_sender::elapsed(const tcp_constants& tcp, picoseconds from, picoseconds to) {
    const picoseconds tick = tcp.rtt_clock;
    if (tick <= 0_ps) {
        return to - from;
    }
    return tick * std::max<std::int64_t>(to / tick - from / tick, 1);
}

void tcp_sender::recall(tcp_context& tcp) {
    const cached_connection* const last = tcp.connections.find(m_owner.dst);
    if (last != nullptr && last->srtt > 0_ps) {
        m_srtt = last->srtt;
        m_rttvar = last->rttvar;
        m_sampled = true;
        set_rto(tcp);
    }
}

void tcp_sender::remember(tcp_context& tcp) const {
    const congestion_state& window = tcp.window_of(slot());
    cached_connection* const known = tcp.connections.find(m_owner.dst);
    cached_connection& last = known != nullptr ? *known : tcp.connections.add(m_owner.dst);
    last = {window.cwnd, window.ssthresh, m_srtt, m_rttvar};
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
    set_rto(tcp);
}

void tcp_sender::set_rto(const tcp_constants& tcp) {
    const picoseconds variance = std::max(tcp.rto_granularity, tcp.rto_variance_factor * m_rttvar);
    const picoseconds exact = m_srtt + variance + tcp.rto_addition;
    m_rto = std::clamp(round_up(exact, tcp.rto_granularity), tcp.min_rto, tcp.max_rto);
}

}  // namespace weir::traffic
