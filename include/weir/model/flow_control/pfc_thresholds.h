// From configuration to one port's thresholds: what is left open is computed from the port's link.
#pragma once

#include "weir/base/config_error.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/flow_control/ingress_limits.h"
#include "weir/model/flow_control/pause_requests.h"
#include "weir/model/flow_control/pfc_headroom.h"
#include "weir/model/link/port_config.h"

namespace weir::model {

/// Flow control of one switch port, all terms resolved.
struct port_flow_control {
    ingress_limits limits;
    pause_config requests;
    /// T_R of this port's own transmitter.
    picoseconds response{0};
    /// Kept per class for what arrives after XOFF has been decided, at the link's fastest rate and longest
    /// latency of the whole run. Unit: B.
    bytes reserve{0};
    /// What the thresholds leave per class for that; below 0 where XOFF is at more than the class's memory.
    bytes headroom{0};
    /// What `reserve` should be: the closed form with every term. Unit: B.
    bytes worst_case{0};
    /// Terms of the computed reserve, by the profile in use.
    pfc_headroom_terms terms;
    /// `pfc_config::profile`, or `worst_case` where that profile does not hold (PAUSE).
    reserve_profile profile = reserve_profile::worst_case;
    /// Kept by the computed XOFF for the frame that crosses it; 0 with `reserve_profile::detail`. Unit: B.
    bytes crossing{0};
    /// Ingress memory / classes; under PAUSE all of it. Unit: B.
    bytes class_memory{0};
    /// Thresholds as configured leave less than the reserve: in the worst case frames are lost.
    bool can_lose = false;
    /// What is wrong; empty if the port's memory can hold thresholds and reserves.
    config_errors errors;
};

/// Parts of `port_flow_control` that a switch keeps for each port.
struct port_thresholds {
    ingress_limits limits;
    /// Reserve by the closed form with every term (`port_flow_control::worst_case`). Unit: B.
    bytes worst_case{0};
};

/// `pfc.xoff` defaults to what keeps `classes` classes lossless: each has
/// xoff + the frame that crosses it (max_frame - 1 B) + reserve, and together they fill the memory.
/// With `reserve_profile::detail` each has xoff + reserve, the latter without the PFC frame's serialisation.
///
///   pfc_config pfc;                                                // 1 Gb/s, 6.6 us, 1,530 B, 128 KiB:
///   pfc.mode = flow_control_mode::pfc;
///   resolve_flow_control(device, pfc, port).limits.xoff;           // 9,953 B for each of 8 classes
///   pfc.profile = reserve_profile::detail;
///   resolve_flow_control(device, pfc, port).limits.xoff;           // 11,546 B
port_flow_control resolve_flow_control(const switch_config& device, const pfc_config& config,
                                       const port_config& port);

/// What can arrive after XOFF while the link's rate rises: our port has just begun a full frame at the old
/// rate, and the partner sends at the new one. The reserve leaves this out: it would be kept for one frame's
/// time of a whole run.
bytes reserve_at_rise(const switch_config& device, const pfc_config& config, const port_config& port,
                      bit_rate before, bit_rate after);

/// T_R by link rate: DeTail's 2 quanta at 1 Gb/s and what the sources of pfc_headroom.h give elsewhere; a
/// rate that has no entry takes the next faster one's time, the fastest one's quanta beyond.
picoseconds default_response(bit_rate rate);

/// How a node announces pauses: a switch port's, and those of a broken adapter.
pause_config pause_requests_of(const pfc_config& pfc);

}  // namespace weir::model
