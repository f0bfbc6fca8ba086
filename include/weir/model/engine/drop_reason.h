// Why frames are lost.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/unit_text.h"

namespace weir::model {

using weir::to_text;

/// Why a frame was lost.
enum class drop_reason : std::uint8_t {
    ingress_full,       ///< no packet memory at an ingress port
    egress_full,        ///< no packet memory at an egress port (drop_policy::egress_tail)
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
    count
};
const char* to_text(drop_reason reason);
inline constexpr unsigned drop_reasons = static_cast<unsigned>(drop_reason::count);
using drop_counts = std::array<std::uint64_t, drop_reasons>;

}  // namespace weir::model
