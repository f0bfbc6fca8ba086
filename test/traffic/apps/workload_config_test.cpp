#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/apps/workloads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace weir::traffic {
namespace {

std::multiset<std::string> keys(const config_errors& errors) {
    std::multiset<std::string> all;
    for (const config_error& e : errors) {
        EXPECT_NE(e.message.find("expected "), std::string::npos) << e.message;
        all.insert(e.key);
    }
    return all;
}
std::multiset<std::string> wrong(const workload_config& c) {
    return keys(c.validate());
}

TEST(workload_config, defaults_are_valid_for_every_kind) {
    for (int kind = 0; kind <= static_cast<int>(named<workload_kind>("trace")); ++kind) {
        workload_config c;
        c.kind = static_cast<workload_kind>(kind);
        c.background.flows = 1;
        EXPECT_TRUE(c.validate().empty()) << kind;
        EXPECT_TRUE(c.validate(96).empty()) << kind;
        EXPECT_TRUE(c.validate(2).empty()) << kind;
    }
}

TEST(workload_config, every_field_out_of_range_is_reported_by_its_name) {
    using change = void (*)(workload_config&);
    const std::pair<const char*, change> cases[] = {
        {"start", [](workload_config& c) { c.start = picoseconds{-1}; }},
        {"stop", [](workload_config& c) { c.stop = c.start = 1ms; }},
        {"rate", [](workload_config& c) { c.rate = -1; }},
        {"rate", [](workload_config& c) { c.rate = 0; }},
        {"rate", [](workload_config& c) { c.rate = std::nan(""); }},
        {"burst_rate", [](workload_config& c) { c.burst_rate = 1e10; }},
        {"burst_period", [](workload_config& c) { c.burst_period = picoseconds{-5}; }},
        {"burst_duration", [](workload_config& c) { c.burst_period = 4ms; }},
        {"sizes", [](workload_config& c) { c.sizes = {}; }},
        {"sizes",
         [](workload_config& c) {
             c.sizes = {2_KB, 0_B};
         }},
        {"sizes", [](workload_config& c) { c.sizes = {bytes{std::int64_t{1} << 32}}; }},
        {"request", [](workload_config& c) { c.request = 0_B; }},
        {"priorities",
         [](workload_config& c) {
             c.priorities = {7, 8};
         }},
        {"priorities", [](workload_config& c) { c.priorities = {}; }},
        {"front_end_fraction", [](workload_config& c) { c.front_end_fraction = 1; }},
        {"queries_per_request", [](workload_config& c) { c.queries_per_request = 12; }},
        {"queries_per_request", [](workload_config& c) { c.queries_per_request = 0; }},
        {"web_sizes", [](workload_config& c) { c.web_sizes = {}; }},
        {"fan_out", [](workload_config& c) { c.fan_out = {0}; }},
        {"aggregate_bytes", [](workload_config& c) { c.aggregate_bytes = 0_B; }},
        {"background_flows", [](workload_config& c) { c.background.flows = 65'536; }},
        {"background_bytes", [](workload_config& c) { c.background.flow_bytes = 0_B; }},
        {"background_priority", [](workload_config& c) { c.background.priority = 8; }},
        {"background_transport",
         [](workload_config& c) {
             c.background.flows = 1;
             c.background.transport = datagram_transport;
         }},
        {"background_to_back_ends", [](workload_config& c) { c.background.to_back_ends = true; }},
        {"incast_rounds", [](workload_config& c) { c.incast_rounds = 0; }},
        {"incast_bytes", [](workload_config& c) { c.incast_bytes = 0_B; }},
        {"load", [](workload_config& c) { c.load = 0; }},
        {"load", [](workload_config& c) { c.load = std::nan(""); }},
        {"distribution", [](workload_config& c) { c.distribution = "websearch"; }},
        {"flow_bytes", [](workload_config& c) { c.flow_bytes = bytes{-1}; }},
        {"datagram", [](workload_config& c) { c.datagram = 0_B; }},
        {"datagram_overhead", [](workload_config& c) { c.datagram_overhead = 1129_B; }},
        {"slot", [](workload_config& c) { c.slot = picoseconds{-1}; }},
    };
    for (const auto& [field, break_it] : cases) {
        workload_config c;
        break_it(c);
        EXPECT_EQ(wrong(c), (std::multiset<std::string>{std::string("traffic.") + field}));
    }
}

TEST(workload_config, all_mistakes_are_reported_at_once) {
    workload_config c;
    c.request = 0_B;
    c.load = 2;
    c.fan_out = {};
    EXPECT_EQ(wrong(c), (std::multiset<std::string>{"traffic.fan_out", "traffic.load", "traffic.request"}));
}

TEST(workload_config, a_load_above_one_is_for_poisson_flows_only) {
    workload_config c;
    c.load = 1.5;
    EXPECT_EQ(wrong(c).count("traffic.load"), 1U);
    c.kind = named<workload_kind>("poisson");
    EXPECT_TRUE(c.validate().empty());
}

TEST(workload_config, udp_is_for_those_kinds_that_can_have_it) {
    using kinds = std::set<workload_kind>;
    const kinds either{named<workload_kind>("poisson"), named<workload_kind>("permutation"),
                       named<workload_kind>("trace")};
    for (int kind = 0; kind <= static_cast<int>(named<workload_kind>("trace")); ++kind) {
        workload_config c;
        c.kind = static_cast<workload_kind>(kind);
        const bool datagrams = c.kind == named<workload_kind>("bernoulli");
        EXPECT_EQ(c.uses(datagram_transport), datagrams) << kind;
        EXPECT_EQ(c.uses(transport_kind{}), !datagrams && c.kind != named<workload_kind>("none")) << kind;
        c.transport = datagram_transport;
        EXPECT_EQ(wrong(c).count("traffic.transport"), either.count(c.kind) == 0 && !datagrams ? 1U : 0U)
            << kind;
        EXPECT_EQ(c.uses(datagram_transport), datagrams || either.count(c.kind) != 0) << kind;
        c.background.flows = 1;
        EXPECT_TRUE(c.uses(transport_kind{})) << kind;
    }
}

TEST(workload_config, roce_and_pfabric_carry_all_but_datagrams_and_background_flows) {
    for (int kind = 0; kind <= static_cast<int>(named<workload_kind>("trace")); ++kind) {
        for (const transport_kind transport :
             {named<transport_kind>("roce"), named<transport_kind>("pfabric")}) {
            workload_config c;
            c.kind = static_cast<workload_kind>(kind);
            c.transport = transport;
            EXPECT_EQ(wrong(c).count("traffic.transport"), 0U) << kind;
            EXPECT_EQ(c.uses(transport),
                      c.kind != named<workload_kind>("bernoulli") && c.kind != named<workload_kind>("none"))
                << kind;
            EXPECT_FALSE(c.uses(transport_kind{})) << kind;
            c.background.flows = 1;
            EXPECT_TRUE(c.uses(transport_kind{})) << kind;
        }
    }
}

TEST(workload_config, rates_of_writing_need_a_time_each_but_the_first_in_order_and_tcp) {
    workload_config c;
    c.kind = named<workload_kind>("permutation");
    c.writes.loads = {0.1, 0.5, 0.1};
    EXPECT_EQ(wrong(c).count("traffic.write_times"), 1U);
    c.writes.times = {2ms, 1ms};
    EXPECT_EQ(wrong(c).count("traffic.write_times"), 1U);
    c.writes.times = {1ms, 2ms};
    EXPECT_TRUE(c.validate(4).empty());
    c.transport = named<transport_kind>("roce");
    EXPECT_EQ(c.validate(4).size(), 1U);
    c.flow_bytes = 1_MB;  // the loads have no effect
    EXPECT_TRUE(c.validate(4).empty());
    c.writes.loads.assign(65, 0.1);
    c.writes.times.assign(64, 1ms);
    EXPECT_EQ(wrong(c).count("traffic.write_loads"), 1U);
}

TEST(workload_config, a_deck_may_be_uneven_if_sizes_are_independent) {
    workload_config c;
    c.queries_per_request = 12;
    c.web_size_draw = request_sizes::independent;
    EXPECT_TRUE(c.validate().empty());
}

TEST(workload_config, a_fabric_may_be_too_small) {
    workload_config c;
    EXPECT_EQ(keys(c.validate(1)).count("traffic.kind"), 1U);
    c.kind = named<workload_kind>("none");
    EXPECT_TRUE(c.validate(1).empty());
    c.background.flows = 1;
    EXPECT_EQ(keys(c.validate(1)).count("traffic.background_flows"), 1U);
    c.kind = named<workload_kind>("incast");
    c.incast_target = 12;
    EXPECT_EQ(keys(c.validate(12)).count("traffic.incast_target"), 1U);
    c.incast_target = 11;
    EXPECT_TRUE(c.validate(12).empty());
    c.incast_bytes = 10_B;
    EXPECT_EQ(keys(c.validate(12)).count("traffic.incast_bytes"), 1U);
}

}  // namespace
}  // namespace weir::traffic
