// RED at egress queues: what a configuration's keys come to, in B and in frames, and what is done to a frame
// that chance has chosen. red_rule_test.cpp has the rule itself.
#include "weir/model/marking/red_marker.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/marking/marker.h"
#include "weir/model/marking/marking_config.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

/// No key has its default.
marking_config every_key_set() {
    marking_config config;
    config.kind = named<marker_kind>("red");
    config.red.weight = 0.25;
    config.ramp.k_min = {4'000_B, 2'000_B};
    config.ramp.k_max = {9'000_B, 8'000_B};
    config.ramp.p_max = 0.3;
    config.red.gentle = true;
    config.red.wait = true;
    config.red.mean_frame = 700_B;
    config.red.spares_control = false;
    return config;
}

std::unique_ptr<marker> made(const marking_config& config, const std::vector<port_config>& links,
                             class_mask lossless) {
    struct : frame_origin {
        void originate(const ethernet_frame&) override {}
    } origin;
    return marker_kinds()[named<marker_kind>("red")].make({config, {}, 0, links, 2, lossless, origin});
}

/// `rule` decides on the same arrivals with the same draws as a marker that `config` makes: frames of class 1
/// at port 1, `wire_time` long on average, to a queue that grows, falls and is empty by turns.
void expect_same(const marking_config& config, const red_rule& rule, bool in_frames, picoseconds wire_time) {
    std::vector<port_config> links(2);
    links[0].rate = 1_Gbps;
    links[1].rate = 10_Gbps;
    links[1].wire_overhead = 24_B;
    const std::unique_ptr<marker> red = made(config, links, 0);
    random_stream chance{1, 1, random_purpose::marking};
    random_stream same_chance{1, 1, random_purpose::marking};
    red_state state;
    picoseconds arrived{};
    unsigned chosen = 0;
    for (unsigned i = 1; i < 2000; ++i) {
        const unsigned length = i % 50 < 5 ? 0 : i % 50;
        ethernet_frame frame;
        frame.flags = ecn_capable;
        frame.frame_bytes = static_cast<std::uint16_t>(100 + 13 * (i % 71));
        const picoseconds now = i * 1us;
        // Empty since half a microsecond before the first of five arrivals that find it so.
        const picoseconds empty_since = length == 0 ? (i - i % 50) * 1us - 500ns : never;
        const frame_action answer =
            red->decide({now, 1, 1, frame, std::uint64_t{length} * 300, length, empty_since, chance});
        const double idle = length == 0 ? static_cast<double>((now - std::max(empty_since, arrived)).count()) /
                                              static_cast<double>(wire_time.count())
                                        : 0;
        arrived = now;
        rule.arrive(state, in_frames ? length : length * 300, idle);
        const red_answer expected =
            rule.decide(state, frame.frame_bytes, rule.is_early(state) ? same_chance.uniform() : 0);
        const frame_action::kinds meant = expected == red_answer::pass    ? frame_action::keep
                                          : expected == red_answer::early ? frame_action::mark
                                                                          : frame_action::drop;
        ASSERT_EQ(answer, meant) << "frame " << i;
        chosen += answer != frame_action::keep ? 1 : 0;
    }
    EXPECT_GT(chosen, 20U);
}

TEST(red_marker, has_the_parameters_that_its_configuration_has) {
    red_parameters red;
    red.weight = 0.25;
    red.min = 2'000;
    red.max = 8'000;
    red.p_max = 0.3;
    red.gentle = true;
    red.wait = true;
    red.in_bytes = true;
    red.mean_frame = 700;
    expect_same(every_key_set(), red_rule(red), false, transmission_time(724_B, 10_Gbps));
    marking_config abrupt = every_key_set();
    abrupt.red.gentle = abrupt.red.wait = false;
    red.gentle = red.wait = false;
    expect_same(abrupt, red_rule(red), false, transmission_time(724_B, 10_Gbps));
}

