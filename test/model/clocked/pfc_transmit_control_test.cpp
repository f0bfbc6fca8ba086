// The cycle-level transmitter's rules one by one. `weir replay pfc-tx` drives it with all golden traces
// (test/tb/replay/replay_golden_test.cpp).
#include "weir/model/clocked/pfc_transmit_control.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "weir/model/clocked/control_frame_mux.h"

namespace weir::model {
namespace {

/// A transmitter on an idle link: frames with the cycle of their first beat, and of their launch.
class transmitter {
 public:
    explicit transmitter(const pfc_transmit_config& config) : m_control(config), m_mux(config.data_width) {
        m_mux.clock({});  // room
    }

    struct sent {
        std::int64_t launch;
        std::int64_t first_beat;
        unsigned enable;
        std::vector<unsigned> quanta;
        unsigned xoff;
        unsigned xon;
    };

    /// One edge, after which `cycle` is one more.
    void clock(const pfc_transmit_inputs& given) {
        const pfc_transmit_outputs& out = m_control.outputs();
        if (out.pfc_frame) {
            m_launches.push_back({cycle, {out.xoff, out.xon}});
        }
        const control_frame_mux_beat& beat = m_mux.output();
        if (beat.valid && !m_within) {
            const auto& [launch, masks] = m_launches.at(frames.size());
            frames.push_back({launch,
                              cycle,
                              beat.fields.class_enable,
                              {beat.fields.quanta.begin(), beat.fields.quanta.end()},
                              masks.first,
                              masks.second});
        }
        m_within = beat.valid && !beat.last;
        pfc_transmit_inputs in = given;
        in.taken = m_mux.takes_last_control_beat();
        control_frame_mux_inputs to_mux;
        to_mux.control = out.waiting ? &m_control.frame() : nullptr;
        m_mux.clock(to_mux);
        m_control.clock(in);
        ++cycle;
    }
    void run_to(std::int64_t end, const pfc_transmit_inputs& in) {
        while (cycle < end) {
            clock(in);
        }
    }

    std::int64_t cycle = 0;
    std::vector<sent> frames;

