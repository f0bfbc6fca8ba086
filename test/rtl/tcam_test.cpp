// tcam.sv beside `tcam`, clock cycle by clock cycle: winners, ports, and when they come, under lookups and
// writes.
#include <gtest/gtest.h>

#include "golden/rtl/tcam_golden.h"
#include "tb/verify/rtl/tcam_pins.h"

namespace {

using namespace weir;
using namespace weir::tb;

void compare(std::uint32_t entries, std::uint64_t cycles, std::uint64_t seed) {
    golden::random_tcam_edges stimulus(entries, seed);
    golden::tcam_in_cycles model(entries);
    const std::unique_ptr<tcam_pins> rtl = make_tcam_pins(entries);
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    port_bitmap seen;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const golden::tcam_edge edge = stimulus.next();
        if (edge.writes) {
            rtl->write(edge.index, edge.entry, edge.ports);
        }
        if (edge.looks_up) {
            rtl->look_up(edge.key);
        }
        rtl->clock();
        const golden::tcam_answer expected = model.clock(edge);
        ASSERT_EQ(rtl->result(), expected.result) << "cycle " << cycle;
        if (expected.result) {
            ASSERT_EQ(rtl->winner(), expected.winner) << "cycle " << cycle;
            ASSERT_TRUE(rtl->ports() == expected.ports)
                << "cycle " << cycle << ": " << golden::text_of(rtl->ports()) << " instead of "
                << golden::text_of(expected.ports);
            ++(expected.winner == tcam::no_match ? misses : hits);
            seen |= expected.ports;
        }
    }
    // The stimulus is worth something.
    EXPECT_GT(hits, cycles / 4);
    EXPECT_GT(misses, 0U);
    EXPECT_TRUE(seen == port_bitmap::first_ports(max_ports));
}

TEST(tcam_rtl, does_what_the_model_does_in_each_of_a_million_cycles_with_64_entries) {
    compare(64, 1'000'000, 1);
}
TEST(tcam_rtl, does_what_the_model_does_in_each_of_50000_cycles_with_1024_entries) {
    compare(1024, 50'000, 2);
}
TEST(tcam_rtl, long_run_does_what_the_model_does_in_each_of_a_million_cycles_with_1024_entries) {
    compare(1024, 1'000'000, 3);
}
// Lookups on their way are gone, and all entries with them, whatever the edge of the reset samples.
TEST(tcam_rtl, is_as_new_after_a_reset_in_mid_run) {
    constexpr std::uint32_t entries = 64;
    const std::unique_ptr<tcam_pins> rtl = make_tcam_pins(entries);
    random_stream random(5, 0, random_purpose::arbitration);
    for (std::uint64_t round = 0; round < 300; ++round) {
        golden::random_tcam_edges stimulus(entries, 100 + round);
        golden::tcam_in_cycles model(entries);
        // Table first, so that a reset finds it full.
        const unsigned cycles = 1 + random.below(1200);
        for (unsigned cycle = 0; cycle < cycles; ++cycle) {
            const golden::tcam_edge edge = stimulus.next();
            if (edge.writes) {
                rtl->write(edge.index, edge.entry, edge.ports);
            }
            if (edge.looks_up) {
                rtl->look_up(edge.key);
            }
            rtl->clock();
            const golden::tcam_answer expected = model.clock(edge);
            ASSERT_EQ(rtl->result(), expected.result) << "round " << round << ", cycle " << cycle;
            if (expected.result) {
                ASSERT_EQ(rtl->winner(), expected.winner) << "round " << round << ", cycle " << cycle;
                ASSERT_TRUE(rtl->ports() == expected.ports) << "round " << round << ", cycle " << cycle;
            }
        }
        const golden::tcam_edge last = stimulus.next();
        rtl->write(1, {last.key, 0, 0, true}, port_bitmap::first_ports(3));
        rtl->look_up(last.key);
        rtl->reset();
        ASSERT_FALSE(rtl->result());
    }
}

TEST(tcam_rtl, has_no_size_beyond_the_largest) {
    EXPECT_EQ(make_tcam_pins(tcam_rtl_sizes().back() + 1), nullptr);
    for (const std::uint32_t entries : tcam_rtl_sizes()) {
        EXPECT_EQ(make_tcam_pins(entries)->entries(), entries);
    }
}

}  // namespace
