// Rules that depend on what egress queues hold, in whole switches: marking against a literal queue, overflow,
// order by rank, and frames that a switch makes itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/fabric_rig.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::test {

using namespace model;

namespace {

constexpr picoseconds frame_time = 8us;  // 1,000 B at 1 Gb/s
constexpr int each = 40;                 // frames of each of two senders

topology three_hosts() {
    single_config config;
    config.hosts = 3;
    return make_topology(config);
}

fabric_parameters plain(buffer_kind memory) {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.device.buffer = memory;
    p.device.lookup_delay = 1us;
    return p;
}

/// Hosts 0 and 1 send to host 2 as fast as they can.
void send_from_two(fabric_rig& rig, std::uint8_t flags, int frames = each) {
    for (host_id src = 0; src < 2; ++src) {
        ethernet_frame frame = rig.frame(src, 2, 1000);
        frame.flags = flags;
        rig.stream(0us, frames, frame, src);
    }
}

/// The queue of host 2's port, frame by frame: when each comes to it, and when its first bit leaves. Times are
/// those since the first pair's lookups were done.
struct literal_queue {
    std::vector<picoseconds> comes;
    std::vector<picoseconds> leaves;

    explicit literal_queue(buffer_kind memory) {
        for (int pair = 0; pair < each; ++pair) {
            // One of the two crosses at four times the line rate, then the other; without a crossbar the queue
            // has both at once.
            const picoseconds crossing = memory == buffer_kind::partitioned ? frame_time / 4 : 0_ps;
            comes.push_back(pair * frame_time + crossing);
            comes.push_back(pair * frame_time + 2 * crossing);
        }
        for (std::size_t i = 0; i < comes.size(); ++i) {
            leaves.push_back(i == 0 ? comes[0] : std::max(comes[i], leaves[i - 1] + frame_time));
        }
    }
    /// Frames there as frame `i` comes, one whose last bit leaves at that time included.
    int found_by(std::size_t i) const {
        int found = 0;
        for (std::size_t j = 0; j < i; ++j) {
            found += leaves[j] + frame_time >= comes[i] ? 1 : 0;
        }
        return found;
    }
    /// Frames behind frame `i` as its first bit leaves.
    int left_by(std::size_t i) const {
        int left = 0;
        for (std::size_t j = i + 1; j < comes.size(); ++j) {
            left += comes[j] <= leaves[i] ? 1 : 0;
        }
        return left;
    }
};

struct marking_case {
    buffer_kind memory;
    marking_time at;
    marking_count counts;
    bool in_frames;
};

class marking_in_a_switch : public testing::TestWithParam<marking_case> {};

TEST_P(marking_in_a_switch, marks_the_frames_that_a_literal_queue_says) {
    const marking_case& c = GetParam();
    constexpr int threshold = 7;
    fabric_parameters p = plain(c.memory);
    p.marking.kind = named<marker_kind>("step");
    p.marking.at = c.at;
    p.marking.counts = c.counts;
    p.marking.step.threshold = {bytes{threshold * 1000}};
    if (c.in_frames) {
        p.marking.step.threshold_frames = std::vector<std::uint32_t>{threshold};
    }
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, ecn_capable);
    rig.run(2ms);
    const literal_queue queue(c.memory);
    ASSERT_EQ(rig.ends[2].arrivals.size(), queue.comes.size());
    int marked = 0;
    for (std::size_t i = 0; i < queue.comes.size(); ++i) {
        // The first of a pair has the other one bound for the same queue, where there is a VOQ.
        const bool waits = c.memory == buffer_kind::partitioned && c.counts == marking_count::bound;
        int length = 0;
        if (c.at == marking_time::enqueue) {
            length = queue.found_by(i) + (waits && i % 2 == 0 ? 1 : 0);
        } else {
            length = queue.left_by(i);
            for (std::size_t j = 0; waits && j < queue.comes.size(); ++j) {
                const picoseconds looked_up = static_cast<int>(j / 2) * frame_time;
                length += looked_up <= queue.leaves[i] && queue.comes[j] > queue.leaves[i] ? 1 : 0;
            }
        }
        const bool has_mark = (rig.ends[2].arrivals[i].frame.flags & ecn_marked) != 0;
        EXPECT_EQ(has_mark, length >= threshold) << "frame " << i << ", length " << length;
        marked += has_mark ? 1 : 0;
    }
    EXPECT_GT(marked, each / 2);
    EXPECT_LT(marked, 2 * each);
}

