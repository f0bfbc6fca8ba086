#include "weir/traffic/congestion/tcp_config.h"

#include <algorithm>
#include <cstdint>

#include "weir/base/unit_text.h"
#include "weir/traffic/transport/segment_bitmaps.h"

namespace weir::traffic {

picoseconds round_up(picoseconds time, picoseconds granularity) {
    if (granularity <= 0_ps) {
        return time;
    }
    const std::int64_t ticks = (time.count() + granularity.count() - 1) / granularity.count();
    return granularity * ticks;
}

// The timeout's sum with the shortest round trip that can be measured, and no variance.
picoseconds tcp_config::least_rto() const {
    const picoseconds sum = std::max(1_ps, rtt_clock) + rto_granularity + rto_addition;
    return std::clamp(round_up(sum, rto_granularity), min_rto, max_rto);
}

config_errors tcp_config::validate() const {
    range_check check = check_ranges(*this, "tcp");
    check.require(!initial_rto || *initial_rto >= min_rto, "initial_rto", initial_rto,
                  "at least {} ({min_rto})", min_rto);
    check.require(!initial_rto || max_rto >= *initial_rto, "max_rto", max_rto, "at least {} ({initial_rto})",
                  initial_rto);
    check.require(initial_rto || max_rto >= first_rto(), "max_rto", max_rto, "at least {} ({min_rto})",
                  first_rto());
    check.require(receive_window >= mss, "receive_window", receive_window, "at least {} ({mss})", mss);
    check.require(!receive_window_max || *receive_window_max >= receive_window, "receive_window_max",
                  receive_window_max, "at least {} ({receive_window})", receive_window);
    const char* const largest = receive_window_max ? "receive_window_max" : "receive_window";
    check.require(largest_window().count() / std::max<std::int64_t>(1, mss.count()) <= most_window_segments,
                  largest, largest_window(), "at most {} segments of {} ({mss})", most_window_segments, mss);
    config_errors errors = check.take();
    errors.add(flowbender.validate());
    errors.add(check_ranges(cubic, "cubic").take());
    errors.add(vegas.validate());
    return errors;
}

}  // namespace weir::traffic
