// What happens to a frame whose egress port is full. It is asked once, when the frame's port has been selected
// after the lookup; the frame counts at that port from then on. Full means: what the port holds, what crosses
// and what waits in VOQs for it leave no room for this frame; in a shared memory, that memory would not store
// it.
//
// The default, `hold`, is no object at all: the frame goes on, and waits in its VOQ or is lost as `switch.drop`
// says. Kinds are registered by name here; docs/extending.md has a worked example.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/forwarding/port_choice.h"

namespace weir::model {

class overflow_action {
 public:
    virtual ~overflow_action() = default;
    /// The port that the frame goes to: `full` (it is held), another one (a detour), or `no_port` (it is
    /// dropped). `choice` is what `full` was selected from; `choice.ports.room` knows which ports have room.
    /// The frame may be changed (`detours`, `flags`).
    virtual unsigned resolve(const port_choice& choice, unsigned full, ethernet_frame& frame) = 0;
};

/// Makes null where frames are held.
using overflow_maker = std::function<std::unique_ptr<overflow_action>(const switch_config&)>;

registry<overflow_kind, overflow_maker>& overflow_kinds();
constexpr registered_names<overflow_kind, overflow_kinds> names_of(overflow_kind) {
    return {};
}

}  // namespace weir::model
