#include "weir/traffic/transport/roce_config.h"

#include <algorithm>

namespace weir::traffic {

/// As TCP's: a bit per frame, for each queue pair with a gap.
static constexpr std::int64_t most_window_frames = std::int64_t{1} << 20;

config_errors roce_config::validate() const {
    range_check check = check_ranges(*this, "roce");
    const bytes least = payload * std::int64_t{ack_every};
    check.require(effective_window() >= least, "window", window,
                  "at least {} ({payload} x {ack_every}), or the sender waits for an ACK that is not due",
                  least);
    check.require(
        recovery != loss_recovery::selective ||
            effective_window().count() / std::max<std::int64_t>(1, payload.count()) <= most_window_frames,
        "window", window, "at most {} frames of {} ({payload}) with {recovery} = selective", most_window_frames,
        payload);
    return check.take();
}

}  // namespace weir::traffic
