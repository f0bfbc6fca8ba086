// One switch and two hosts in the kernel. Each test is a process of its own.
#include "weir/model/fabric/fabric.h"

#include <gtest/gtest.h>

#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using weir::test::fabric_rig;
using weir::test::fatal_message;

namespace {

fabric_parameters detail_parameters() {
    fabric_parameters p;
    p.wire_overhead = 0_B;  // DeTail counts 1,530 B everywhere
    return p;
}

TEST(fabric, one_unloaded_switch_delays_a_full_frame_by_exactly_25_microseconds) {
    single_config config;
    config.hosts = 2;
    fabric_rig r(make_topology(config), detail_parameters());
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

/// Breaks a rule of its own at 3 us.
class failing_endpoint : public endpoint {
 public:
    void start(host_services& host) override {
        m_host = &host;
        host.wake_at(3us);
    }
    void receive(const ethernet_frame&) override {}
    void wake() override {
        if (m_host->now() < 3us) {
            m_host->wake_at(3us);
        } else {
            m_host->fail("transfer 7: has no bytes");
        }
    }

 private:
    host_services* m_host = nullptr;
};

TEST(fabric, what_an_endpoint_breaks_ends_the_run_with_the_hosts_name_and_the_local_time) {
    single_config config;
    config.hosts = 2;
    fabric_rig r(make_topology(config), detail_parameters());
    failing_endpoint guest;
    r.made.host(1)->run(guest);
    EXPECT_EQ(fatal_message([&] { r.run(1ms); }),
              "/weir/invariant: at 3us: fabric.h1: transfer 7: has no bytes");
}

}  // namespace
