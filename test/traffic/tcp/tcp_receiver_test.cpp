#include "weir/traffic/tcp/tcp_receiver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "support/loopback_network.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t segment_bytes = 1000;

tcp_config receiver_config(std::uint32_t ack_every = 1) {
    tcp_config config;
    config.mss = 1000_B;
    config.receive_window = 200_KB;
    config.ack_every = ack_every;
    return config;
}

class receiver_bench {
 public:
    explicit receiver_bench(const tcp_config& config = receiver_config(),
                            std::uint64_t flow_bytes = 100 * segment_bytes, bool latches = false)
        : bitmaps(static_cast<std::uint64_t>(config.receive_window / config.mss) + 1), m_tcp(config) {
        m_context.host = &host;
        m_tcp.latches_echo = latches;
        m_data.kind = frame_kind::tcp_data;
        m_data.src = ipv4_address{2};
        m_data.dst = ipv4_address{1};
        m_data.transfer.flow = 9;
        m_data.transfer.flow_bytes = flow_bytes & transfer_fields::length_mask;
        m_data.priority = 6;
        m_data.transfer.tag = 3;
        m_data.transfer.connection = 17;
        receiver.open(m_tcp, m_data, 0);
    }
    bool segment(std::uint64_t number, bool marked = false, bool reduced = false) {
        return segment_with(
            number, static_cast<std::uint8_t>(flag_if(marked, ecn_marked) | flag_if(reduced, window_reduced)));
    }
    bool segment_with(std::uint64_t number, std::uint8_t flags) {
        m_data.transfer.sequence = number * segment_bytes & transfer_fields::length_mask;
        m_data.flags = flags;
        m_data.path_tag = static_cast<std::uint16_t>(number);
        return receiver.on_data(m_context, m_tcp, bitmaps, m_data);
    }
    void pass_until(picoseconds time) {
        while (m_context.timers.next_time() <= time) {
            m_context.now = m_context.timers.next_time();
            receiver.on_timer(m_context, m_context.timers.pop());
        }
        m_context.now = time;
    }
    /// Next bytes expected, in segments, and ECE of the ACKs since the last call.
    std::vector<std::pair<std::uint64_t, bool>> acks() {
        std::vector<std::pair<std::uint64_t, bool>> result;
        for (const ethernet_frame& frame : host.frames) {
            EXPECT_EQ(frame.kind, frame_kind::tcp_ack);
            result.emplace_back(frame.transfer.sequence / segment_bytes, (frame.flags & ecn_echo) != 0);
        }
        host.frames.clear();
        return result;
    }
    std::vector<std::uint64_t> numbers() {
        std::vector<std::uint64_t> result;
        for (const auto& ack : acks()) {
            result.push_back(ack.first);
        }
        return result;
    }
    const transport_counters& counters() const { return m_context.counters; }
    segment_log& log_segments() {
        m_context.segments = std::make_unique<segment_log>();
        return *m_context.segments;
    }

    test::recording_host host;
    segment_bitmaps bitmaps;
    tcp_receiver receiver;

 private:
    transport_context m_context;
    tcp_constants m_tcp;
    ethernet_frame m_data;
};

using numbers = std::vector<std::uint64_t>;
using marks = std::vector<std::pair<std::uint64_t, bool>>;

TEST(tcp_receiver, an_ack_is_a_minimum_frame_that_goes_back_in_the_same_class) {
    receiver_bench b;
    b.segment(0);
    ASSERT_EQ(b.host.frames.size(), 1U);
    const ethernet_frame& ack = b.host.frames[0];
    EXPECT_EQ(ack.frame_bytes, 64);
    EXPECT_EQ(ack.priority, 6);
    EXPECT_EQ(ack.transfer.tag, 3);
    EXPECT_EQ(ack.transfer.connection, 17U);
    EXPECT_EQ(ack.transfer.flow, 9U);
    EXPECT_EQ(ack.src, ipv4_address{1});
    EXPECT_EQ(ack.dst, ipv4_address{2});
    tcp_config detail = receiver_config();
    detail.header = 70_B;
    receiver_bench longer(detail);
    longer.segment(0);
    EXPECT_EQ(longer.host.frames[0].frame_bytes, 70);
}

