// What all pFabric senders and receivers of a host share: parameters in the form in which the frame path needs
// them.
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/pfabric/pfabric_config.h"
#include "weir/traffic/transport/segment_bitmaps.h"
#include "weir/traffic/transport/timer_queue.h"

namespace weir::traffic {

/// What the defaults of window and timeout follow from.
struct pfabric_path {
    /// The host's link, and what it adds to a frame.
    bit_rate rate{0};
    bytes wire_overhead{20};
    /// The longest of the empty fabric, of a full frame and its ACK. 0: not known; the paper's values hold.
    picoseconds round_trip{0};
};

struct pfabric_context {
    static constexpr std::uint32_t paper_window = 12;
    static constexpr picoseconds paper_rto = 45us;

    pfabric_context(const pfabric_config& config, const pfabric_path& path, timer_kind retransmission_timer);

    std::uint64_t payload;
    std::uint32_t header;
    /// Frame of a full payload, and of an ACK or probe.
    std::uint16_t full_frame;
    std::uint16_t empty_frame;
    /// Unit: frames.
    std::uint32_t window;
    picoseconds rto;
    std::uint32_t probe_after;
    /// Frames from the first one that is not confirmed on that may be sent.
    std::uint64_t reach;
    timer_kind retransmission;
    /// Of senders: what was confirmed behind a gap. Of receivers: what has arrived there.
    segment_bitmaps bitmaps;
};

}  // namespace weir::traffic
