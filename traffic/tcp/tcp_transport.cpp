#include "weir/traffic/tcp/tcp_transport.h"

namespace weir::traffic {

static std::uint64_t window_segments(const tcp_config& tcp) {
    return static_cast<std::uint64_t>(tcp.receive_window / tcp.mss) + 1;
}

tcp_transport::tcp_transport(const transport_setup& setup, const transport_options& options)
    : m_context(setup.context),
      m_events(setup.events),
      m_addresses(*options.addresses),
      m_kind(setup.kind),
      m_tcp(options.tcp),
      m_incoming(options.addresses->hosts()),
      m_bitmaps(window_segments(options.tcp)) {}

inline tcp_sender* tcp_transport::sender_of(const ethernet_frame& answer) {
    const std::uint32_t slot = answer.transfer.connection;
    if (slot >= m_senders.size() || !m_senders[slot].is_sending(answer.transfer.flow)) {
        ++m_context.counters.stale_frames;
        return nullptr;
    }
    return &m_senders[slot];
}

// The two functions of the common path; inline in `receive`.

inline void tcp_transport::receive_data(const ethernet_frame& frame) {
    std::uint32_t slot = m_incoming.receiver_of(frame.src, frame.transfer.ordinal());
    if (slot == incoming_transfers::none) {
        slot = begin_receiving(frame);
        if (slot == incoming_transfers::none) {
            return;
        }
    }
    if (m_receivers[slot].on_data(m_context, m_tcp, m_bitmaps, frame)) {
        finish_receiving(frame, slot);
    }
}

inline void tcp_transport::receive_ack(const ethernet_frame& frame) {
    tcp_sender* const sender = sender_of(frame);
    if (sender != nullptr && sender->on_ack(m_context, m_tcp, frame)) {
        finish_sending(frame.transfer.connection);
    }
}

void tcp_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::tcp_data) {
        receive_data(frame);
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

std::uint32_t tcp_transport::begin_receiving(const ethernet_frame& frame) {
    const std::uint32_t ordinal = frame.transfer.ordinal();
    switch (m_incoming.stage_of(m_addresses.host_of(frame.src), frame.src, ordinal)) {
        case transfer_stage::begins:
            break;
        case transfer_stage::over:
            // The last ACK was lost or overtaken, or this segment was: the sender shall know in any case.
            ++m_context.counters.duplicate_segments;
            m_context.send(make_ack(frame, frame.transfer.flow_bytes, m_tcp.empty_frame));
            return incoming_transfers::none;
        case transfer_stage::impossible:
            ++m_context.counters.stale_frames;
            return incoming_transfers::none;
    }
    const std::uint32_t slot = take_slot(m_receivers, m_free_receivers);
    m_incoming.begin(frame.src, ordinal, slot);
    m_receivers[slot].open(m_tcp, frame, slot);
    return slot;
}

void tcp_transport::finish_receiving(const ethernet_frame& frame, std::uint32_t slot) {
    m_free_receivers.push_back(slot);
    m_incoming.finish(frame.src, frame.transfer.ordinal());
    m_events.delivered(frame, m_kind);
}

// A receiver keeps no state before the first data, so any SYN is answered; the sender of one that was late
// takes no notice.
void tcp_transport::answer_syn(const ethernet_frame& frame) {
    ethernet_frame answer = make_ack(frame, 0, m_tcp.empty_frame);
    answer.kind = frame_kind::tcp_syn_ack;
    m_context.send(answer);
}

void tcp_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    header.kind = frame_kind::tcp_data;
    header.transfer.set_ordinal(m_ordinals.of(owner.dst)++);
    const std::uint32_t slot = take_slot(m_senders, m_free_senders);
    m_senders[slot].open(m_context, m_tcp, header, owner, slot);
}

void tcp_transport::finish_sending(std::uint32_t slot) {
    const tcp_sender& sender = m_senders[slot];
    if (m_context.segments != nullptr && m_tcp.path != nullptr) {
        m_context.segments->finish(sender.frame(), m_tcp.paths.of<path_state>(slot).tag, m_context.now);
    }
    m_free_senders.push_back(slot);
    m_events.sent(sender.frame(), sender.owner(), m_kind, 0_bps, sender.retransmits(), sender.timeouts());
}

void tcp_transport::expire(const timer_entry& entry) {
    const std::uint64_t index = index_of_timer(entry.id);
    if (kind_of_timer(entry.id) == timer_kind::tcp_retransmission) {
        m_senders[index].on_timer(m_context, m_tcp, entry);
    } else {
        m_receivers[index].on_timer(m_context, entry);
    }
}

void tcp_transport::list_open(std::vector<open_transfer>& open, std::size_t most) const {
    for (std::size_t s = 0; s < m_senders.size() && open.size() < most; ++s) {
        const tcp_sender& sender = m_senders[s];
        if (sender.is_open()) {
            open.push_back(describe_open(sender.frame(), m_kind, m_context.host->id(), sender.owner().dst,
                                         sender.retransmits(), sender.timeouts()));
            open.back().ordinal = sender.frame().transfer.ordinal();
            open.back().done_bytes = sender.una();
        }
    }
}

}  // namespace weir::traffic
