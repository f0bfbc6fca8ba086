#include "weir/model/flow_control/pfc_headroom.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

pfc_headroom_config detail_numbers() {
    pfc_headroom_config c;
    c.rate = 1_Gbps;
    c.max_frame_wire_bytes = 1'530_B;
    c.pfc_frame_wire_bytes = 84_B;
    c.one_way_latency = 6'600ns;
    c.response = detail_response;
    return c;
}

TEST(pfc_headroom, every_term_of_detail_at_1_gbps_adds_up_to_4922_bytes) {
    const pfc_headroom_terms t = pfc_headroom(detail_numbers());
    EXPECT_EQ(t.t_o_local, 12'240ns);
    EXPECT_EQ(t.t_pfc, 672ns);
    EXPECT_EQ(t.t_p_out, 6'600ns);
    EXPECT_EQ(t.t_r, 1'024ns);
    EXPECT_EQ(t.t_o_partner, 12'240ns);
    EXPECT_EQ(t.t_p_back, 6'600ns);
    EXPECT_EQ(t.t_lookup, 0ns);
    EXPECT_EQ(t.total(), 39'376ns);
    EXPECT_EQ(t.total_bytes(), 4'922_B);
}

TEST(pfc_headroom, detail_equation_1_leaves_the_pfc_frame_out_and_gives_4838_bytes) {
    pfc_headroom_config c = detail_numbers();
    c.equation = headroom_equation::detail_eq1;
    const pfc_headroom_terms t = pfc_headroom(c);
    EXPECT_EQ(t.t_pfc, 0ns);
    EXPECT_EQ(t.total(), 38'704ns);  // the paper prints 38.7 us
    EXPECT_EQ(t.total_bytes(), 4'838_B);
    EXPECT_EQ(t.bytes_of(38'700ns), 4'838_B);  // 4,837.5, rounded up
    EXPECT_EQ(t.total_bytes() * 8, 38'704_B);  // reserved for eight classes, section 6.1
}

TEST(pfc_headroom, charging_after_the_lookup_adds_its_delay) {
    pfc_headroom_config c = detail_numbers();
    c.lookup_delay = 3'100ns;
    EXPECT_EQ(pfc_headroom(c).total(), 42'476ns);
    EXPECT_EQ(pfc_headroom(c).total_bytes(), 5'310_B);  // 5,309.5
}

TEST(pfc_headroom, bytes_are_exact_at_high_rates_and_long_links) {
    pfc_headroom_config c;
    c.rate = bit_rate{1'600'000'000'000};
    c.one_way_latency = picoseconds{1'000'000'000};  // 200 km
    // 2 x 1,538 B + 84 B + 2 x 1 ms at 200 GB/s
    EXPECT_EQ(pfc_headroom(c).total_bytes(), bytes{2 * 1'538 + 84 + 400'000'000});
}

TEST(pfc_headroom, response_times_are_those_of_their_sources) {
    EXPECT_EQ(response_quanta(1_Gbps), detail_response);
    EXPECT_EQ(pause_time(*response_quanta(1_Gbps), 1_Gbps), 1'024ns);
    EXPECT_EQ(response_quanta(10_Gbps), pause_quanta{67});
    EXPECT_EQ(response_quanta(800_Gbps), pause_quanta{905});
    EXPECT_FALSE(response_quanta(2_Gbps));
    EXPECT_FALSE(response_quanta(800_Gbps, response_source::ieee_802_1qbb));
    // 802.1Qbb in bit times.
    constexpr std::pair<std::int64_t, std::int64_t> bit_times[] = {
        {10, 30'720}, {25, 40'960}, {40, 60'416}, {100, 201'728}, {400, 463'360}};
    for (const auto& [gbps, bits] : bit_times) {
        const auto quanta = response_quanta(bit_rate{gbps * 1'000'000'000}, response_source::ieee_802_1qbb);
        ASSERT_TRUE(quanta);
        EXPECT_EQ(quanta->count() * 512, bits);
    }
}

TEST(pfc_headroom_config, all_violations_are_reported_at_once) {
    EXPECT_TRUE(detail_numbers().validate().empty());
    pfc_headroom_config c;  // no rate
    c.one_way_latency = picoseconds{-1};
    c.response = pause_quanta{65'536};
    c.max_frame_wire_bytes = 0_B;
    EXPECT_EQ(c.validate().size(), 4U);
    EXPECT_EQ(c.validate()[0].key, "headroom.rate");
}

}  // namespace
}  // namespace weir::model
