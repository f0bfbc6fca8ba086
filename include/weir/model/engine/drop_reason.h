// Why frames are lost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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
    evicted,  ///< gave way to another frame of its egress queue (switch.queue_order)
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
                                    {drop_reason::evicted, "evicted"}});
}
inline constexpr unsigned drop_reasons = static_cast<unsigned>(drop_reason::count);
using drop_counts = std::array<std::uint64_t, drop_reasons>;

/// From this one on: results list a reason only where frames were lost for it.
inline constexpr drop_reason first_reason_of_few = drop_reason::evicted;
/// Those that results list, where so many frames were lost.
inline std::vector<drop_reason> listed_reasons(const drop_counts& lost) {
    std::vector<drop_reason> listed;
    for (unsigned r = 0; r < drop_reasons; ++r) {
        if (static_cast<drop_reason>(r) < first_reason_of_few || lost[r] > 0) {
            listed.push_back(static_cast<drop_reason>(r));
        }
    }
    return listed;
}

}  // namespace weir::model
