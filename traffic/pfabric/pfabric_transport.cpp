#include "weir/traffic/pfabric/pfabric_transport.h"

#include <utility>

namespace weir::traffic {

pfabric_transport::pfabric_transport(const transport_setup& setup, const transport_options& options)
    : reliable_transport(setup, options),
      m_first_timer(setup.first_timer),
      m_config(options.pfabric),
      m_path{bit_rate{0}, options.wire_overhead, options.round_trip} {}

void pfabric_transport::start() {
    m_path.rate = m_context.host->link_rate();
    m_pfabric.emplace(m_config, m_path, m_first_timer);
}

// Sending --------------------------------------------------------------------------------------------

void pfabric_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    const std::uint32_t slot = begin_sending(header, owner.dst);
    m_senders[slot].open(*m_pfabric, header, owner, slot);
    settle(slot);
    serve(header.priority);
}

inline void pfabric_transport::settle(std::uint32_t slot) {
    const pfabric_sender& sender = m_senders[slot];
    shortest_first& waiting = m_waiting[sender.frame().priority];
    if (sender.may_send(*m_pfabric)) {
        waiting.set(slot, {sender.left(), sender.frame().transfer.flow});
    } else {
        waiting.remove(slot);
    }
}

inline void pfabric_transport::serve(pfc_class priority) {
    shortest_first& waiting = m_waiting[priority];
    while ((m_refused >> priority & 1) == 0 && !waiting.empty()) {
        const std::uint32_t slot = waiting.first();
        if (!m_senders[slot].send_next(m_context, *m_pfabric)) {
            m_refused |= 1U << priority;
        } else if (!m_senders[slot].may_send(*m_pfabric)) {
            waiting.remove(slot);
        }
    }
}

inline void pfabric_transport::receive_ack(const ethernet_frame& frame) {
    pfabric_sender* const sender = sender_of(frame);
    if (sender == nullptr) {
        return;
    }
    const std::uint32_t slot = frame.transfer.connection;
    const pfc_class priority = sender->frame().priority;
    if (sender->on_ack(m_context, *m_pfabric, frame)) {
        m_waiting[priority].remove(slot);  // with a frame that was to be sent again
        finish_sending(slot);
    } else {
        settle(slot);
    }
    serve(priority);
}

void pfabric_transport::expire(const timer_entry& entry) {
    const auto slot = static_cast<std::uint32_t>(index_of_timer(entry.id));
    m_senders[slot].on_timer(m_context, *m_pfabric, entry);
    settle(slot);
    serve(m_senders[slot].frame().priority);
}

void pfabric_transport::ready() {
    for (unsigned refused = std::exchange(m_refused, 0U); refused != 0;) {
        const unsigned level = 31U ^ static_cast<unsigned>(__builtin_clz(refused));
        refused ^= 1U << level;
        serve(static_cast<pfc_class>(level));
    }
}

// Receiving ------------------------------------------------------------------------------------------

void pfabric_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::pfabric_ack) {
        receive_ack(frame);
    } else {
        receive_data(
            frame, [&](pfabric_receiver& receiver) { return receiver.on_frame(m_context, *m_pfabric, frame); });
    }
}

void pfabric_transport::open_receiver(std::uint32_t slot, const ethernet_frame& frame) {
    m_receivers[slot].open(*m_pfabric, frame);
}

ethernet_frame pfabric_transport::make_last_ack(const ethernet_frame& frame) const {
    return make_pfabric_ack(*m_pfabric, frame, frame.transfer.flow_bytes);
}

}  // namespace weir::traffic