 private:
    pfc_transmit_control m_control;
    control_frame_mux m_mux;
    bool m_within = false;
    std::vector<std::pair<std::int64_t, std::pair<unsigned, unsigned>>> m_launches;
};

pfc_transmit_inputs requests(class_mask classes) {
    pfc_transmit_inputs in;
    in.request = classes;
    return in;
}

TEST(pfc_transmit_config, defaults_are_valid_and_impossible_values_are_named) {
    EXPECT_TRUE(pfc_transmit_config{}.validate("x").empty());
    pfc_transmit_config c;
    c.data_width = 2000;
    c.quanta_step = 1U << 24;
    c.launch = cycles{1};
    c.first_beat = cycles{2};
    c.refresh_extra = cycles{0};
    const config_errors errors = c.validate("tx");
    ASSERT_EQ(errors.size(), 5U);
    EXPECT_EQ(errors[0].key, "tx.data_width");
    EXPECT_EQ(errors[3].key, "tx.first_beat");
}

TEST(pfc_transmit_control, a_request_is_launched_and_sent_after_the_named_latencies) {
    for (const unsigned width : {8U, 24U, 64U, 512U, 1024U}) {
        SCOPED_TRACE(width);
        pfc_transmit_config config;
        config.data_width = width;
        config.quanta[3] = 77;
        transmitter t(config);
        t.run_to(20, requests(0));
        t.run_to(300, requests(0x08));
        t.run_to(600, requests(0));
        ASSERT_EQ(t.frames.size(), 2U);
        EXPECT_EQ(cycles{t.frames[0].launch - 20}, pause_launch_latency);
        EXPECT_EQ(cycles{t.frames[0].first_beat - 20}, pause_first_beat_latency);
        EXPECT_EQ(t.frames[0].enable, 0x08U);
        EXPECT_EQ(t.frames[0].quanta, (std::vector<unsigned>{0, 0, 0, 77, 0, 0, 0, 0}));
        EXPECT_EQ(t.frames[0].xoff, 0x08U);
        EXPECT_EQ(t.frames[0].xon, 0U);
        EXPECT_EQ(t.frames[1].first_beat, 304);
        EXPECT_EQ(t.frames[1].enable, 0x08U);
        EXPECT_EQ(t.frames[1].quanta, std::vector<unsigned>(8));
        EXPECT_EQ(t.frames[1].xon, 0x08U);
    }
}

TEST(pfc_transmit_control, later_stages_move_launch_and_first_beat) {
    pfc_transmit_config config;
    config.launch = cycles{5};
    config.first_beat = cycles{11};
    transmitter t(config);
    t.run_to(20, requests(0));
    t.run_to(200, requests(1));
    ASSERT_EQ(t.frames.size(), 1U);
    EXPECT_EQ(t.frames[0].launch, 25);
    EXPECT_EQ(t.frames[0].first_beat, 31);
}

TEST(pfc_transmit_control, all_paused_classes_are_announced_again_a_cycle_after_the_shortest_refresh_time) {
    for (const unsigned width : {16U, 64U, 512U}) {
        for (const std::int64_t extra : {1, 4}) {
            SCOPED_TRACE(width);
            pfc_transmit_config config;
            config.data_width = width;
            config.refresh[0] = 100;
            config.refresh[6] = 150;
            config.refresh_extra = cycles{extra};
            transmitter t(config);
            t.run_to(20, requests(0));
            t.run_to(20 + 5 * 150 * 512 / width, requests(0x41));
            const std::int64_t period = 100 * 512 / width + extra;
            ASSERT_GE(t.frames.size(), 5U);
            for (std::size_t f = 0; f < t.frames.size(); ++f) {
                EXPECT_EQ(t.frames[f].first_beat, 24 + static_cast<std::int64_t>(f) * period);
                EXPECT_EQ(t.frames[f].enable, 0x41U);
            }
        }
    }
}

TEST(pfc_transmit_control, requests_merge_while_a_frame_is_sent) {
    pfc_transmit_config config;
    config.data_width = 64;  // 8 beats: 24 to 31
    config.edge = launch_edge::kept;
    transmitter t(config);
    t.run_to(20, requests(0));
    t.run_to(23, requests(0x01));
    for (unsigned c = 1; c < 8; ++c) {
        t.clock(requests(static_cast<class_mask>((2U << c) - 1)));
    }
    t.run_to(100, requests(0xFE));
    ASSERT_EQ(t.frames.size(), 2U);
    EXPECT_EQ(t.frames[0].enable, 0x01U);
    // Last beat + 4: what has changed meanwhile is looked at when the frame has been taken.
    EXPECT_EQ(t.frames[1].first_beat, 31 + 4);
    EXPECT_EQ(t.frames[1].enable, 0xFFU);
    EXPECT_EQ(t.frames[1].xon, 0x01U);
}

TEST(pfc_transmit_control, a_request_in_the_cycle_of_a_launch_loses_its_enable_bit_as_in_that_rtl) {
    pfc_transmit_config config;
    config.data_width = 64;
    config.refresh.fill(50);
    for (const launch_edge edge : {launch_edge::lost, launch_edge::kept}) {
        config.edge = edge;
        transmitter t(config);
        t.run_to(20, requests(0));
        t.run_to(21, requests(0x01));
        t.run_to(34 + 50 * 8 + 10, requests(0x03));
        ASSERT_EQ(t.frames.size(), 3U);
        EXPECT_EQ(t.frames[0].enable, 0x01U);
        EXPECT_EQ(t.frames[0].quanta[1], edge == launch_edge::lost ? 65'535U : 0U) << "the times are read live";
        EXPECT_EQ(t.frames[1].first_beat, 31 + 3) << "refresh counter 0";
        EXPECT_EQ(t.frames[1].enable, edge == launch_edge::lost ? 0x01U : 0x03U);
        EXPECT_EQ(t.frames[2].first_beat, 34 + 50 * 8 + 1);
        EXPECT_EQ(t.frames[2].enable, 0x03U);
    }
}

TEST(pfc_transmit_control, a_request_of_one_cycle_is_announced_as_released_and_counted_as_paused_in_that_rtl) {
    pfc_transmit_config config;
    for (const launch_edge edge : {launch_edge::lost, launch_edge::kept}) {
        config.edge = edge;
        transmitter t(config);
        t.run_to(20, requests(0));
        t.run_to(21, requests(0x04));
        t.run_to(200, requests(0));
        ASSERT_EQ(t.frames.size(), 1U);
        EXPECT_EQ(t.frames[0].enable, 0x04U);
        EXPECT_EQ(t.frames[0].quanta[2], 0U);
        EXPECT_EQ(t.frames[0].xoff, edge == launch_edge::lost ? 0x04U : 0U);
        EXPECT_EQ(t.frames[0].xon, edge == launch_edge::lost ? 0U : 0x04U);
    }
}

TEST(pfc_transmit_control, a_request_in_the_cycle_of_an_empty_launch_waits_for_a_refresh_as_in_that_rtl) {
    pfc_transmit_config config;
    config.data_width = 64;
    config.refresh.fill(10);
    pfc_transmit_inputs resend = requests(0);
    resend.resend = true;
    for (const launch_edge edge : {launch_edge::lost, launch_edge::kept}) {
        config.edge = edge;
        transmitter t(config);
        t.run_to(20, requests(0));
        t.clock(resend);  // nothing is paused: an empty launch at the next edge
        t.run_to(300, requests(0x01));
        ASSERT_GE(t.frames.size(), 2U);
        // The refresh counter, which is 0, makes a launch at 23. Lost: it is empty too, and a refresh time
        // passes.
        EXPECT_EQ(t.frames[0].first_beat, 3 + (edge == launch_edge::lost ? 23 + 10 * 8 + 1 : 23));
        EXPECT_EQ(t.frames[0].enable, 0x01U);
    }
}

TEST(pfc_transmit_control, switched_off_it_holds_what_it_was_told_and_a_resend_says_it_again) {
    pfc_transmit_config config;
    transmitter t(config);
    pfc_transmit_inputs off = requests(0x10);
    off.pfc_enable = false;
    t.run_to(100, off);
    EXPECT_TRUE(t.frames.empty());
    t.run_to(200, requests(0x10));
    ASSERT_EQ(t.frames.size(), 1U);
    EXPECT_EQ(t.frames[0].first_beat, 104);
    off.request = 0;
    t.run_to(300, off);
    EXPECT_EQ(t.frames.size(), 1U);
    pfc_transmit_inputs resend = requests(0x10);
    resend.resend = true;
    t.clock(resend);
    t.run_to(400, requests(0x10));
    ASSERT_EQ(t.frames.size(), 2U);
    EXPECT_EQ(t.frames[1].first_beat, 304);
    EXPECT_EQ(t.frames[1].enable, 0x10U);
}

}  // namespace
}  // namespace weir::model
