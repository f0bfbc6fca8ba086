// The block around tcam.sv beside a search of all routes, through tables that grow and shrink.
#include "tb/verify/rtl/rtl_tcam.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "weir/base/rng.h"

namespace {

using namespace weir;
using namespace weir::tb;

/// Few bits, so that prefixes lie within each other and most tables have a few for each address.
ipv4_address random_address(random_stream& chance) {
    return static_cast<ipv4_address>(chance.below(16) << 28 | chance.below(4) << 12 | chance.below(4));
}

std::vector<route_entry> random_table(random_stream& chance, std::uint32_t most) {
    std::map<std::pair<ipv4_address, unsigned>, route_entry> routes;
    const std::uint32_t tries = chance.below(most + 1);
    for (std::uint32_t i = 0; i < tries; ++i) {
        route_entry route;
        route.prefix_length = static_cast<unsigned>(chance.below(33));
        const std::uint32_t mask =
            route.prefix_length == 0 ? 0 : ~std::uint32_t{0} << (32 - route.prefix_length);
        route.prefix = static_cast<ipv4_address>(to_uint(random_address(chance)) & mask);
        const std::uint32_t ports = chance.below(4);
        for (std::uint32_t p = 0; p < ports; ++p) {
            route.acceptable.set(static_cast<unsigned>(chance.below(max_ports)));
        }
        routes[{route.prefix, route.prefix_length}] = route;
    }
    std::vector<route_entry> table;
    for (const auto& [key, route] : routes) {
        table.push_back(route);
    }
    return table;
}

TEST(rtl_tcam, finds_the_longest_prefix_of_each_table_that_it_is_loaded_with) {
    random_stream chance(1, 2, random_purpose::bit_errors);
    rtl_tcam block("tcam", make_tcam_pins(64));
    std::size_t hits = 0;
    for (unsigned round = 0; round < 500; ++round) {
        const std::vector<route_entry> table = random_table(chance, round % 2 == 0 ? 64 : 6);
        block.load(table);
        for (unsigned i = 0; i < 50; ++i) {
            const ipv4_address address = random_address(chance);
            const port_bitmap expected = lookup_route(table, address);
            ASSERT_TRUE(block.lookup(address) == expected)
                << "table " << round << ", address " << to_uint(address);
            hits += expected.any() ? 1 : 0;
        }
    }
    EXPECT_GT(hits, 5000U);
    EXPECT_LT(hits, 20'000U);
}

TEST(rtl_tcam, says_which_table_is_too_long) {
    rtl_tcam block("small_tcam", make_tcam_pins(64));
    try {
        block.load(std::vector<route_entry>(65));
        FAIL() << "was loaded";
    } catch (const sc_core::sc_report& report) {
        EXPECT_NE(
            std::string(report.what()).find("small_tcam: 65 routes do not fit into the 64 entries of the RTL"),
            std::string::npos)
            << report.what();
    }
}

}  // namespace
