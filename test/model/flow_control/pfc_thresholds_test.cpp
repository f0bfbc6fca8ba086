#include "weir/model/flow_control/pfc_thresholds.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

port_config detail_port() {
    return {1_Gbps, 6600ns, 0_B};
}
pfc_config of(flow_control_mode mode) {
    pfc_config config;
    config.mode = mode;
    return config;
}

TEST(pfc_thresholds, detail_numbers_give_the_full_closed_form_as_reserve) {
    const port_flow_control control = resolve_flow_control({}, of(flow_control_mode::pfc), detail_port());
    EXPECT_TRUE(control.errors.empty());
    // 12.24 + 0.512 (64 B without overhead) + 6.6 + 1.024 + 12.24 + 6.6 us = 39.216 us at 125 B/us.
    EXPECT_EQ(control.reserve, 4'902_B);
    EXPECT_EQ(control.response, 1'024ns);
    // (131,072 / 8) - 4,902 - 1,529
    EXPECT_EQ(control.limits.xoff, 9'953U);
    EXPECT_EQ(control.limits.xon, 4'902U);
    EXPECT_EQ(control.limits.capacity, 131'072U);
    EXPECT_FALSE(control.limits.one_class);
    EXPECT_EQ(control.requests.kind, frame_kind::pfc);
}

TEST(pfc_thresholds, details_profile_gives_its_thresholds_for_eight_classes_and_for_one) {
    // Section 6.1: 38.704 us at 125 B/us = 4,838 B a class; (131,072 - 8 x 4,838) / 8 = 11,546 B.
    pfc_config config = of(flow_control_mode::pfc);
    config.profile = reserve_profile::detail;
    const port_flow_control eight = resolve_flow_control({}, config, detail_port());
    EXPECT_TRUE(eight.errors.empty());
    EXPECT_EQ(eight.terms.total(), 38'704ns);
    EXPECT_EQ(eight.reserve, 4'838_B);
    EXPECT_EQ(eight.crossing, 0_B);
    EXPECT_EQ(eight.class_memory, 16'384_B);
    EXPECT_EQ(eight.limits.xoff, 11'546U);
    EXPECT_EQ(eight.limits.xon, 4'838U);
    switch_config one_class;
    one_class.classes = 1;
    const port_flow_control one = resolve_flow_control(one_class, config, detail_port());
    EXPECT_EQ(one.limits.xoff, 131'072U - 4'838U);
    EXPECT_EQ(one.limits.xon, 4'838U);
    for (const port_flow_control& control : {eight, one}) {
        EXPECT_TRUE(control.can_lose) << "neither the frame that crosses XOFF nor the PFC frame has a place";
        EXPECT_EQ(control.worst_case, 4'902_B);
    }
}

TEST(pfc_thresholds, details_profile_gives_no_threshold_for_pause_so_that_every_term_counts) {
    pfc_config config = of(flow_control_mode::pause);
    config.profile = reserve_profile::detail;
    const port_flow_control control = resolve_flow_control({}, config, detail_port());
    EXPECT_EQ(control.profile, reserve_profile::worst_case);
    EXPECT_EQ(control.limits.xoff, 131'072U - 4'902 - 1'529);
    EXPECT_EQ(control.limits.xon, 4'902U);
    EXPECT_FALSE(control.can_lose);
}

TEST(pfc_thresholds, the_worst_cases_profile_never_loses_and_its_terms_add_up_to_the_reserve) {
    for (const bit_rate rate : {1_Gbps, 10_Gbps, 100_Gbps}) {
        for (const bytes cell : {0_B, 208_B}) {
            switch_config device;
            device.ingress_buffer = 4_MiB;
            device.memory_cell = cell;
            const port_flow_control control =
                resolve_flow_control(device, of(flow_control_mode::pfc), {rate, 600ns, 20_B});
            EXPECT_TRUE(control.errors.empty());
            EXPECT_FALSE(control.can_lose);
            EXPECT_EQ(control.reserve, control.worst_case);
            EXPECT_EQ(control.terms.total_bytes() == control.reserve, cell == 0_B);
            EXPECT_EQ(bytes{control.limits.xoff} + control.crossing + control.reserve, control.class_memory);
        }
    }
}

TEST(pfc_thresholds, details_own_thresholds_are_taken_as_given) {
    pfc_config config = of(flow_control_mode::pfc);
    config.xoff = 11'546_B;
    config.xon = 4'838_B;
    const port_flow_control control = resolve_flow_control({}, config, detail_port());
    EXPECT_TRUE(control.errors.empty());
    EXPECT_EQ(control.limits.xoff, 11'546U);
    EXPECT_EQ(control.limits.xon, 4'838U);
}

TEST(pfc_thresholds, what_all_classes_can_still_receive_fills_the_memory_and_no_more) {
    for (const bytes memory : {128_KiB, 100_KB, 1_MiB}) {
        for (std::uint32_t classes = 1; classes <= 8; ++classes) {
            for (const bit_rate rate : {1_Gbps, 10_Gbps, 100_Gbps}) {
                for (const bytes cell : {0_B, 208_B}) {
                    switch_config device;
                    device.ingress_buffer = memory;
                    device.classes = classes;
                    device.memory_cell = cell;
                    const port_flow_control c =
                        resolve_flow_control(device, of(flow_control_mode::pfc), {rate, 600ns, 20_B});
                    if (!c.errors.empty()) {
                        continue;
                    }
                    const std::int64_t frame = cell.count() > 0 ? 1664 : 1530;  // 8 cells of 208 B
                    const std::int64_t per_class = c.limits.xoff + c.reserve.count() + frame - 1;
                    EXPECT_LE(per_class * classes, memory.count());
                    EXPECT_GT((per_class + 1) * classes, memory.count());
                    EXPECT_LE(c.limits.xon, c.limits.xoff);
                    EXPECT_GE(c.limits.xon, 1U);
                }
            }
        }
    }
}

TEST(pfc_thresholds, pause_has_one_class_with_the_whole_memory) {
    const port_flow_control control = resolve_flow_control({}, of(flow_control_mode::pause), detail_port());
    EXPECT_TRUE(control.limits.one_class);
    EXPECT_EQ(control.requests.kind, frame_kind::pause);
    EXPECT_EQ(control.limits.xoff, 131'072U - 4'902 - 1'529);
}

TEST(pfc_thresholds, without_flow_control_there_is_no_threshold) {
    const port_flow_control control = resolve_flow_control({}, of(flow_control_mode::none), detail_port());
    EXPECT_EQ(control.limits.xoff, ingress_limits::no_threshold);
    EXPECT_TRUE(control.errors.empty());
}

TEST(pfc_thresholds, charging_after_the_lookup_adds_its_delay_to_the_reserve) {
    pfc_config config = of(flow_control_mode::pfc);
    config.charge = charge_time::enqueue;
    const port_flow_control control = resolve_flow_control({}, config, detail_port());
    EXPECT_EQ(control.reserve, 5'290_B);  // (39.216 + 3.1) us x 125 B/us = 5,289.5 B
}

TEST(pfc_thresholds, memory_that_can_not_hold_the_reserves_is_refused_with_the_sum_that_it_needs) {
    switch_config device;
    device.ingress_buffer = 51'448_B;  // 8 x (4,902 + 1,529)
    port_flow_control control = resolve_flow_control(device, of(flow_control_mode::pfc), detail_port());
    ASSERT_EQ(control.errors.size(), 1U);
    EXPECT_EQ(control.errors[0].key, "switch.ingress_buffer");
    device.ingress_buffer = 51'456_B;  // and 1 B of threshold each
    control = resolve_flow_control(device, of(flow_control_mode::pfc), detail_port());
    EXPECT_TRUE(control.errors.empty());
    EXPECT_EQ(control.limits.xoff, 1U);
}

TEST(pfc_thresholds, a_threshold_beyond_the_memory_is_refused) {
    pfc_config config = of(flow_control_mode::pfc);
    config.xoff = 131'073_B;
    const port_flow_control control = resolve_flow_control({}, config, detail_port());
    ASSERT_EQ(control.errors.size(), 1U);
    EXPECT_EQ(control.errors[0].key, "pfc.xoff");
}

TEST(pfc_thresholds, a_refresh_comes_after_its_share_of_the_pause) {
    pfc_config config = of(flow_control_mode::pfc);
    config.quanta = pause_quanta{1000};
    config.refresh = 0.25;
    EXPECT_EQ(resolve_flow_control({}, config, detail_port()).requests.refresh, pause_quanta{250});
    config.quanta = pause_quanta{1};
    EXPECT_EQ(resolve_flow_control({}, config, detail_port()).requests.refresh, pause_quanta{1});
}

TEST(pfc_thresholds, a_pause_that_a_refresh_can_not_be_in_time_for_is_refused_by_the_option_that_is_to_blame) {
    // A frame of 1,530 B on the wire takes 24 quanta of 64 B.
    const auto errors_of = [](std::int64_t quanta, double refresh) {
        pfc_config config = of(flow_control_mode::pfc);
        config.quanta = pause_quanta{quanta};
        config.refresh = refresh;
        std::string keys;
        for (const config_error& error : resolve_flow_control({}, config, detail_port()).errors) {
            keys += error.key;
        }
        return keys;
    };
    EXPECT_EQ(errors_of(24, 0.5), "pfc.quanta");
    EXPECT_EQ(errors_of(25, 0.01), "");
    EXPECT_EQ(errors_of(25, 0.99), "pfc.refresh");
    EXPECT_EQ(errors_of(1000, 0.976), "");
    EXPECT_EQ(errors_of(1000, 0.978), "pfc.refresh");
}

TEST(pfc_thresholds, response_times_by_rate_take_the_next_faster_entry) {
    EXPECT_EQ(default_response(1_Gbps), 1'024ns);
    EXPECT_EQ(default_response(100_Gbps), 2'017'280_ps);  // 394 quanta of 5.12 ns
    // 5 Gb/s has no entry: 10 Gb/s's 67 quanta of 51.2 ns.
    EXPECT_EQ(default_response(5_Gbps), 3'430'400_ps);
}

// --- links that change -------------------------------------------------------------------------------------

TEST(pfc_thresholds, the_reserve_is_for_the_fastest_and_the_longest_that_the_link_will_be) {
    port_config port = detail_port();
    port.later_rate = 10_Gbps;
    port.later_latency = 20us;
    switch_config device;
    device.ingress_buffer = 1_MiB;
    const port_flow_control control = resolve_flow_control(device, of(flow_control_mode::pfc), port);
    // Frames of 1,530 B and 64 B at 10 Gb/s: 1.224 + 0.0512 + 20 + 1.024 + 1.224 + 20 us at 1,250 B/us. The
    // response time stays that of 1 Gb/s, and is a whole 20 quanta of 51.2 ns.
    EXPECT_EQ(control.response, 1'024ns);
    EXPECT_EQ(control.reserve, 54'404_B);
    EXPECT_EQ(control.limits.xoff, 1'048'576U / 8 - 54'404 - 1'529);
    EXPECT_EQ(control.headroom, control.reserve);
    EXPECT_FALSE(control.can_lose);
}

TEST(pfc_thresholds, a_link_that_will_be_slower_and_shorter_keeps_the_reserve_of_the_start) {
    port_config port = detail_port();
    port.later_rate = 100_Mbps;
    port.later_latency = 1us;
    const port_flow_control changing = resolve_flow_control({}, of(flow_control_mode::pfc), port);
    const port_flow_control as_it_is = resolve_flow_control({}, of(flow_control_mode::pfc), detail_port());
    EXPECT_EQ(changing.reserve, as_it_is.reserve);
    EXPECT_EQ(changing.limits.xoff, as_it_is.limits.xoff);
}

TEST(pfc_thresholds, a_rate_that_rises_while_a_frame_is_sent_takes_that_frames_time_at_the_new_rate) {
    // 122.4 (1,530 B at 100 Mb/s) + 0.512 + 6.6 + 1.024 + 12.24 + 6.6 us at 125 B/us.
    EXPECT_EQ(reserve_at_rise({}, of(flow_control_mode::pfc), detail_port(), 100_Mbps, 1_Gbps), 18'672_B);
    EXPECT_EQ(reserve_at_rise({}, of(flow_control_mode::pfc), detail_port(), 1_Gbps, 1_Gbps), 4'902_B);
}

}  // namespace