INSTANTIATE_TEST_SUITE_P(
    all, marking_in_a_switch,
    testing::Values(
        marking_case{buffer_kind::partitioned, marking_time::enqueue, marking_count::egress, false},
        marking_case{buffer_kind::partitioned, marking_time::enqueue, marking_count::bound, true},
        marking_case{buffer_kind::partitioned, marking_time::dequeue, marking_count::egress, true},
        marking_case{buffer_kind::partitioned, marking_time::dequeue, marking_count::bound, false},
        marking_case{buffer_kind::shared, marking_time::enqueue, marking_count::egress, false},
        marking_case{buffer_kind::shared, marking_time::dequeue, marking_count::egress, true},
        marking_case{buffer_kind::output_queued, marking_time::enqueue, marking_count::egress, true},
        marking_case{buffer_kind::output_queued, marking_time::dequeue, marking_count::egress, false},
        marking_case{buffer_kind::input_buffered, marking_time::enqueue, marking_count::egress, false},
        marking_case{buffer_kind::input_buffered, marking_time::dequeue, marking_count::egress, true}));

TEST(marking, by_a_shared_memorys_own_thresholds_does_not_heed_the_options_of_markers) {
    fabric_parameters p = plain(buffer_kind::shared);
    p.shared.ecn_threshold = 7'000_B;
    p.marking.at = marking_time::dequeue;
    p.marking.classes = std::vector<std::uint32_t>{5};
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, ecn_capable);
    rig.run(2ms);
    const literal_queue queue(buffer_kind::shared);
    ASSERT_EQ(rig.ends[2].arrivals.size(), queue.comes.size());
    for (std::size_t i = 0; i < queue.comes.size(); ++i) {
        EXPECT_EQ((rig.ends[2].arrivals[i].frame.flags & ecn_marked) != 0, queue.found_by(i) >= 7) << i;
    }
}

TEST(marking, leaves_frames_alone_that_are_not_ecn_capable_or_of_another_class) {
    fabric_parameters p = plain(buffer_kind::partitioned);
    p.marking.kind = named<marker_kind>("step");
    p.marking.step.threshold = {0_B};
    p.marking.classes = std::vector<std::uint32_t>{3};
    fabric_rig rig(three_hosts(), p);
    for (const pfc_class priority : std::vector<pfc_class>{0, 3}) {
        for (const std::uint8_t flags : std::vector<std::uint8_t>{0, ecn_capable}) {
            ethernet_frame frame = rig.frame(0, 2, 1000, priority);
            frame.flags = flags;
            rig.ends[0].at(0us, frame);
        }
    }
    rig.run(1ms);
    ASSERT_EQ(rig.ends[2].arrivals.size(), 4U);
    for (const auto& a : rig.ends[2].arrivals) {
        const bool marks = a.frame.priority == 3 && (a.frame.flags & ecn_capable) != 0;
        EXPECT_EQ((a.frame.flags & ecn_marked) != 0, marks);
    }
}

/// Drops every frame that finds one: as a marker that drops may, before memory is full.
class dropper final : public marker {
 public:
    frame_action decide(const queue_sight& queue) override {
        return queue.frames > 0 ? frame_action::drop : frame_action::keep;
    }
};

TEST(marking, that_drops_gives_back_what_was_reserved) {
    static const marker_kind kind =
        marker_kinds().add({"dropper", "", {[](const marker_setup&) { return std::make_unique<dropper>(); }}});
    fabric_parameters p = plain(buffer_kind::partitioned);
    p.marking.kind = kind;
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, 0);
    rig.run(2ms);
    switch_node& device = rig.made.device(0);
    const auto drops = device.stats().drops[static_cast<unsigned>(drop_reason::early)];
    EXPECT_EQ(rig.ends[2].arrivals.size() + drops, 2U * each);
    EXPECT_GE(rig.ends[2].arrivals.size(), std::size_t{each} / 2);
    EXPECT_EQ(device.egress_memory().occupancy(2), 0_B);
    EXPECT_EQ(device.egress_memory().room(2), 0xFF);
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

