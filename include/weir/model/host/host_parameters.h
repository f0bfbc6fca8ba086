// Everything about a host that does not depend on the frames.
#pragma once

#include <cstdint>

#include "weir/model/config/host_config.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/qcn_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

struct host_parameters {
    host_config device;
    pfc_config flow_control;
    qcn_config qcn;
    /// Classes in use in the fabric, as at the switches: a PFC frame must name the frame's class.
    std::uint32_t classes = 8;
    std::uint64_t seed = 1;
    host_id id = 0;
    ipv4_address address{};
    /// Frames come and leave with annexes.
    bool telemetry = false;
    /// Events are kept by the literal agenda: an oracle.
    bool literal_engine = false;
};

}  // namespace weir::model
