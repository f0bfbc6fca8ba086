// A transport: how the bytes of a transfer get to another host. transport_kinds.h has the kinds by name, with
// the kinds of frames that are theirs.
//
// Each host has one object of each transport, with tables of its own: what it sends, what it receives. The
// endpoint hands it frames of its kinds, the timers that it set, and new transfers; it says what has arrived
// and what is done (`transfer_events`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/units.h"
#include "weir/protocol/endpoint.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/transport/timer_queue.h"
#include "weir/traffic/transport/transfer.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

/// What a transport tells of its transfers. It may be called from any of the transport's calls; what
/// applications do about it comes back before it returns (`delivered`), or after the host's call is done
/// (`sent`).
class transfer_events {
 public:
    virtual ~transfer_events() = default;
    /// Every byte of the transfer to which `frame` belongs has arrived here. The slot is free already: a new
    /// transfer may begin within this call.
    virtual void delivered(const ethernet_frame& frame, transport_kind transport) = 0;
    /// The sender is done with the transfer to which `frame` belongs. `rate`: that of an unreliable one.
    virtual void sent(const ethernet_frame& frame, transfer_owner owner, transport_kind transport,
                      bit_rate rate, std::uint32_t retransmits, std::uint32_t timeouts) = 0;
};

/// Parameters that all transports of a host have in common.
struct transport_options {
    /// Outlives the transports.
    const address_map* addresses = nullptr;
    /// The longest of a full frame and its ACK between two hosts of the empty fabric. 0: not known.
    picoseconds round_trip{0};
    /// What pacing adds to a frame. Unit: bytes. Default 20 B: preamble, delimiter, inter-frame gap.
    bytes wire_overhead{20};
    std::uint64_t seed = 1;
    /// Each host keeps a `segment_log`.
    bool logs_segments = false;
};

/// What a transport is made with, beside its options.
struct transport_setup {
    /// Both outlive the transport.
    transport_context& context;
    transfer_events& events;
    transport_kind kind;
    /// The first of the kinds of timers that are its own.
    timer_kind first_timer;
};

class transport {
 public:
    virtual ~transport() = default;

    /// Once, when `context.host` is known, before any other call.
    virtual void start() {}
    /// Why a transfer to this host cannot begin, as the end of a sentence; null if it can.
    virtual const char* refusal(host_id /*dst*/) { return nullptr; }
    /// `header` has all that the transfer's frames have in common but their kind.
    virtual void open(ethernet_frame header, transfer_owner owner, const transfer_request& request) = 0;
    /// A frame of one of its kinds.
    virtual void receive(const ethernet_frame& frame) = 0;
    /// A timer of one of its kinds has come up.
    virtual void expire(const timer_entry& entry) = 0;
    /// The NIC may take what it has said `not_now` to (`transport_context::offer`). Only who was told so is
    /// asked.
    virtual void ready() {}

    /// Appends the transfers that the sender is not done with, by slot, until the list has `most`.
    virtual void list_open(std::vector<open_transfer>& open, std::size_t most) const = 0;
    /// Payload of a transfer to this host that has arrived here, each byte once; 0 where that is not told.
    /// Unit: B.
    virtual std::uint64_t received_bytes(const open_transfer& /*transfer*/) { return 0; }

    /// Sizes of tables, for tests and memory reports: senders, receivers, transfers that come in and are not
    /// complete.
    virtual std::size_t sender_slots() const = 0;
    virtual std::size_t receiver_slots() const { return 0; }
    virtual std::size_t incoming() const = 0;
};

/// An object's number for a new transfer: the one freed last, or a new one.
template <class Slot>
std::uint32_t take_slot(std::vector<Slot>& slots, std::vector<std::uint32_t>& free) {
    if (free.empty()) {
        slots.emplace_back();
        return static_cast<std::uint32_t>(slots.size() - 1);
    }
    const std::uint32_t slot = free.back();
    free.pop_back();
    return slot;
}

/// What is known of a transfer that host `self` sends.
inline open_transfer describe_open(const ethernet_frame& frame, transport_kind transport, host_id self,
                                   host_id dst, std::uint32_t retransmits, std::uint32_t timeouts) {
    return {frame.transfer.flow,
            transport,
            self,
            dst,
            bytes{static_cast<std::int64_t>(frame.transfer.flow_bytes)},
            frame.transfer.start(),
            retransmits,
            timeouts,
            std::nullopt,
            frame.src,
            frame.transfer.tag,
            0,
            std::nullopt,
            std::nullopt,
            frame.priority,
            frame.transfer.job};
}

}  // namespace weir::traffic
