// Information with which a port selector or an overflow action chooses a frame's egress port.
#pragma once

#include <cstdint>

#include "weir/base/port_bitmap.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// The answer when no port is acceptable.
inline constexpr unsigned no_port = max_ports;

/// What the egress buffers show of their fill: the only knowledge that flows back to forwarding.
struct egress_view {
    /// Bitmaps of favoured ports F, one per level and class at [level * pfc_classes + class]: bit p is set
    /// while port p's drain bytes of the class are below the level's threshold. Level 0 is the most favoured
    /// (the lowest threshold).
    const port_bitmap* favored = nullptr;
    /// Number of levels, that is, of thresholds per class. 0: no port is favoured.
    unsigned levels = 0;
    /// Bytes that leave before a new frame of the class would, at [egress_port * pfc_classes + class].
    /// Stale unless the policy says that it reads them (`selector_facts::reads_drain_bytes`).
    const std::uint32_t* drain_bytes = nullptr;
    /// All ports are in the bitmaps' first word (switches of up to 64 ports).
    bool one_word = false;
};

/// Which ports have room for a frame: beside what they hold, what crosses and what waits in VOQs for them.
/// This one: all, where the switch keeps no account of it (`queue_manager`).
struct egress_room {
    virtual ~egress_room() = default;
    virtual bool has_room(unsigned /*port*/) const { return true; }
    /// Memory of the frames that the port holds and will get, of all classes. Unit: B.
    virtual std::uint64_t held(unsigned /*port*/) const { return 0; }
    /// The share of what the frame's queue may hold that is taken: 0 where it is empty, 1 and more where full.
    virtual double fill(unsigned /*port*/) const { return 0; }
};
inline const egress_room unlimited_room;

/// What a switch knows of its ports, whatever the frame.
struct port_knowledge {
    /// Ports at whose other end is a switch, and whose links are up.
    port_bitmap to_switches;
    const egress_room* room = &unlimited_room;
    /// Of this switch, for its selections alone.
    random_stream& chance;
};

/// One frame whose lookup is done.
struct port_choice {
    picoseconds now;
    /// `no_port`: the frame is the switch's own.
    unsigned ingress_port;
    const ethernet_frame& frame;
    /// Ports that lead to its destination, by the lookup. Ports that are down are not among them.
    const port_bitmap& acceptable;
    const egress_view& egress;
    const port_knowledge& ports;
};

/// Facts that other code asks about a rule that selects a port.
struct selector_facts {
    /// All frames of a transfer take the same ports, as long as the links stay as they are.
    bool keeps_paths = false;
    /// It has to know where the switch is in a tree (`fabric_place`); other fabrics are refused.
    bool needs_levels = false;
    /// It reads `egress_view::drain_bytes`. Without this they are stale: the egress memory does not keep them.
    bool reads_drain_bytes = false;
    /// It reads `egress_view::favored`, and with them `switch.balance_thresholds`: at least one is there then.
    bool reads_favored_ports = false;
    /// It hashes flows with the salt of `switch_config::hash_salt`.
    bool hashes_flows = false;
};

}  // namespace weir::model
