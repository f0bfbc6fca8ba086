#include "tb/run/checks/run_checks.h"

#include <gtest/gtest.h>

#include "weir/base/processors.h"

using namespace weir;
using namespace weir::tb;
using texts = std::vector<std::string>;

namespace {

/// Two switches with eight hosts each.
built_topology rack_pair(bit_rate rate, picoseconds latency, picoseconds between) {
    built_topology built;
    for (unsigned s = 0; s < 2; ++s) {
        built.plan.add_switch("tor" + std::to_string(s));
    }
    for (unsigned h = 0; h < 16; ++h) {
        built.plan.add_host("h" + std::to_string(h));
        built.plan.add_link(node_ref::of_host(h), node_ref::of_switch(h / 8), {rate, latency});
    }
    built.plan.add_link(node_ref::of_switch(0), node_ref::of_switch(1), {rate, between});
    built.plan.finish();
    return built;
}

TEST(engine_warnings, a_latency_so_small_that_quanta_take_more_than_a_tenth_of_the_work_is_named) {
    run_config config;
    config.device.max_frame = 1500_B;
    config.link.wire_overhead = 20_B;
    // At 30 % load 17 links of 100 Gb/s carry 10.2 frames in 121.6 ns: 1.678 in 20 ns, for which 3.06 of 18
    // nodes have something to do. 1,100 + 18 + 306 instructions are 45.9 % of them and the frames' 1,678.
    EXPECT_EQ(engine_warnings(config, rack_pair(100_Gbps, 1us, 1us)), texts{});
    EXPECT_EQ(engine_warnings(config, rack_pair(100_Gbps, 1us, 50ns)), texts{});
    EXPECT_EQ(engine_warnings(config, rack_pair(100_Gbps, 1us, 20ns)),
              texts{"the smallest latency, 20ns of link tor0-tor1, is also the quantum: at 30 % load about 46 "
                    "% of the computing time is spent on quanta instead of frames; with quanta of at least "
                    "302ns it would be less than 10 %. Results do not depend on this"});
    // Eight times the rate, eight times the frames in a quantum: 49 ns are enough, two metres are not.
    EXPECT_EQ(engine_warnings(config, rack_pair(800_Gbps, 49ns, 49ns)), texts{});
    const texts two_metres = engine_warnings(config, rack_pair(800_Gbps, 10ns, 10ns));
    ASSERT_EQ(two_metres.size(), 1U);
    EXPECT_NE(two_metres[0].find("about 24 % of the computing time is spent on quanta instead of frames; with "
                                 "quanta of at least 38ns"),
              std::string::npos)
        << two_metres[0];
    // Few frames, but as few quanta.
    EXPECT_EQ(engine_warnings(config, rack_pair(1_Gbps, 1us, 1us)), texts{});
}

TEST(engine_warnings, a_short_quantum_that_was_chosen_is_named_as_such) {
    run_config config;
    config.device.max_frame = 1500_B;
    config.link.wire_overhead = 20_B;
    config.run.quantum = 30ns;
    const texts warnings = engine_warnings(config, rack_pair(100_Gbps, 1us, 1us));
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].find("run.quantum = 30ns is short: at 30 % load about 38 %"), 0U) << warnings[0];
}

TEST(engine_warnings, threads_that_can_not_help_are_named) {
    run_config config;
    const built_topology built = rack_pair(10_Gbps, 1us, 1us);
    config.run.threads = 1;
    EXPECT_EQ(engine_warnings(config, built), texts{});
    config.run.threads = usable_processors() + 1;
    EXPECT_EQ(engine_warnings(config, built).size(), 1U);
    config.run.threads = 2;
    config.run.engine = engine_kind::literal;
    EXPECT_EQ(engine_warnings(config, built),
              texts{"run.threads = 2: run.engine = literal uses one thread only"});
}

}  // namespace
