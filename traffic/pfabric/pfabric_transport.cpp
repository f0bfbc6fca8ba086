#include "weir/traffic/pfabric/pfabric_transport.h"

#include <utility>

namespace weir::traffic {

transport_registry::entry pfabric_transport::kind() {
    transport_traits traits;
    traits.frames = {frame_kind::pfabric_data, frame_kind::pfabric_ack, frame_kind::pfabric_probe};
    traits.timer_kinds = timer_kinds;
    traits.payload_key = "pfabric.payload";
    traits.header_key = "pfabric.header";
    traits.sets_ranks = true;
    traits.is_fetched = true;
    traits.reads_round_trip = true;
    return {"pfabric", "pFabric: switches serve the transfer with the least left", traits};
}

transfer_framing pfabric_transport::framing(const pfabric_config& config) {
    return {config.payload, config.header};
}

pfabric_transport::pfabric_transport(const transport_setup& setup, const transport_options& options,
                                     const pfabric_config& config)
    : reliable_transport(setup, options),
      m_first_timer(setup.first_timer),
      m_config(config),
      m_path{bit_rate{0}, options.wire_overhead, options.round_trip} {}

void pfabric_transport::start() {
    m_path.rate = m_context.host->link_rate();
    m_shared.emplace(m_config, m_path, m_first_timer);
}

// Sending --------------------------------------------------------------------------------------------

void pfabric_transport::settle(std::uint32_t slot) {
    const pfabric_sender& sender = m_senders[slot];
    const pfc_class priority = sender.frame().priority;
    if (sender.may_send(*m_shared)) {
        m_waiting[priority].set(slot, {sender.left(), sender.frame().transfer.flow});
    } else {
        m_waiting[priority].remove(slot);
    }
    serve(priority);
}

void pfabric_transport::close(std::uint32_t slot) {
    const pfc_class priority = m_senders[slot].frame().priority;
    m_waiting[priority].remove(slot);  // with a frame that was to be sent again
    serve(priority);
}

inline void pfabric_transport::serve(pfc_class priority) {
    shortest_first& waiting = m_waiting[priority];
    while ((m_refused >> priority & 1) == 0 && !waiting.empty()) {
        const std::uint32_t slot = waiting.first();
        if (!m_senders[slot].send_next(m_context, *m_shared)) {
            m_refused |= 1U << priority;
        } else if (!m_senders[slot].may_send(*m_shared)) {
            waiting.remove(slot);
        }
    }
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
            frame, [&](pfabric_receiver& receiver) { return receiver.on_frame(m_context, *m_shared, frame); });
    }
}

}  // namespace weir::traffic
