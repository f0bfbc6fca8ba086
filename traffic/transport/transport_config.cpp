#include "weir/traffic/transport/transport_config.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "weir/base/unit_text.h"

namespace weir {

/// What a receiver keeps out of order is a bit per segment of its window, for each transfer with a gap: up to
/// 128 KiB. The largest window has fewer segments of 1,024 B and more.
static constexpr std::int64_t most_window_segments = std::int64_t{1} << 20;

config_errors tcp_config::validate() const {
    range_check check("tcp");
    check.within("mss", mss, mss_range);
    check.within("header", header, header_range);
    check.within("min_rto", min_rto, rto_range);
    if (initial_rto && check.within("initial_rto", *initial_rto, rto_range)) {
        check.require(*initial_rto >= min_rto, "initial_rto", *initial_rto,
                      "at least " + to_text(min_rto) + " (min_rto)");
    }
    if (check.within("max_rto", max_rto, max_rto_range)) {
        check.require(max_rto >= first_rto(), "max_rto", max_rto,
                      "at least " + to_text(first_rto()) + (initial_rto ? " (initial_rto)" : " (min_rto)"));
    }
    check.within("rto_granularity", rto_granularity, rto_granularity_range);
    check.within("initial_window", initial_window, initial_window_range);
    check.within("slow_start_limit", slow_start_limit, slow_start_limit_range);
    check.within("duplicate_acks", duplicate_acks, duplicate_acks_range);
    if (check.within("receive_window", receive_window, receive_window_range)) {
        check.require(receive_window >= mss, "receive_window", receive_window,
                      "at least " + to_text(mss) + " (mss)") &&
            check.require(
                receive_window.count() / std::max<std::int64_t>(1, mss.count()) <= most_window_segments,
                "receive_window", receive_window,
                "at most " + std::to_string(most_window_segments) + " segments of " + to_text(mss) + " (mss)");
    }
    check.within("ack_every", ack_every, ack_every_range);
    check.within("delayed_ack_timeout", delayed_ack_timeout, delayed_ack_timeout_range);
    return check.take();
}

config_errors udp_config::validate() const {
    range_check check("udp");
    check.within("payload", payload, payload_range);
    check.within("header", header, header_range);
    return check.take();
}

}  // namespace weir
