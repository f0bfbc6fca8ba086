#include "weir/traffic/tcp/tcp_transport.h"

namespace weir::traffic {

static std::uint64_t window_segments(const tcp_config& tcp) {
    return static_cast<std::uint64_t>(tcp.largest_window() / tcp.mss) + 1;
}

transport_registry::entry tcp_transport::kind() {
    transport_traits traits;
    traits.frames = {frame_kind::tcp_data, frame_kind::tcp_ack, frame_kind::tcp_syn, frame_kind::tcp_syn_ack};
    traits.timer_kinds = timer_kinds;
    traits.payload_key = "tcp.mss";
    traits.header_key = "tcp.header";
    traits.waits_for_writes = true;
    return {"tcp", "TCP", traits};
}

transfer_framing tcp_transport::framing(const tcp_config& tcp) {
    return {tcp.mss, tcp.header, tcp.handshake, tcp.min_frame, tcp.syn_options, tcp.handshake_ack};
}

tcp_transport::tcp_transport(const transport_setup& setup, const transport_options& options,
                             const tcp_config& config)
    : reliable_transport(setup, options), m_bitmaps(window_segments(config)) {
    m_shared.emplace(config);
}

void tcp_transport::close(std::uint32_t slot) {
    if (m_shared->caches_connections) {
        m_senders[slot].remember(*m_shared);
    }
    if (m_context.segments != nullptr && m_shared->path != nullptr) {
        const path_state& state = m_shared->paths.of<path_state>(slot);
        m_context.segments->finish(m_senders[slot].frame(), state.tag, m_context.now);
    }
}

void tcp_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::tcp_data) {
        receive_data(frame, [&](tcp_receiver& receiver) {
            return receiver.on_data(m_context, *m_shared, m_bitmaps, frame);
        });
    } else if (frame.kind == frame_kind::tcp_ack) {
        receive_ack(frame);
    } else {
        receive_other(frame);
    }
}

void tcp_transport::receive_other(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::tcp_syn) {
        answer_syn(frame);
    } else if (tcp_sender* const sender = sender_of(frame)) {
        sender->on_syn_ack(m_context, *m_shared);
    }
}

// A receiver keeps no state before the first data, so any SYN is answered; the sender of one that was late
// takes no notice.
void tcp_transport::answer_syn(const ethernet_frame& frame) {
    ethernet_frame answer = make_ack(*m_shared, frame, 0);
    answer.kind = frame_kind::tcp_syn_ack;
    answer.frame_bytes = m_shared->syn_frame;
    m_context.send(answer);
}

void tcp_transport::expire(const timer_entry& entry) {
    const std::uint64_t index = index_of_timer(entry.id);
    switch (kind_of_timer(entry.id)) {
        case timer_kind::tcp_retransmission:
            return m_senders[index].on_timer(m_context, *m_shared, entry);
        case timer_kind::tcp_written:
            return m_senders[index].on_written(m_context, *m_shared);
        default:
            return m_receivers[index].on_timer(m_context, entry);
    }
}

}  // namespace weir::traffic
