// Kinds of transports by name (`traffic.transport`), and the facts of each that others ask for. The list is in
// traffic/host/transports.cpp.
//
//   if (transports()[kind].confirms) { ... }
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/transport/transfer.h"

namespace weir::traffic {

class transport;
struct transport_setup;
/// Parameters of all transports (host/transports.h).
struct endpoint_options;

/// How a transport cuts a transfer into frames: what an empty fabric takes for it follows.
struct transfer_framing {
    /// Payload of a full frame, and length that all headers and the FCS add to it. Unit: B.
    bytes payload{0};
    bytes header{0};
    /// A round trip of empty frames comes first.
    bool handshake = false;
    /// Shorter frames are padded.
    bytes min_frame{64};
    /// Length of the options that the frames of that round trip have beyond their header. Unit: B.
    bytes syn_options{0};
    /// Then an empty frame goes before the data.
    bool handshake_ack = false;
};

struct transport_traits {
    std::function<std::unique_ptr<transport>(const transport_setup&, const endpoint_options&)> make;
    /// Kinds of frames that are its own, and no other's.
    std::vector<frame_kind> frames;
    /// How many kinds of timers it has.
    unsigned timer_kinds = 0;
    /// The sender is told that everything has arrived, and what it knows of a transfer comes after its
    /// delivery. A transport that does not confirm sends at a rate (`transfer_request::udp_rate`).
    bool confirms = true;
    std::function<transfer_framing(const endpoint_options&)> framing;
    /// Keys of the options with `transfer_framing::payload` and `header`; null: there are none.
    const char* payload_key = nullptr;
    const char* header_key = nullptr;
    /// Its frames have ranks (`transfer_fields::rank`), by which queues may serve them.
    bool sets_ranks = false;
    /// It reads what switches append to frames (`switch.telemetry`), whatever `tcp.congestion` is.
    bool reads_telemetry = false;
    /// It leaves its data in host memory until the adapter wants it.
    bool is_fetched = false;
    /// It reads `transport_options::round_trip`.
    bool reads_round_trip = false;
    /// Its transfers may be written over time (`transfer_request::written`).
    bool waits_for_writes = false;
};

using transport_registry = registry<transport_kind, transport_traits>;
transport_registry& transports();
constexpr registered_names<transport_kind, transports> names_of(transport_kind) {
    return {};
}

/// The transport of datagrams that need no answer, UDP: the second one of the list.
inline constexpr transport_kind datagram_transport{1};

}  // namespace weir::traffic
