// FlowBender against its paper's pseudocode, literally, and each extension by itself.
#include "weir/traffic/congestion/flowbender.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

/// A sender with a window of a fixed number of segments, each of which is confirmed in order.
class bending_sender {
 public:
    static constexpr std::uint64_t segment = 1460;

    explicit bending_sender(const flowbender_config& config, std::uint64_t flow = 7) : m_path(config) {
        state.tag = 1000;
        m_path.open(state, flow);
    }

    void ack(bool marked) {
        m_una += segment;
        m_path.on_ack(state, {segment, m_una, m_una + window * segment, 0_ps, 0_ps, marked});
    }
    /// ACKs up to the end of a round trip, the first `marked` of them with marks.
    void round_trip(unsigned marked) {
        for (unsigned n = 0; n <= window; ++n) {
            ack(n < marked);
        }
    }
    std::uint16_t send() {
        m_sent += segment;
        return m_path.tag_of_segment(state, m_sent, false);
    }
    void timeout() { m_path.on_timeout(state); }

    static constexpr unsigned window = 9;
    flowbender_state state{};

 private:
    flowbender m_path;
    std::uint64_t m_una = 0;
    std::uint64_t m_sent = 0;
};

/// Ends the round trip that a sender begins with, of one ACK.
bending_sender begun(const flowbender_config& config, std::uint64_t flow = 7) {
    bending_sender s(config, flow);
    s.ack(false);
    return s;
}

TEST(flowbender, follows_the_papers_pseudocode) {
    random_stream chance{3, 0, random_purpose::sizes};
    for (const unsigned rounds : {1U, 2U, 3U}) {
        flowbender_config config;
        config.rounds = rounds;
        config.threshold = 0.25;
        bending_sender s = begun(config);
        unsigned congested_rtts = 0;
        for (int rtt = 0; rtt < 500; ++rtt) {
            const auto marked = static_cast<unsigned>(chance.below(6));
            const std::uint16_t before = s.state.tag;
            bool changes = false;
            if (marked / 10.0 > 0.25) {
                ++congested_rtts;
                if (congested_rtts >= rounds) {
                    congested_rtts = 0;
                    changes = true;
                }
            } else {
                congested_rtts = 0;
            }
            s.round_trip(marked);
            EXPECT_EQ(s.state.tag != before, changes) << "N = " << rounds << ", round trip " << rtt;
            EXPECT_GE(s.state.tag, 1000);
            EXPECT_LT(s.state.tag, 1008);
        }
    }
}

TEST(flowbender, takes_each_other_path_equally_often) {
    flowbender_config config;
    config.paths = 5;
    std::vector<int> taken(5);
    for (std::uint64_t flow = 0; flow < 4000; ++flow) {
        bending_sender s = begun(config, flow);
        s.round_trip(10);
        ++taken[s.state.tag - 1000];
    }
    EXPECT_EQ(taken[0], 0) << "that is where it was";
    for (int path = 1; path < 5; ++path) {
        EXPECT_NEAR(taken[path], 1000, 120) << path;
    }
}

TEST(flowbender, a_timeout_changes_the_path_whatever_the_marks) {
    flowbender_config config;
    config.lock_after = 1;
    bending_sender s = begun(config);
    for (int n = 0; n < 50; ++n) {
        const std::uint16_t before = s.state.tag;
        s.timeout();
        EXPECT_NE(s.state.tag, before);
    }
}

TEST(flowbender, random_rounds_are_one_less_the_same_or_one_more) {
    flowbender_config config;
    config.rounds = 3;
    config.random_rounds = true;
    std::vector<int> seen(6);
    bending_sender s = begun(config);
    for (int n = 0; n < 600; ++n) {
        const std::uint16_t before = s.state.tag;
        unsigned took = 0;
        while (s.state.tag == before && took < 5) {
            s.round_trip(10);
            ++took;
        }
        ++seen[took];
    }
    for (const int took : {2, 3, 4}) {
        EXPECT_NEAR(seen[took], 200, 60) << took;
    }
    EXPECT_EQ(seen[1] + seen[5], 0);
}

