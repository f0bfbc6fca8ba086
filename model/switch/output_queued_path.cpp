#include "weir/model/switch/output_queued_path.h"

#include "weir/model/switch/switch_path.h"

namespace weir::model {

registry<buffer_kind, memory_organisation>::entry output_queued_path::kind() {
    const auto make = [](switch_path& device) -> std::unique_ptr<memory_path> {
        return std::make_unique<output_queued_path>(device);
    };
    const auto adapt = [](switch_parameters& parameters, std::size_t /*ports*/) {
        parameters.device.drop = drop_policy::egress_tail;
        parameters.device.crossbar = crossbar_mode::frame;
        parameters.flow_control.charge = charge_time::store;
    };
    return {
        "output_queued",
        "each egress port has its own memory, into which all inputs may write at once; there is no crossbar",
        {false, true, false, make, adapt}};
}

memory_path::entry output_queued_path::enter(frame_slot slot, stored_frame& /*stored*/, picoseconds /*now*/) {
    return m_switch.admit(slot) ? entry::stored : entry::lost;
}

}  // namespace weir::model
