#include "weir/traffic/transport/transport_config.h"

#include <algorithm>
#include <cstdint>

#include "weir/base/unit_text.h"
#include "weir/traffic/transport/pfabric_config.h"
#include "weir/traffic/transport/roce_config.h"

namespace weir::traffic {

/// What a receiver keeps out of order is a bit per segment or frame of its window, for each transfer with a
/// gap: up to 128 KiB. The largest window has fewer segments of 1,024 B and more.
static constexpr std::int64_t most_window_segments = std::int64_t{1} << 20;

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