TEST(flowbender, after_several_changes_in_a_row_it_stays_on_the_best_of_these_paths) {
    flowbender_config config;
    config.lock_after = 3;
    config.lock_rounds = 4;
    bending_sender s = begun(config);
    std::vector<std::uint16_t> tags;
    for (const unsigned marked : {8U, 5U, 7U}) {
        tags.push_back(s.state.tag);
        s.round_trip(marked);
        EXPECT_NE(s.state.tag, tags.back());
    }
    s.round_trip(9);
    EXPECT_EQ(s.state.tag, tags[1]) << "the one with 5 marks of 10";
    for (int n = 0; n < 4; ++n) {
        s.round_trip(10);
        EXPECT_EQ(s.state.tag, tags[1]) << "round trip " << n;
    }
    s.round_trip(10);
    EXPECT_NE(s.state.tag, tags[1]) << "the lock is over";
    // A round trip that is not congested begins the count anew.
    for (int n = 0; n < 20; ++n) {
        const std::uint16_t before = s.state.tag;
        s.round_trip(n % 3 == 2 ? 0 : 10);
        EXPECT_EQ(s.state.tag != before, n % 3 != 2) << n;
    }
}

TEST(flowbender, gradual_change_moves_a_tenth_more_after_each_good_round_trip) {
    flowbender_config config;
    config.gradual = true;
    bending_sender s = begun(config);
    const auto share = [&] {
        std::set<std::uint16_t> others;
        int count = 0;
        for (int n = 0; n < 10; ++n) {
            const std::uint16_t tag = s.send();
            if (tag != s.state.tag) {
                ++count;
                others.insert(tag);
            }
        }
        EXPECT_LE(others.size(), 1U);
        return count;
    };
    const std::uint16_t first = s.state.tag;
    EXPECT_EQ(share(), 0);
    s.round_trip(10);
    EXPECT_EQ(s.state.tag, first);
    for (int tenths = 1; tenths < 10; ++tenths) {
        EXPECT_EQ(share(), tenths);
        s.round_trip(0);
    }
    EXPECT_NE(s.state.tag, first) << "all of it has moved";
    EXPECT_EQ(share(), 0);
    // Congested while it tries: another path, from a tenth on.
    s.round_trip(10);
    s.round_trip(0);
    EXPECT_EQ(share(), 2);
    s.round_trip(10);
    EXPECT_EQ(share(), 1);
}

TEST(flowbender, a_path_whose_probe_was_not_marked_is_taken_early) {
    flowbender_config config;
    config.threshold = 0.5;
    config.probe_every = 10;
    config.probe_threshold = 0.1;
    bending_sender s = begun(config);
    std::vector<std::uint16_t> tags;
    for (int n = 0; n < 10; ++n) {
        tags.push_back(s.send());
    }
    EXPECT_EQ(std::count(tags.begin(), tags.end(), s.state.tag), 9);
    const std::uint16_t probed = tags.back();
    ASSERT_NE(probed, s.state.tag);
    // The first ACK was that of the round trip before; nine more confirm the probe, without a mark.
    for (int n = 0; n < 9; ++n) {
        s.ack(n < 2);
    }
    EXPECT_NE(s.state.tag, probed) << "not before the round trip is over";
    s.ack(false);
    EXPECT_EQ(s.state.tag, probed) << "2 of 10 are above T'";
    // With a marked probe it stays, and with one that nobody knows of.
    bending_sender marked = begun(config);
    for (int n = 0; n < 10; ++n) {
        marked.send();
    }
    const std::uint16_t before = marked.state.tag;
    for (int n = 0; n < 10; ++n) {
        marked.ack(n == 8 || n == 0);
    }
    EXPECT_EQ(marked.state.tag, before);
}

TEST(flowbender, a_path_that_was_left_is_avoided_for_a_while) {
    flowbender_config config;
    config.paths = 4;
    config.avoid_rounds = 10;
    for (std::uint64_t flow = 0; flow < 50; ++flow) {
        bending_sender s = begun(config, flow);
        std::set<std::uint16_t> seen{s.state.tag};
        for (int n = 0; n < 3; ++n) {
            s.round_trip(10);
            EXPECT_TRUE(seen.insert(s.state.tag).second) << "path " << s.state.tag << " again";
        }
        const std::uint16_t last = s.state.tag;
        s.round_trip(10);
        EXPECT_NE(s.state.tag, last) << "all are avoided, and it leaves nevertheless";
    }
}

TEST(flowbender, its_thresholds_have_an_order) {
    flowbender_config config;
    config.probe_threshold = 0.06;
    EXPECT_TRUE(config.validate().empty()) << "nothing probes";
    config.probe_every = 10;
    ASSERT_EQ(config.validate().size(), 1U);
    EXPECT_EQ(config.validate()[0].key, "flowbender.probe_threshold");
    config.threshold = 0.06;
    EXPECT_TRUE(config.validate().empty());
}

}  // namespace
}  // namespace weir::traffic
