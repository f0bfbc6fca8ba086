#include "weir/traffic/roce/roce_transport.h"

namespace weir::traffic {

transport_registry::entry roce_transport::kind() {
    transport_traits traits;
    traits.frames = {frame_kind::roce_data, frame_kind::roce_ack, frame_kind::roce_nak, frame_kind::cnp};
    traits.timer_kinds = timer_kinds;
    traits.payload_key = "roce.payload";
    traits.header_key = "roce.header";
    traits.is_fetched = true;
    return {"roce", "RoCEv2: queue pairs that send at a rate", traits};
}

transfer_framing roce_transport::framing(const roce_config& config) {
    return {config.payload, config.header};
}

roce_transport::roce_transport(const transport_setup& setup, const transport_options& options,
                               const roce_config& config)
    : reliable_transport(setup, options),
      m_first_timer(setup.first_timer),
      m_config(config),
      m_wire_overhead(options.wire_overhead) {}

void roce_transport::start() {
    m_shared.emplace(m_config, m_wire_overhead, m_context.host->link_rate(), m_first_timer);
}

// Sending --------------------------------------------------------------------------------------------

void roce_transport::open(ethernet_frame header, transfer_owner owner, const transfer_request&) {
    const std::uint32_t slot = begin_sending(header, owner);
    m_slots.add(header.transfer.flow) = slot;
}

void roce_transport::receive_notification(const ethernet_frame& frame) {
    if (const std::uint32_t* const slot = m_slots.find(frame.notification.flow)) {
        m_senders[*slot].on_notification(m_context, *m_shared);
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
}

void roce_transport::queue_up(std::uint32_t slot) {
    m_waiting.push(m_senders[slot].frame().priority, slot, links());
}

void roce_transport::ready() {
    for (unsigned waiting = m_waiting.priorities(); waiting != 0;) {
        const unsigned level = 31U ^ static_cast<unsigned>(__builtin_clz(waiting));
        const auto priority = static_cast<pfc_class>(level);
        waiting ^= 1U << level;
        for (std::uint32_t slot = m_waiting.first(priority); slot != waiting_senders::none;) {
            const std::uint32_t next = links()(slot);
            if (m_senders[slot].on_ready(m_context, *m_shared)) {
                m_waiting.remove(priority, slot, links());
            } else if (!m_context.refuses_single_flows) {
                break;  // and so all behind it
            }
            slot = next;
        }
    }
}

// Receiving ------------------------------------------------------------------------------------------

void roce_transport::receive(const ethernet_frame& frame) {
    if (frame.kind == frame_kind::roce_data) {
        receive_data(frame, [&](queue_pair_receiver& receiver) {
            return receiver.on_data(m_context, *m_shared, frame);
        });
    } else if (frame.kind == frame_kind::cnp) {
        receive_notification(frame);
    } else {
        receive_ack(frame);
    }
}

}  // namespace weir::traffic
