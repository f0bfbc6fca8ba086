// One switch and two hosts in the kernel. Each test is a process of its own.
#include "weir/model/fabric.h"

#include <gtest/gtest.h>

#include "support/scripted_endpoint.h"
#include "weir/model/topology_generators.h"

using namespace weir;
using weir::test::frame_between;
using weir::test::scripted_endpoint;

namespace {

struct rig {
    explicit rig(const topology& plan_in, const fabric_parameters& parameters)
        : plan(plan_in), made("fabric", parameters, plan), ends(plan.hosts()) {
        for (host_id h = 0; h < plan.hosts(); ++h) {
            made.host(h)->run(ends[h]);
        }
    }
    ethernet_frame frame(host_id src, host_id dst, std::uint16_t length, pfc_class priority = 0) const {
        return frame_between(plan.address_of(src), plan.address_of(dst), length, priority);
    }
    void run(picoseconds end) {
        made.configure_run(engine_kind::fast, made.lookahead(), end);
        sc_core::sc_start();
        made.settle(end);
    }
    topology plan;
    fabric made;
    std::vector<scripted_endpoint> ends;
};

fabric_parameters detail_parameters() {
    fabric_parameters p;
    p.wire_overhead = 0_B;  // DeTail counts 1,530 B everywhere
    return p;
}

TEST(fabric, one_unloaded_switch_delays_a_full_frame_by_exactly_25_microseconds) {
    single_config config;
    config.hosts = 2;
    rig r(make_topology(config), detail_parameters());
    r.ends[0].at(1us, r.frame(0, 1, 1530));
    r.run(1ms);
    ASSERT_EQ(r.ends[1].arrivals.size(), 1U);
    const picoseconds to_switch = 12'240ns + 6'600ns;
    const picoseconds lookup = 3'100ns;
    const picoseconds crossbar = 3'060ns;
    const picoseconds transmission = 12'240ns;
    const picoseconds link = 1'600ns + 5'000ns;
    EXPECT_EQ(lookup + crossbar + transmission + link, 25us);
    EXPECT_EQ(r.ends[1].arrivals[0].time, 1us + to_switch + 25us);
}

}  // namespace
