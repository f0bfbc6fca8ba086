#include "weir/model/switch/node_services.h"

namespace weir::model {

std::uint64_t switch_node::services::egress_class_limit(unsigned port) const {
    const egress_buffer* const own = m_device.m_egress.own();
    return own != nullptr ? own->class_limit(port)
                          : static_cast<std::uint64_t>(m_device.m_parameters.device.egress_buffer.count());
}

void switch_node::services::for_each_between_queues(
    const std::function<void(frame_slot, bool looked_up)>& visit) const {
    m_device.m_agenda.for_each([&](const event& e) {
        // A frame that crosses cell by cell is in its VOQ.
        const bool has_crossed =
            e.stage() == switch_stages::transfer_done && m_device.m_slab.route(e.payload).cells_left == 0;
        if (has_crossed || e.stage() == switch_stages::lookup_done) {
            visit(e.payload, has_crossed);
        }
    });
    if (m_device.lone() != no_slot) {
        visit(m_device.lone(), true);
    }
}

}  // namespace weir::model
