// Small wait-for graphs by hand: which queues can never send again.
#include "weir/model/wait_graph.h"

#include <gtest/gtest.h>

using namespace weir;

namespace {

/// No egress port has room, whatever it holds.
bool never_room(std::uint32_t, std::uint32_t, pfc_class, const class_counts&) {
    return false;
}

/// Class 0 of port 1 of switch `device` is paused by port 0 of switch `by`, where `bytes` wait for port 1.
paused_queue ring_queue(std::uint32_t device, std::uint32_t by, std::uint32_t bytes, std::uint32_t xon) {
    paused_queue q;
    q.queue = {device, 1, 0};
    q.queued_bytes = 5000;
    q.by_device = by;
    q.by_port = 0;
    q.xon = xon;
    q.waiting = {{1, 0, bytes}};
    return q;
}

std::vector<std::uint32_t> devices_of(const std::vector<wait_graph::step>& circle) {
    std::vector<std::uint32_t> devices;
    for (const wait_graph::step& step : circle) {
        devices.push_back(step.queue->queue.device);
    }
    return devices;
}

TEST(wait_graph, a_ring_of_three_is_stuck_and_its_circle_begins_with_the_first) {
    const wait_graph graph(
        {ring_queue(7, 2, 9000, 4000), ring_queue(5, 7, 9000, 4000), ring_queue(2, 5, 9000, 4000)}, never_room);
    EXPECT_EQ(graph.stuck().size(), 3U);
    EXPECT_EQ(devices_of(graph.circle()), (std::vector<std::uint32_t>{2, 5, 7}));
}

TEST(wait_graph, a_ring_in_which_one_pause_could_end_is_not_stuck_at_all) {
    // Below XON at one place: that pause ends, and then the next one's frames leave.
    const wait_graph graph(
        {ring_queue(0, 1, 9000, 4000), ring_queue(1, 2, 3999, 4000), ring_queue(2, 0, 9000, 4000)}, never_room);
    EXPECT_TRUE(graph.stuck().empty());
    EXPECT_TRUE(graph.circle().empty());
}

TEST(wait_graph, exactly_the_xon_threshold_keeps_a_pause) {
    const wait_graph graph({ring_queue(0, 1, 4000, 4000), ring_queue(1, 0, 4000, 4000)}, never_room);
    EXPECT_EQ(graph.stuck().size(), 2U);
}

TEST(wait_graph, a_chain_that_ends_at_a_queue_that_sends_is_not_stuck) {
    // Switch 3's port 1 is not paused.
    const wait_graph graph({ring_queue(0, 1, 9000, 1), ring_queue(1, 2, 9000, 1), ring_queue(2, 3, 9000, 1)},
                           never_room);
    EXPECT_TRUE(graph.stuck().empty());
}

TEST(wait_graph, frames_for_queues_that_send_do_not_count_towards_the_pause) {
    // 3,000 B wait for the ring and 6,000 B for a port that sends: when those have left, it is below XON.
    paused_queue q = ring_queue(1, 0, 3000, 4000);
    q.waiting.push_back({3, 0, 6000});
    const wait_graph free({ring_queue(0, 1, 9000, 4000), q}, never_room);
    EXPECT_TRUE(free.stuck().empty());
    q.waiting[0].bytes = 4000;
    const wait_graph stuck({ring_queue(0, 1, 9000, 4000), q}, never_room);
    EXPECT_EQ(stuck.stuck().size(), 2U);
}

TEST(wait_graph, queues_behind_a_circle_are_stuck_and_not_of_it) {
    paused_queue behind = ring_queue(4, 1, 0, 4000);
    behind.by_port = 2;
    behind.waiting = {{0, 0, 50}, {1, 0, 8000}};
    const wait_graph graph({ring_queue(0, 1, 9000, 4000), behind, ring_queue(1, 0, 9000, 4000)}, never_room);
    EXPECT_EQ(graph.stuck().size(), 3U);
    EXPECT_EQ(devices_of(graph.circle()), (std::vector<std::uint32_t>{0, 1}));
}

TEST(wait_graph, the_circle_follows_what_most_bytes_wait_for) {
    // From switch 0 two circles: over 1, where 3,000 B wait for it, and over 2, where 5,000 B do.
    paused_queue q = ring_queue(0, 3, 0, 1000);
    q.waiting = {{1, 0, 3000}, {2, 0, 5000}};
    paused_queue first = ring_queue(3, 0, 9000, 1000);
    paused_queue second = ring_queue(3, 0, 9000, 1000);
    second.queue.egress_port = 2;
    const wait_graph graph({q, first, second}, never_room);
    ASSERT_EQ(graph.circle().size(), 2U);
    EXPECT_EQ(graph.circle()[1].queue->queue.egress_port, 2U);
    EXPECT_EQ(graph.circle()[0].frames->bytes, 5000U);
}

TEST(wait_graph, room_at_egress_is_asked_for_with_the_stuck_queues_frames_only) {
    // Class 3 of the ring's ports is stuck; class 5 of them sends. With class 5's frames gone there is room for
    // another frame of class 3, so frames still cross and the pauses may end.
    const auto in_class_3 = [](std::uint32_t device, std::uint32_t by) {
        paused_queue q = ring_queue(device, by, 9000, 4000);
        q.queue.frame_class = 3;
        q.waiting[0].frame_class = 3;
        return q;
    };
    const std::vector<paused_queue> queues{in_class_3(0, 1), in_class_3(1, 0)};
    std::vector<class_counts> asked;
    const auto capacity = [&](std::uint32_t limit) {
        return [&asked, limit](std::uint32_t, std::uint32_t port, pfc_class c, const class_counts& held) {
            EXPECT_EQ(port, 1U);
            EXPECT_EQ(c, 3);
            asked.push_back(held);
            return held[3] < limit;
        };
    };
    EXPECT_EQ(wait_graph(queues, capacity(5000)).stuck().size(), 2U);
    EXPECT_TRUE(wait_graph(queues, capacity(5001)).stuck().empty());
    for (const class_counts& held : asked) {
        EXPECT_EQ(held[3], 5000U);
        EXPECT_EQ(held[5], 0U);
    }
}

TEST(wait_graph, frames_of_a_class_that_is_not_paused_wait_for_the_stuck_class_that_has_their_ports_memory) {
    // At either switch the frames that count for the pause of class 0 are of class 1, whose queue at port 1 is
    // empty and not paused; class 0 has taken the port's memory.
    paused_queue first = ring_queue(0, 1, 9000, 4000);
    first.waiting[0].frame_class = 1;
    paused_queue second = ring_queue(1, 0, 9000, 4000);
    second.waiting[0].frame_class = 1;
    const auto shared = [](std::uint32_t, std::uint32_t, pfc_class, const class_counts& held) {
        return held[0] + held[1] < 5000;
    };
    const wait_graph graph({first, second}, shared);
    EXPECT_EQ(graph.stuck().size(), 2U);
    EXPECT_EQ(devices_of(graph.circle()), (std::vector<std::uint32_t>{0, 1}));
    const auto split = [](std::uint32_t, std::uint32_t, pfc_class c, const class_counts& held) {
        return held[c] < 5000;
    };
    EXPECT_TRUE(wait_graph({first, second}, split).stuck().empty());
}

TEST(wait_graph, nothing_paused_is_nothing_stuck) {
    EXPECT_TRUE(wait_graph({}, never_room).stuck().empty());
    EXPECT_TRUE(wait_graph({}, never_room).circle().empty());
}

}  // namespace
