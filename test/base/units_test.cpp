#include "weir/base/units.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

/// The smallest number of picoseconds in which `rate` carries `length`, found by search.
std::int64_t shortest_time(std::int64_t length, std::int64_t rate) {
    __extension__ using wide = __int128;
    const wide bits = static_cast<wide>(length) * 8 * 1'000'000'000'000;
    wide low = 0;
    wide high = bits + 1;
    while (low < high) {
        const wide middle = (low + high) / 2;
        middle* rate >= bits ? high = middle : low = middle + 1;
    }
    return static_cast<std::int64_t>(low);
}

TEST(units, full_detail_frame_takes_12240_ns_at_1_gbps) {
    EXPECT_EQ(transmission_time(1530_B, 1_Gbps), 12'240ns);
}

TEST(units, crossbar_at_speedup_4_takes_a_quarter) {
    EXPECT_EQ(transmission_time(1530_B, 4_Gbps), 3'060ns);
}

TEST(units, standard_rates_have_whole_picoseconds_per_byte) {
    for (const std::int64_t gbps : {1, 10, 25, 40, 50, 100, 200, 400, 800, 1600}) {
        const bit_rate rate{gbps * 1'000'000'000};
        EXPECT_EQ(transmission_time(1_B, rate).count() * rate.count(), 8'000'000'000'000) << gbps;
        EXPECT_EQ(transmission_time(1538_B, rate), transmission_time(1_B, rate) * 1538) << gbps;
    }
}

TEST(units, transmission_time_rounds_up_to_the_shortest_time_that_is_long_enough) {
    for (const std::int64_t rate : {1'000'000LL, 3'000'000'000LL, 7'000'000'001LL, 123'456'789'012LL}) {
        for (const std::int64_t length : {0LL, 1LL, 64LL, 1530LL, 65'535LL, 1'000'000'007LL}) {
            EXPECT_EQ(transmission_time(bytes{length}, bit_rate{rate}).count(), shortest_time(length, rate))
                << length << " B at " << rate;
        }
    }
}

TEST(units, serializer_equals_transmission_time) {
    for (const std::int64_t rate : {100'000'000LL, 1'000'000'000LL, 3'000'000'000LL, 1'600'000'000'000LL}) {
        const serializer serialize{bit_rate{rate}};
        EXPECT_EQ(serialize.rate(), bit_rate{rate});
        for (std::int64_t length = 0; length < 10'000; length += 37) {
            EXPECT_EQ(serialize(bytes{length}), transmission_time(bytes{length}, bit_rate{rate}));
        }
    }
}

TEST(units, longest_pause_is_33_55_ms_at_1_gbps) {
    EXPECT_EQ(pause_time(pause_quanta{65'535}, 1_Gbps).count(), 33'553'920'000);
    EXPECT_EQ(pause_time(pause_quanta{65'535}, 100_Mbps), 10 * pause_time(pause_quanta{65'535}, 1_Gbps));
    EXPECT_EQ(pause_time(pause_quanta{2}, 1_Gbps), 1'024ns);
}

TEST(units, a_frame_occupies_whole_cells) {
    EXPECT_EQ(cells_of(0_B, 208_B), cells{0});
    EXPECT_EQ(cells_of(1_B, 208_B), cells{1});
    EXPECT_EQ(cells_of(208_B, 208_B), cells{1});
    EXPECT_EQ(cells_of(209_B, 208_B), cells{2});
    EXPECT_EQ(cells_of(1530_B, 64_B), cells{24});
}

TEST(units, binary_prefixes_are_powers_of_two_and_decimal_ones_of_ten) {
    EXPECT_EQ((128_KiB).count(), 131'072);
    EXPECT_EQ((128_KB).count(), 128'000);
    EXPECT_EQ((1_MiB).count(), 1'048'576);
    EXPECT_EQ((1_MB).count(), 1'000'000);
    EXPECT_EQ((10_Gbps).count(), 10'000'000'000);
    EXPECT_EQ((100_Mbps).count(), 100'000'000);
}

TEST(units, quantities_add_scale_and_divide) {
    bytes sum = 10_B;
    sum += 5_B;
    sum -= 1_B;
    EXPECT_EQ(sum, 14_B);
    EXPECT_EQ(3 * sum, 42_B);
    EXPECT_EQ(sum * 3 - sum, 28_B);
    EXPECT_EQ(100_B / 30_B, 3);
    EXPECT_EQ(100_B / 8, 12_B);
    EXPECT_TRUE(1_B < 2_B && 2_B > 1_B && 1_B <= 1_B && 1_B >= 1_B && 1_B != 2_B);
}

TEST(units, units_do_not_mix) {
    EXPECT_FALSE((std::is_convertible_v<bytes, cells>));
    EXPECT_FALSE((std::is_constructible_v<cells, bytes>));
    EXPECT_FALSE((std::is_convertible_v<std::int64_t, bytes>));
}

TEST(units, detail_headroom_at_1_gbps_is_4838_bytes) {
    const picoseconds reaction =
        2 * transmission_time(1530_B, 1_Gbps) + 2 * 6'600ns + pause_time(pause_quanta{2}, 1_Gbps);
    EXPECT_EQ(reaction, 38'704ns);
    EXPECT_EQ(reaction / transmission_time(1_B, 1_Gbps), 4'838);
}

}  // namespace
}  // namespace weir
