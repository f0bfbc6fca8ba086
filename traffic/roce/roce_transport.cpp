#include "weir/traffic/roce/roce_transport.h"

namespace weir::traffic {

roce_transport::roce_transport(const transport_setup& setup, const transport_options& options)
    : m_context(setup.context),
      m_events(setup.events),
      m_addresses(*options.addresses),
      m_kind(setup.kind),
      m_first_timer(setup.first_timer),
      m_config(options.roce),
      m_wire_overhead(options.wire_overhead),
      m_incoming(options.addresses->hosts()) {}

void roce_transport::start() {
    m_roce.emplace(m_config, m_wire_overhead, m_context.host->link_rate(), m_first_timer);
}

// Sending --------------------------------------------------------------------------------------------

void roce_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    header.kind = frame_kind::roce_data;
    header.transfer.set_ordinal(m_ordinals.of(owner.dst)++);
    const std::uint32_t slot = take_slot(m_senders, m_free_senders);
    m_slots.add(header.transfer.flow) = slot;
    m_senders[slot].open(m_context, *m_roce, header, owner, slot);
    note_waiting(slot, false);
}

inline void roce_transport::receive_ack(const ethernet_frame& frame) {
    const std::uint32_t slot = frame.transfer.connection;
    if (slot >= m_senders.size() || !m_senders[slot].is_sending(frame.transfer.flow)) {
        ++m_context.counters.stale_frames;
        return;
    }
    const bool waited = m_senders[slot].is_waiting();
    if (m_senders[slot].on_ack(m_context, *m_roce, frame)) {
        finish_sending(slot);
    } else {
        note_waiting(slot, waited);
    }
}

void roce_transport::receive_notification(const ethernet_frame& frame) {
    if (const std::uint32_t* const slot = m_slots.find(frame.notification.flow)) {
        m_senders[*slot].on_notification(m_context, *m_roce);
    } else {
        ++m_context.counters.stale_frames;
    }
}

void roce_transport::finish_sending(std::uint32_t slot) {
    const queue_pair_sender& sender = m_senders[slot];
    if (sender.is_waiting()) {  // with a frame that was to be sent again
        m_waiting.remove(sender.frame().priority, slot, links());
    }
    m_slots.remove(sender.frame().transfer.flow);
    m_free_senders.push_back(slot);
    m_events.sent(sender.frame(), sender.owner(), m_kind, 0_bps, sender.retransmits(), sender.timeouts());
}

void roce_transport::expire(const timer_entry& entry) {
    const auto slot = static_cast<std::uint32_t>(index_of_timer(entry.id));
    const bool waited = m_senders[slot].is_waiting();
    if (kind_of_timer(entry.id) == m_roce->pacing) {
        m_senders[slot].on_pacing(m_context, *m_roce, entry);
    } else {
        m_senders[slot].on_timeout(m_context, *m_roce, entry);
    }
    note_waiting(slot, waited);
}

void roce_transport::queue_up(std::uint32_t slot) {
    m_waiting.push(m_senders[slot].frame().priority, slot, links());
}

void roce_transport::ready() {
    for (unsigned level = pfc_classes; level-- > 0;) {
        const auto priority = static_cast<pfc_class>(level);
        std::uint32_t slot = m_waiting.first(priority);
        while (slot != waiting_senders::none && m_senders[slot].on_ready(m_context, *m_roce)) {
            m_waiting.remove(priority, slot, links());
            slot = m_waiting.first(priority);
        }
    }
}

void roce_transport::list_open(std::vector<open_transfer>& open, std::size_t most) const {
    for (std::size_t s = 0; s < m_senders.size() && open.size() < most; ++s) {
        const queue_pair_sender& sender = m_senders[s];
        if (sender.is_open()) {
            open.push_back(describe_open(sender.frame(), m_kind, m_context.host->id(), sender.owner().dst,
                                         sender.retransmits(), sender.timeouts()));
            open.back().ordinal = sender.frame().transfer.ordinal();
            open.back().done_bytes = sender.una();
        }
    }
}

// Receiving ------------------------------------------------------------------------------------------

inline void roce_transport::receive_data(const ethernet_frame& frame) {
    std::uint32_t slot = m_incoming.receiver_of(frame.src, frame.transfer.ordinal());
    if (slot == incoming_transfers::none) {
        slot = begin_receiving(frame);
        if (slot == incoming_transfers::none) {
            return;
        }
    }
    if (m_receivers[slot].on_data(m_context, *m_roce, frame)) {
        finish_receiving(frame, slot);
    }
}

void roce_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::roce_data) {
        receive_data(frame);
    } else if (frame.kind == frame_kind::cnp) {
        receive_notification(frame);
    } else {
        receive_ack(frame);
    }
}

std::uint32_t roce_transport::begin_receiving(const ethernet_frame& frame) {
    const std::uint32_t ordinal = frame.transfer.ordinal();
    switch (m_incoming.stage_of(m_addresses.host_of(frame.src), frame.src, ordinal)) {
        case transfer_stage::begins:
            break;
        case transfer_stage::over:
            // The last ACK was lost: the sender shall know in any case.
            ++m_context.counters.duplicate_segments;
            m_context.send(make_roce_ack(*m_roce, frame, frame.transfer.flow_bytes));
            return incoming_transfers::none;
        case transfer_stage::impossible:
            ++m_context.counters.stale_frames;
            return incoming_transfers::none;
    }
    const std::uint32_t slot = take_slot(m_receivers, m_free_receivers);
    m_incoming.begin(frame.src, ordinal, slot);
    m_receivers[slot].open(*m_roce, frame);
    return slot;
}

void roce_transport::finish_receiving(const ethernet_frame& frame, std::uint32_t slot) {
    m_free_receivers.push_back(slot);
    m_incoming.finish(frame.src, frame.transfer.ordinal());
    m_events.delivered(frame, m_kind);
}

}  // namespace weir::traffic
