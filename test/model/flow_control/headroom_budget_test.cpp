// Headroom budgets against sums by hand, published results of the same formula, and a literal transcription.
#include "weir/model/flow_control/headroom_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/base/rng.h"

namespace weir::model {
namespace {

constexpr millimetres operator""_m(unsigned long long n) {
    return millimetres{static_cast<std::int64_t>(n * 1000)};
}

headroom_budget_config standard(bit_rate rate, millimetres cable) {
    headroom_budget_config c;
    c.rate = rate;
    c.cable = cable;
    return c;
}

exact_bytes term(const headroom_budget& budget, const std::string& name) {
    for (const budget_term& each : budget.terms) {
        if (each.name == name) {
            return each.wire;
        }
    }
    ADD_FAILURE() << "no term " << name;
    return {};
}

TEST(headroom_budget, terms_of_802_1qbb_in_bit_times_at_10_gbps_over_100_m) {
    // 2 x 73,888 (9,216 + 20 B) + 672 + 2 x 5,000 (100 m, 5 ns/m) + 2 x 8,192 + 30,720 bit times
    const headroom_budget made = make_headroom_budget(standard(10_Gbps, 100_m));
    EXPECT_EQ(term(made, "our frame") * 8, 73'888);
    EXPECT_EQ(term(made, "PFC frame") * 8, 672);
    EXPECT_EQ(term(made, "cable, both ways") * 8, 10'000);
    EXPECT_EQ(term(made, "MAC and PHY, both ways") * 8, 16'384);
    EXPECT_EQ(term(made, "response") * 8, 30'720);
    EXPECT_EQ(term(made, "partner's frame") * 8, 73'888);
    EXPECT_EQ(made.terms.size(), 6U);
    EXPECT_EQ(made.sum * 8, 205'552);
    EXPECT_EQ(made.headroom, 25'694_B);
    EXPECT_EQ(made.link.one_way, picoseconds{1'319'200});  // 500 ns + 819.2 ns
    EXPECT_EQ(made.link.response, 3'072ns);
}

TEST(headroom_budget, detail_equation_1_is_4838_bytes_and_leaves_84_out) {
    headroom_budget_config c = standard(1_Gbps, 320_m);
    c.profile = headroom_profile::detail;
    EXPECT_EQ(make_headroom_budget(c).headroom, 4'838_B);
    EXPECT_EQ(make_headroom_budget(c).link.one_way, 6'600ns);
    c.profile = headroom_profile::ieee_802_1qbb;
    c.port_mtu = 1'510_B;
    c.mac_phy = line_delay{delay_unit::picoseconds, 5'000'000};
    EXPECT_EQ(make_headroom_budget(c).headroom, 4'922_B);
}

TEST(headroom_budget, every_delay_counts_as_often_as_the_signal_passes_it) {
    headroom_budget_config c = standard(100_Gbps, 0_m);
    const exact_bytes base = make_headroom_budget(c).sum;
    c.fec = {delay_unit::picoseconds, 80'000};  // 1,000 B at 100 Gb/s
    EXPECT_EQ(make_headroom_budget(c).sum, base + 2'000);
    c.gearbox = {delay_unit::bit_times, 4'000};
    EXPECT_EQ(make_headroom_budget(c).sum, base + 3'000);
    c.pipeline = {delay_unit::quanta, 2};
    EXPECT_EQ(make_headroom_budget(c).sum, base + 3'128);
    c.response = line_delay{delay_unit::millibytes, 819'200};
    EXPECT_EQ(make_headroom_budget(c).sum, base + 3'128 - 25'216 + exact_bytes{8192} / 10);
    EXPECT_EQ(make_headroom_budget(c).link.one_way, picoseconds{1'228'800 + 80'000 + 40'000});
    EXPECT_EQ(make_headroom_budget(c).link.pipeline, picoseconds{10'240});
}

TEST(headroom_budget, a_rate_that_the_source_lacks_takes_the_next_faster_ones_time_and_says_so) {
    const headroom_budget fifty = make_headroom_budget(standard(50_Gbps, 0_m));
    EXPECT_EQ(term(fifty, "MAC and PHY, both ways"), 2 * 7'680);  // 1,228.8 ns
    EXPECT_EQ(term(fifty, "response"), 147 * 64);
    EXPECT_NE(fifty.terms[3].source.find("802.1Qbb has none; the time at 100Gbps"), std::string::npos);
    EXPECT_NE(fifty.terms[4].source.find("802.1Qbb has none; sonic-swss, 147 quanta"), std::string::npos);
    const headroom_budget odd = make_headroom_budget(standard(150_Gbps, 0_m));
    EXPECT_EQ(term(odd, "response"), exact_bytes{453 * 64} * 150 / 200);
    EXPECT_NE(odd.terms[4].source.find("the time at 200Gbps"), std::string::npos) << odd.terms[4].source;
    EXPECT_EQ(term(make_headroom_budget(standard(1'600_Gbps, 0_m)), "response"), 905 * 64);
}

TEST(headroom_budget, the_most_crowded_length_is_that_of_a_literal_search) {
    for (const bytes cell : {64_B, 80_B, 96_B, 144_B, 208_B, 254_B, 512_B}) {
        for (const bytes overhead : {0_B, 20_B}) {
            for (const bytes longest : {64_B, 300_B, 1'518_B, 9'216_B}) {
                double most = 0;
                for (bytes length = 64_B; length <= longest; length += 1_B) {
                    const auto cells = static_cast<double>((length.count() + cell.count() - 1) / cell.count());
                    most = std::max(most, cells * static_cast<double>(cell.count()) /
                                              static_cast<double>((length + overhead).count()));
                }
                EXPECT_DOUBLE_EQ(
                    static_cast<double>(most_crowded(64_B, longest, overhead, cell).memory_per_wire_byte), most)
                    << cell.count() << ' ' << overhead.count() << ' ' << longest.count();
            }
        }
    }
    EXPECT_EQ(most_crowded(64_B, 1'518_B, 20_B, 0_B).memory_per_wire_byte, 1);
}

TEST(headroom_budget, cells_multiply_and_round_and_a_mix_takes_its_mean) {
    headroom_budget_config c = standard(100_Gbps, 300_m);
    c.cell = 208_B;
    const headroom_budget worst = make_headroom_budget(c);
    EXPECT_EQ(worst.memory_per_wire_byte, exact_bytes{208} / 84);
    EXPECT_EQ(worst.headroom.count() % 208, 0);
    EXPECT_EQ(worst.headroom, 1'334 * 208_B);  // 111,992 B x 208 / 84 = 1,333.2 cells
    c.mix = {{64_B, 500'000}, {1'500_B, 500'000}};
    // (1 + 8) cells for (84 + 1,520) B
    EXPECT_EQ(make_headroom_budget(c).memory_per_wire_byte, exact_bytes{9 * 208} / 1'604);
}

/// Published results of the formula: sonic-net/sonic-swss, pull request 3235, manual test, port MTU 9,100 B,
/// lossless MTU 1,024 B, 50 % small packets.
TEST(headroom_budget, spectrum_with_half_small_packets_gives_the_published_values) {
    struct published {
        bit_rate rate;
        millimetres cable;
        bytes cell;
        bool tiles;
        std::uint32_t lanes;
        bytes xon, headroom, size;
    };
    // Spectrum-3 has 8 lanes at 400 Gb/s.
    for (const published& p : {published{400_Gbps, 300_m, 144_B, false, 8, 38'912_B, 272'384_B, 320'512_B},
                               published{100_Gbps, 40_m, 144_B, false, 4, 19'456_B, 51'200_B, 70'656_B},
                               published{800_Gbps, 300_m, 192_B, true, 8, 38'912_B, 474'112_B, 522'240_B},
                               published{200_Gbps, 40_m, 192_B, true, 4, 19'456_B, 65'536_B, 84'992_B}}) {
        headroom_budget_config c = standard(p.rate, p.cable);
        c.profile = headroom_profile::spectrum4;
        c.cell = p.cell;
        c.port_mtu = 9'100_B;
        c.small_packets = 0.5;
        c.margin = false;
        c.lanes = p.lanes;
        c.mac_phy = line_delay{delay_unit::millibytes, 819'200};
        if (!p.tiles) {
            c.tile = line_delay{};
        }
        ASSERT_TRUE(c.validate().empty());
        const headroom_budget made = make_headroom_budget(c);
        EXPECT_EQ(made.headroom, p.headroom);
        EXPECT_EQ(made.xon, p.xon);
        EXPECT_EQ(made.size, p.size);
        c.margin = true;
        EXPECT_EQ(make_headroom_budget(c).headroom, p.headroom + 2_KiB);
        c.shared_headroom = true;
        EXPECT_EQ(make_headroom_budget(c).headroom, p.headroom);
        EXPECT_EQ(make_headroom_budget(c).size, p.xon);
    }
}

/// The formula as it is written in asic pages, in floating point.
double literal_spectrum(const headroom_budget_config& c, double quanta, double tile_ns) {
    const double gbps = static_cast<double>(c.rate.count()) / 1e9;
    const double cell = static_cast<double>(c.cell->count());
    const double w = std::ceil(cell > 128 ? cell / 64 : 2 * cell / (1 + cell));
    const double p = *c.small_packets * 100;
    const auto mtu = static_cast<double>(c.lossless_mtu->count());
    const double b = 100 * 64 / ((64 * p + (100 - p) * mtu) / 100);
    const double occ = (100 - b + b * w) / 100;
    const double metres = static_cast<double>(c.cable.count()) / 1000;
    return mtu + occ * (static_cast<double>(c.port_mtu->count()) + 2 * metres * gbps * 1e9 / (8 * 1.98e8) +
                        819.2 + quanta * 64 + tile_ns * gbps / 8);
}

TEST(headroom_budget, spectrum_is_its_formula_for_any_parameters) {
    random_stream chance(7, 0, random_purpose::adversary);
    const std::pair<bit_rate, double> speeds[] = {{10_Gbps, 67},   {25_Gbps, 80},   {50_Gbps, 147},
                                                  {100_Gbps, 394}, {200_Gbps, 453}, {800_Gbps, 905}};
    for (int i = 0; i < 2'000; ++i) {
        const auto& [rate, quanta] = speeds[chance.below(6)];
        headroom_budget_config c = standard(rate, millimetres{chance.below(40'000'000)});
        c.profile = headroom_profile::spectrum4;
        c.cell = bytes{1 + chance.below(600)};
        c.port_mtu = bytes{1'500 + chance.below(8'000)};
        c.lossless_mtu = bytes{64 + chance.below(1'400)};
        c.small_packets = chance.below(101) / 100.0;
        c.margin = false;
        c.tile = line_delay{delay_unit::picoseconds, chance.below(2) * 120'000};
        const double sum = literal_spectrum(c, quanta, static_cast<double>(c.tile->count) / 1000);
        const headroom_budget made = make_headroom_budget(c);
        EXPECT_NEAR(static_cast<double>(made.sum), sum, 1e-6 * sum);
        if (std::abs(sum / 1024 - std::round(sum / 1024)) > 1e-6) {
            EXPECT_EQ(made.headroom.count(), static_cast<std::int64_t>(std::ceil(sum / 1024)) * 1024);
        }
    }
}

TEST(headroom_budget, violations_are_reported_with_their_field) {
    const auto keys = [](const headroom_budget_config& c) {
        std::vector<std::string> found;
        for (const config_error& error : c.validate()) {
            found.push_back(error.key);
        }
        return found;
    };
    using texts = std::vector<std::string>;
    headroom_budget_config c;
    EXPECT_EQ(keys(c), texts{});
    c.rate = 0_bps;
    c.cable = millimetres{-1};
    c.propagation = metres_per_second{400'000'000};
    c.lossless_classes = 9;
    EXPECT_EQ(keys(c),
              (texts{"headroom.rate", "headroom.cable", "headroom.propagation", "headroom.lossless_classes"}));
    c = {};
    c.port_mtu = 1'000_B;
    c.lossless_mtu = 1'001_B;
    EXPECT_EQ(keys(c), texts{"headroom.lossless_mtu"});
    c = {};
    c.tile = line_delay{};
    c.small_packets = 0.5;
    c.shared_headroom = c.margin = true;
    c.lanes = 8;
    EXPECT_EQ(keys(c), (texts{"headroom.tile", "headroom.small_packets", "headroom.shared_headroom",
                              "headroom.margin", "headroom.lanes"}));
    c.profile = headroom_profile::spectrum;
    EXPECT_EQ(keys(c), texts{});
    c.cell = 0_B;
    EXPECT_EQ(keys(c), texts{"headroom.cell"});
    c = {};
    c.mix = {{64_B, 400'000}, {64_B, 400'000}, {10'000_B, 200'000}};
    EXPECT_EQ(keys(c), (texts{"headroom.mix", "headroom.mix", "headroom.mix"}));  // no cell, length, twice
    c.mix = {{32_B, 400'000}, {48_B, 400'000}, {10'000_B, 100'000}};
    c.cell = 64_B;
    c.profile = headroom_profile::spectrum;
    EXPECT_EQ(keys(c).size(), 5U);  // three lengths, sum, profile
    c.lossless_mtu = 1'000_B;
    c.port_mtu = 900_B;
    EXPECT_EQ(keys(c), (texts{"headroom.lossless_mtu", "headroom.mix", "headroom.mix"}));
    c = {};
    c.rate = 0_bps;
    c.fec = {delay_unit::picoseconds, 1'000'000'000'001};
    EXPECT_EQ(keys(c), texts{"headroom.rate"});
    c = {};
    c.fec = {delay_unit::picoseconds, 1'000'000'000'001};
    EXPECT_EQ(keys(c), texts{"headroom.fec"});
}

TEST(headroom_budget, relations_are_the_same_whatever_the_profile_and_the_rate_are) {
    using texts = std::vector<std::string>;
    const auto relations = [](const headroom_budget_config& c) {
        texts all;
        for (const config_relation& each : c.validate().relations) {
            all.push_back(each.key + ": " + each.text);
        }
        return all;
    };
    headroom_budget_config c;
    const texts all = relations(c);
    const auto has = [&](const std::string& text) { return std::count(all.begin(), all.end(), text); };
    EXPECT_EQ(has("headroom.mix: has frames of {}; expected 64B to {lossless_mtu}, {}"), 1);
    EXPECT_EQ(has("headroom.cell: at least 1B in the {profile}s spectrum and spectrum4"), 1);
    EXPECT_EQ(has("headroom.fec: is more than 1s at this {rate}; expected 0 to 1s"), 1);
    for (const headroom_profile profile : {headroom_profile::detail, headroom_profile::spectrum}) {
        c.profile = profile;
        EXPECT_EQ(relations(c), all);
    }
    c.rate = 0_bps;
    EXPECT_EQ(relations(c), all);
}

}  // namespace
}  // namespace weir::model
