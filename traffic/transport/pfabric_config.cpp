#include "weir/traffic/transport/pfabric_config.h"

#include <algorithm>

namespace weir::traffic {

/// As TCP's: a bit per frame, for each transfer with a gap.
static constexpr std::int64_t most_reach_frames = std::int64_t{1} << 20;

config_errors pfabric_config::validate() const {
    range_check check = check_ranges(*this, "pfabric");
    check.require(receive_window >= payload, "receive_window", receive_window, "at least {} ({payload})",
                  payload);
    check.require(receive_window.count() / std::max<std::int64_t>(1, payload.count()) <= most_reach_frames,
                  "receive_window", receive_window, "at most {} frames of {} ({payload})", most_reach_frames,
                  payload);
    return check.take();
}

}  // namespace weir::traffic
