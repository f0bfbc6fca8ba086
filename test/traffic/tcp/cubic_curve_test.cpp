// CUBIC in a closed loop: what a sender sends per round trip after a loss, against RFC 9438's equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/loopback_network.h"
#include "support/sender_app.h"
#include "weir/traffic/congestion/congestion_kinds.h"

namespace weir::traffic {
namespace {

TEST(cubic, over_a_long_round_trip_a_window_follows_the_curve_from_a_loss_to_beyond_w_max) {
    constexpr std::uint64_t lost_segment = 400;
    constexpr picoseconds round_trip = 200ms;
    test::loopback_options options;
    options.latency = round_trip / 2;
    options.endpoint.tcp.congestion = named<congestion_kind>("cubic");
    options.endpoint.tcp.initial_window = 10;
    options.endpoint.tcp.min_rto = 1s;
    options.endpoint.tcp.receive_window = 64_MiB;
    const auto mss = static_cast<std::uint64_t>(options.endpoint.tcp.mss.count());
    test::loopback_network net(options);
    net.set_rule([&](const ethernet_frame& frame) {
        return test::loopback_network::fate{frame.kind == frame_kind::tcp_data &&
                                            frame.transfer.sequence == lost_segment * mss &&
                                            (frame.flags & retransmitted) == 0};
    });
    test::send_over(net, transport_kind{}, {1'000_MB}, 16s);

    // The loss is found with what is outstanding then; recovery ends a round trip later.
    picoseconds found{0};
    std::uint64_t highest = 0;
    std::vector<picoseconds> sent;
    for (const auto& each : net.seen()) {
        if (each.frame.kind != frame_kind::tcp_data) {
            continue;
        }
        if ((each.frame.flags & retransmitted) != 0) {
            ASSERT_EQ(found, 0_ps) << "one segment is sent twice";
            found = each.sent;
        } else if (found == 0_ps) {
            highest = each.frame.transfer.sequence / mss + 1;
        } else {
            sent.push_back(each.sent);
        }
    }
    const auto w_max = static_cast<double>(highest - lost_segment);
    ASSERT_GT(w_max, 300);
    const double k = std::cbrt(0.3 * w_max / 0.4);
    const auto curve = [&](picoseconds t) {
        return 0.4 * std::pow(static_cast<double>(t.count()) * 1e-12 - k, 3) + w_max;
    };
    // A round trip's segments are a window; it is between the curve and the curve a round trip later.
    const picoseconds start = found + round_trip;
    double furthest = 0;
    for (picoseconds t = 1s; start + t + round_trip < 16s; t += round_trip) {
        const auto first = std::upper_bound(sent.begin(), sent.end(), start + t);
        const auto last = std::upper_bound(sent.begin(), sent.end(), start + t + round_trip);
        const auto window = static_cast<double>(last - first);
        EXPECT_GE(window, curve(t) - 3) << t.count();
        EXPECT_LE(window, curve(t + 2 * round_trip) + 3) << t.count();
        furthest = window;
    }
    EXPECT_GT(furthest, 1.2 * w_max);
}

}  // namespace
}  // namespace weir::traffic
