// Headroom budgets against adversarial simulation: never a drop at the computed headroom, the first drop one
// byte below what the worst attack needs, and how much the closed form keeps too much
// (docs/experiments/pfc_headroom.md).
#include <gtest/gtest.h>

#include <cstdio>

#include "program.h"
#include "tb/asic/headroom/headroom_options.h"
#include "tb/asic/headroom/verify.h"

namespace weir::tb {
namespace {

headroom_budget budget_of(headroom_profile profile, bit_rate rate, std::int64_t metres, bytes cell) {
    headroom_budget_config c;
    c.profile = profile;
    c.rate = rate;
    c.cable = millimetres{metres * 1000};
    if (cell > 0_B || profile == headroom_profile::ieee_802_1qbb) {
        c.cell = cell;
    }
    return make_headroom_budget(c);
}

bit_rate gbps(std::int64_t n) {
    return bit_rate{n * 1'000'000'000};
}

verify_config search_of(std::uint64_t seed, std::uint32_t cases, attacked_memory memory = attacked_memory::port,
                        std::uint32_t ports = 1) {
    verify_config config;
    config.seed = seed;
    config.cases = cases;
    config.memory = memory;
    config.ports = ports;
    return config;
}

/// 802.1Qbb's budget holds, and what it keeps too much is less than the memory that the last frame would take
/// if it were cut into frames of the worst length, and two cells; without cells, the overhead of the frames and
/// one byte.
headroom_verdict expect_enough(const headroom_budget& b, const verify_config& how) {
    SCOPED_TRACE(to_text(b.used.rate) + ", " + to_text(b.used.cable) + ", cells of " + to_text(*b.used.cell));
    const headroom_verdict v = verify_headroom(b, how);
    EXPECT_EQ(v.contradiction, "");
    EXPECT_FALSE(v.headroom_loses);
    EXPECT_FALSE(v.needed_loses);
    EXPECT_TRUE(v.less_loses);
    EXPECT_GE(v.margin(b), 0_B);
    EXPECT_LE(v.needed, v.bound);
    EXPECT_LE(v.searched, v.computed);
    const bytes last = *b.used.lossless_mtu;
    if (*b.used.cell > 0_B) {
        const bytes cell = *b.used.cell;
        const bytes worst = most_crowded(64_B, last, *b.used.wire_overhead, cell).length;
        const exact_bytes cut = b.memory_per_wire_byte * (last + *b.used.wire_overhead + 2_B).count();
        const exact_bytes more =
            cut - memory_of(last, cell).count() + memory_of(worst, cell).count() + cell.count();
        EXPECT_LE(exact_bytes{v.margin(b).count()}, more);
    } else {
        const std::int64_t frames = b.headroom / last + 2;
        EXPECT_LE(v.margin(b), 20_B * frames + 2_B);
    }
    return v;
}

TEST(headroom_verify, no_drop_from_1_to_800_gbps_and_1_m_to_40_km_in_cells_of_64_to_512_bytes) {
    for (const std::int64_t rate : {1, 10, 100, 800}) {
        for (const std::int64_t metres : {1, 300, 10'000}) {
            for (const bytes cell : {0_B, 64_B, 208_B, 512_B}) {
                expect_enough(budget_of(headroom_profile::ieee_802_1qbb, gbps(rate), metres, cell),
                              search_of(1, 0));
            }
        }
    }
    expect_enough(budget_of(headroom_profile::ieee_802_1qbb, gbps(800), 40'000, 0_B), search_of(1, 0));
}

// 10 Gb/s over 262 m: what is left on the wire after full frames is less than a frame's overhead, and a frame
// more to use it up takes less memory. Frames of 64 B leave remainders that nothing can fill.
TEST(headroom_verify, with_single_bytes_no_search_finds_more_than_what_is_computed) {
    const headroom_budget known = budget_of(headroom_profile::ieee_802_1qbb, 10_Gbps, 262, 0_B);
    EXPECT_EQ(expect_enough(known, search_of(3, 512)).computed, 27'648_B);
    for (const std::int64_t metres : {50, 100, 200, 300, 400}) {
        for (const bytes longest : {64_B, 65_B, 200_B, 9'216_B}) {
            headroom_budget_config c;
            c.rate = 100_Gbps;
            c.cable = millimetres{metres * 1000};
            c.lossless_mtu = longest;
            const headroom_verdict v = expect_enough(make_headroom_budget(c), search_of(1, 64));
            EXPECT_EQ(v.needed, v.computed) << metres << ' ' << to_text(longest);
            EXPECT_GT(v.computed, make_headroom_budget(c).headroom / 2) << metres << ' ' << to_text(longest);
        }
    }
    // Cells that the smallest frame takes two of.
    headroom_budget_config c;
    c.cell = 48_B;
    c.lossless_mtu = 64_B;
    EXPECT_EQ(verify_headroom(make_headroom_budget(c), search_of(1, 0)).contradiction, "");
}

TEST(headroom_verify, long_run_every_rate_length_and_cell) {
    for (const std::int64_t rate : {1, 10, 25, 40, 50, 100, 200, 400, 800}) {
        for (const std::int64_t metres : {1, 5, 40, 100, 300, 2'000, 10'000, 40'000}) {
            for (const bytes cell :
                 {0_B, 64_B, 80_B, 96_B, 128_B, 144_B, 176_B, 192_B, 208_B, 254_B, 256_B, 512_B}) {
                expect_enough(budget_of(headroom_profile::ieee_802_1qbb, gbps(rate), metres, cell),
                              search_of(1, 0));
            }
        }
    }
}

TEST(headroom_verify, long_run_a_search_that_knows_nothing_finds_no_more) {
    for (const bytes cell : {0_B, 64_B, 96_B, 192_B, 208_B, 512_B}) {
        for (const std::int64_t rate : {1, 10, 100, 400}) {
            const headroom_budget b = budget_of(headroom_profile::ieee_802_1qbb, gbps(rate), 300, cell);
            const headroom_verdict v = expect_enough(b, search_of(7, 4096));
            std::printf("%s, cells of %s: searched %lld, computed %lld, headroom %lld B\n",
                        to_text(b.used.rate).c_str(), to_text(cell).c_str(),
                        static_cast<long long>(v.searched.count()), static_cast<long long>(v.computed.count()),
                        static_cast<long long>(b.headroom.count()));
        }
    }
}

TEST(headroom_verify,
     a_search_that_knows_nothing_comes_within_a_short_frame_of_the_computed_attack_and_never_above) {
    // Also where the worst length is one byte more than the smallest frame or cell. 10 Gb/s over 100 m is where
    // the last full frame, which the search has to begin at the right moment, is a fourth of all.
    for (const bytes cell : {64_B, 96_B, 208_B}) {
        for (const std::int64_t rate : {10, 100}) {
            const headroom_budget b = budget_of(headroom_profile::ieee_802_1qbb, gbps(rate), 100, cell);
            const headroom_verdict v = expect_enough(b, search_of(1, 1024));
            EXPECT_GE(v.cases, 900U);
            const bytes shortest =
                memory_of(most_crowded(64_B, *b.used.lossless_mtu, *b.used.wire_overhead, cell).length, cell);
            EXPECT_GE(v.searched + 2 * shortest, v.computed) << rate << " Gb/s, " << to_text(cell);
        }
    }
}

// The same link at a port of its own and in a shared memory: other code decides for XOFF and counts, and what
// is needed is the same, but for the frame that finds the pool full.
TEST(headroom_verify, of_shared_memories_is_what_a_port_of_its_own_needs_and_a_frame_where_the_pool_is_full) {
    struct shape {
        attacked_memory memory;
        std::uint32_t ports;
        std::uint32_t classes;
    };
    const shape shapes[] = {{attacked_memory::shared, 1, 1},        {attacked_memory::shared, 3, 2},
                            {attacked_memory::shared, 1, 8},        {attacked_memory::headroom_pool, 2, 8},
                            {attacked_memory::headroom_pool, 1, 7}, {attacked_memory::headroom_pool, 4, 2}};
    for (const auto& [rate, metres] : {std::pair<int, int>(10, 100), std::pair<int, int>(400, 300)}) {
        for (const bytes cell : {0_B, 64_B, 208_B, 512_B}) {
            headroom_budget_config c;
            c.rate = gbps(rate);
            c.cable = millimetres{metres * 1000};
            c.cell = cell;
            const headroom_verdict alone = verify_headroom(make_headroom_budget(c), search_of(1, 0));
            for (const shape& s : shapes) {
                for (const bool full : {false, true}) {
                    c.lossless_classes = s.classes;
                    c.full_pool = full;
                    const headroom_budget b = make_headroom_budget(c);
                    const verify_config how = search_of(1, 0, s.memory, s.ports);
                    ASSERT_TRUE(how.validate(b).empty());
                    const headroom_verdict v = verify_headroom(b, how);
                    SCOPED_TRACE(std::to_string(rate) + " Gb/s, cells of " + to_text(cell) + ", " +
                                 std::to_string(s.ports) + " ports, " + std::to_string(s.classes) + " classes" +
                                 (full ? ", full pool" : ""));
                    EXPECT_EQ(v.contradiction, "");
                    EXPECT_FALSE(v.headroom_loses);
                    EXPECT_TRUE(v.less_loses);
                    EXPECT_EQ(v.less, std::max(cell, 1_B));
                    EXPECT_EQ(v.needed, alone.needed + (full ? memory_of(9'216_B, cell) : 0_B));
                    EXPECT_EQ(v.needed_at_once, v.needed * std::int64_t{s.ports * s.classes});
                    EXPECT_LE(v.needed, v.bound);
                    EXPECT_GE(v.margin(b), 0_B);
                }
            }
        }
    }
}

TEST(headroom_verify, without_the_term_of_a_full_pool_its_frame_is_lost) {
    headroom_budget_config c;
    c.rate = 10_Gbps;
    c.cable = millimetres{100'000};
    c.full_pool = true;
    headroom_budget b = make_headroom_budget(c);
    const verify_config how = search_of(1, 0, attacked_memory::shared, 1);
    EXPECT_FALSE(verify_headroom(b, how).headroom_loses);
    b.headroom -= b.crossing;
    const headroom_verdict v = verify_headroom(b, how);
    EXPECT_TRUE(v.headroom_loses);
    EXPECT_EQ(v.contradiction, "");
    // All of the frame; 61 B are preambles and gaps, which need no memory.
    EXPECT_EQ(v.margin(b), 61_B - 9'216_B);
}

// Without preambles and gaps nothing hides what a term has too little: one byte is what is always left, for
// frames begin at least 1 ps before they would have to stop.
TEST(headroom_verify, a_full_pool_leaves_the_margin_that_there_is_without_one) {
    for (const std::int64_t rate : {1, 10, 100, 800}) {
        for (const bytes cell : {0_B, 64_B, 208_B}) {
            headroom_budget_config c;
            c.rate = gbps(rate);
            c.wire_overhead = 0_B;
            c.cell = cell;
            const headroom_budget without = make_headroom_budget(c);
            c.full_pool = true;
            const headroom_budget full = make_headroom_budget(c);
            const headroom_verdict v = verify_headroom(full, search_of(1, 0, attacked_memory::shared, 1));
            EXPECT_EQ(v.contradiction, "");
            EXPECT_FALSE(v.headroom_loses);
            EXPECT_GE(v.margin(full), 1_B) << rate << ' ' << to_text(cell);
            EXPECT_EQ(v.margin(full),
                      verify_headroom(without, search_of(1, 0, attacked_memory::shared, 1)).margin(without));
            EXPECT_EQ(full.headroom, without.headroom + memory_of(9'216_B, cell));
        }
    }
}

TEST(headroom_verify, attacks_all_lossless_classes_of_a_port_together) {
    for (const bytes cell : {0_B, 208_B}) {
        headroom_budget b = budget_of(headroom_profile::ieee_802_1qbb, 10_Gbps, 100, cell);
        const headroom_verdict one = verify_headroom(b, search_of(1, 0));
        b.used.lossless_classes = 8;
        const headroom_verdict eight = verify_headroom(b, search_of(1, 0));
        EXPECT_EQ(eight.contradiction, "");
        EXPECT_EQ(eight.needed, one.needed);
        EXPECT_EQ(eight.needed_at_once, 8 * one.needed);
        EXPECT_FALSE(eight.headroom_loses);
        EXPECT_TRUE(eight.less_loses);
    }
}

TEST(headroom_verify, a_search_finds_the_worst_of_each_class_and_group_with_phases_of_its_own) {
    headroom_budget_config c;
    c.rate = 10_Gbps;
    c.cable = millimetres{100'000};
    c.cell = 64_B;
    c.lossless_classes = 2;
    for (const attacked_memory memory : {attacked_memory::port, attacked_memory::headroom_pool}) {
        const headroom_budget b = make_headroom_budget(c);
        const headroom_verdict v = verify_headroom(b, search_of(1, 1024, memory, 1));
        EXPECT_EQ(v.contradiction, "");
        EXPECT_LE(v.searched, v.computed);
        // Two cells take a frame of 65 B.
        EXPECT_GE(v.searched + 2 * 128_B, v.computed);
    }
}

TEST(headroom_verify, with_a_full_pool_it_is_what_a_shared_memory_keeps_by_itself) {
    headroom_budget_config c;
    c.cable = millimetres{300'000};
    c.mac_phy = line_delay{};
    c.response = line_delay{delay_unit::quanta, 394};
    c.pipeline = line_delay{delay_unit::picoseconds, 500'000};
    const headroom_budget without = make_headroom_budget(c);
    c.full_pool = true;
    const headroom_budget full = make_headroom_budget(c);
    EXPECT_EQ(full.headroom, without.headroom + 9'216_B);
    EXPECT_EQ(full.crossing, without.crossing);
    EXPECT_EQ(full.terms.back().name, "frame that met XOFF");
    const headroom_verdict v = verify_headroom(full, search_of(1, 0));
    EXPECT_EQ(v.contradiction, "");
    EXPECT_EQ(v.margin(full), verify_headroom(without, search_of(1, 0)).margin(without));
    // The same link in a switch with a shared memory, whose headroom is left open.
    const test::scratch_directory where;
    const test::outcome dry = test::run_program(
        where, {"run", "--dry-run", "--fabric.topology=single", "--fabric.hosts=4", "--link.rate=100Gbps",
                "--link.latency=1500ns", "--switch.buffer=shared", "--shared.memory=64MB", "--switch.classes=1",
                "--switch.max_frame=9216B", "--switch.lookup_delay=500ns", "--pfc.mode=pfc",
                "--traffic.kind=none", "--pfc.response=" + to_text(full.link.response)});
    EXPECT_EQ(dry.status, 0) << dry.err;
    EXPECT_NE(dry.out.find("  " + std::to_string(full.headroom.count()) + " B"), std::string::npos)
        << dry.out << full.headroom.count();
}

TEST(headroom_verify, detail_equation_1_loses_a_frame_for_want_of_the_pfc_frames_time) {
    const headroom_budget b = budget_of(headroom_profile::detail, 1_Gbps, 320, 0_B);
    const headroom_verdict v = verify_headroom(b, search_of(1, 256));
    EXPECT_EQ(v.contradiction, "");
    EXPECT_TRUE(v.headroom_loses);
    EXPECT_EQ(b.headroom, 4'838_B);
    EXPECT_EQ(v.needed, 4'901_B);  // PFC frames of 64 B: docs/experiments/pfc_headroom.md
}

TEST(headroom_verify, all_rows_of_spectrum_hold_and_keep_a_sixth_to_a_quarter_too_much) {
    for (const headroom_profile profile : {headroom_profile::spectrum, headroom_profile::spectrum4}) {
        const bool fourth = profile == headroom_profile::spectrum4;
        for (const std::int64_t rate : {10, 25, 40, 50, 100, 200, 400, 800}) {
            for (const std::int64_t metres : {5, 40, 300}) {
                if (rate > 100 && !fourth) {
                    continue;
                }
                const headroom_budget b = budget_of(profile, gbps(rate), metres, 0_B);
                const headroom_verdict v = verify_headroom(b, search_of(1, 0));
                EXPECT_EQ(v.contradiction, "");
                EXPECT_FALSE(v.headroom_loses) << rate << ' ' << metres;
                const double waste =
                    static_cast<double>(v.margin(b).count()) / static_cast<double>(b.headroom.count());
                EXPECT_GT(waste, fourth ? 0.22 : 0.16) << rate << ' ' << metres;
                EXPECT_LT(waste, fourth ? 0.25 : 0.19) << rate << ' ' << metres;
            }
        }
    }
}

TEST(headroom_verify, smaller_lossless_frames_a_pipeline_and_a_gearbox_are_simulated_as_they_are_counted) {
    headroom_budget_config c;
    c.rate = 100_Gbps;
    c.cable = millimetres{100'000};
    c.cell = 96_B;
    c.lossless_mtu = 1'500_B;
    c.pipeline = {delay_unit::picoseconds, 700'000};
    c.gearbox = {delay_unit::picoseconds, 150'000};
    c.fec = {delay_unit::bit_times, 12'345};
    expect_enough(make_headroom_budget(c), search_of(1, 256));
}

TEST(headroom_verify, the_program_says_what_is_needed_and_ends_with_1_where_frames_can_be_lost) {
    const test::scratch_directory where;
    const test::outcome good =
        test::process(where, {"headroom", "--rate=10Gbps", "--cable=100m", "--verify", "--search_cases=64"})
            .wait();
    EXPECT_EQ(good.status, 0) << good.err;
    for (const char* text : {"Needed: 25,633 B. With one byte less, a frame is lost.",
                             "Margin of the headroom to the first drop: 61 B", "Every term is needed",
                             "Attacked: a port's own memory; 1 port with 1 lossless class\n"}) {
        EXPECT_NE(good.out.find(text), std::string::npos) << text << "\nis not in\n" << good.out;
    }
    const test::outcome shared =
        test::process(where, {"headroom", "--rate=10Gbps", "--cable=100m", "--cell=64B", "--verify",
                              "--search_cases=0", "--attacked_memory=headroom_pool", "--full_pool=on",
                              "--attacked_ports=3", "--lossless_classes=2"})
            .wait();
    EXPECT_EQ(shared.status, 0) << shared.err;
    for (const char* text :
         {"Attacked: a shared memory, one headroom pool for all groups, the shared pool full when a group "
          "reaches its threshold; "
          "3 ports with 2 lossless classes, each group with its own phase\n",
          "Needed: 43,136 B per group, 258,816 B for all groups together. With one cell less, a frame is lost.",
          "Margin of the headroom to the first drop: 4,800 B; 10.0% of the headroom is waste.",
          "Largest term: our frame"}) {
        EXPECT_NE(shared.out.find(text), std::string::npos) << text << "\nis not in\n" << shared.out;
    }
    const test::outcome lost =
        test::process(where, {"headroom", "--profile=detail", "--rate=1Gbps", "--cable=320m", "--verify",
                              "--search_cases=0", "--format=json"})
            .wait();
    EXPECT_EQ(lost.status, 1);
    const auto parsed = nlohmann::json::parse(lost.out);
    EXPECT_EQ(parsed[0]["simulated"]["needed_bytes"], 4'901);
    EXPECT_EQ(parsed[0]["simulated"]["margin_bytes"], -63);
    EXPECT_EQ(parsed[0]["simulated"]["headroom_loses"], true);
}

}  // namespace
}  // namespace weir::tb
