// One port's link as the configuration has it: what it is at the start, and how it changes.
#pragma once

#include <algorithm>
#include <optional>

#include "weir/base/rng.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

/// One port's link.
struct port_config {
    bit_rate rate{0};
    /// One way; must be greater than zero.
    picoseconds latency{0};
    bytes wire_overhead{0};
    /// Share of frames lost on their way in, whatever their length. Range: 0-1.
    double frame_error_rate = 0;
    /// Share of bits that arrive wrong; one is enough to lose the frame. Range: 0-1.
    double bit_error_rate = 0;
    /// The fastest and the longest that the link will be, where changes are scheduled; below the above:
    /// it is never faster, or longer, than at the start.
    bit_rate later_rate{0};
    picoseconds later_latency{0};
    /// A switch is at the link's other end.
    bool to_switch = false;

    bit_rate fastest_rate() const { return std::max(rate, later_rate); }
    picoseconds longest_latency() const { return std::max(latency, later_latency); }

    bool has_errors() const { return frame_error_rate > 0 || bit_error_rate > 0; }
    /// Whether a frame is lost to errors; draws only where the link has any.
    bool corrupts(bytes frame_bytes, random_stream& chance) const;
};

/// A link cut, mended or made another at a given time, at this end. What is left open stays as it is.
struct link_change {
    picoseconds at;
    unsigned port;
    /// Cut or mended.
    std::optional<bool> up;
    /// 0 leaves the rate as it is.
    bit_rate rate;
    /// Range: > 0.
    std::optional<picoseconds> latency{};
    /// Range of both: 0-1.
    std::optional<double> frame_error_rate{};
    std::optional<double> bit_error_rate{};
};

}  // namespace weir::model
