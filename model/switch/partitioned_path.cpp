#include "weir/model/switch/partitioned_path.h"

#include "weir/model/switch/banked_paths.h"
#include "weir/model/switch/partitioned_causes.h"
#include "weir/model/switch/switch_path.h"

namespace weir::model {

registry<buffer_kind, memory_organisation>::entry partitioned_path::kind() {
    const auto make = [](switch_path& device) -> std::unique_ptr<memory_path> {
        if (device.parameters.sram.is_limited()) {
            return std::make_unique<banked_partitioned_path>(device);
        }
        return std::make_unique<partitioned_path>(device);
    };
    return {"partitioned",
            "each ingress port and each egress port has its own memory; a crossbar connects them",
            {true, true, false, make}};
}

// If the buffer is a module from outside, only its size is known.
bool partitioned_path::has_room(const frame_route& route, unsigned /*egress_port*/, std::uint64_t port_bytes,
                                std::uint64_t class_bytes) const {
    const auto capacity = static_cast<std::uint64_t>(m_switch.parameters.device.egress_buffer.count());
    const egress_buffer* const own = m_switch.blocks.egress.own();
    return own != nullptr ? own->would_fit(port_bytes, class_bytes, route.charged_bytes)
                          : port_bytes + route.charged_bytes <= capacity;
}

double partitioned_path::fill(const frame_route& /*route*/, unsigned /*egress_port*/,
                              std::uint64_t port_bytes) const {
    return static_cast<double>(port_bytes) /
           static_cast<double>(m_switch.parameters.device.egress_buffer.count());
}

memory_path::entry partitioned_path::enter(frame_slot slot, stored_frame& stored, picoseconds /*now*/) {
    m_switch.request<general_path>(slot, stored.route);
    return entry::crosses;
}

void partitioned_path::give_back(frame_slot slot) {
    m_switch.leave_ingress<general_path>(slot, m_switch.frames[slot]);
}

bool partitioned_path::take_again(frame_slot slot) {
    return m_switch.charge(m_switch.ports[m_switch.frames.route(slot).ingress_port], slot);
}

void partitioned_path::transferred(frame_slot slot) {
    m_switch.on_crossed<general_path>(slot);
}

std::unique_ptr<cause_recorder> partitioned_path::make_causes(const cause_options& options) const {
    const switch_parameters& parameters = m_switch.parameters;
    return std::make_unique<partitioned_causes>(options, m_switch, parameters.flow_control, parameters.device,
                                                stays_at_ingress());
}

}  // namespace weir::model
