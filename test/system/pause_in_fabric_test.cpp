// PFC and PAUSE in a fabric, to the picosecond: when a transmitter stops, what it finishes, when it goes on.
//
// One switch, 1 Gb/s, DeTail's numbers without wire overhead: a frame of 500 B takes 4 us, a PFC frame of 64 B
// 512 ns, a link 6.6 us, the response T_R 1.024 us (2 quanta of 512 ns). A user's module sits at the place of
// host 1, pauses the switch's port to it, and sees when the port begins each frame.
#include <gtest/gtest.h>

#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::user_module;

namespace {

constexpr picoseconds cable_delay = 6'600ns;
constexpr picoseconds response = 1'024ns;
constexpr picoseconds pfc_frame = 512ns;
constexpr picoseconds paused_frame_time = 4us;
constexpr picoseconds quantum = 512ns;
/// From a host's first bit to the first bit that the switch sends: link, lookup, crossbar.
constexpr picoseconds to_paused_egress = paused_frame_time + cable_delay + 3'100ns + 1us;

ethernet_frame pause_frame(frame_kind kind, class_mask classes, std::uint16_t quanta) {
    ethernet_frame frame;
    frame.kind = kind;
    frame.frame_bytes = 64;
    frame.pause.class_enable = classes;
    frame.pause.quanta.fill(quanta);
    return frame;
}

struct pause_rig {
    explicit pause_rig(flow_control_mode mode = flow_control_mode::pfc, unsigned hosts = 3)
        : rig(plan_of(hosts), parameters_of(mode)) {
        user.bind(rig, 1);
    }
    static topology plan_of(unsigned hosts) {
        single_config config;
        config.hosts = hosts;
        return make_topology(config);
    }
    static fabric_parameters parameters_of(flow_control_mode mode) {
        fabric_parameters p;
        p.wire_overhead = 0_B;
        p.flow_control.mode = mode;
        p.open_hosts = {1};
        return p;
    }
    /// A PFC frame whose effect begins at `effect`.
    void take_effect(picoseconds effect, class_mask classes, std::uint16_t quanta,
                     frame_kind kind = frame_kind::pfc) {
        user.at(effect - response - pfc_frame - cable_delay, pause_frame(kind, classes, quanta), cable_delay);
    }
    /// When the switch began each frame of the class.
    std::vector<picoseconds> starts(pfc_class c) const { return user.starts(c, cable_delay); }

    fabric_rig rig;
    user_module user{"user"};
};

/// Starts one frame time apart from `from` on, and none at or after `until`.
void expect_back_to_back(const std::vector<picoseconds>& starts, std::size_t first, picoseconds from,
                         std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_LT(first + i, starts.size());
        EXPECT_EQ(starts[first + i], from + paused_frame_time * static_cast<std::int64_t>(i))
            << "frame " << first + i;
    }
}

