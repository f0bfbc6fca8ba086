#include "weir/model/switch/input_buffered_path.h"

#include "weir/model/switch/switch_path.h"

namespace weir::model {

registry<buffer_kind, memory_organisation>::entry input_buffered_path::kind() {
    const auto make = [](switch_path& device) -> std::unique_ptr<memory_path> {
        return std::make_unique<input_buffered_path>(device);
    };
    // No egress port has memory of its own to run out of.
    const auto adapt = [](switch_parameters& parameters, std::size_t ports) {
        switch_config& device = parameters.device;
        device.egress_buffer = device.ingress_buffer * static_cast<std::int64_t>(ports);
        device.share = egress_share::whole;
        device.drop = drop_policy::egress_tail;
        device.crossbar = crossbar_mode::frame;
    };
    return {"input_buffered",
            "each ingress port has its own memory, which holds its frames until they have left; egress queues "
            "have none, and all inputs may write into them at once",
            {true, false, false, make, adapt}};
}

memory_path::entry input_buffered_path::enter(frame_slot slot, stored_frame& /*stored*/, picoseconds /*now*/) {
    return m_switch.admit(slot) ? entry::stored : entry::lost;
}

void input_buffered_path::leave(const frame_route& route, picoseconds at) {
    m_switch.release_ingress(route, at);
}

}  // namespace weir::model
