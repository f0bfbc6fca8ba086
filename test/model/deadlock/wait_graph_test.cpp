// Small wait-for graphs by hand: which queues can never send again.
#include "weir/model/deadlock/wait_graph.h"

#include <gtest/gtest.h>

#include "support/thread_team.h"
#include "weir/base/rng.h"

using namespace weir;
using namespace weir::model;
using namespace weir::test;

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

/// A pause goes on while so many cells of its switch stay, whoever has them.
class cells_that_stay : public shared_memory_rule {
 public:
    explicit cells_that_stay(std::uint32_t least) : m_least(least) {}
    void suppose(const std::vector<paused_queue>& stuck) override {
        m_cells.clear();
        for (const paused_queue& q : stuck) {
            for (const stored_cells& s : q.stored) {
                m_cells[q.queue.device] += s.cells;
            }
        }
    }
    bool keeps(const paused_queue& q) const override {
        const auto held = m_cells.find(q.by_device);
        return held != m_cells.end() && held->second >= m_least;
    }

 private:
    std::uint32_t m_least;
    std::map<std::uint32_t, std::uint32_t> m_cells;
};

TEST(wait_graph, of_shared_memories_rests_on_what_stays_in_stuck_queues) {
    const auto shared_queue = [](std::uint32_t device, std::uint32_t by, std::uint32_t cells) {
        paused_queue q = ring_queue(device, by, 3000, 1);
        q.by_shared_memory = true;
        q.stored = {{0, cells}};
        return q;
    };
    cells_that_stay rule(10);
    const std::vector<paused_queue> ring{shared_queue(0, 1, 10), shared_queue(1, 2, 10),
                                         shared_queue(2, 0, 10)};
    const wait_graph stuck(ring, never_room, &rule);
    EXPECT_EQ(stuck.stuck().size(), 3U);
    EXPECT_EQ(devices_of(stuck.circle()), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(stuck.circle()[0].frames->bytes, 3000U);
    // One cell less at one switch, and all of them go on.
    const std::vector<paused_queue> open{shared_queue(0, 1, 10), shared_queue(1, 2, 9), shared_queue(2, 0, 10)};
    EXPECT_TRUE(wait_graph(open, never_room, &rule).stuck().empty());
    // A queue that is not paused keeps nobody waiting.
    const std::vector<paused_queue> chain{shared_queue(0, 1, 10), shared_queue(1, 2, 10)};
    EXPECT_TRUE(wait_graph(chain, never_room, &rule).stuck().empty());
}

TEST(wait_graph, the_circle_of_shared_memories_follows_stuck_queues_only) {
    cells_that_stay rule(1);
    paused_queue first = ring_queue(0, 1, 3000, 1);
    paused_queue second = ring_queue(1, 0, 3000, 1);
    for (paused_queue* q : {&first, &second}) {
        q->by_shared_memory = true;
        q->stored = {{0, 5}};
        q->waiting.push_back({3, 0, 9000});  // in a queue that sends
    }
    const wait_graph graph({first, second}, never_room, &rule);
    ASSERT_EQ(graph.circle().size(), 2U);
    EXPECT_EQ(graph.circle()[0].frames->egress_port, 1U);
}

TEST(kept_pauses, are_those_that_are_wanted_and_that_no_xon_has_followed) {
    const class_queue q{1, 2, 3};
    const auto keeps = [&](const std::vector<seen_pause>& before, const seen_pause& now) {
        return kept_up(before, {now}).size() == 1;
    };
    EXPECT_TRUE(keeps({{q, true, 7}}, {q, true, 7}));
    EXPECT_FALSE(keeps({}, {q, true, 7})) << "it was not paused at the look before";
    EXPECT_FALSE(keeps({{q, true, 6}}, {q, true, 7}))
        << "an XON may be on its way, though XOFF comes behind it";
    EXPECT_FALSE(keeps({{q, true, 7}}, {q, false, 7})) << "an XON waits for the frame that is being sent";
    EXPECT_TRUE(keeps({{q, false, 7}}, {q, true, 7})) << "what it wanted then does not matter";
    EXPECT_FALSE(keeps({{{1, 2, 4}, true, 7}}, {q, true, 7})) << "another class";
    EXPECT_FALSE(keeps({{q, true, 7}}, {q, true, 6}))
        << "the count has begun anew, and may have had an XON before";
    EXPECT_TRUE(
        keeps({{{0, 0, 0}, true, 1}, {{0, 1, 0}, true, 1}, {{1, 2, 2}, true, 1}, {q, true, 7}}, {q, true, 7}))
        << "pauses that have ended come before it";
    EXPECT_TRUE(kept_up({{q, true, 7}}, {}).empty());
}

TEST(kept_pauses, are_told_apart_by_their_queues) {
    const std::vector<seen_pause> before{{{0, 0, 0}, true, 1},
                                         {{0, 1, 0}, true, 1},
                                         {{1, 0, 0}, true, 1},
                                         {{1, 0, 2}, true, 1},
                                         {{3, 0, 0}, true, 1}};
    const std::vector<seen_pause> now{{{0, 0, 1}, true, 1},
                                      {{0, 1, 0}, true, 1},
                                      {{1, 0, 2}, true, 2},
                                      {{2, 0, 0}, true, 1},
                                      {{3, 0, 0}, true, 1}};
    EXPECT_EQ(kept_up(before, now), (std::vector<class_queue>{{0, 1, 0}, {3, 0, 0}}));
}

TEST(wait_graph, nothing_paused_is_nothing_stuck) {
    EXPECT_TRUE(wait_graph({}, never_room).stuck().empty());
    EXPECT_TRUE(wait_graph({}, never_room).circle().empty());
}

// A switch's rank is its number modulo how many ranks there are. A rank knows of its own switches only.
TEST(wait_graph, ranks_that_each_judge_some_pauses_find_the_same_circle_as_one_that_judges_all) {
    unsigned circles = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        random_stream chance(seed, 0, random_purpose::adversary);
        const unsigned switches = 4 + chance.below(6);
        std::vector<paused_queue> queues;
        for (std::uint32_t s = 0; s < switches; ++s) {
            for (std::uint32_t port = 0; port < 2; ++port) {
                paused_queue q = ring_queue(s, chance.below(switches), 0, 1 + chance.below(8000));
                q.queue.egress_port = port;
                q.queued_bytes = 1000 + chance.below(9000);
                q.waiting = {{0, 0, 1 + chance.below(5000)}, {1, 0, 1 + chance.below(5000)}};
                queues.push_back(q);
            }
        }
        const auto room = [](std::uint32_t, std::uint32_t, pfc_class, const class_counts& held) {
            return held[0] < 3000;
        };
        const auto text = [](const wait_graph& graph) {
            std::string steps = std::to_string(graph.stuck().size());
            for (const wait_graph::step& step : graph.circle()) {
                steps += " " + std::to_string(step.queue->queue.device) + "." +
                         std::to_string(step.queue->queue.egress_port) + " " +
                         std::to_string(step.frames->bytes);
            }
            return steps;
        };
        const std::string by_one = text(wait_graph(queues, room));
        circles += by_one != "0" ? 1 : 0;
        thread_team team(2 + chance.below(2));
        std::vector<std::string> found(team.size());
        team.run([&](rank_team& rank) {
            std::vector<paused_queue> known = queues;
            for (paused_queue& q : known) {
                q.is_judged_here = q.by_device % team.size() == rank.rank();
                if (!q.is_judged_here) {
                    q.waiting.clear();
                    q.xon = 1;
                }
                if (q.queue.device % team.size() != rank.rank()) {
                    q.queued_bytes = 0;
                }
            }
            found[rank.rank()] = text(wait_graph(known, room, nullptr, rank));
        });
        EXPECT_EQ(found, std::vector<std::string>(team.size(), by_one)) << "seed " << seed;
    }
    EXPECT_GT(circles, 50U);
    EXPECT_LT(circles, 250U);
}

}  // namespace
