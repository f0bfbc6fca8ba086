// Who is expected to send and to receive, worked out by hand for six hosts.
#include "weir/traffic/apps/expected_traffic.h"

#include <gtest/gtest.h>

#include <string>

#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {
namespace {

/// In sixths: `5,0 0,1 ...`, sent and received by each host.
std::string expected_of(const workload_config& config, const workload_inputs& inputs, double unit = 1.0 / 6) {
    std::string text;
    for (const host_traffic& each : expected_traffic(workload_plan(config, 6, 1, inputs))) {
        text += (text.empty() ? "" : " ") + std::to_string(std::lround(each.sent / unit)) + "," +
                std::to_string(std::lround(each.received / unit));
    }
    return text;
}

workload_config of_kind(workload_kind kind) {
    workload_config config;
    config.kind = kind;
    return config;
}

TEST(expected_traffic, is_everyone_s_where_all_ask_all) {
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("query")), {}), "1,1 1,1 1,1 1,1 1,1 1,1");
}

TEST(expected_traffic, goes_from_back_ends_to_front_ends) {
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("sequential_web")), {}), "0,2 2,0 0,2 2,0 0,2 2,0");
}

TEST(expected_traffic, goes_to_the_centre_of_an_incast) {
    workload_config config = of_kind(named<workload_kind>("incast"));
    config.incast_target = 4;
    EXPECT_EQ(expected_of(config, {}, 1.0 / 5), "1,0 1,0 1,0 1,0 0,5 1,0");
    config.incast_all_to_all = true;
    EXPECT_EQ(expected_of(config, {}), "1,1 1,1 1,1 1,1 1,1 1,1");
}

TEST(expected_traffic, goes_from_sources_to_destinations) {
    workload_inputs inputs;
    inputs.sources = {1, 2};
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("poisson")), inputs), "0,1 3,1 3,1 0,1 0,1 0,1");
    inputs.destinations = {5};
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("poisson")), inputs), "0,0 3,0 3,0 0,0 0,0 0,6");
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("permutation")), inputs), "0,0 3,0 3,0 0,0 0,0 0,6");
}

TEST(expected_traffic, is_that_of_background_flows_and_streams_too) {
    workload_config config = of_kind(named<workload_kind>("none"));
    EXPECT_EQ(expected_of(config, {}), "0,0 0,0 0,0 0,0 0,0 0,0");
    config.background.interarrival = 1ms;
    workload_inputs inputs;
    inputs.background_sources = {0, 1, 2};
    EXPECT_EQ(expected_of(config, inputs), "2,1 2,1 2,1 0,1 0,1 0,1");
    inputs.background_destinations = {4, 5};
    config.stream.rate = 1_Gbps;
    config.stream.source = 3;
    config.stream.destination = 0;
    EXPECT_EQ(expected_of(config, inputs), "2,6 2,0 2,0 6,0 0,3 0,3");
}

TEST(expected_traffic, is_the_messages_of_a_program) {
    goal_builder builder;
    builder.begin_rank();
    builder.add(goal_operation::send(1, 700, 0));
    builder.add(goal_operation::calc(9'000));
    builder.end_rank();
    builder.begin_rank();
    builder.add(goal_operation::recv(0, 700, 0));
    builder.add(goal_operation::send(2, 50, 0));
    builder.end_rank();
    builder.begin_rank();
    builder.add(goal_operation::recv(1, 50, 0));
    builder.end_rank();
    workload_inputs inputs;
    inputs.schedule = std::make_shared<const goal_schedule>(builder.take());
    EXPECT_EQ(expected_of(of_kind(named<workload_kind>("goal")), inputs, 1), "700,0 50,700 0,50 0,0 0,0 0,0");
}

}  // namespace
}  // namespace weir::traffic