TEST(tcp_receiver, each_segment_out_of_order_gets_a_duplicate_ack_and_a_filled_gap_confirms_all) {
    receiver_bench b;
    b.segment(0);
    b.segment(2);
    b.segment(3);
    b.segment(5);
    EXPECT_EQ(b.numbers(), (numbers{1, 1, 1, 1}));
    EXPECT_EQ(b.bitmaps.in_use(), 1U);
    b.segment(1);
    EXPECT_EQ(b.numbers(), (numbers{4}));
    b.segment(4);
    EXPECT_EQ(b.numbers(), (numbers{6}));
    EXPECT_EQ(b.bitmaps.in_use(), 0U);
    EXPECT_EQ(b.counters().out_of_order_segments, 3U);
    EXPECT_EQ(b.counters().delivered_bytes, 6 * segment_bytes);
}

TEST(tcp_receiver, late_is_what_a_later_segment_has_overtaken_and_was_sent_once) {
    receiver_bench b;
    const segment_log& log = b.log_segments();
    for (const std::uint64_t number : {0, 2, 3, 7, 5}) {
        b.segment(number);
    }
    // 5 comes after 7, and 1 after 7.
    b.segment(1);
    // Lost, and sent again.
    b.segment_with(4, retransmitted);
    b.segment_with(6, retransmitted);
    // The copy that was sent first; 7 is the last that has come.
    b.segment(4);
    b.segment(8);
    const segment_counts& counts = log.counts().at(3);
    EXPECT_EQ(counts.early, 4U);
    EXPECT_EQ(counts.late, 3U);
    std::vector<std::uint64_t> expected(7);
    expected[2] = 1;
    expected[3] = 1;
    expected[6] = 1;
    EXPECT_EQ(counts.late_by, expected);
    EXPECT_EQ(b.counters().delivered_bytes, 9 * segment_bytes);
}

TEST(tcp_receiver, with_the_latch_of_rfc_3168_ece_stays_until_cwr_comes_and_no_ack_is_early) {
    receiver_bench b(receiver_config(2), 100 * segment_bytes, true);
    b.segment(0);
    b.segment(1, true);
    b.segment(2);
    b.segment(3);
    b.segment(4, true);
    b.segment(5);
    EXPECT_EQ(b.acks(), (marks{{2, true}, {4, true}, {6, true}}));
    b.segment(6, false, true);
    b.segment(7);
    EXPECT_EQ(b.acks(), (marks{{8, false}}));
    // One that has both was marked after the sender's cut.
    b.segment(8, true);
    b.segment(9, true, true);
    b.segment(10);
    b.segment(11);
    EXPECT_EQ(b.acks(), (marks{{10, true}, {12, true}}));
    b.segment(12, false, true);
    b.segment(13);
    EXPECT_EQ(b.acks(), (marks{{14, false}}));
}

TEST(tcp_receiver, an_ack_carries_the_path_tag_of_the_latest_segment) {
    receiver_bench b;
    b.segment(0);
    b.segment(1);
    EXPECT_EQ(b.host.frames[1].path_tag, 1);
}

TEST(tcp_receiver, duplicates_are_confirmed_and_counted_once_each) {
    receiver_bench b;
    b.segment(0);
    b.segment(0);
    b.segment(2);
    b.segment(2);
    EXPECT_EQ(b.numbers(), (numbers{1, 1, 1, 1}));
    EXPECT_EQ(b.counters().duplicate_segments, 2U);
    EXPECT_EQ(b.counters().delivered_bytes, segment_bytes);
}

TEST(tcp_receiver, a_segment_beyond_the_window_is_refused) {
    receiver_bench b(receiver_config(), 1000 * segment_bytes);
    b.segment(199);
    EXPECT_EQ(b.counters().outside_window, 0U);
    b.segment(200);
    EXPECT_EQ(b.counters().outside_window, 1U);
    EXPECT_EQ(b.numbers(), (numbers{0, 0}));
}

