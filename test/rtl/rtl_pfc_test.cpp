// PFC's RTL with a clock in a switch, at times computed by hand: 1 Gb/s, frames of 500 B, a clock of 8 ns.
#include "tb/verify/rtl/rtl_pfc.h"

#include <gtest/gtest.h>

#include "support/fabric_rig.h"
#include "tb/verify/rtl/pfc_clocked_port.h"

namespace {

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::user_module;
using clocked_pfc = rtl_pfc<pfc_receive_clocked_port, pfc_transmit_clocked_port>;

constexpr picoseconds clock_period = 8ns;
constexpr picoseconds frame_time = 4us;
constexpr picoseconds latency = 6'600ns;
/// Lookup and crossbar.
constexpr picoseconds inside = 3'100ns + 1us;

struct pfc_rig {
    explicit pfc_rig(host_id open, const fabric_parameters& parameters)
        : fabric(make_topology(two_hosts()), with(open, parameters)),
          block("rtl_pfc", pfc_transmit_config{}, {1_Gbps, 1_Gbps}, clock_period) {
        fabric.made.device(0).pfc.bind(block.block);
        user.bind(fabric, open);
    }
    static single_config two_hosts() {
        single_config config;
        config.hosts = 2;
        return config;
    }
    static fabric_parameters with(host_id open, fabric_parameters parameters) {
        parameters.wire_overhead = 0_B;
        parameters.flow_control.mode = flow_control_mode::pfc;
        parameters.open_hosts = {open};
        return parameters;
    }
    fabric_rig fabric;
    clocked_pfc block;
    user_module user{"user"};
};

TEST(clocked_rtl_pfc, a_pause_holds_three_cycles_after_the_edge_that_samples_the_last_bit) {
    pfc_rig r(1, {});
    r.fabric.stream(1us, 10, r.fabric.frame(0, 1, 500, 3), 0);
    const picoseconds first = 1us + frame_time + latency + inside;
    ethernet_frame xoff;
    xoff.kind = frame_kind::pfc;
    xoff.frame_bytes = 64;
    xoff.pause.class_enable = 1 << 3;
    xoff.pause.quanta.fill(40);
    // 22.7 us lies between two edges.
    const picoseconds last_bit = first + 2 * frame_time - 1us;
    ASSERT_EQ(last_bit, 22'700ns);
    r.user.at(last_bit - 512ns - latency, xoff, latency);
    r.fabric.run(1ms);
    const std::vector<picoseconds> starts = r.user.starts(3, latency);
    ASSERT_EQ(starts.size(), 10U);
    EXPECT_EQ(starts[1], first + frame_time);
    EXPECT_EQ(starts[2], 22'704ns + 3 * clock_period + 40 * 512ns);
    EXPECT_EQ(r.fabric.made.device(0).mac(1).timers.stats().paused_time[3], 40 * 512ns);
}

TEST(clocked_rtl_pfc, a_frame_begins_four_cycles_after_the_edge_that_samples_the_request) {
    // XOFF with the first byte, XON with the last.
    fabric_parameters parameters;
    parameters.flow_control.xoff = 1_B;
    parameters.flow_control.xon = 1_B;
    pfc_rig r(0, parameters);
    r.user.at(0us, r.fabric.frame(0, 1, 500, 7), latency);
    r.fabric.run(1ms);
    ASSERT_EQ(r.user.arrivals.size(), 2U);
    // 10.6 us is an edge; 14.7 us lies between two.
    EXPECT_EQ(r.user.arrivals[0].first_bit, latency + frame_time + 4 * clock_period + latency);
    EXPECT_EQ(r.user.arrivals[0].frame.pause.quanta[7], 65'535);
    EXPECT_EQ(r.user.arrivals[1].first_bit, 14'704ns + 4 * clock_period + latency);
    EXPECT_EQ(r.user.arrivals[1].frame.pause.quanta[7], 0);
}

}  // namespace
