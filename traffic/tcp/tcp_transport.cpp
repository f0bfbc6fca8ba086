#include "weir/traffic/tcp/tcp_transport.h"

namespace weir::traffic {

static std::uint64_t window_segments(const tcp_config& tcp) {
    return static_cast<std::uint64_t>(tcp.receive_window / tcp.mss) + 1;
}

tcp_transport::tcp_transport(const transport_setup& setup, const transport_options& options)
    : reliable_transport(setup, options), m_tcp(options.tcp), m_bitmaps(window_segments(options.tcp)) {}

// Of the common path; inline in `receive`.
inline void tcp_transport::receive_ack(const ethernet_frame& frame) {
    tcp_sender* const sender = sender_of(frame);
    if (sender != nullptr && sender->on_ack(m_context, m_tcp, frame)) {
        if (m_context.segments != nullptr && m_tcp.path != nullptr) {
            const path_state& state = m_tcp.paths.of<path_state>(frame.transfer.connection);
            m_context.segments->finish(sender->frame(), state.tag, m_context.now);
        }
        finish_sending(frame.transfer.connection);
    }
}

void tcp_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::tcp_data) {
        receive_data(frame, [&](tcp_receiver& receiver) {
            return receiver.on_data(m_context, m_tcp, m_bitmaps, frame);
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
        sender->on_syn_ack(m_context, m_tcp);
    }
}

void tcp_transport::open_receiver(std::uint32_t slot, const ethernet_frame& frame) {
    m_receivers[slot].open(m_tcp, frame, slot);
}

ethernet_frame tcp_transport::make_last_ack(const ethernet_frame& frame) const {
    return make_ack(frame, frame.transfer.flow_bytes, m_tcp.empty_frame);
}

// A receiver keeps no state before the first data, so any SYN is answered; the sender of one that was late
// takes no notice.
void tcp_transport::answer_syn(const ethernet_frame& frame) {
    ethernet_frame answer = make_ack(frame, 0, m_tcp.syn_frame);
    answer.kind = frame_kind::tcp_syn_ack;
    m_context.send(answer);
}

void tcp_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    header.kind = frame_kind::tcp_data;
    const std::uint32_t slot = begin_sending(header, owner.dst);
    m_senders[slot].open(m_context, m_tcp, header, owner, slot);
}

void tcp_transport::expire(const timer_entry& entry) {
    const std::uint64_t index = index_of_timer(entry.id);
    if (kind_of_timer(entry.id) == timer_kind::tcp_retransmission) {
        m_senders[index].on_timer(m_context, m_tcp, entry);
    } else {
        m_receivers[index].on_timer(m_context, entry);
    }
}

}  // namespace weir::traffic
