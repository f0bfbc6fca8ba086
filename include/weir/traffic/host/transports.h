// Transports by name (`traffic.transport`).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weir/base/registry.h"
#include "weir/traffic/transport/transport.h"

namespace weir {

struct transport_traits {
    std::function<std::unique_ptr<transport>(const transport_setup&, const transport_options&)> make;
    /// Kinds of frames that are its own, and no other's.
    std::vector<frame_kind> frames;
    /// How many kinds of timers it has.
    unsigned timer_kinds;
};

registry<transport_kind, transport_traits>& transports();

}  // namespace weir