TEST(pause_in_fabric, a_port_stops_at_the_last_bit_plus_the_response_and_goes_on_when_the_quanta_are_over) {
    pause_rig p;
    p.rig.stream(1us, 40, p.rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect =
        first + 5 * paused_frame_time + 1ns;  // 1 ns into the sixth frame: it is finished
    p.take_effect(effect, 1 << 3, 100);
    p.rig.run(1ms);
    ASSERT_EQ(p.starts(3).size(), 40U);
    expect_back_to_back(p.starts(3), 0, first, 6);
    expect_back_to_back(p.starts(3), 6, effect + 100 * quantum, 34);
}

TEST(pause_in_fabric, a_frame_that_is_due_at_the_very_instant_of_the_effect_does_not_start) {
    pause_rig p;
    p.rig.stream(1us, 20, p.rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 5 * paused_frame_time;
    p.take_effect(effect, 1 << 3, 100);
    p.rig.run(1ms);
    expect_back_to_back(p.starts(3), 0, first, 5);
    expect_back_to_back(p.starts(3), 5, effect + 100 * quantum, 15);
}

TEST(pause_in_fabric, one_picosecond_earlier_it_does) {
    pause_rig p;
    p.rig.stream(1us, 20, p.rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 5 * paused_frame_time + 1_ps;
    p.take_effect(effect, 1 << 3, 100);
    p.rig.run(1ms);
    expect_back_to_back(p.starts(3), 0, first, 6);
    expect_back_to_back(p.starts(3), 6, effect + 100 * quantum, 14);
}

TEST(pause_in_fabric, xon_lets_the_class_go_on_at_its_own_last_bit_plus_the_response) {
    pause_rig p;
    p.rig.stream(1us, 20, p.rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 2 * paused_frame_time;
    p.take_effect(effect, 1 << 3, 65'535);
    const picoseconds xon = effect + 77'777_ps + 30us;
    p.take_effect(xon, 1 << 3, 0);
    p.rig.run(1ms);
    expect_back_to_back(p.starts(3), 0, first, 2);
    expect_back_to_back(p.starts(3), 2, xon, 18);
}

TEST(pause_in_fabric, a_refresh_keeps_the_class_paused_without_a_gap_and_a_later_frame_replaces_the_time) {
    pause_rig p;
    p.rig.stream(1us, 20, p.rig.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 2 * paused_frame_time;
    p.take_effect(effect, 1 << 3, 100);
    p.take_effect(effect + 60 * quantum, 1 << 3, 100);
    p.take_effect(effect + 160 * quantum, 1 << 3, 1000);  // at the very end of the second
    p.take_effect(effect + 200 * quantum, 1 << 3, 50);    // shorter than what is left: it counts
    p.rig.run(1ms);
    expect_back_to_back(p.starts(3), 0, first, 2);
    expect_back_to_back(p.starts(3), 2, effect + 250 * quantum, 18);
}

TEST(pause_in_fabric, a_paused_class_does_not_stop_the_others) {
    pause_rig p;
    p.rig.stream(1us, 10, p.rig.frame(0, 1, 500, 6), 0);
    p.rig.stream(1us, 10, p.rig.frame(2, 1, 500, 2), 2);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 3 * paused_frame_time;
    p.take_effect(effect, 1 << 6, 1000);
    p.rig.run(2ms);
    // Strict priority: class 6 has the wire until it is paused, then class 2, then the rest of class 6.
    expect_back_to_back(p.starts(6), 0, first, 3);
    expect_back_to_back(p.starts(2), 0, effect, 10);
    expect_back_to_back(p.starts(6), 3, effect + 1000 * quantum, 7);
}

TEST(pause_in_fabric, pause_of_8023x_stops_every_class) {
    pause_rig p(flow_control_mode::pause);
    p.rig.stream(1us, 10, p.rig.frame(0, 1, 500, 6), 0);
    p.rig.stream(1us, 10, p.rig.frame(2, 1, 500, 2), 2);
    const picoseconds first = 1us + to_paused_egress;
    const picoseconds effect = first + 3 * paused_frame_time;
    p.take_effect(effect, 0, 1000, frame_kind::pause);
    p.rig.run(2ms);
    expect_back_to_back(p.starts(6), 0, first, 3);
    expect_back_to_back(p.starts(6), 3, effect + 1000 * quantum, 7);
    expect_back_to_back(p.starts(2), 0, effect + 1000 * quantum + 7 * paused_frame_time, 10);
}

TEST(pause_in_fabric, quanta_are_bit_times_of_the_link) {
    // 10 Gb/s: 51.2 ns each, T_R given.
    single_config config;
    config.hosts = 3;
    config.host_link = {10_Gbps, 1us};
    fabric_parameters parameters = pause_rig::parameters_of(flow_control_mode::pfc);
    parameters.flow_control.response = 300ns;
    fabric_rig rig(make_topology(config), parameters);
    user_module user{"user"};
    user.bind(rig, 1);
    rig.stream(1us, 10, rig.frame(0, 1, 500), 0);
    const picoseconds first = 1us + 400ns + 1us + 3'100ns + 100ns;
    const picoseconds effect = first + 3 * 400ns;
    user.at(effect - 300ns - 51'200_ps - 1us, pause_frame(frame_kind::pfc, 1, 77), 1us);
    rig.run(1ms);
    const std::vector<picoseconds> starts = user.starts(0, 1us);
    ASSERT_EQ(starts.size(), 10U);
    EXPECT_EQ(starts[2], first + 2 * 400ns);
    EXPECT_EQ(starts[3], effect + 77 * 51'200_ps);
}

// --- the switch pauses a host ------------------------------------------------------------------------------

TEST(pause_in_fabric, a_host_is_stopped_and_released_at_the_hand_computed_times) {
    // XOFF with the first byte, XON with the last: the first frame in memory pauses the host, and it goes on
    // once the memory is empty.
    fabric_parameters parameters = pause_rig::parameters_of(flow_control_mode::pfc);
    parameters.open_hosts.clear();
    parameters.flow_control.xoff = 1_B;
    parameters.flow_control.xon = 1_B;
    single_config config;
    config.hosts = 2;
    fabric_rig rig(make_topology(config), parameters);
    rig.stream(0us, 15, rig.frame(0, 1, 500, 7), 0);
    rig.run(1ms);
    // XOFF is decided at the last bit, 4 + 6.6 us after the frame's start, and obeyed 0.512 + 6.6 + 1.024 us
    // later, at 18.736 us: five frames have started by then, the last at 16 us. It is here at 26.6 us and
    // leaves memory after 3.1 + 1 us; XON is obeyed 8.136 us later, at 38.836 us. And so on.
    const picoseconds to_receiver = to_paused_egress + paused_frame_time + cable_delay;
    const picoseconds round = 16us + 10'600ns + 4'100ns + 8'136ns;
    EXPECT_EQ(round, 38'836ns);
    ASSERT_EQ(rig.ends[1].arrivals.size(), 15U);
    for (int i = 0; i < 15; ++i) {
        EXPECT_EQ(rig.ends[1].arrivals[static_cast<std::size_t>(i)].time,
                  round * (i / 5) + paused_frame_time * (i % 5) + to_receiver)
            << i;
    }
    const pause_timer_stats& stats = rig.made.host(0)->mac().timers.stats();
    EXPECT_EQ(stats.paused_time[7], 3 * (38'836ns - 18'736ns));
    // Drain bytes: a frame of class 7 pauses all of them.
    EXPECT_EQ(stats.paused_time[0], 3 * (38'836ns - 18'736ns));
}

TEST(pause_in_fabric, a_long_pause_is_refreshed_by_the_switch_before_it_runs_out) {
    // The port to host 1 is stopped by its owner; host 0's class fills the switch and is paused for 40 quanta
    // (20.48 us) at a time: it must not send in between, and nothing may be lost. Host 2's frames go on, so
    // that the fabric does not stand still.
    fabric_parameters parameters = pause_rig::parameters_of(flow_control_mode::pfc);
    parameters.flow_control.quanta = pause_quanta{40};
    parameters.device.egress_buffer = 10_KB;
    parameters.device.ingress_buffer = 60_KB;
    single_config config;
    config.hosts = 3;
    fabric_rig rig(make_topology(config), parameters);
    user_module user{"user"};
    user.bind(rig, 1);
    user.at(0us, pause_frame(frame_kind::pfc, 0xFF, 65'535), cable_delay);
    rig.stream(1us, 500, rig.frame(0, 1, 500, 4), 0);
    for (int i = 0; i < 1000; ++i) {
        rig.stream(20us * i, 1, rig.frame(2, 0, 500, 4), 2);
    }
    rig.run(20ms);
    EXPECT_TRUE(user.arrivals.empty());
    // Refreshed every half of the time, as soon as the port has finished the frame to host 0 that it may just
    // be sending.
    const pause_request_stats& stats = rig.made.device(0).mac(0).requests.stats();
    EXPECT_GE(stats.refreshes_sent, 19'900'000 / (20 * 512 + 4'000));
    EXPECT_LE(stats.refreshes_sent, 20'000'000 / (20 * 512));
    EXPECT_GT(rig.made.host(0)->mac().timers.stats().paused_time[4], 19'900us);
    EXPECT_LT(rig.made.host(0)->mac().stats.classes[4].tx_frames, 60U) << "what fits into the switch";
    EXPECT_EQ(rig.ends[0].arrivals.size(), 999U);  // the last one is on its way
    EXPECT_EQ(rig.made.device(0).stats().drops, drop_counts{});
}

TEST(pause_in_fabric, a_link_that_was_cut_is_paused_again_when_it_is_mended_and_nothing_is_lost) {
    // As above, but the host's link is cut and mended while the switch's memory is still at its threshold. The
    // mended link comes up with no class paused; the switch must say again at once what it cannot take.
    fabric_parameters parameters = pause_rig::parameters_of(flow_control_mode::pfc);
    parameters.device.egress_buffer = 10_KB;
    parameters.device.ingress_buffer = 60_KB;
    single_config config;
    config.hosts = 2;
    const topology plan = make_topology(config);
    const link_id link = *plan.find_link("h0-tor0");
    parameters.changes = {{2ms, link, false, bit_rate{0}}, {3ms, link, true, bit_rate{0}}};
    fabric_rig rig(plan, parameters);
    user_module user{"user"};
    user.bind(rig, 1);
    user.at(0us, pause_frame(frame_kind::pfc, 0xFF, 65'535), cable_delay);
    rig.stream(1us, 500, rig.frame(0, 1, 500, 4), 0);
    rig.stream(2'900us, 100, rig.frame(0, 1, 500, 4), 0);
    rig.stream(3'100us, 300, rig.frame(0, 1, 500, 4), 0);
    const std::string message = weir::test::fatal_message([&] { rig.run(10ms); });
    EXPECT_EQ(message, "");
    EXPECT_TRUE(user.arrivals.empty());
    EXPECT_EQ(rig.made.device(0).stats().drops[static_cast<unsigned>(drop_reason::ingress_full)], 0U);
}

}  // namespace
