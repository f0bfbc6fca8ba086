#include "weir/model/memory/shared_memory.h"

#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::model {

// Per-port memories become unlimited and their thresholds are derived anew; memory is taken after the lookup,
// which says the slice.
void adapt_to_shared_memory(switch_config& device, pfc_config& flow_control) {
    device.ingress_buffer = largest_memory;
    device.egress_buffer = largest_memory;
    device.share = egress_share::whole;
    device.drop = drop_policy::ingress_tail;
    device.crossbar = crossbar_mode::frame;
    flow_control.charge = charge_time::store;
    flow_control.xoff.reset();
    flow_control.xon.reset();
    flow_control.reserve.reset();
}

group_headroom headroom_of_group(const shared_buffer_config& config, const switch_config& device,
                                 const pfc_config& flow_control, const port_config& port) {
    if (flow_control.mode == flow_control_mode::none) {
        return {};
    }
    switch_config adapted = device;
    pfc_config pfc = flow_control;
    adapt_to_shared_memory(adapted, pfc);
    const port_flow_control control = resolve_flow_control(adapted, pfc, port);
    // All of the frame that meets the threshold, not only what is above it: what finds no room for a whole
    // frame takes none of the pool. In single bytes that is a byte more than a port's own memory has to keep.
    const bytes crossing =
        control.crossing > 0_B ? memory_of(device.max_frame, device.memory_cell) : control.crossing;
    const bytes needed = control.reserve + crossing;
    return {config.headroom.value_or(needed), needed, crossing};
}

shared_buffer make_shared_buffer(const shared_buffer_config& config, const switch_config& device,
                                 const pfc_config& flow_control, const std::vector<port_config>& ports,
                                 const shared_profiles& profiles) {
    unsigned lossless = 0;
    for (unsigned c = 0; c < device.classes && flow_control.mode != flow_control_mode::none; ++c) {
        lossless |= static_cast<unsigned>(config.is_lossless(c)) << c;
    }
    std::vector<bytes> headroom;
    headroom.reserve(ports.size());
    for (const port_config& port : ports) {
        headroom.push_back(headroom_of_group(config, device, flow_control, port).size);
    }
    return {config,
            static_cast<unsigned>(ports.size()),
            device.classes,
            static_cast<class_mask>(lossless),
            device.memory_cell,
            headroom,
            profiles};
}

}  // namespace weir::model