TEST(overflow, drops_at_the_lookup_what_would_not_fit_with_all_that_is_bound_for_the_port) {
    fabric_parameters p = plain(buffer_kind::partitioned);
    p.device.egress_buffer = 10'000_B;
    p.device.max_frame = 1000_B;
    p.device.share = egress_share::whole;
    p.device.overflow = named<overflow_kind>("drop");
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, 0);
    rig.run(2ms);
    // As pairs are looked up: what was let in before and has not left counts. Room is given back with the last
    // bit, by events of the instant that come after the lookups.
    std::vector<picoseconds> leaves;
    std::size_t lost = 0;
    for (int i = 0; i < 2 * each; ++i) {
        const picoseconds looked_up = i / 2 * frame_time;
        const picoseconds comes = looked_up + (i % 2 + 1) * (frame_time / 4);
        const auto held = std::count_if(leaves.begin(), leaves.end(),
                                        [&](picoseconds t) { return t + frame_time >= looked_up; });
        if (held < 10) {
            leaves.push_back(leaves.empty() ? comes : std::max(comes, leaves.back() + frame_time));
        } else {
            ++lost;
        }
    }
    EXPECT_EQ(rig.ends[2].arrivals.size(), leaves.size());
    EXPECT_EQ(rig.made.device(0).stats().drops[static_cast<unsigned>(drop_reason::egress_full)], lost);
    EXPECT_GT(lost, 20U);
    EXPECT_EQ(rig.made.device(0).ingress_memory().occupancy(0), 0_B);
}

/// What a queue of ten frames' memory takes of pairs that come at once, frame by frame.
TEST(output_queues, take_what_all_inputs_write_at_once_and_drop_what_is_too_much) {
    fabric_parameters p = plain(buffer_kind::output_queued);
    p.device.egress_buffer = 10'000_B;
    p.device.max_frame = 1000_B;
    p.device.classes = 1;
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, 0);
    rig.run(2ms);
    std::vector<picoseconds> leaves;
    std::vector<picoseconds> ends;
    for (int i = 0; i < 2 * each; ++i) {
        const picoseconds comes = i / 2 * frame_time;
        // A frame whose last bit leaves at that time is still there.
        const auto held =
            std::count_if(leaves.begin(), leaves.end(), [&](picoseconds t) { return t + frame_time >= comes; });
        if (held < 10) {
            leaves.push_back(leaves.empty() ? comes : std::max(comes, leaves.back() + frame_time));
        }
    }
    const switch_node& device = rig.made.device(0);
    ASSERT_EQ(rig.ends[2].arrivals.size(), leaves.size());
    for (std::size_t i = 1; i < leaves.size(); ++i) {
        EXPECT_EQ(rig.ends[2].arrivals[i].time - rig.ends[2].arrivals[0].time, leaves[i] - leaves[0]) << i;
    }
    EXPECT_EQ(device.stats().drops[static_cast<unsigned>(drop_reason::egress_full)], 2U * each - leaves.size());
    EXPECT_GT(2U * each - leaves.size(), 20U);
    EXPECT_EQ(device.ingress_memory().meter(0, 0), nullptr);
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

class queue_order_in_a_switch : public testing::TestWithParam<buffer_kind> {};

