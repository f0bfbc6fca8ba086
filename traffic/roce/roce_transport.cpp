#include "weir/traffic/roce/roce_transport.h"

namespace weir::traffic {

roce_transport::roce_transport(const transport_setup& setup, const transport_options& options)
    : reliable_transport(setup, options),
      m_first_timer(setup.first_timer),
      m_config(options.roce),
      m_wire_overhead(options.wire_overhead) {}

void roce_transport::start() {
    m_roce.emplace(m_config, m_wire_overhead, m_context.host->link_rate(), m_first_timer);
}

// Sending --------------------------------------------------------------------------------------------

void roce_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    header.kind = frame_kind::roce_data;
    const std::uint32_t slot = begin_sending(header, owner.dst);
    m_slots.add(header.transfer.flow) = slot;
    m_senders[slot].open(m_context, *m_roce, header, owner, slot);
    note_waiting(slot, false);
}

inline void roce_transport::receive_ack(const ethernet_frame& frame) {
    queue_pair_sender* const sender = sender_of(frame);
    if (sender == nullptr) {
        return;
    }
    const std::uint32_t slot = frame.transfer.connection;
    const bool waited = sender->is_waiting();
    if (sender->on_ack(m_context, *m_roce, frame)) {
        close(slot);
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

void roce_transport::close(std::uint32_t slot) {
    const queue_pair_sender& sender = m_senders[slot];
    if (sender.is_waiting()) {  // with a frame that was to be sent again
        m_waiting.remove(sender.frame().priority, slot, links());
    }
    m_slots.remove(sender.frame().transfer.flow);
    finish_sending(slot);
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

// Receiving ------------------------------------------------------------------------------------------

void roce_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::roce_data) {
        receive_data(
            frame, [&](queue_pair_receiver& receiver) { return receiver.on_data(m_context, *m_roce, frame); });
    } else if (frame.kind == frame_kind::cnp) {
        receive_notification(frame);
    } else {
        receive_ack(frame);
    }
}

void roce_transport::open_receiver(std::uint32_t slot, const ethernet_frame& frame) {
    m_receivers[slot].open(*m_roce, frame);
}

ethernet_frame roce_transport::make_last_ack(const ethernet_frame& frame) const {
    return make_roce_ack(*m_roce, frame, frame.transfer.flow_bytes);
}

}  // namespace weir::traffic
