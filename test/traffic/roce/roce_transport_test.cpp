// RoCE between hosts that a delay joins: how frames are spaced, what losses cost, what marks do.
#include "weir/traffic/roce/roce_transport.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/loopback_network.h"
#include "support/sender_app.h"
#include "weir/base/rng.h"
#include "weir/traffic/roce/rate_controls.h"

namespace weir::traffic {
namespace {

using test::loopback_network;
using test::loopback_options;
using test::sender_app;

sender_app& send(loopback_network& net, std::vector<bytes> sizes, picoseconds end = latest_time) {
    return test::send_over(net, named<transport_kind>("roce"), std::move(sizes), end);
}

loopback_options with(loss_recovery recovery = loss_recovery::go_back_n) {
    loopback_options options;
    options.endpoint.roce.recovery = recovery;
    options.endpoint.roce.ack_timeout = 200us;
    options.endpoint.roce.nak_interval = 50us;
    return options;
}

/// Of a full frame at 10 Gb/s: 1,024 + 62 + 20 B.
constexpr picoseconds full_frame = 884'800_ps;

TEST(roce_transport, frames_leave_back_to_back_at_the_links_rate) {
    loopback_network net(with());
    const sender_app& app = send(net, {2'048_B});
    ASSERT_EQ(net[1].log().deliveries.size(), 1U);
    EXPECT_EQ(net[1].log().deliveries[0].end, 2 * full_frame + 1us);
    EXPECT_EQ(app.sent, 1U);
    EXPECT_EQ(net[0].counters().sent.bytes_of(frame_kind::roce_data), 2U * 1'086);
    EXPECT_EQ(net[1].counters().sent.bytes_of(frame_kind::roce_ack), 2U * 66);
    EXPECT_EQ(net[0].flows_open(), 0U);
    EXPECT_EQ(net[0].pending_timers(), 0U) << "but for what has come up since";
}

TEST(roce_transport, delivers_every_byte_once_whatever_is_lost_and_late) {
    for (const loss_recovery recovery : {loss_recovery::go_back_n, loss_recovery::selective}) {
        for (const std::uint32_t ack_every : {1U, 4U}) {
            for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                SCOPED_TRACE(testing::Message()
                             << "recovery " << static_cast<int>(recovery) << ", seed " << seed);
                loopback_options options = with(recovery);
                options.endpoint.roce.ack_every = ack_every;
                loopback_network net(options);
                random_stream chance(seed, 0, random_purpose::bit_errors);
                const auto percent = static_cast<std::uint32_t>(1 + seed % 6);
                net.set_rule([&](const ethernet_frame&) {
                    return loopback_network::fate{chance.below(100) < percent,
                                                  chance.below(100) < 3 ? picoseconds{5us} : 0_ps};
                });
                const sender_app& app = send(net, {300_KB, 1_B, 77'777_B, 1024_B, 1_MB});
                EXPECT_EQ(app.sent, 5U);
                EXPECT_EQ(net[1].log().deliveries.size(), 5U);
                EXPECT_EQ(net[1].counters().delivered_bytes, 300'000U + 1 + 77'777 + 1'024 + 1'000'000);
                EXPECT_EQ(net[0].flows_open(), 0U);
                EXPECT_EQ(net[1].incoming(), 0U);
                EXPECT_GT(net[0].counters().retransmits, 0U);
            }
        }
    }
}

/// Loses the first copy of the frame at this offset.
loopback_network::rule lose_first_at(std::uint64_t offset) {
    return [offset, done = false](const ethernet_frame& frame) mutable {
        const bool lose = !done && frame.kind == frame_kind::roce_data && frame.transfer.sequence == offset;
        done = done || lose;
        return loopback_network::fate{lose, 0_ps};
    };
}

TEST(roce_transport, go_back_n_sends_again_what_followed_the_loss_and_selective_the_loss_alone) {
    std::uint64_t again[2] = {0, 0};
    for (const loss_recovery recovery : {loss_recovery::go_back_n, loss_recovery::selective}) {
        loopback_network net(with(recovery));
        net.set_rule(lose_first_at(10 * 1024));
        send(net, {100 * 1024_B});
        again[static_cast<int>(recovery)] = net[0].counters().retransmits;
        EXPECT_EQ(net[0].counters().timeouts, 0U);
        EXPECT_EQ(net[1].log().deliveries.size(), 1U);
    }
    // A round trip of 3 us is 3 to 5 frames.
    EXPECT_GE(again[0], 3U);
    EXPECT_LE(again[0], 6U);
    EXPECT_EQ(again[1], 1U);
}

TEST(roce_transport, one_nak_is_sent_for_a_gap_until_its_interval_is_over) {
    loopback_network net(with());
    net.set_rule(lose_first_at(10 * 1024));
    send(net, {100 * 1024_B});
    EXPECT_EQ(net[1].counters().sent.frames_of(frame_kind::roce_nak), 1U);
    EXPECT_GE(net[1].counters().out_of_order_segments, 3U);
}

TEST(roce_transport, a_lost_last_frame_comes_again_after_the_timeout) {
    for (const loss_recovery recovery : {loss_recovery::go_back_n, loss_recovery::selective}) {
        loopback_network net(with(recovery));
        net.set_rule(lose_first_at(9 * 1024));
        send(net, {10 * 1024_B});
        ASSERT_EQ(net[1].log().deliveries.size(), 1U);
        // The timer started anew with the ACK of the ninth frame.
        const picoseconds ack = 9 * full_frame + 1us + transmission_time(86_B, 10_Gbps) + 1us;
        EXPECT_EQ(net[1].log().deliveries[0].end, ack + 200us + full_frame + 1us);
        EXPECT_EQ(net[0].counters().timeouts, 1U);
        EXPECT_EQ(net[0].counters().retransmits, 1U);
    }
}

TEST(roce_transport, a_window_bounds_what_is_not_confirmed) {
    loopback_options options = with();
    options.endpoint.roce.window = 2 * 1024_B;
    loopback_network net(options);
    send(net, {6 * 1024_B});
    ASSERT_EQ(net[1].log().deliveries.size(), 1U);
    // Two frames, then each waits for the ACK of the one two before it.
    const picoseconds round_trip = full_frame + 1us + transmission_time(86_B, 10_Gbps) + 1us;
    EXPECT_EQ(net[1].log().deliveries[0].end, 2 * round_trip + 2 * full_frame + 1us);
}

/// Marks all data.
loopback_network::rule count_cnps(std::vector<picoseconds>& sent, const loopback_network& net) {
    return [&sent, &net](const ethernet_frame& frame) {
        if (frame.kind == frame_kind::cnp) {
            sent.push_back(net.now());
        }
        return loopback_network::fate{};
    };
}

TEST(roce_transport, marks_are_answered_by_one_notification_per_interval_which_cuts_the_rate) {
    for (const bool heeds : {true, false}) {
        loopback_options options = with();
        options.endpoint.roce.rate_control =
            heeds ? named<rate_control_kind>("dcqcn") : named<rate_control_kind>("none");
        loopback_network net(options);
        std::vector<picoseconds> cnps;
        net.set_rule(count_cnps(cnps, net));
        // A marked frame of the transfer at 20 us, twenty more within the interval, one behind it.
        ethernet_frame marked;
        marked.kind = frame_kind::roce_data;
        marked.src = net.address_of(0);
        marked.dst = net.address_of(1);
        marked.frame_bytes = 1'086;
        marked.flags = ecn_capable | ecn_marked;
        marked.transfer = {0, 0, 0, 1'000'000};
        for (int i = 0; i < 21; ++i) {
            net.inject(20us + i * picoseconds{2us}, 1, marked);
        }
        net.inject(70us, 1, marked);
        send(net, {1_MB});
        const picoseconds unmarked = 977 * full_frame + 1us;
        ASSERT_EQ(net[1].log().deliveries.size(), 1U);
        EXPECT_EQ(net[1].counters().marked_segments, 22U);
        if (heeds) {
            EXPECT_EQ(cnps, (std::vector<picoseconds>{20us, 70us}));
            EXPECT_GT(net[1].log().deliveries[0].end, unmarked);
            EXPECT_EQ(net[1].counters().sent.bytes_of(frame_kind::cnp), 2U * 78);
        } else {
            EXPECT_TRUE(cnps.empty());
            EXPECT_LE(net[1].log().deliveries[0].end, unmarked);
        }
    }
}

TEST(roce_transport, a_cut_spaces_frames_at_the_new_rate_at_once) {
    loopback_options options = with();
    options.endpoint.roce.dcqcn.increase_timer = 1s;
    loopback_network net(options);
    ethernet_frame cnp;
    cnp.kind = frame_kind::cnp;
    cnp.src = net.address_of(1);
    cnp.dst = net.address_of(0);
    cnp.frame_bytes = 78;
    cnp.notification = {};
    cnp.notification.flow = 0;
    // Within the gap behind the first frame, which doubles.
    net.inject(500ns, 0, cnp);
    send(net, {3 * 1024_B});
    std::vector<picoseconds> sent;
    for (const auto& each : net.seen()) {
        if (each.frame.kind == frame_kind::roce_data) {
            sent.push_back(each.sent);
        }
    }
    EXPECT_EQ(sent, (std::vector<picoseconds>{0_ps, 2 * full_frame, 4 * full_frame}));
}

TEST(waiting_senders, are_served_in_turn_and_leave_from_any_place) {
    std::vector<std::uint32_t> next(5, 0);
    const auto links = [&](std::uint32_t slot) -> std::uint32_t& { return next[slot]; };
    waiting_senders waiting;
    for (const std::uint32_t slot : {2U, 0U, 3U, 1U}) {
        waiting.push(5, slot, links);
    }
    waiting.push(0, 4, links);
    EXPECT_EQ(waiting.priorities(), 1U << 5 | 1U);
    waiting.remove(0, 4, links);
    EXPECT_EQ(waiting.priorities(), 1U << 5);
    waiting.remove(5, 3, links);
    EXPECT_EQ(next[3], waiting_senders::absent);
    EXPECT_NE(next[1], waiting_senders::absent);  // the last one
    EXPECT_EQ(waiting.first(5), 2U);
    waiting.remove(5, 2, links);
    EXPECT_EQ(waiting.first(5), 0U);
    waiting.remove(5, 1, links);
    waiting.push(5, 2, links);
    waiting.remove(5, 0, links);
    EXPECT_EQ(waiting.first(5), 2U);
    waiting.remove(5, 2, links);
    EXPECT_EQ(waiting.first(5), waiting_senders::none);
    EXPECT_EQ(waiting.first(4), waiting_senders::none);
    EXPECT_EQ(waiting.priorities(), 0U);
}

}  // namespace
}  // namespace weir::traffic
