// QCN's reaction point where the goldens (weir replay qcn) do not go: the least rate, release, both phases'
// beginnings by hand.
#include "weir/model/host/qcn_reaction.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

qcn_config config_with(qcn_cycles cycles) {
    qcn_config config;
    config.cycles = cycles;
    config.extra_fast_recovery = false;
    return config;
}

void end_byte_cycle(const qcn_reaction& rule, qcn_limit& s) {
    while (rule.on_sent(s, 1'500, 1) == qcn_sent::counted) {
    }
}

TEST(qcn_reaction, falls_by_the_feedback_and_never_below_its_least_rate_or_share) {
    qcn_config config;
    config.min_rate = 100'000_bps;
    config.gain = 1.0 / 64;
    config.least_share = 0.25;
    const qcn_reaction rule(config, 10_Gbps);
    qcn_limit s;
    EXPECT_EQ(rule.phase(s), qcn_phase::off);
    rule.on_notification(s, 16, 0_ps, 1, 1);
    EXPECT_DOUBLE_EQ(s.current, 7.5e9);
    EXPECT_DOUBLE_EQ(s.target, 10e9);
    rule.on_notification(s, 63, 1us, 1, 1);
    EXPECT_DOUBLE_EQ(s.current, 7.5e9 / 4);
    EXPECT_DOUBLE_EQ(s.target, 10e9) << "no cycle of the byte counter is over";
    for (int i = 0; i < 20; ++i) {
        rule.on_notification(s, 63, 2us, 1, 1);
    }
    EXPECT_DOUBLE_EQ(s.current, 100'000);
}

TEST(qcn_reaction, takes_five_cycles_of_fast_recovery_and_then_adds) {
    for (const qcn_cycles cycles : {qcn_cycles::pan, qcn_cycles::select}) {
        const qcn_reaction rule(config_with(cycles), 10_Gbps);
        qcn_limit s;
        rule.on_notification(s, 63, 0_ps, 1, 1);
        const int fast = cycles == qcn_cycles::pan ? 5 : 4;
        double expected = 10e9 * (1 - 63.0 / 128);
        for (int i = 0; i < fast; ++i) {
            end_byte_cycle(rule, s);
            expected = (expected + 10e9) / 2;
            EXPECT_DOUBLE_EQ(s.current, expected);
            EXPECT_DOUBLE_EQ(s.target, 10e9);
            EXPECT_EQ(rule.phase(s), qcn_phase::fast);
        }
        end_byte_cycle(rule, s);
        EXPECT_EQ(rule.phase(s), qcn_phase::active);
        EXPECT_DOUBLE_EQ(s.target, 10e9 + 5e6);
        // Pan halves the cycle that begins with the fifth, the standard those of hyper-active increase.
        EXPECT_DOUBLE_EQ(s.bytes_left, cycles == qcn_cycles::pan ? 75'000 : 150'000);
        for (int i = 0; i < 7; ++i) {
            rule.on_timer(s, 1);
        }
        EXPECT_EQ(rule.phase(s), qcn_phase::hyper);
    }
}

TEST(qcn_reaction, begins_a_cycle_with_each_notification_where_cycles_are_reset) {
    const qcn_reaction rule(config_with(qcn_cycles::reset), 10_Gbps);
    qcn_limit s;
    rule.on_notification(s, 63, 0_ps, 1, 1);
    rule.on_sent(s, 100'000, 1);
    EXPECT_DOUBLE_EQ(s.bytes_left, 50'000);
    const double before = s.current;
    rule.on_notification(s, 32, 1us, 1, 1);
    EXPECT_DOUBLE_EQ(s.target, before) << "although no cycle of the byte counter is over";
    EXPECT_DOUBLE_EQ(s.current, before * 0.75);
    EXPECT_DOUBLE_EQ(s.bytes_left, 150'000);
    // Phases are Pan's: five whole cycles of fast recovery, the sixth is half as long and adds.
    for (int i = 0; i < 5; ++i) {
        end_byte_cycle(rule, s);
        EXPECT_EQ(rule.phase(s), qcn_phase::fast);
    }
    EXPECT_DOUBLE_EQ(s.bytes_left, 75'000);
    end_byte_cycle(rule, s);
    EXPECT_EQ(rule.phase(s), qcn_phase::active);
    EXPECT_DOUBLE_EQ(s.target, before + 5e6);
}

TEST(qcn_reaction, is_gone_with_the_first_frame_at_the_links_rate_which_does_not_count) {
    const qcn_reaction rule(config_with(qcn_cycles::pan), 10_Gbps);
    qcn_limit s;
    rule.on_notification(s, 1, 0_ps, 1, 1);
    while (s.current < 10e9) {
        rule.on_timer(s, 1);
    }
    EXPECT_TRUE(s.limits());
    EXPECT_EQ(rule.on_sent(s, 1'500, 1), qcn_sent::released);
    EXPECT_FALSE(s.limits());
    EXPECT_EQ(s.timer_at, never);
}

TEST(qcn_reaction, cuts_a_far_target_to_an_eighth_once_after_a_notification) {
    qcn_config config;
    config.min_rate = 1'000'000_bps;
    const qcn_reaction rule(config, 10_Gbps);
    qcn_limit s;
    for (int i = 0; i < 8; ++i) {
        rule.on_notification(s, 63, 0_ps, 1, 1);
    }
    ASSERT_LT(s.current, 1e9);
    const double before = s.current;
    rule.on_timer(s, 1);
    EXPECT_DOUBLE_EQ(s.target, 10e9 / 8);
    EXPECT_DOUBLE_EQ(s.current, (before + 10e9 / 8) / 2);
    rule.on_timer(s, 1);
    EXPECT_DOUBLE_EQ(s.target, 10e9 / 8);
}

}  // namespace
