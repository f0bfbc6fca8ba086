// A NIC's queues and rate limiters: whether a frame may come at all, and which of those that wait is sent next.
//
// Kinds are chosen by name (`host.nic`). The default one is `class_queues`; another may be a limiter that
// spaces a flow's frames, queues by rank, or one that says "not now" to software instead of dropping.
//
// A frame's way: `admit` when software hands it over, `enqueue` when it has come through the stack, `dequeue`
// when it is sent. The NIC asks for a frame when its line is free and something may have changed: a frame
// came, a pause ended, or the time has come that `next_release` gave.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/frame/flow_bytes.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/protocol/endpoint.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// A rate limiter of a NIC, as of its last frame, notification or timer.
struct rate_limit {
    /// Of all frames to this host, or of this transfer; of frames of this class.
    std::optional<ipv4_address> dst;
    std::optional<std::uint64_t> flow;
    pfc_class frame_class = 0;
    bit_rate rate{0};
};

class nic_queues {
 public:
    virtual ~nic_queues() = default;

    /// False: `admit` takes every frame, and need not be asked.
    virtual bool may_refuse() const { return true; }
    /// Whether a frame may come, beside the `held` bytes that wait here or are on their way through the stack.
    /// Who refuses a frame (`not_now`, `not_this`) refuses all later frames of that flow too, until
    /// `takes_again` has been true.
    virtual send_outcome admit(const ethernet_frame& frame, bytes held, picoseconds now) = 0;
    /// A frame that was admitted is here; `frame_route::frame_class` is set. Returns a frame that has to give
    /// way to it, which is then dropped, or `no_slot`.
    virtual frame_slot enqueue(frame_slot slot, picoseconds now) = 0;
    /// Takes the next frame of one of these classes that may be sent now; `no_slot` if there is none.
    virtual frame_slot dequeue(class_mask classes, picoseconds now) = 0;
    /// The link is cut: takes a frame that waits, though a limiter would keep it, and nothing counts as sent.
    /// `no_slot` if there is none.
    virtual frame_slot discard(picoseconds now) { return dequeue(backlog(), now); }
    /// Classes of the frames that wait.
    virtual class_mask backlog() const = 0;
    /// Adds what waits of the class, by transfer: it is paused.
    virtual void add_flows(pfc_class c, flow_bytes_list& flows) const = 0;

    /// When `dequeue` may have a frame that it does not have now; `never` if time alone changes nothing.
    virtual picoseconds next_release(picoseconds /*now*/) const { return never; }
    /// A frame for this host has come in: a notification may slow a flow down. True: it is the NIC's own, and
    /// software does not see it.
    virtual bool takes_notification(const ethernet_frame& /*frame*/, picoseconds /*now*/) { return false; }
    /// Asked after each `dequeue`, once `admit` has refused a frame: software shall try again.
    virtual bool takes_again() { return false; }
    /// Limiters whose flows send slower than the link, in any order.
    virtual std::vector<rate_limit> rate_limits() const { return {}; }
};

/// What a NIC is made of; all of it outlives the NIC's queues.
struct nic_setup {
    const host_config& config;
    bit_rate rate;
    frame_slab& slab;
    qcn_config qcn{};
    bytes wire_overhead{20};
    /// Frames of higher priorities are of the highest class.
    unsigned classes = pfc_classes;
    /// Of this host, for its NIC alone.
    random_stream chance{1, 0, random_purpose::rate_limiting};
};

struct nic_traits {
    std::function<std::unique_ptr<nic_queues>(const nic_setup&)> make;
    /// It has rate limiters that obey the notifications of QCN.
    bool obeys_notifications = false;
};

registry<nic_kind, nic_traits>& nic_kinds();
constexpr registered_names<nic_kind, nic_kinds> names_of(nic_kind) {
    return {};
}
/// `host.nic = auto`. `notified`: switches send notifications. `fetches`: some transport leaves its data in
/// host memory until the adapter wants it.
nic_kind default_nic(bool notified, bool fetches);
/// Refuses an adapter (`host.nic`) without rate limiters for the notifications that switches send, and one
/// whose memory holds no frame.
void check_nic(range_check& check, const host_config& host, bool notified, bytes max_frame);

// Data that transports leave in host memory until the adapter wants it: RoCE's and pFabric's. The adapter
// fetches the next frame when the one before is on the wire: one is ready, none waits behind it. Frames on
// their way through the stack count as fetched, and so many more are as the line can send meanwhile.

constexpr bool is_fetched(const ethernet_frame& frame) {
    constexpr unsigned kinds = 1U << static_cast<unsigned>(frame_kind::roce_data) |
                               1U << static_cast<unsigned>(frame_kind::pfabric_data);
    return (kinds >> static_cast<unsigned>(frame.kind) & 1) != 0;
}

/// How much may be fetched before the next frame is refused: what the line sends while a frame passes the
/// stack. Unit: B, whole ones.
constexpr std::int64_t fetched_ahead(picoseconds stack_out, bit_rate rate) {
    __extension__ using wide = __int128;
    return static_cast<std::int64_t>(static_cast<wide>(stack_out.count()) * rate.count() / 8'000'000'000'000);
}

}  // namespace weir::model