TEST(red_marker, counts_frames_where_its_thresholds_are_of_frames) {
    marking_config config = every_key_set();
    config.red.k_min_frames = std::vector<std::uint32_t>{3, 6};
    config.red.k_max_frames = std::vector<std::uint32_t>{40, 30};
    red_parameters red;
    red.weight = 0.25;
    red.min = 6;
    red.max = 30;
    red.p_max = 0.3;
    red.gentle = true;
    red.wait = true;
    red.in_bytes = false;
    expect_same(config, red_rule(red), true, transmission_time(724_B, 10_Gbps));
}

/// With the average above the maximum, without the gentle slope, and with each length as the average.
frame_action::kinds forced(marker& red, pfc_class c, std::uint8_t flags,
                           frame_kind kind = frame_kind::tcp_data) {
    random_stream chance{1, 1, random_purpose::marking};
    ethernet_frame frame;
    frame.kind = kind;
    frame.frame_bytes = 1500;
    frame.flags = flags;
    return red.decide({1us, 0, c, frame, 100'000, 100, never, chance}).kind();
}

/// The same with the average a byte below the maximum, and a probability of 1 there.
frame_action::kinds early(marker& red, pfc_class c, std::uint8_t flags,
                          frame_kind kind = frame_kind::tcp_data) {
    random_stream chance{1, 1, random_purpose::marking};
    ethernet_frame frame;
    frame.kind = kind;
    frame.frame_bytes = 15'000;
    frame.flags = flags;
    return red.decide({1us, 0, c, frame, 7'999, 8, never, chance}).kind();
}

TEST(red_marker, drops_only_in_classes_that_may_lose_frames_and_marks_only_what_can_be_marked) {
    marking_config config;
    config.red.weight = 1;
    config.ramp.k_min = {2'000_B};
    config.ramp.k_max = {8'000_B};
    config.ramp.p_max = 1;
    std::vector<port_config> links(1);
    links[0].rate = 1_Gbps;
    // Class 1 has flow control.
    const std::unique_ptr<marker> red = made(config, links, class_mask{0b10});
    EXPECT_EQ(forced(*red, 0, ecn_capable), frame_action::drop);
    EXPECT_EQ(forced(*red, 0, 0), frame_action::drop);
    EXPECT_EQ(early(*red, 0, ecn_capable), frame_action::mark);
    EXPECT_EQ(early(*red, 0, 0), frame_action::drop);
    EXPECT_EQ(forced(*red, 1, ecn_capable), frame_action::mark);
    EXPECT_EQ(forced(*red, 1, 0), frame_action::keep);
    EXPECT_EQ(early(*red, 1, ecn_capable), frame_action::mark);
    EXPECT_EQ(early(*red, 1, 0), frame_action::keep);
    // Set for all classes.
    config.red.may_drop = true;
    EXPECT_EQ(forced(*made(config, links, class_mask{0b10}), 1, 0), frame_action::drop);
    config.red.may_drop = false;
    EXPECT_EQ(forced(*made(config, links, 0), 0, ecn_capable), frame_action::mark);
    EXPECT_EQ(forced(*made(config, links, 0), 0, 0), frame_action::keep);
}

TEST(red_marker, spares_frames_without_payload_up_to_the_maximum_if_configured) {
    marking_config config;
    config.red.weight = 1;
    config.ramp.k_min = {2'000_B};
    config.ramp.k_max = {8'000_B};
    config.ramp.p_max = 1;
    std::vector<port_config> links(1);
    links[0].rate = 1_Gbps;
    const std::unique_ptr<marker> spares = made(config, links, 0);
    EXPECT_EQ(early(*spares, 0, 0, frame_kind::tcp_ack), frame_action::keep);
    EXPECT_EQ(forced(*spares, 0, 0, frame_kind::tcp_ack), frame_action::drop);
    config.red.spares_control = false;
    EXPECT_EQ(early(*made(config, links, 0), 0, 0, frame_kind::tcp_ack), frame_action::drop);
}

}  // namespace