TEST_P(queue_order_in_a_switch, by_rank_sends_the_lowest_first_and_drops_the_highest) {
    fabric_parameters p = plain(GetParam());
    p.device.queue_order = named<queue_order_kind>("rank");
    p.device.max_frame = 1000_B;
    p.device.classes = 1;
    p.device.drop = drop_policy::egress_tail;
    p.device.egress_buffer = 4'000_B;
    p.shared.memory = 8'000_B;
    p.shared.queue_alpha = 1;
    fabric_rig rig(three_hosts(), p);
    for (host_id src = 0; src < 2; ++src) {
        ethernet_frame frame = rig.frame(src, 2, 1000);
        frame.kind = frame_kind::udp;
        frame.transfer.flow = src;
        frame.transfer.set_rank(src == 0 ? 1000 : 1);
        rig.stream(0us, each, frame, src);
    }
    rig.run(2ms);
    // The lower rank loses nothing, though its sender could fill the link.
    const auto of = [&](host_id src) {
        return std::count_if(rig.ends[2].arrivals.begin(), rig.ends[2].arrivals.end(),
                             [&](const auto& a) { return a.frame.transfer.flow == src; });
    };
    EXPECT_EQ(of(1), each);
    EXPECT_LT(of(0), each / 4);
    EXPECT_FALSE(rig.made.device(0).broken()) << rig.made.device(0).first_violation().message;
}

INSTANTIATE_TEST_SUITE_P(all_memories, queue_order_in_a_switch,
                         testing::Values(buffer_kind::partitioned, buffer_kind::shared,
                                         buffer_kind::output_queued));

/// Sends a notification to the source of every fourth frame.
class notifier final : public marker {
 public:
    explicit notifier(const marker_setup& setup) : m_origin(setup.origin), m_node(setup.node) {}
    frame_action decide(const queue_sight& queue) override {
        if (++m_seen % 4 == 0) {
            ethernet_frame message;
            message.kind = frame_kind::qcn;
            message.dst = queue.frame.src;
            message.src = queue.frame.dst;
            message.priority = 6;
            message.notification = notification_fields{};
            message.notification.flow = queue.frame.flow();
            message.notification.node = m_node;
            m_origin.originate(message);
        }
        return frame_action::keep;
    }

 private:
    frame_origin& m_origin;
    unsigned m_node;
    unsigned m_seen = 0;
};

class frames_of_a_switch : public testing::TestWithParam<std::pair<buffer_kind, engine_kind>> {};

TEST_P(frames_of_a_switch, are_looked_up_and_counted_as_originated_and_charged_to_no_ingress_port) {
    const auto [memory, engine] = GetParam();
    fabric_parameters p = plain(memory);
    p.marking.kind = marker_kinds().add(
        {"notifier", "", {[](const marker_setup& setup) { return std::make_unique<notifier>(setup); }, false}});
    p.engine = engine;
    fabric_rig rig(three_hosts(), p);
    send_from_two(rig, 0);
    rig.run(2ms, 0_ps, engine);
    switch_node& device = rig.made.device(0);
    const frame_balance b = device.balance();
    EXPECT_EQ(b.originated, 2U * each / 4);
    EXPECT_EQ(b.received + b.originated, b.sent + b.dropped + b.inside);
    EXPECT_EQ(rig.ends[0].arrivals.size() + rig.ends[1].arrivals.size(), b.originated);
    EXPECT_EQ(rig.ends[2].arrivals.size(), 2U * each);
    for (const auto& a : rig.ends[1].arrivals) {
        EXPECT_EQ(a.frame.kind, frame_kind::qcn);
        EXPECT_EQ(a.frame.notification.node, 3U);
    }
    for (unsigned port = 0; port < 3; ++port) {
        EXPECT_EQ(device.ingress_memory().occupancy(port), 0_B);
        EXPECT_EQ(device.egress_memory().occupancy(port), 0_B);
    }
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

INSTANTIATE_TEST_SUITE_P(all_memories_and_engines, frames_of_a_switch,
                         testing::Values(std::pair{buffer_kind::partitioned, engine_kind::fast},
                                         std::pair{buffer_kind::partitioned, engine_kind::literal},
                                         std::pair{buffer_kind::shared, engine_kind::fast},
                                         std::pair{buffer_kind::shared, engine_kind::literal},
                                         std::pair{buffer_kind::output_queued, engine_kind::fast},
                                         std::pair{buffer_kind::output_queued, engine_kind::literal},
                                         std::pair{buffer_kind::input_buffered, engine_kind::fast},
                                         std::pair{buffer_kind::input_buffered, engine_kind::literal}));

}  // namespace
}  // namespace weir::test
