// An action for a frame whose egress port is full. It is asked when the frame's port has been selected after
// the lookup; the frame counts at the port that it says from then on. Full means: what the port holds, what
// crosses and what waits in VOQs for it leave no room for this frame; in a shared memory, that memory would not
// store it.
//
// The default, `hold`, is no object at all: the frame goes on, and waits in its VOQ or is lost as `switch.drop`
// says. Kinds are registered by name here; docs/extending.md has a worked example.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/port_bitmap.h"
#include "weir/base/registry.h"
#include "weir/model/config/detour_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/forwarding/port_choice.h"
#include "weir/model/frame/frame_action.h"

namespace weir::model {

struct pfc_config;

class overflow_action {
 public:
    virtual ~overflow_action() = default;
    /// `selected` is what was selected from `choice`; `choice.ports.room` knows which ports have room. A frame
    /// that is kept goes to `selected`, and is held if that is full. The frame may be changed (`detours`,
    /// `flags`, `hops`).
    virtual frame_action resolve(const port_choice& choice, unsigned selected, ethernet_frame& frame) = 0;
    /// It is asked for each frame, not only where the selected port is full.
    virtual bool sees_all() const { return false; }
};

struct overflow_setup {
    const switch_config& device;
    const detour_config& detour;
    /// The switch: its index among the nodes, the run's seed, its ports at whose other end is a switch.
    unsigned node;
    std::uint64_t seed;
    port_bitmap to_switches;
    /// Classes of which no frame may be lost for want of memory.
    class_mask lossless;
};

struct overflow_traits {
    /// None: frames are held.
    std::function<std::unique_ptr<overflow_action>(const overflow_setup&)> make;
    /// Frames take ports that lead away from their destination. `ethernet_frame::detours` counts them, their
    /// hops stand where other frames have a rank, and the options of [detour] apply.
    bool detours = false;
    /// It may drop frames of classes that flow control protects from loss.
    bool may_drop_lossless = true;
};

registry<overflow_kind, overflow_traits>& overflow_kinds();
constexpr registered_names<overflow_kind, overflow_kinds> names_of(overflow_kind) {
    return {};
}

/// Refuses an action (`switch.overflow`) that contradicts flow control, the order of queues or the organisation
/// of memory.
void check_overflow(range_check& check, const switch_config& device, const pfc_config& flow_control,
                    const detour_config& detour);

}  // namespace weir::model
