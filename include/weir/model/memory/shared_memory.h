// A switch's shared memory from its configuration: which classes are lossless, and each port's headroom.
#pragma once

#include <vector>

#include "weir/model/config/pfc_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/link/port_config.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

inline buffer_flow flow_of(const frame_route& route) {
    return {route.ingress_port, route.frame_class, route.egress_port};
}

/// Sets what a shared memory leaves no choice in: ports have no memory of their own to run out of, and memory
/// is charged after the lookup, when the egress port is known.
void adapt_to_shared_memory(switch_config& device, pfc_config& flow_control);

/// Of a lossless group behind this port, in one slice. Where `shared_buffer_config::headroom` is open: what can
/// arrive after XOFF has been decided (the closed form with the terms of `pfc_config::profile`, the lookup, and
/// what waits for it in `switch_config::ingress_fifo`), and the frame that met the threshold, which takes
/// headroom where the pool has no room for it. 0 without flow control.
struct group_headroom {
    bytes size{0};
    /// What it should be for this link; `size` where that is open.
    bytes needed{0};
    /// Part of `needed` for the frame that met the threshold.
    bytes crossing{0};
};
group_headroom headroom_of_group(const shared_buffer_config& config, const switch_config& device,
                                 const pfc_config& flow_control, const port_config& port);

/// For a switch with these ports, of which `profiles` may say something. `errors()` says what does not fit.
shared_buffer make_shared_buffer(const shared_buffer_config& config, const switch_config& device,
                                 const pfc_config& flow_control, const std::vector<port_config>& ports,
                                 const shared_profiles& profiles);

}  // namespace weir::model
