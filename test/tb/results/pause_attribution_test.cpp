// Two switches, worked out by hand.
#include "tb/run/tables/pause_attribution.h"

#include <gtest/gtest.h>

#include <optional>

namespace weir::tb {
namespace {

constexpr double us = 1e6;  // in ps

/// h0, h1 at s0; h2, h3 at s1; port 2 of each switch leads to the other one. Nodes: h0 to h3 are 0 to 3, s0 is
/// 4, s1 is 5.
topology two_switches() {
    topology plan;
    for (unsigned h = 0; h < 4; ++h) {
        plan.add_host("h" + std::to_string(h));
    }
    for (unsigned s = 0; s < 2; ++s) {
        plan.add_switch("s" + std::to_string(s), 1);
    }
    for (host_id h = 0; h < 4; ++h) {
        plan.add_link(node_ref::of_host(h), node_ref::of_switch(h / 2), {10_Gbps, 1us});
    }
    plan.add_link(node_ref::of_switch(0), node_ref::of_switch(1), {10_Gbps, 1us});
    plan.finish();
    return plan;
}

constexpr std::uint32_t h0 = 0;
constexpr std::uint32_t s0 = 4;
constexpr std::uint32_t s1 = 5;

flow_bytes of(std::uint64_t flow, std::uint64_t bytes) {
    return {flow, {}, {}, bytes};
}
filling_queue congested(std::uint16_t port, std::uint32_t bytes, std::vector<flow_bytes> sharing) {
    return {port, 0, false, bytes, {}, std::move(sharing)};
}
filling_queue paused(std::uint16_t port, std::uint32_t bytes) {
    return {port, 0, true, bytes, {}, {}};
}
xoff_record xoff(picoseconds time, std::uint16_t port, std::vector<filling_queue> queues) {
    return {time, port, 0, 0, 0, std::move(queues)};
}
void pause(cause_log& log, unsigned port, picoseconds begin, picoseconds end,
           const std::vector<flow_bytes>& stopped) {
    log.note_paused(port, 1, begin, [&](pfc_class) { return stopped; });
    log.note_paused(port, 0, end, [&](pfc_class) { return stopped; });
}

struct two_hops {
    // Of s1's memory for s0, 3,000 B wait for its port 0 (h2), which flow 1 shares with flow 2 by 3 to 1, and
    // 1,000 B for port 1 (h3), which flow 3 has for itself. It pauses s0, and s0 pauses h0.
    two_hops() : of_s0(all()), of_s1(all()), of_h0(all()), causes(plan, 1ms) {
        of_s1.add(
            xoff(100us, 2, {congested(0, 3000, {of(1, 3000), of(2, 1000)}), congested(1, 1000, {of(3, 500)})}));
        pause(of_s0, 2, 110us, 210us, {of(1, 1500), of(3, 500)});
        of_s0.add(xoff(150us, 0, {paused(2, 2000)}));
        pause(of_h0, 0, 160us, 260us, {of(1, 1000)});
        causes.add(h0, of_h0);
        causes.add(s0, of_s0);
        causes.add(s1, of_s1);
        causes.work_out();
    }
    static cause_options all() {
        cause_options options;
        options.pauses = true;
        return options;
    }
    /// Paused time of a place, named by its queues' nodes and ports from the root on.
    std::optional<double> paused_at(const std::vector<std::pair<std::uint32_t, unsigned>>& path) const {
        for (std::uint32_t i = 0; i < causes.tree().size(); ++i) {
            std::uint32_t at = i;
            std::size_t left = path.size();
            while (left > 0 && at != pause_attribution::tree_node::no_parent &&
                   causes.tree()[at].queue.node == path[left - 1].first &&
                   causes.tree()[at].queue.port == path[left - 1].second) {
                at = causes.tree()[at].parent;
                --left;
            }
            if (left == 0 && at == pause_attribution::tree_node::no_parent) {
                return causes.tree()[i].paused;
            }
        }
        return std::nullopt;
    }
    topology plan = two_switches();
    cause_log of_s0;
    cause_log of_s1;
    cause_log of_h0;
    pause_attribution causes;
};

TEST(pause_attribution, shares_a_pause_among_roots_by_bytes_and_passes_it_on_hop_by_hop) {
    const two_hops run;
    EXPECT_DOUBLE_EQ(run.causes.paused(), 200 * us);
    EXPECT_DOUBLE_EQ(run.causes.unknown(), 0);
    EXPECT_DOUBLE_EQ(run.paused_at({{s1, 0}, {s0, 2}}).value(), 75 * us);
    EXPECT_DOUBLE_EQ(run.paused_at({{s1, 1}, {s0, 2}}).value(), 25 * us);
    EXPECT_DOUBLE_EQ(run.paused_at({{s1, 0}, {s0, 2}, {h0, 0}}).value(), 75 * us);
    EXPECT_DOUBLE_EQ(run.paused_at({{s1, 1}, {s0, 2}, {h0, 0}}).value(), 25 * us);
    ASSERT_EQ(run.causes.by_hop().size(), 2U);
    EXPECT_DOUBLE_EQ(run.causes.by_hop()[0], 100 * us);
    EXPECT_DOUBLE_EQ(run.causes.by_hop()[1], 100 * us);
}
TEST(pause_attribution, blames_a_roots_flows_by_their_bytes_and_tells_others_time_from_their_own) {
    const two_hops run;
    // Shares of either pause: flow 1 has 3/4 x 3/4, flow 2 3/4 x 1/4, flow 3 1/4. At s0 flow 1 is 3/4 of what
    // is stopped, flow 3 is 1/4; at h0 flow 1 is all.
    ASSERT_EQ(run.causes.flows().size(), 3U);
    const auto& flows = run.causes.flows();
    EXPECT_EQ(flows[0].flow.flow, 3U);
    EXPECT_DOUBLE_EQ(flows[0].others, 25 * us * 3 / 4 + 25 * us);
    EXPECT_DOUBLE_EQ(flows[0].own, 25 * us / 4);
    EXPECT_EQ(flows[1].flow.flow, 2U);
    EXPECT_DOUBLE_EQ(flows[1].others, 18.75 * us + 18.75 * us);
    EXPECT_DOUBLE_EQ(flows[1].own, 0);
    EXPECT_EQ(flows[2].flow.flow, 1U);
    EXPECT_DOUBLE_EQ(flows[2].others, 56.25 * us / 4);
    EXPECT_DOUBLE_EQ(flows[2].own, 56.25 * us * 3 / 4 + 56.25 * us);
}
TEST(pause_attribution, takes_the_last_xoff_that_can_have_arrived) {
    const topology plan = two_switches();
    cause_log switch_1(two_hops::all());
    cause_log switch_0(two_hops::all());
    switch_1.add(xoff(100us, 2, {congested(0, 1000, {of(1, 1)})}));
    switch_1.add(xoff(109us, 2, {congested(1, 1000, {of(2, 1)})}));
    switch_1.add(xoff(109'500ns, 2, {congested(0, 1000, {of(3, 1)})}));  // 1 us on its way: too late
    pause(switch_0, 2, 110us, 120us, {of(9, 1)});
    pause_attribution causes(plan, 1ms);
    causes.add(s0, switch_0);
    causes.add(s1, switch_1);
    causes.work_out();
    // The pause begins with the XOFF of 109 us, so the next one is obeyed 1 us after it, too.
    ASSERT_EQ(causes.flows().size(), 2U);
    EXPECT_EQ(causes.flows()[0].flow.flow, 3U);
    EXPECT_DOUBLE_EQ(causes.flows()[0].others, 9.5 * us);
    EXPECT_EQ(causes.flows()[1].flow.flow, 2U);
    EXPECT_DOUBLE_EQ(causes.flows()[1].others, 0.5 * us);
}
TEST(pause_attribution, follows_an_xoff_that_is_repeated_to_what_holds_by_then) {
    // Decided for port 0, of flow 1; repeated 40 us later, when port 1 was in the way, of flow 2.
    const topology plan = two_switches();
    cause_log switch_1(two_hops::all());
    cause_log switch_0(two_hops::all());
    switch_1.add(xoff(100us, 2, {congested(0, 1000, {of(1, 1)})}));
    switch_1.add(xoff(140us, 2, {congested(1, 1000, {of(2, 1)})}));
    pause(switch_0, 2, 105us, 205us, {of(9, 1)});
    pause_attribution causes(plan, 1ms);
    causes.add(s0, switch_0);
    causes.add(s1, switch_1);
    causes.work_out();
    ASSERT_EQ(causes.flows().size(), 2U);
    EXPECT_EQ(causes.flows()[0].flow.flow, 2U);
    EXPECT_DOUBLE_EQ(causes.flows()[0].others, 60 * us);
    EXPECT_DOUBLE_EQ(causes.flows()[1].others, 40 * us);
    EXPECT_DOUBLE_EQ(causes.paused(), 100 * us);
}
/// Of flows, adapters and nobody together.
double all_faults(const pause_attribution& causes) {
    double sum = causes.nobody().all();
    for (const auto& f : causes.flows()) {
        sum += f.all();
    }
    for (const auto& a : causes.adapters()) {
        sum += a.all();
    }
    return sum;
}
TEST(pause_attribution, has_a_fault_for_all_time_that_was_paused_idle_and_unknown_time_too) {
    const two_hops run;
    EXPECT_NEAR(all_faults(run.causes), 200 * us, 1);
    // h0 pauses s0 for 1,000 us. Of what makes s0 pause h1 for 100 us, three quarters are held up by h0, the
    // rest waits for a queue of flow 7. h1 holds nothing by then; then 10 us of which nobody has kept an XOFF,
    // and h1 holds 5 B.
    const topology plan = two_switches();
    cause_log switch_0(two_hops::all());
    cause_log host_1(two_hops::all());
    cause_log switch_1(two_hops::all());
    switch_0.note_paused(0, 1, 10us, [](pfc_class) { return std::vector<flow_bytes>{of(1, 100)}; });
    switch_0.add(xoff(50us, 1, {paused(0, 3000), congested(1, 1000, {of(7, 10)})}));
    pause(host_1, 0, 60us, 160us, {});
    pause(switch_1, 2, 300us, 310us, {of(9, 5)});
    pause_attribution causes(plan, 1010us);
    causes.add(1, host_1);
    causes.add(s0, switch_0);
    causes.add(s1, switch_1);
    causes.work_out();
    ASSERT_EQ(causes.adapters().size(), 1U);
    const auto& adapter = causes.adapters()[0];
    EXPECT_EQ(adapter.node, h0);
    EXPECT_NEAR(adapter.others, 1000 * us, 1);
    EXPECT_EQ(adapter.own, 0);
    EXPECT_NEAR(adapter.idle, 75 * us, 1);
    ASSERT_EQ(causes.flows().size(), 1U);
    EXPECT_EQ(causes.flows()[0].others, 0);
    EXPECT_NEAR(causes.flows()[0].idle, 25 * us, 1);
    EXPECT_NEAR(causes.nobody().others, 10 * us, 1);
    EXPECT_NEAR(all_faults(causes), 1110 * us, 1);
    ASSERT_EQ(causes.by_hop().size(), 2U);
    EXPECT_NEAR(causes.by_hop()[0], 1025 * us, 1);
    EXPECT_NEAR(causes.by_hop()[1], 75 * us, 1);  // the share is passed on, not all
    EXPECT_NEAR(causes.paused(), 1110 * us, 1);
}
TEST(pause_attribution, ends_at_an_adapter_that_pauses_and_blames_no_flow) {
    const topology plan = two_switches();
    cause_log switch_0(two_hops::all());
    cause_log host_1(two_hops::all());
    switch_0.note_paused(0, 1, 10us, [](pfc_class) { return std::vector<flow_bytes>{of(1, 100)}; });  // by h0
    switch_0.add(xoff(50us, 1, {paused(0, 1000)}));
    pause(host_1, 0, 60us, 160us, {of(1, 100)});
    pause_attribution causes(plan, 1010us);
    causes.add(1, host_1);
    causes.add(s0, switch_0);
    causes.work_out();
    EXPECT_TRUE(causes.flows().empty());
    ASSERT_EQ(causes.tree().size(), 3U);
    EXPECT_TRUE(causes.tree()[0].adapter);
    EXPECT_EQ(causes.tree()[0].queue.node, h0);
    EXPECT_DOUBLE_EQ(causes.by_hop()[0], 1000 * us);
    EXPECT_DOUBLE_EQ(causes.by_hop()[1], 100 * us);
}
TEST(pause_attribution, knows_what_it_does_not_know) {
    const topology plan = two_switches();
    cause_log switch_0(two_hops::all());
    pause(switch_0, 2, 110us, 120us, {of(9, 1)});  // nobody has kept an XOFF
    pause_attribution causes(plan, 1ms);
    causes.add(s0, switch_0);
    causes.work_out();
    EXPECT_DOUBLE_EQ(causes.paused(), 10 * us);
    EXPECT_DOUBLE_EQ(causes.unknown(), 10 * us);
}
TEST(cause_log, keeps_the_first_and_counts_the_rest) {
    cause_options options = two_hops::all();
    options.most = 2;
    options.begin = 10us;
    options.end = 20us;
    cause_log log(options);
    EXPECT_FALSE(log.wants_pauses(9us));
    EXPECT_TRUE(log.wants_pauses(10us));
    EXPECT_FALSE(log.wants_pauses(20us));
    EXPECT_FALSE(log.wants_drops(15us));
    for (int i = 0; i < 5; ++i) {
        log.add(xoff(12us, 0, {}));
    }
    EXPECT_EQ(log.xoffs().size(), 2U);
    EXPECT_EQ(log.left_out(), 3U);
    pause(log, 3, 9us, 11us, {});  // begins outside
    pause(log, 3, 12us, 25us, {});
    ASSERT_EQ(log.pauses().size(), 1U);
    EXPECT_EQ(log.pauses()[0].begin, 12us);
    EXPECT_EQ(log.pauses()[0].end, 25us);
    EXPECT_EQ(log.pauses()[0].egress_port, 3);
}

}  // namespace
}  // namespace weir::tb
