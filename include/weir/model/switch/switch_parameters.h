// Everything about a switch that does not depend on the frames, and what changes at given times.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/model/forwarding/modulo_selector.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/link/port_config.h"
#include "weir/model/memory/shared_buffer_config.h"
#include "weir/model/switch/switch_setup.h"

namespace weir::model {

struct switch_parameters : switch_setup {
    shared_profiles profiles;
    fabric_place place;
    std::uint64_t seed = 1;
    /// Events are kept by the literal agenda: an oracle.
    bool literal_engine = false;
};

/// Frames may wait in front of a shared memory, for their lookup or its banks.
bool frames_wait_before_memory(const switch_parameters& parameters);

/// What the crossbar moves bytes with: `switch_config::speedup` times the rate of the fastest port.
serializer crossbar_link(const switch_config& device, const std::vector<port_config>& ports);

/// A change of the forwarding table at a given time.
struct route_change {
    picoseconds at;
    std::vector<route_entry> routes;
};

}  // namespace weir::model
