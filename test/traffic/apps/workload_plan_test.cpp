#include "weir/traffic/apps/workload_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {
namespace {

workload_config with_split(server_split split, double fraction) {
    workload_config c;
    c.split = split;
    c.front_end_fraction = fraction;
    return c;
}

TEST(workload_plan, queries_know_no_split_and_web_requests_halves) {
    workload_config c;
    const workload_plan queries(c, 10, 1);
    EXPECT_TRUE(queries.back_ends().empty());
    EXPECT_TRUE(queries.is_front_end(3));
    EXPECT_EQ(queries.servers_for(3).size(), 9U);
    c.kind = named<workload_kind>("sequential_web");
    const workload_plan web(c, 10, 1);
    EXPECT_EQ(web.back_ends(), (std::vector<host_id>{1, 3, 5, 7, 9}));
    EXPECT_TRUE(web.is_front_end(0));
    EXPECT_FALSE(web.is_front_end(1));
}

TEST(workload_plan, three_pods_ask_the_fourth) {
    const workload_plan plan(with_split(server_split::first, 0.75), 128, 1);
    ASSERT_EQ(plan.back_ends().size(), 32U);
    EXPECT_EQ(plan.back_ends().front(), 96U);
}

TEST(workload_plan, front_ends_have_their_share_in_every_split) {
    for (const server_split split : {server_split::alternate, server_split::random, server_split::first}) {
        for (const host_id hosts : {2U, 7U, 96U, 1000U}) {
            for (const double fraction : {0.001, 0.25, 0.5, 2.0 / 3, 0.999}) {
                const workload_plan plan(with_split(split, fraction), hosts, 5);
                host_id fronts = 0;
                for (host_id h = 0; h < hosts; ++h) {
                    fronts += plan.is_front_end(h) ? 1 : 0;
                }
                const double wanted = std::min(std::max(std::round(fraction * hosts), 1.0), hosts - 1.0);
                EXPECT_EQ(fronts, static_cast<host_id>(wanted)) << hosts << ' ' << fraction;
                EXPECT_EQ(fronts + plan.back_ends().size(), hosts);
            }
        }
    }
}

TEST(workload_plan, named_front_ends_ask_the_named_back_ends_or_all_others) {
    workload_config c = with_split(server_split::named, 0.5);
    c.sources = {"h1"};
    workload_inputs inputs;
    inputs.sources = {1, 4};
    inputs.racks = {0, 0, 0, 1, 1, 1};
    EXPECT_TRUE(check_inputs(c, inputs).empty());
    const workload_plan others(c, 6, 1, inputs);
    EXPECT_EQ(others.back_ends(), (std::vector<host_id>{0, 2, 3, 5}));
    EXPECT_TRUE(others.is_front_end(4));
    EXPECT_FALSE(others.is_front_end(5));
    inputs.destinations = {3};
    const workload_plan one(c, 6, 1, inputs);
    EXPECT_EQ(one.back_ends(), (std::vector<host_id>{3}));
    EXPECT_FALSE(one.is_front_end(0));
    // The network's rate is that of the front ends, and of nobody else.
    c.rate_per = rate_scope::network;
    c.rate = 100;
    EXPECT_EQ(workload_plan(c, 6, 1, inputs).request_arrivals(1, 0_ps, 1_Gbps).rate, 50);
    EXPECT_EQ(workload_plan(c, 6, 1, inputs).request_arrivals(0, 0_ps, 1_Gbps).kind, arrival_kind::none);

    inputs.destinations = {3, 4};
    const config_errors both = check_inputs(c, inputs);
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].key, "traffic.destinations");
    inputs.destinations.clear();
    inputs.sources = {0, 1, 2, 3, 4, 5};
    const config_errors all = check_inputs(c, inputs);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].key, "traffic.sources");
    c.sources.clear();
    EXPECT_EQ(c.validate().size(), 1U);
}

TEST(workload_plan, background_has_its_places_by_name_or_by_role_and_not_by_both) {
    workload_config c;
    c.kind = named<workload_kind>("none");
    c.background.interarrival = 1ms;
    c.background.sources = {"h1"};
    workload_inputs inputs;
    inputs.background_sources = {1};
    EXPECT_TRUE(check_inputs(c, inputs).empty());
    inputs.background_destinations = {1};
    EXPECT_EQ(check_inputs(c, inputs).size(), 1U);
    inputs.background_destinations.clear();
    c.background.to_back_ends = true;
    const config_errors both = check_inputs(c, inputs);
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].key, "traffic.background_to_back_ends");
}

