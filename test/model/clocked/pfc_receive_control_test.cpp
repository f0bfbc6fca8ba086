// The cycle-level receiver's rules one by one. `weir replay pfc-rx` drives it with all golden traces
// (test/tb/replay/replay_golden_test.cpp).

#include "weir/model/clocked/pfc_receive_control.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::model {
namespace {

TEST(pfc_receive_control, latencies_are_those_of_the_named_constants) {
    pfc_receive_control control(64);
    pause_frame frame;
    frame.fields.class_enable = 0x10;
    frame.fields.quanta[4] = 3;
    pfc_receive_inputs in;
    in.frame = &frame;
    cycles parsed{-1};
    cycles counted{-1};
    cycles rise{-1};
    cycles fall{-1};
    for (std::int64_t cycle = 0; cycle < 100; ++cycle) {  // last beat at cycle 0
        const pfc_receive_outputs& out = control.outputs();
        parsed = out.control_frame ? cycles{cycle} : parsed;
        counted = out.xoff == 0x10 ? cycles{cycle} : counted;
        if (out.request == 0x10 && rise.count() < 0) {
            rise = cycles{cycle};
        }
        if (out.request == 0 && rise.count() >= 0 && fall.count() < 0) {
            fall = cycles{cycle};
        }
        control.clock(in);
        in.frame = nullptr;
    }
    EXPECT_EQ(parsed, control_frame_latency);
    EXPECT_EQ(counted, pause_statistics_latency);
    EXPECT_EQ(rise, pause_request_latency);
    EXPECT_EQ(fall - rise, cycles{3 * 512 / 64});
}

/// A quantum is 512 bit times, a cycle data_width of them.
TEST(pfc_receive_control, a_pause_lasts_its_quanta_whatever_the_data_width) {
    constexpr unsigned quanta = 1000;
    for (unsigned width = 2; width <= most_data_width; width += 2) {
        pfc_receive_control control(width);
        pause_frame frame;
        frame.fields.class_enable = 0x10;
        frame.fields.quanta[4] = quanta;
        pfc_receive_inputs in;
        in.frame = &frame;
        const unsigned expected = (quanta * 512 + width - 1) / width;
        unsigned paused = 0;
        for (unsigned cycle = 0; cycle < expected + 20; ++cycle) {
            paused += control.outputs().request == 0x10 ? 1 : 0;
            control.clock(in);
            in.frame = nullptr;
        }
        EXPECT_EQ(paused, expected) << width;
    }
}

TEST(pfc_receive_config, defaults_are_valid_and_impossible_values_are_named) {
    EXPECT_TRUE(pfc_receive_config{}.validate("x").empty());
    pfc_receive_config c;
    c.data_width = 7;
    c.quanta_step = 1U << 24;
    c.parsed = cycles{0};
    c.statistics = cycles{0};
    c.request = cycles{0};
    const config_errors errors = c.validate("rx");
    ASSERT_EQ(errors.size(), 5U);
    EXPECT_EQ(errors[0].key, "rx.data_width");
    EXPECT_EQ(errors[4].key, "rx.request");
}

TEST(pfc_receive_control, later_stages_move_the_edges_and_keep_the_length) {
    pfc_receive_config config;
    config.parsed = cycles{2};
    config.statistics = cycles{5};
    config.request = cycles{9};
    config.acknowledged_timers = false;
    pfc_receive_control control(config);
    pause_frame frame;
    frame.fields.class_enable = 0x10;
    frame.fields.quanta[4] = 3;
    pfc_receive_inputs in;
    in.frame = &frame;
    in.acknowledge = 0;  // timers that do not wait for it
    std::vector<std::int64_t> parsed;
    std::vector<std::int64_t> counted;
    std::vector<std::int64_t> paused;
    for (std::int64_t cycle = 0; cycle < 100; ++cycle) {
        const pfc_receive_outputs& out = control.outputs();
        if (out.control_frame) {
            parsed.push_back(cycle);
        }
        if (out.pfc_frame) {
            counted.push_back(cycle);
        }
        if (out.request == 0x10) {
            paused.push_back(cycle);
        }
        control.clock(in);
        in.frame = nullptr;
    }
    EXPECT_EQ(parsed, std::vector<std::int64_t>{2});
    EXPECT_EQ(counted, std::vector<std::int64_t>{5});
    ASSERT_EQ(paused.size(), 24U);
    EXPECT_EQ(paused.front(), 9);
    EXPECT_EQ(paused.back(), 9 + 23);
}

TEST(pfc_receive_control, a_frame_parsed_while_pfc_is_off_is_ignored_and_pause_frames_are_no_pfc) {
    pfc_receive_control control(512);
    pause_frame frame;
    frame.fields.class_enable = 0xFF;
    frame.fields.quanta.fill(100);
    pfc_receive_inputs in;
    in.frame = &frame;
    in.pfc_enable = false;
    control.clock(in);
    EXPECT_TRUE(control.outputs().control_frame);
    in.frame = nullptr;
    control.clock(in);
    EXPECT_FALSE(control.outputs().pfc_frame);
    in.pfc_enable = true;
    frame.kind = frame_kind::pause;
    in.frame = &frame;
    for (int i = 0; i < 5; ++i) {
        control.clock(in);
        EXPECT_EQ(control.outputs().request, 0);
        EXPECT_FALSE(control.outputs().pfc_frame);
    }
}

}  // namespace
}  // namespace weir::model
