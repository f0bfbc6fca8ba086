// The registry of transports (`traffic.transport`): `transports().add` adds one of your own.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/traffic/transport/transport.h"

namespace weir::traffic {

/// How a transport cuts a transfer into frames: what an empty fabric takes for it follows.
struct transfer_framing {
    /// Of a full frame, and what all headers and the FCS add to it.
    bytes payload{0};
    bytes header{0};
    /// A round trip of empty frames comes first.
    bool handshake = false;
    /// Shorter frames are padded.
    bytes min_frame{64};
    /// What the frames of that round trip have beyond their header.
    bytes syn_options{0};
    /// Then an empty frame goes before the data.
    bool handshake_ack = false;
};

struct transport_traits {
    std::function<std::unique_ptr<transport>(const transport_setup&, const transport_options&)> make;
    /// Kinds of frames that are its own, and no other's.
    std::vector<frame_kind> frames;
    /// How many kinds of timers it has.
    unsigned timer_kinds;
    /// The sender is told that everything has arrived, and what it knows of a transfer comes after its
    /// delivery.
    bool confirms;
    std::function<transfer_framing(const transport_options&)> framing;
    /// Its frames have ranks (`transfer_fields::rank`), by which queues may serve them.
    bool sets_ranks = false;
    /// It reads what switches append to frames (`switch.telemetry`), whatever `tcp.congestion` is.
    bool reads_telemetry = false;
};

registry<transport_kind, transport_traits>& transports();
constexpr registered_names<transport_kind, transports> names_of(transport_kind) {
    return {};
}

}  // namespace weir::traffic
