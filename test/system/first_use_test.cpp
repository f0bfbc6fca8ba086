// A receiver that asks for the first bit of its frames hears of them earlier, and of the same first and last
// bits.
#include <gtest/gtest.h>

#include "support/fabric_rig.h"

namespace weir::test {

using namespace model;

namespace {

class first_use_of_a_host : public testing::TestWithParam<std::tuple<engine_kind, bool>> {};

TEST_P(first_use_of_a_host, changes_nothing_for_a_host_that_needs_whole_frames) {
    const auto [engine, has_annexes] = GetParam();
    single_config config;
    config.hosts = 4;
    fabric_parameters parameters;
    parameters.device.telemetry = has_annexes;  // wires with annexes are not plain
    fabric_rig rig(make_topology(config), parameters);
    rig.made.host(2)->input(0).set_first_use(first_use::first_bit);
    for (host_id src = 0; src < 2; ++src) {
        for (const std::uint16_t length : std::initializer_list<std::uint16_t>{1500, 64, 700, 64}) {
            rig.ends[src].at(0us, rig.frame(src, src + 2, length));
        }
    }
    rig.run(1ms, 0_ps, engine);
    ASSERT_EQ(rig.ends[2].arrivals.size(), 4U);
    ASSERT_EQ(rig.ends[3].arrivals.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(rig.ends[2].arrivals[i].time, rig.ends[3].arrivals[i].time) << i;
        EXPECT_EQ(rig.ends[2].arrivals[i].frame.frame_bytes, rig.ends[3].arrivals[i].frame.frame_bytes) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(each, first_use_of_a_host,
                         testing::Combine(testing::Values(engine_kind::fast, engine_kind::literal),
                                          testing::Bool()));

}  // namespace

}  // namespace weir::test
