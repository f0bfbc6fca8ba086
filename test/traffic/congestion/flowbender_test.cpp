// FlowBender against its paper's pseudocode, literally, and each extension by itself.
#include "weir/traffic/congestion/flowbender.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

/// A sender with a window of ten segments, each of which is confirmed in order by an ACK with its tag.
class bending_sender {
 public:
    explicit bending_sender(const flowbender_config& config, std::uint64_t flow = 7) : m_path(config) {
        state.tag = 1000;
        m_path.open(state, flow);
        for (int n = 0; n < 10; ++n) {
            send();
        }
        ack(false);
    }

    std::uint16_t send() {
        m_sent += segment;
        m_under_way.push_back(m_path.marks_segments() ? m_path.tag_of_segment(state, m_sent, false)
                                                      : state.tag);
        return m_under_way.back();
    }
    void ack(bool marked) {
        m_una += segment;
        answer(m_under_way.front(), marked);
        m_under_way.pop_front();
        send();
    }
    /// An ACK that is caused by a segment with this tag.
    void answer(std::uint16_t tag, bool marked) {
        m_path.on_ack(state, {0, m_una, m_sent, 0_ps, 0_ps, marked, tag});
    }
    /// Ten ACKs, `marked` of them with marks, at most nine. The last one is the first of the next round trip,
    /// which ends this one. After a change the ACKs of the path that was left come first.
    void round_trip(unsigned marked) {
        if (m_left) {
            ten_acks(9);
        }
        const std::uint16_t before = state.tag;
        ten_acks(marked);
        m_left = state.tag != before;
    }
    void timeout() { m_path.on_timeout(state); }
    /// Tags of what is under way, in the order of sending.
    const std::deque<std::uint16_t>& under_way() const { return m_under_way; }

    flowbender_state state{};

 private:
    static constexpr std::uint64_t segment = 1460;

    void ten_acks(unsigned marked) {
        for (unsigned n = 0; n < 10; ++n) {
            ack(n < marked);
        }
    }

    flowbender m_path;
    std::uint64_t m_una = 0;
    std::uint64_t m_sent = 0;
    std::deque<std::uint16_t> m_under_way;
    bool m_left = false;
};

