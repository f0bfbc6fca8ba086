// How the packet memory of a switch is organised: a registry of organisations. Each has the facts that blocks,
// checks and results ask for, and makes the part of a frame's path that depends on it (memory_path.h).
//
//   if (organisation_of(config.device).is_shared) { ... }
#pragma once

#include <cstddef>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/config/switch_config.h"

namespace weir::model {

class memory_path;
struct pfc_config;
struct sram_config;
struct switch_parameters;
struct switch_path;

struct memory_organisation {
    /// Each ingress port, and each egress port, has memory of its own.
    bool has_ingress_memories;
    bool has_egress_memories;
    /// All ports share one memory ([shared]).
    bool is_shared;
    /// Called while a switch is made.
    std::unique_ptr<memory_path> (*make)(switch_path& device);
    /// Sets the options in which the organisation leaves no choice, for a switch of `ports` ports. Null: none.
    void (*adapt)(switch_parameters& parameters, std::size_t ports) = nullptr;

    /// Frames cross from ingress to egress memory.
    bool has_crossbar() const { return has_ingress_memories && has_egress_memories; }
    /// Frames are charged to their ingress port until they have left: no egress port is ever full.
    bool stays_at_ingress() const { return has_ingress_memories && !has_egress_memories; }
    /// Only egress ports have memory: no fill at ingress can request pauses, and no frame can wait there.
    bool is_at_egress_only() const { return has_egress_memories && !has_ingress_memories; }
};

/// The list is in model/switch/block_kinds.cpp, where the makers are known.
registry<buffer_kind, memory_organisation>& memory_organisations();
constexpr registered_names<buffer_kind, memory_organisations> names_of(buffer_kind) {
    return {};
}
inline const memory_organisation& organisation_of(const switch_config& device) {
    return memory_organisations()[device.buffer];
}

/// Refuses options of memories and of flow control that contradict the organisation (`switch.buffer`).
void check_memories(range_check& check, const switch_config& device, const pfc_config& flow_control,
                    const sram_config& sram);

}  // namespace weir::model
