#include "weir/traffic/roce/roce_config.h"

#include <algorithm>
#include <cstdint>

#include "weir/base/unit_text.h"
#include "weir/traffic/transport/segment_bitmaps.h"

namespace weir::traffic {

config_errors roce_config::validate() const {
    range_check check = check_ranges(*this, "roce");
    const bytes least = payload * std::int64_t{ack_every};
    check.require(effective_window() >= least, "window", window,
                  "at least {} ({payload} x {ack_every}), or the sender waits for an ACK that is not due",
                  least);
    check.require(
        recovery != loss_recovery::selective ||
            effective_window().count() / std::max<std::int64_t>(1, payload.count()) <= most_window_segments,
        "window", window, "at most {} frames of {} ({payload}) with {recovery} = selective",
        most_window_segments, payload);
    return check.take();
}

}  // namespace weir::traffic
