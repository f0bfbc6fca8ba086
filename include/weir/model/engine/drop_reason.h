// Why frames are lost.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::model {

using weir::to_text;

/// Why a frame was lost.
enum class drop_reason : std::uint8_t {
    ingress_full,       ///< no packet memory at an ingress port
    egress_full,        ///< no memory at an egress port, or a rule of its queue (docs/blocks/queue_rules.md)
    nic_full,           ///< the host's NIC queue; such a frame was never on a wire
    no_route,           ///< no TCAM entry matches, or its bitmap is empty
    oversized,          ///< longer than the fabric's largest frame
    link_down,          ///< a cut link
    bit_error,          ///< a bad FCS, by the link's error rate
    misdelivered,       ///< reached a host that it was not for
    watchdog,           ///< by the PFC watchdog of a switch, in a storm of pauses
    ingress_fifo_full,  ///< no room where frames wait for their lookup or for a shared memory's banks
    /// A lossless class: what its queue, or all such queues, may hold of a shared memory.
    lossless_egress_full,
    // Of switches with a rule that can lose frames so; results of others do not name them.
    ttl_expired,  ///< it has come to as many switches as its TTL allows
    no_detour,    ///< no memory at its egress port, nor at any other that it could take
    evicted,      ///< gave way to another frame of its egress queue (switch.queue_order)
    early,        ///< before memory was full, by the marker of its queue (marking.kind = red)
    count
};
constexpr auto names_of(drop_reason) {
    return enum_names<drop_reason>({{drop_reason::ingress_full, "ingress_full"},
                                    {drop_reason::egress_full, "egress_full"},
                                    {drop_reason::nic_full, "nic_full"},
                                    {drop_reason::no_route, "no_route"},
                                    {drop_reason::oversized, "oversized"},
                                    {drop_reason::link_down, "link_down"},
                                    {drop_reason::bit_error, "bit_error"},
                                    {drop_reason::misdelivered, "misdelivered"},
                                    {drop_reason::watchdog, "watchdog"},
                                    {drop_reason::ingress_fifo_full, "ingress_fifo_full"},
                                    {drop_reason::lossless_egress_full, "lossless_egress_full"},
                                    {drop_reason::ttl_expired, "ttl_expired"},
                                    {drop_reason::no_detour, "no_detour"},
                                    {drop_reason::evicted, "evicted"},
                                    {drop_reason::early, "early"}});
}
/// Only a rule of the switches can lose frames for this reason.
constexpr bool is_by_rule(drop_reason reason) {
    return reason > drop_reason::lossless_egress_full;
}
inline constexpr unsigned drop_reasons = static_cast<unsigned>(drop_reason::count);
using drop_counts = std::array<std::uint64_t, drop_reasons>;

}  // namespace weir::model
