#include "weir/traffic/udp/udp_transport.h"

#include <algorithm>

namespace weir::traffic {

transport_registry::entry udp_transport::kind() {
    transport_traits traits;
    traits.frames = {frame_kind::udp};
    traits.timer_kinds = timer_kinds;
    traits.payload_key = "udp.payload";
    traits.header_key = "udp.header";
    traits.confirms = false;
    return {"udp", "UDP", traits};
}

transfer_framing udp_transport::framing(const udp_config& config) {
    return {config.payload, config.header};
}

udp_transport::udp_transport(const transport_setup& setup, const transport_options& options,
                             const udp_config& config)
    : m_context(setup.context), m_events(setup.events), m_kind(setup.kind), m_seed(options.seed) {
    m_udp.config = config;
    m_udp.wire_overhead = options.wire_overhead;
}

void udp_transport::start() {
    m_udp.pacing = random_stream(m_seed, m_context.host->id(), random_purpose::pacing);
}

void udp_transport::receive(const ethernet_frame& frame) {
    const transfer_fields& transfer = frame.transfer;
    if (transfer.sequence >= transfer.flow_bytes) {
        ++m_context.counters.outside_window;
        return;
    }
    const std::uint64_t payload = std::min(m_udp.payload(), transfer.flow_bytes - transfer.sequence);
    m_context.counters.delivered_bytes += payload;
    if (m_datagrams.add(transfer, payload, m_context.now)) {
        m_events.delivered(frame, m_kind);
    }
}

inline void udp_transport::send_whole(ethernet_frame& frame, transfer_owner owner, bit_rate rate) {
    if (m_free_senders.empty()) {
        m_free_senders.push_back(take_slot(m_senders, m_free_senders));
    }
    frame.transfer.connection = m_free_senders.back() & transfer_fields::connection_mask;
    frame.frame_bytes =
        frame_length(static_cast<std::uint64_t>(m_udp.config.header.count()), frame.transfer.flow_bytes);
    frame.transfer.set_gap_us(m_udp.gap_of(frame.frame_bytes, rate).gap_us);
    frame.flags = flag_if(true, last_segment);
    m_context.send(frame);
    m_events.sent(frame, owner, m_kind, rate, 0, 0);
}

void udp_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request& request) {
    header.kind = frame_kind::udp;
    const bit_rate rate = request.udp_rate > 0_bps ? request.udp_rate : m_context.host->link_rate();
    if (header.transfer.flow_bytes <= m_udp.payload()) {
        send_whole(header, owner, rate);
        return;
    }
    const std::uint32_t slot = take_slot(m_senders, m_free_senders);
    header.transfer.connection = slot & transfer_fields::connection_mask;
    if (m_senders[slot].open(m_context, m_udp, header, owner, rate, slot)) {
        finish_sending(slot);
    }
}

void udp_transport::expire(const timer_entry& entry) {
    const auto slot = static_cast<std::uint32_t>(index_of_timer(entry.id));
    if (m_senders[slot].on_timer(m_context, m_udp)) {
        finish_sending(slot);
    }
}

void udp_transport::finish_sending(std::uint32_t slot) {
    const udp_sender& sender = m_senders[slot];
    m_free_senders.push_back(slot);
    m_events.sent(sender.frame(), sender.owner(), m_kind, sender.rate(), 0, 0);
}

void udp_transport::list_open(std::vector<open_transfer>& open, std::size_t most) const {
    for (std::size_t s = 0; s < m_senders.size() && open.size() < most; ++s) {
        const udp_sender& sender = m_senders[s];
        if (sender.is_open()) {
            open.push_back(
                describe_open(sender.frame(), m_kind, m_context.host->id(), sender.owner().dst, 0, 0));
            open.back().done_bytes = sender.sent_bytes();
        }
    }
}

}  // namespace weir::traffic
