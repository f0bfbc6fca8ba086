// The stages of a frame's path through a switch, in the order in which a frame meets them.
//
// Each stage is an object with its own state. It reaches those that it calls, and no others, through functions
// such as `memory()`. All are bases of one class, so each lies at a fixed distance from the others. A stored
// reference would cost a load at each use: 48 instructions per packet-hop in all (decision 32).
#pragma once

#include <vector>

#include "weir/model/switch/egress_stage.h"
#include "weir/model/switch/ingress_stage.h"

namespace weir::model {

struct switch_path final : switch_core, prefetcher, ingress_stage, packet_memory, crossbar_stage, egress_stage {
    /// `device` outlives this.
    switch_path(node& device, const std::vector<port_config>& links, const switch_parameters& adapted)
        : switch_core(device, links, adapted),
          ingress_stage(static_cast<const switch_core&>(*this)),
          crossbar_stage(static_cast<const switch_core&>(*this)) {}
};

inline const switch_core& prefetcher::core() const {
    return static_cast<const switch_path&>(*this);
}

inline switch_core& ingress_stage::core() {
    return static_cast<switch_path&>(*this);
}
inline packet_memory& ingress_stage::memory() {
    return static_cast<switch_path&>(*this);
}
inline crossbar_stage& ingress_stage::crossbar() {
    return static_cast<switch_path&>(*this);
}
inline prefetcher& ingress_stage::ahead() {
    return static_cast<switch_path&>(*this);
}

inline switch_core& packet_memory::core() {
    return static_cast<switch_path&>(*this);
}

inline switch_core& crossbar_stage::core() {
    return static_cast<switch_path&>(*this);
}
inline packet_memory& crossbar_stage::memory() {
    return static_cast<switch_path&>(*this);
}
inline const prefetcher& crossbar_stage::ahead() {
    return static_cast<switch_path&>(*this);
}

inline switch_core& egress_stage::core() {
    return static_cast<switch_path&>(*this);
}
inline packet_memory& egress_stage::memory() {
    return static_cast<switch_path&>(*this);
}
inline crossbar_stage& egress_stage::crossbar() {
    return static_cast<switch_path&>(*this);
}
inline const prefetcher& egress_stage::ahead() {
    return static_cast<switch_path&>(*this);
}

}  // namespace weir::model