TEST(workload_plan, a_file_has_no_answers_that_are_too_long_to_ask_for) {
    workload_config c;
    c.kind = named<workload_kind>("incast");
    c.distribution = "file";
    workload_inputs inputs;
    const auto largest = [&](double size) {
        inputs.sizes = std::make_shared<const size_distribution>(std::vector<cdf_point>{{1, 0}, {size, 1}});
        return check_inputs(c, inputs);
    };
    EXPECT_TRUE(largest(4'294'967'295).empty());
    const config_errors errors = largest(4'294'967'296);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "traffic.distribution_file");
    c.kind = named<workload_kind>("poisson");
    EXPECT_TRUE(largest(4'294'967'296).empty());
}

TEST(workload_plan, alternate_front_ends_are_spread_over_racks) {
    const workload_plan plan(with_split(server_split::alternate, 0.25), 96, 1);
    for (host_id rack = 0; rack < 8; ++rack) {
        int fronts = 0;
        for (host_id h = rack * 12; h < rack * 12 + 12; ++h) {
            fronts += plan.is_front_end(h) ? 1 : 0;
        }
        EXPECT_EQ(fronts, 3);
    }
}

TEST(workload_plan, a_random_split_depends_on_the_seed_alone) {
    const workload_config c = with_split(server_split::random, 0.5);
    EXPECT_EQ(workload_plan(c, 96, 1).back_ends(), workload_plan(c, 96, 1).back_ends());
    EXPECT_NE(workload_plan(c, 96, 1).back_ends(), workload_plan(c, 96, 2).back_ends());
}

TEST(workload_plan, partners_are_a_permutation_without_fixed_points) {
    workload_config c;
    c.kind = named<workload_kind>("permutation");
    for (const host_id hosts : {2U, 3U, 128U, 1001U}) {
        const workload_plan plan(c, hosts, 3);
        std::set<host_id> seen;
        for (host_id h = 0; h < hosts; ++h) {
            EXPECT_NE(plan.partner(h), h);
            EXPECT_LT(plan.partner(h), hosts);
            seen.insert(plan.partner(h));
        }
        EXPECT_EQ(seen.size(), hosts);
        const workload_plan again(c, hosts, 3);
        for (host_id h = 0; h < hosts; ++h) {
            EXPECT_EQ(plan.partner(h), again.partner(h));
        }
    }
}

TEST(workload_plan_statistical, every_derangement_of_four_hosts_has_the_same_chance) {
    workload_config c;
    c.kind = named<workload_kind>("permutation");
    std::map<std::int64_t, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 9000; ++seed) {
        const workload_plan plan(c, 4, seed);
        std::int64_t code = 0;
        for (host_id h = 0; h < 4; ++h) {
            code = code * 4 + plan.partner(h);
        }
        ++seen[code];
    }
    EXPECT_EQ(seen.size(), 9U);
    // 8 degrees of freedom, 1 in 1,000.
    EXPECT_LT(chi_square(seen, 9), 26.1);
}

TEST(workload_plan, background_and_main_streams_differ) {
    const workload_plan plan(workload_config{}, 4, 1);
    random_stream main = plan.stream(2, random_purpose::destinations);
    random_stream background = plan.background_stream(2, random_purpose::destinations);
    EXPECT_NE(main(), background());
}

TEST(workload_plan, tags_of_a_trace_leave_a_number_for_background_flows) {
    workload_config c;
    c.kind = named<workload_kind>("trace");
    workload_inputs inputs;
    inputs.trace_tags = 256;
    EXPECT_TRUE(check_inputs(c, inputs).empty());
    c.background.flows = 1;
    const config_errors errors = check_inputs(c, inputs);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "traffic.background_flows");
    inputs.trace_tags = 255;
    EXPECT_TRUE(check_inputs(c, inputs).empty());
    EXPECT_EQ(workload_plan(c, 4, 1, inputs).background_tag(), 255);
}

TEST(workload_plan, a_distribution_that_was_not_read_is_refused) {
    workload_config c;
    c.kind = named<workload_kind>("poisson");
    c.distribution = "file";
    const config_errors errors = check_inputs(c, {});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "traffic.distribution");
    workload_inputs inputs;
    inputs.sizes =
        std::make_shared<const size_distribution>(std::vector<cdf_point>{{100.0, 0.0}, {100.0, 1.0}});
    EXPECT_TRUE(check_inputs(c, inputs).empty());
    const workload_plan plan(c, 4, 1, inputs);
    random_stream chance{1, 1, random_purpose::sizes};
    EXPECT_EQ(plan.draw_flow_size(chance), 100_B);
    EXPECT_DOUBLE_EQ(plan.mean_flow_bytes(), 100);
}

}  // namespace
}  // namespace weir::traffic
