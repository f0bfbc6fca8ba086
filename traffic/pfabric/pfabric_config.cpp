#include "weir/traffic/pfabric/pfabric_config.h"

#include <algorithm>
#include <cstdint>

#include "weir/base/unit_text.h"
#include "weir/traffic/transport/segment_bitmaps.h"

namespace weir::traffic {

config_errors pfabric_config::validate() const {
    range_check check = check_ranges(*this, "pfabric");
    check.require(receive_window >= payload, "receive_window", receive_window, "at least {} ({payload})",
                  payload);
    check.require(receive_window.count() / std::max<std::int64_t>(1, payload.count()) <= most_window_segments,
                  "receive_window", receive_window, "at most {} frames of {} ({payload})", most_window_segments,
                  payload);
    return check.take();
}

}  // namespace weir::traffic
