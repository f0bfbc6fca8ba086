#include "tb/run/topology/fabric_texts.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::tb {
namespace {

topology two_hosts() {
    single_config config;
    config.hosts = 2;
    return make_topology(config);
}

std::string link_error(const std::string& text) {
    const link_overrides result = apply_link_overrides(two_hosts(), {text});
    return result.errors.empty() ? std::string{} : result.errors[0].message;
}

TEST(link_overrides, what_holds_from_the_start_is_in_the_plan_and_the_rest_keeps_its_shape) {
    const topology plan = two_hosts();
    const link_overrides result =
        apply_link_overrides(plan, {plan.link(1).name + " rate=100Mbps latency=2us frame_error_rate=0.25"});
    ASSERT_TRUE(result.errors.empty());
    EXPECT_TRUE(result.changes.empty());
    EXPECT_EQ(result.plan.link(0).rate, plan.link(0).rate);
    EXPECT_EQ(result.plan.link(1).rate, 100_Mbps);
    EXPECT_EQ(result.plan.link(1).latency, 2us);
    EXPECT_EQ(result.plan.link(1).frame_error_rate, 0.25);
    EXPECT_EQ(result.plan.smallest_latency(), 2us);
    for (host_id h = 0; h < plan.hosts(); ++h) {
        EXPECT_EQ(result.plan.address_of(h), plan.address_of(h));
    }
    EXPECT_EQ(result.plan.link(1).name, plan.link(1).name);
}

TEST(link_overrides, changes_at_a_time_come_in_the_order_given) {
    const topology plan = two_hosts();
    const std::string name = plan.link(0).name;
    const link_overrides result =
        apply_link_overrides(plan, {name + " down at=5ms", name + " up at=9ms", name + " rate=10Mbps at=1ms"});
    ASSERT_TRUE(result.errors.empty());
    ASSERT_EQ(result.changes.size(), 3U);
    EXPECT_EQ(result.changes[0].at, 5ms);
    EXPECT_EQ(result.changes[0].up, false);
    EXPECT_EQ(result.changes[1].at, 9ms);
    EXPECT_EQ(result.changes[1].up, true);
    EXPECT_EQ(result.changes[2].rate, 10_Mbps);
    EXPECT_EQ(result.changes[2].up, std::nullopt) << "a slower link is not a mended one";
    EXPECT_EQ(result.plan.link(0).rate, plan.link(0).rate) << "not from the start";
}

TEST(link_overrides, a_link_that_is_down_without_a_time_is_down_from_the_start) {
    const topology plan = two_hosts();
    const link_overrides result = apply_link_overrides(plan, {plan.link(0).name + " down"});
    ASSERT_EQ(result.changes.size(), 1U);
    EXPECT_EQ(result.changes[0].at, picoseconds{0});
    EXPECT_EQ(result.changes[0].up, false);
}

TEST(link_overrides, all_that_a_text_with_a_time_says_holds_from_then_on) {
    const topology plan = two_hosts();
    const std::string name = plan.link(0).name;
    const link_overrides result = apply_link_overrides(
        plan, {name + " latency=2us bit_error_rate=1e-9",
               name + " latency=1us at=3ms frame_error_rate=0.5 bit_error_rate=0 rate=10Gbps"});
    ASSERT_TRUE(result.errors.empty());
    EXPECT_EQ(result.plan.link(0).latency, 2us);
    EXPECT_EQ(result.plan.link(0).bit_error_rate, 1e-9);
    EXPECT_EQ(result.plan.link(0).frame_error_rate, 0);
    ASSERT_EQ(result.changes.size(), 1U);
    const fabric_change& change = result.changes[0];
    EXPECT_EQ(change.at, 3ms);
    EXPECT_EQ(change.up, std::nullopt);
    EXPECT_EQ(change.rate, 10_Gbps);
    EXPECT_EQ(change.latency, picoseconds{1us});
    EXPECT_EQ(change.frame_error_rate, 0.5);
    EXPECT_EQ(change.bit_error_rate, 0.0);
    EXPECT_EQ(smallest_latency(result.plan, result.changes), 1us) << "once is enough";
}

TEST(link_overrides, an_error_is_of_the_text_that_it_is_in) {
    const topology plan = two_hosts();
    const std::string name = plan.link(0).name;
    const link_overrides result = apply_link_overrides(plan, {name + " down", name + " x", name + " up y"});
    ASSERT_EQ(result.errors.size(), 2U);
    EXPECT_EQ(result.errors[0].key, "fabric.link[1]");
    EXPECT_EQ(result.errors[1].key, "fabric.link[2]");
}

TEST(link_overrides, each_mistake_is_named_with_what_is_allowed) {
    const std::string name = two_hosts().link(0).name;
    EXPECT_TRUE(has_error(link_error("nosuch rate=1Gbps"), "nosuch, no link"));
    EXPECT_NE(link_error(name).find("has no change of the link"), std::string::npos);
    EXPECT_NE(link_error(name + " rate=100").find("has no unit"), std::string::npos);
    EXPECT_TRUE(has_error(link_error(name + " rate=0Gbps"), "1Mbps to 10Tbps"));
    EXPECT_TRUE(has_error(link_error(name + " latency=0ns"), "1ps to 1s"));
    EXPECT_TRUE(has_error(link_error(name + " down at=4501s"), "0ps to 4500s"));
    EXPECT_TRUE(has_error(link_error(name + " latency=0ns at=1ms"), "1ps to 1s"));
    EXPECT_NE(link_error(name + " at=1ms").find("has no change of the link"), std::string::npos);
    EXPECT_TRUE(has_error(link_error(name + " bit_error_rate=-0.1 at=1ms"), "0% to 100%"));
    EXPECT_TRUE(has_error(link_error(name + " bit_error_rate=nan"), "nan, share"));
    EXPECT_TRUE(has_error(link_error(name + " frame_error_rate=2"), "0% to 100%"));
    EXPECT_TRUE(has_error(link_error(name + " speed=1"), "speed=1, unknown"));
}

TEST(link_overrides, a_word_given_twice_is_an_error) {
    const std::string name = two_hosts().link(0).name;
    for (const std::string words : {"rate=100Mbps rate=1Gbps", "latency=1us rate=1Gbps latency=1us", "down up",
                                    "down down", "down at=1ms at=2ms", "bit_error_rate=0 bit_error_rate=0.1",
                                    "frame_error_rate=0 frame_error_rate=0"}) {
        EXPECT_NE(link_error(name + " " + words).find("once"), std::string::npos) << words;
    }
    EXPECT_TRUE(errors_are(link_error(name + " rate=100Mbps rate=1Gbps"),
                           {name + " rate=100Mbps rate=1Gbps, rate=1Gbps, rate=, twice"}));
    EXPECT_TRUE(errors_are(link_error(name + " down down"), {name + " down down, down, twice"}));
    EXPECT_TRUE(errors_are(link_error(name + " down up"), {name + " down up, up, down"}));
}

TEST(link_overrides, a_name_that_does_not_exist_is_answered_with_the_nearest) {
    const topology plan = make_topology(racks_config{});
    const auto said_of = [&](const std::string& name) {
        const std::string message = apply_link_overrides(plan, {name + " down"}).errors.at(0).message;
        return message.substr(message.find("; ") + 2);
    };
    EXPECT_TRUE(errors_are(said_of("h13-tor0"), {"h10-tor0"}));
    EXPECT_TRUE(errors_are(said_of("tor3-rot2"), {"tor3-root2"}));
    EXPECT_TRUE(errors_are(said_of("root2-tor3"), {"tor3-root2"}));
    EXPECT_TRUE(errors_are(said_of("something-else"), {"weir run --dry-run, " + plan.link(0).name}));
}

}  // namespace
}  // namespace weir::tb
