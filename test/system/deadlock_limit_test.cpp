// What stands still for long and is no deadlock: pauses at the rate of a slow link, pauses of a module that is
// not ours, response times and lookups at intervals. (Real deadlocks: replaced_block_test.cpp.)
#include <gtest/gtest.h>

#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;
using weir::test::user_module;

namespace {

/// A switch with hosts at links of these rates.
topology star_of(const std::vector<bit_rate>& rates) {
    topology plan;
    plan.add_switch("tor0");
    for (const bit_rate rate : rates) {
        const host_id h = plan.add_host("h" + std::to_string(plan.hosts()));
        plan.add_link(node_ref::of_host(h), node_ref::of_switch(0), {rate, 1us});
    }
    plan.finish();
    return plan;
}
ethernet_frame xoff(std::uint16_t quanta) {
    ethernet_frame frame;
    frame.kind = frame_kind::pfc;
    frame.frame_bytes = 64;
    frame.pause.class_enable = 0xFF;
    frame.pause.quanta.fill(quanta);
    return frame;
}

TEST(deadlock_limit, a_pause_whose_xon_was_lost_lasts_as_long_as_its_slow_link_makes_it) {
    fabric_parameters parameters;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.xoff = 1000_B;
    parameters.flow_control.xon = 500_B;
    parameters.device.classes = 1;
    parameters.device.lookup_delay = 200us;
    // Host 0's link is slow from 1 ms on. One frame is there at 3.22 ms and asks for XOFF, which host 0 has
    // 68 us later. The XON that follows the lookup is lost, and there is nothing left to send another for.
    parameters.changes = {{1ms, 0, std::nullopt, 10_Mbps}};
    fabric_change lossy{3'350us, 0, std::nullopt};
    lossy.frame_error_rate = 1;
    fabric_change mended{3'600us, 0, std::nullopt};
    mended.frame_error_rate = 0;
    parameters.changes.push_back(lossy);
    parameters.changes.push_back(mended);
    fabric_rig rig(star_of({10_Gbps, 10_Gbps}), parameters);
    rig.stream(2ms, 1, rig.frame(0, 1, 1500), 0);
    rig.stream(3'400us, 1, rig.frame(0, 1, 1500), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(10s); }), "");
    EXPECT_GT(rig.made.device(0).mac(0).requests.stats().xon_sent[0], 0U);
    ASSERT_EQ(rig.ends[1].arrivals.size(), 2U);
    // 65,535 quanta at 10 Mb/s are 3.355 s.
    EXPECT_GT(rig.ends[1].arrivals[1].time, 3'355ms);
}

TEST(deadlock_limit, a_module_of_a_users_own_may_pause_for_longer_than_the_fabric_does) {
    fabric_parameters parameters;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.quanta = pause_quanta{100};
    parameters.open_hosts = {1};
    fabric_rig rig(star_of({1_Gbps, 1_Gbps}), parameters);
    user_module user("user");
    user.bind(rig, 1);
    user.at(10us, xoff(65'535), 1us);
    rig.stream(20us, 3, rig.frame(0, 1, 1000), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(100ms); }), "");
    ASSERT_EQ(user.arrivals.size(), 3U);
    EXPECT_GT(user.arrivals[0].first_bit, pause_time(pause_quanta{65'535}, 1_Gbps));
}

TEST(deadlock_limit, an_xon_takes_effect_after_the_response_time_however_long_that_is) {
    fabric_parameters parameters;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.quanta = pause_quanta{100};  // 51.2 us at 1 Gb/s
    parameters.flow_control.response = 20ms;
    parameters.device.classes = 1;
    parameters.device.ingress_buffer = 16_MB;
    parameters.flow_control.xoff = 400'000_B;
    parameters.flow_control.xon = 2000_B;
    fabric_rig rig(star_of({1_Gbps, 100_Mbps}), parameters);
    rig.stream(1us, 3000, rig.frame(0, 1, 1500), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(1s); }), "");
    EXPECT_EQ(rig.ends[1].arrivals.size(), 3000U);
    picoseconds longest_gap{0};
    for (std::size_t i = 1; i < rig.ends[1].arrivals.size(); ++i) {
        longest_gap = std::max(longest_gap, rig.ends[1].arrivals[i].time - rig.ends[1].arrivals[i - 1].time);
    }
    // 20 ms, less what the egress port's memory (128 KB) holds for its link: 10.5 ms.
    EXPECT_GT(longest_gap, 5ms) << "the fabric never stood still";
}

TEST(deadlock_limit, a_lookup_may_have_to_wait_for_its_turn) {
    fabric_parameters parameters;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.quanta = pause_quanta{100};
    parameters.device.lookup_interval = 10ms;
    parameters.device.classes = 1;
    parameters.flow_control.xoff = 4000_B;
    parameters.flow_control.xon = 2000_B;
    fabric_rig rig(star_of({100_Gbps, 100_Gbps}), parameters);
    rig.stream(1us, 60, rig.frame(0, 1, 1500), 0);
    EXPECT_EQ(fatal_message([&] { rig.run(1s); }), "");
    EXPECT_EQ(rig.ends[1].arrivals.size(), 60U);
}

}  // namespace
