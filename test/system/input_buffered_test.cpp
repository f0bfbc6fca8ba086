// Memory at ingress until frames have left (switch.buffer = input_buffered): a literal account of the port's
// bytes, pauses, losses, deadlocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/fabric_rig.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::test {

using namespace model;

namespace {

constexpr picoseconds frame_time = 8us;  // 1,000 B at 1 Gb/s

topology star_of(unsigned hosts) {
    single_config config;
    config.hosts = hosts;
    return make_topology(config);
}

fabric_parameters with_memory(bytes memory) {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.device.buffer = buffer_kind::input_buffered;
    p.device.lookup_delay = 1us;
    p.device.ingress_buffer = memory;
    p.device.max_frame = 1000_B;
    p.device.classes = 1;
    return p;
}

class input_buffered : public testing::TestWithParam<engine_kind> {};

// Two hosts fill host 2's link; each frame leaves when those before it have. A port's memory has what came and
// has not left with its last bit.
TEST_P(input_buffered, holds_frames_at_their_ingress_port_until_their_last_bit_has_left) {
    constexpr int each = 6;
    fabric_parameters p = with_memory(100'000_B);
    p.engine = GetParam();
    fabric_rig rig(star_of(3), p);
    for (host_id src = 0; src < 2; ++src) {
        rig.stream(0us, each, rig.frame(src, 2, 1000), src);
    }
    rig.run(2ms, 0_ps, GetParam());
    ASSERT_EQ(rig.ends[2].arrivals.size(), 2U * each);
    switch_node& device = rig.made.device(0);
    for (unsigned port = 0; port < 2; ++port) {
        // In one frame time a port gets one frame, and both together give one away: after six, it has three of
        // its own, or four while the other's is on the wire.
        const bytes most = device.ingress_memory().meter(port, 0)->watermark();
        EXPECT_GE(most, 3'000_B);
        EXPECT_LE(most, 4'000_B);
        EXPECT_EQ(device.ingress_memory().occupancy(port), 0_B);
    }
    // Twelve have come when the fifth's last bit leaves, in the same instant.
    EXPECT_EQ(device.egress_memory().meter(2, 0)->watermark(), 8'000_B);
    for (std::size_t i = 1; i < 2U * each; ++i) {
        EXPECT_EQ(rig.ends[2].arrivals[i].time - rig.ends[2].arrivals[i - 1].time, frame_time);
    }
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

TEST_P(input_buffered, loses_frames_only_of_the_port_whose_memory_is_full) {
    fabric_parameters p = with_memory(3'000_B);
    p.engine = GetParam();
    fabric_rig rig(star_of(4), p);
    // Host 0 sends twice as much as host 3's link takes with host 1's; host 2 is alone at its own memory.
    for (host_id src = 0; src < 2; ++src) {
        rig.stream(0us, 40, rig.frame(src, 3, 1000), src);
    }
    rig.ends[2].at(100us, rig.frame(2, 3, 1000));
    rig.run(2ms, 0_ps, GetParam());
    switch_node& device = rig.made.device(0);
    const std::uint64_t lost = device.stats().drops[static_cast<unsigned>(drop_reason::ingress_full)];
    EXPECT_GT(lost, 30U);
    EXPECT_EQ(rig.ends[3].arrivals.size() + lost, 81U);
    EXPECT_EQ(std::count_if(rig.ends[3].arrivals.begin(), rig.ends[3].arrivals.end(),
                            [&](const auto& a) { return a.frame.src == rig.plan.address_of(2); }),
              1);
    EXPECT_EQ(device.stats().drops_at(2, 0)[static_cast<unsigned>(drop_reason::ingress_full)], 0U);
    EXPECT_EQ(device.stats().drops[static_cast<unsigned>(drop_reason::egress_full)], 0U);
}

TEST_P(input_buffered, pauses_by_its_memory_and_loses_nothing_with_the_computed_threshold) {
    fabric_parameters p = with_memory(20'000_B);
    p.engine = GetParam();
    p.flow_control.mode = flow_control_mode::pfc;
    fabric_rig rig(star_of(5), p);
    for (host_id src = 0; src < 4; ++src) {
        rig.stream(0us, 200, rig.frame(src, 4, 1000), src);
    }
    rig.run(8ms, 0_ps, GetParam());
    switch_node& device = rig.made.device(0);
    EXPECT_EQ(rig.ends[4].arrivals.size(), 800U);
    EXPECT_GT(device.mac(0).requests.stats().xoff_sent[0], 3U);
    const ingress_limits limits = device.own_ingress()->limits(0);
    EXPECT_GE(device.ingress_memory().meter(0, 0)->watermark().count(), static_cast<std::int64_t>(limits.xoff));
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

// XOFF at the very end of the memory: what comes until the sender obeys is lost.
TEST_P(input_buffered, counts_what_thresholds_without_a_reserve_lose_where_that_is_asked_for) {
    fabric_parameters p = with_memory(20'000_B);
    p.engine = GetParam();
    p.flow_control.mode = flow_control_mode::pfc;
    p.flow_control.xoff = 19'500_B;
    p.flow_control.xon = 15'000_B;
    p.flow_control.losses = loss_action::counted;
    fabric_rig rig(star_of(5), p);
    for (host_id src = 0; src < 4; ++src) {
        rig.stream(0us, 200, rig.frame(src, 4, 1000), src);
    }
    rig.run(8ms, 0_ps, GetParam());
    const switch_node& device = rig.made.device(0);
    const std::uint64_t lost = device.stats().drops[static_cast<unsigned>(drop_reason::ingress_full)];
    EXPECT_GT(lost, 3U);
    EXPECT_EQ(rig.ends[4].arrivals.size() + lost, 800U);
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

// Table III of the cross-layer study: XOFF at 97 KB of 100 KB leaves 3 KB for what arrives until the sender
// obeys, which is less than the closed form of 802.1Qbb asks for even on a short cable.
TEST(input_buffered_thresholds, the_cross_layer_studys_thresholds_hold_nothing_for_the_delays_of_pfc) {
    switch_config device;
    device.ingress_buffer = 100'000_B;
    device.classes = 1;
    device.max_frame = 1518_B;
    pfc_config pfc;
    pfc.mode = flow_control_mode::pfc;
    port_config port;
    port.rate = 10_Gbps;
    port.latency = 1ns;
    port.wire_overhead = 20_B;
    const port_flow_control control = resolve_flow_control(device, pfc, port);
    EXPECT_GT(control.reserve, 3'000_B);
    EXPECT_LT(control.limits.xoff, 97'000U);
}

INSTANTIATE_TEST_SUITE_P(both_engines, input_buffered,
                         testing::Values(engine_kind::fast, engine_kind::literal));

}  // namespace
}  // namespace weir::test
