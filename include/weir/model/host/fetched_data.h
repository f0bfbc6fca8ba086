// Data that transports leave in host memory until the adapter wants it: RoCE's and pFabric's. The adapter
// fetches the next frame when the one before is on the wire: one is ready, none waits behind it. Frames on
// their way through the stack count as fetched, and so many more are as the line can send meanwhile.
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::model {

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