// The pseudocode's F is that of the present path: in the round trip after a change no ACK tells of it.
TEST(flowbender, follows_the_papers_pseudocode) {
    random_stream chance{3, 0, random_purpose::sizes};
    for (const unsigned rounds : {1U, 2U, 3U}) {
        flowbender_config config;
        config.rounds = rounds;
        config.threshold = 0.25;
        bending_sender s(config);
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

TEST(flowbender, the_first_ack_of_a_transfer_is_no_round_trip) {
    bending_sender s(flowbender_config{});
    s.ack(true);
    EXPECT_EQ(s.state.tag, 1000);
    for (int n = 0; n < 8; ++n) {
        s.ack(false);
        EXPECT_EQ(s.state.tag, 1000);
    }
    s.ack(false);
    EXPECT_NE(s.state.tag, 1000) << "one of ten is above 5 %";
}

TEST(flowbender, acks_of_a_path_that_was_left_do_not_count) {
    bending_sender s(flowbender_config{});
    s.round_trip(9);
    const std::uint16_t path = s.state.tag;
    ASSERT_NE(path, 1000);
    // What was under way at the change is marked, nothing else is.
    for (int n = 0; n < 100; ++n) {
        s.ack(s.under_way().front() != path);
        EXPECT_EQ(s.state.tag, path) << "ACK " << n;
    }
}

TEST(flowbender, takes_each_other_path_equally_often) {
    flowbender_config config;
    config.paths = 5;
    std::vector<int> taken(5);
    for (std::uint64_t flow = 0; flow < 4000; ++flow) {
        bending_sender s(config, flow);
        s.round_trip(9);
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
    bending_sender s(config);
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
    bending_sender s(config);
    for (int n = 0; n < 600; ++n) {
        const std::uint16_t before = s.state.tag;
        unsigned took = 0;
        while (s.state.tag == before && took < 5) {
            s.round_trip(9);
            ++took;
        }
        ++seen[took];
    }
    for (const int took : {2, 3, 4}) {
        EXPECT_NEAR(seen[took], 200, 60) << took;
    }
    EXPECT_EQ(seen[1] + seen[5], 0);
}

TEST(flowbender, the_last_of_several_changes_in_a_row_leads_to_the_best_of_the_paths_that_were_left) {
    flowbender_config config;
    config.lock_after = 4;
    config.lock_rounds = 4;
    bending_sender s(config);
    std::vector<std::uint16_t> tags;
    for (const unsigned marked : {8U, 5U, 7U}) {
        tags.push_back(s.state.tag);
        s.round_trip(marked);
        EXPECT_NE(s.state.tag, tags.back());
    }
    s.round_trip(9);
    EXPECT_EQ(s.state.tag, tags[1]) << "the one with 5 marks of 10";
    // The round trip whose ACKs are of the path that was left is one of the four.
    for (int n = 0; n < 3; ++n) {
        s.round_trip(9);
        EXPECT_EQ(s.state.tag, tags[1]) << "round trip " << n;
    }
    s.round_trip(9);
    EXPECT_NE(s.state.tag, tags[1]) << "the lock is over";
    // A round trip that is not congested begins the count anew.
    for (int n = 0; n < 20; ++n) {
        const std::uint16_t before = s.state.tag;
        s.round_trip(n % 3 == 2 ? 0 : 9);
        EXPECT_EQ(s.state.tag != before, n % 3 != 2) << n;
    }
}

TEST(flowbender, with_the_papers_lock_there_are_five_changes_in_twenty_round_trips) {
    flowbender_config config;
    config.rounds = 2;
    config.lock_after = 5;
    config.lock_rounds = 10;
    bending_sender s(config);
    std::vector<std::uint32_t> changes;
    while (changes.size() < 100) {
        const std::uint16_t before = s.state.tag;
        s.round_trip(9);
        if (s.state.tag != before) {
            changes.push_back(s.state.round);
        }
    }
    for (std::size_t i = 5; i < changes.size(); ++i) {
        EXPECT_GE(changes[i] - changes[i - 5], 20U) << i;
    }
}

TEST(flowbender, gradual_change_moves_a_tenth_more_after_each_good_round_trip) {
    flowbender_config config;
    config.gradual = true;
    bending_sender s(config);
    std::uint16_t trial = 0;
    const auto share = [&] {
        std::set<std::uint16_t> others;
        const auto count = std::count_if(s.under_way().begin(), s.under_way().end(), [&](std::uint16_t tag) {
            if (tag != s.state.tag) {
                others.insert(tag);
            }
            return tag != s.state.tag;
        });
        EXPECT_LE(others.size(), 1U);
        trial = others.empty() ? trial : *others.begin();
        return count;
    };
    const std::uint16_t first = s.state.tag;
    EXPECT_EQ(share(), 0);
    s.round_trip(9);
    EXPECT_EQ(s.state.tag, first);
    // The ACK that has ended the round trip has sent a segment already.
    for (int tenths = 1; tenths < 9; ++tenths) {
        s.round_trip(0);
        EXPECT_NEAR(static_cast<double>(share()), tenths, 1);
        EXPECT_EQ(s.state.tag, first);
    }
    s.round_trip(0);
    EXPECT_EQ(s.state.tag, trial) << "all of it moves to the one that was tried";
}

TEST(flowbender, a_trial_that_is_congested_is_given_up_for_another_path) {
    flowbender_config config;
    config.gradual = true;
    for (const unsigned avoid : {0U, 3U}) {
        config.avoid_rounds = avoid;
        for (std::uint64_t flow = 0; flow < 300; ++flow) {
            bending_sender s(config, flow);
            std::set<std::uint8_t> tried{s.state.path};
            s.round_trip(9);
            for (int n = 0; n < 3; ++n) {
                const std::uint8_t before = s.state.trial;
                tried.insert(before);
                s.round_trip(9);
                EXPECT_NE(s.state.trial, before);
                EXPECT_EQ(s.state.trial_tenths, 1);
                EXPECT_EQ(s.state.path, 0);
                if (avoid > 0) {
                    EXPECT_EQ(tried.count(s.state.trial), 0U);
                }
            }
        }
    }
    // With two paths there is no other.
    config.paths = 2;
    bending_sender s(config);
    s.round_trip(9);
    s.round_trip(9);
    EXPECT_EQ(s.state.trial, 1);
}

TEST(flowbender, a_path_whose_probe_was_not_marked_is_taken_early) {
    flowbender_config config;
    config.threshold = 0.5;
    config.probe_every = 10;
    config.probe_threshold = 0.1;
    for (const bool probe_is_marked : {false, true}) {
        bending_sender s(config);
        std::uint16_t probed = 0;
        for (int n = 0; n < 40 && s.state.tag == 1000; ++n) {
            const std::uint16_t tag = s.under_way().front();
            probed = tag != 1000 ? tag : probed;
            s.ack(tag != 1000 ? probe_is_marked : n % 10 < 3);
        }
        ASSERT_NE(probed, 0) << "nothing was probed";
        EXPECT_EQ(s.state.tag, probe_is_marked ? 1000 : probed) << "3 of 10 are above T'";
    }
}

// A probe that overtakes is answered by a duplicate; what confirms it later tells of another segment.
TEST(flowbender, a_probe_that_overtakes_is_judged_by_its_own_ack) {
    for (const bool probe_is_marked : {false, true}) {
        flowbender_config config;
        config.threshold = 0.5;
        config.probe_every = 10;
        bending_sender s(config);
        const auto probe = std::find_if(s.under_way().begin(), s.under_way().end(),
                                        [](std::uint16_t tag) { return tag != 1000; });
        ASSERT_NE(probe, s.under_way().end());
        const std::uint8_t path = s.state.probed;
        s.answer(*probe, probe_is_marked);
        EXPECT_EQ(s.state.probe_end, 0U);
        EXPECT_EQ(s.state.good, probe_is_marked ? flowbender_state::no_path : path);
    }
}

TEST(flowbender, a_path_that_was_left_is_avoided_for_a_while) {
    flowbender_config config;
    config.paths = 4;
    config.avoid_rounds = 10;
    for (std::uint64_t flow = 0; flow < 50; ++flow) {
        bending_sender s(config, flow);
        std::set<std::uint16_t> seen{s.state.tag};
        for (int n = 0; n < 3; ++n) {
            s.round_trip(9);
            EXPECT_TRUE(seen.insert(s.state.tag).second) << "path " << s.state.tag << " again";
        }
        const std::uint16_t last = s.state.tag;
        s.round_trip(9);
        EXPECT_NE(s.state.tag, last) << "all are avoided, and it leaves nevertheless";
    }
}

TEST(flowbender, a_lock_after_one_change_would_forbid_all) {
    flowbender_config config;
    config.lock_after = 1;
    ASSERT_EQ(config.validate().size(), 1U);
    EXPECT_EQ(config.validate()[0].key, "flowbender.lock_after");
    config.lock_after = 2;
    EXPECT_TRUE(config.validate().empty());
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