TEST(tcp_receiver, segments_behind_a_gap_beyond_the_limit_are_dropped_and_counted) {
    tcp_config config = receiver_config();
    config.reassembly_limit = 3;
    receiver_bench b(config);
    for (std::uint64_t n = 1; n <= 5; ++n) {
        b.segment(n);
    }
    EXPECT_EQ(b.counters().reassembly_drops, 2U);
    b.segment(0);
    EXPECT_EQ(b.numbers(), (numbers{0, 0, 0, 0, 0, 4}));
    b.segment(4);
    EXPECT_EQ(b.numbers(), (numbers{5}));
}

TEST(tcp_receiver, every_order_with_duplicates_gives_the_acks_of_a_set_of_bytes) {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        random_stream random(seed, 0, random_purpose::adversary);
        const std::uint64_t flow_bytes = 1 + random.below(seed % 10 == 0 ? 190'000 : 20'000);
        const std::uint64_t count = (flow_bytes + segment_bytes - 1) / segment_bytes;
        std::vector<std::uint64_t> order;
        for (std::uint64_t s = 0; s < count; ++s) {
            order.insert(order.end(), 1 + random.below(2), s);
        }
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
        }
        receiver_bench b(receiver_config(), flow_bytes);
        std::set<std::uint64_t> here;
        for (std::uint64_t s : order) {
            if (here.size() == count) {
                break;
            }
            const bool complete = b.segment(s);
            here.insert(s);
            std::uint64_t first_missing = 0;
            while (here.count(first_missing) != 0) {
                ++first_missing;
            }
            ASSERT_EQ(b.host.frames.size(), 1U);
            ASSERT_EQ(b.host.frames[0].transfer.sequence, std::min(first_missing * segment_bytes, flow_bytes));
            b.host.frames.clear();
            ASSERT_EQ(complete, here.size() == count);
        }
        ASSERT_EQ(b.counters().delivered_bytes, flow_bytes);
        ASSERT_EQ(b.bitmaps.in_use(), 0U);
    }
}

TEST(tcp_receiver, a_delayed_ack_waits_for_the_second_segment_or_the_timeout) {
    receiver_bench b(receiver_config(2));
    b.segment(0);
    EXPECT_EQ(b.numbers(), numbers{});
    b.segment(1);
    EXPECT_EQ(b.numbers(), (numbers{2}));
    b.pass_until(100ms);
    b.segment(2);
    b.pass_until(140ms - 1_ps);
    EXPECT_EQ(b.numbers(), numbers{});
    b.pass_until(140ms);
    EXPECT_EQ(b.numbers(), (numbers{3}));
    b.pass_until(1s);
    EXPECT_EQ(b.numbers(), numbers{});
}

TEST(tcp_receiver, a_delayed_ack_does_not_wait_out_of_order_nor_at_the_end) {
    receiver_bench b(receiver_config(2), 5 * segment_bytes);
    b.segment(1);
    b.segment(0);  // fills the gap
    EXPECT_EQ(b.numbers(), (numbers{0, 2}));
    b.segment(2);
    b.segment(3);
    EXPECT_TRUE(b.segment(4));
    EXPECT_EQ(b.numbers(), (numbers{4, 5}));
}

TEST(tcp_receiver, each_ack_echoes_the_mark_of_its_segment) {
    receiver_bench b;
    b.segment(0, true);
    b.segment(1, false);
    b.segment(2, true);
    EXPECT_EQ(b.acks(), (marks{{1, true}, {2, false}, {3, true}}));
}

TEST(tcp_receiver, a_change_of_the_mark_sends_the_delayed_ack_first) {
    receiver_bench b(receiver_config(2));
    b.segment(0, false);
    b.segment(1, true);  // confirms 0 as unmarked
    b.segment(2, true);  // confirms 1 and 2 as marked
    b.segment(3, true);
    b.segment(4, false);  // confirms 3 as marked
    b.segment(5, false);
    EXPECT_EQ(b.acks(), (marks{{1, false}, {3, true}, {4, true}, {6, false}}));
}

}  // namespace
}  // namespace weir::traffic
