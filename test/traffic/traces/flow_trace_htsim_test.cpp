#include "weir/traffic/traces/flow_trace_htsim.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "support/errors_said.h"

namespace weir::traffic {
namespace {

struct read_matrix {
    std::vector<trace_flow> flows;
    std::vector<trace_trigger> triggers;
    config_errors errors;
    config_errors warnings;
};

read_matrix read(std::istream& in, trace_options options = {"a.cm"}) {
    flow_trace_htsim reader{in, options};
    read_matrix all;
    for (trace_flow f; reader.next(f);) {
        all.flows.push_back(f);
    }
    all.triggers = reader.triggers();
    all.errors = reader.errors();
    all.warnings = reader.warnings();
    return all;
}
read_matrix read(const std::string& text, trace_options options = {"a.cm"}) {
    std::istringstream in{text};
    return read(in, options);
}
read_matrix read_golden(const std::string& name) {
    std::ifstream in{WEIR_GOLDEN_DIR "/traces/" + name};
    EXPECT_TRUE(in) << name;
    return read(in);
}
std::string htsim_mistakes(const std::string& text, trace_options options = {"a.cm"}) {
    std::string all;
    for (const config_error& e : read(text, options).errors) {
        all += std::to_string(e.line) + ": " + e.key + ": " + e.message + "\n";
    }
    return all;
}

TEST(flow_trace_htsim_golden, reads_two_flows_that_face_each_other) {
    const read_matrix all = read_golden("bidir.cm");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 2U);
    EXPECT_EQ(all.flows[0].src, 0U);
    EXPECT_EQ(all.flows[0].dst, 13U);
    EXPECT_EQ(all.flows[1].src, 13U);
    EXPECT_EQ(all.flows[1].dst, 0U);
    EXPECT_EQ(all.flows[1].flow, 1U);
    EXPECT_EQ(all.flows[1].flow_bytes, 2'000'000U);
}

TEST(flow_trace_htsim_golden, reads_an_incast_of_127_hosts) {
    const read_matrix all = read_golden("incast_128.cm");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 127U);
    std::set<host_id> sources;
    for (const trace_flow& f : all.flows) {
        EXPECT_EQ(f.dst, 33U);
        sources.insert(f.src);
    }
    EXPECT_EQ(sources.size(), 127U);
}

TEST(flow_trace_htsim_golden, reads_a_permutation_of_1024_hosts) {
    const read_matrix all = read_golden("perm_1024n_1024c_0u_2000000b.cm");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 1024U);
    std::set<host_id> sources;
    std::set<host_id> destinations;
    for (const trace_flow& f : all.flows) {
        sources.insert(f.src);
        destinations.insert(f.dst);
    }
    EXPECT_EQ(sources.size(), 1024U);
    EXPECT_EQ(destinations.size(), 1024U);
    EXPECT_EQ(all.flows[1023].flow, 1023U);
    EXPECT_EQ(all.flows[1023].src, 530U);
}

TEST(flow_trace_htsim_golden, messages_of_one_connection_are_flows_with_numbers_of_their_own) {
    const read_matrix all = read_golden("test_cr_1f10m10p.cm");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 10U);
    EXPECT_EQ(all.flows[9].flow, 9U);
    EXPECT_EQ(all.flows[9].flow_bytes, 40'860U);
}

TEST(flow_trace_htsim_golden, reads_chains_of_triggers_within_hosts) {
    const read_matrix all = read_golden("foo2.cm");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 12U);
    // 103->34, then 103->59, then 103->96.
    EXPECT_EQ(all.flows[0].trigger, no_trigger);
    EXPECT_EQ(all.flows[0].fires, 1U);
    EXPECT_EQ(all.flows[1].trigger, 1U);
    EXPECT_EQ(all.flows[1].fires, 2U);
    EXPECT_EQ(all.flows[2].trigger, 2U);
    EXPECT_EQ(all.flows[2].fires, no_trigger);
    ASSERT_EQ(all.triggers.size(), 8U);
    EXPECT_EQ(all.triggers[7].id, 8U);
    EXPECT_EQ(all.triggers[7].kind, trigger_kind::oneshot);
}

const std::string two = "Nodes 4\nConnections 2\n";

TEST(flow_trace_htsim, reads_every_word_of_a_connection) {
    const read_matrix all = read(
        "# a matrix\r\nNodes 4\r\nConnections 2\r\nTriggers 1\r\n\r\n"
        "0->1 id 7 msg 3 start 0 size 100 recv_done_trigger 9 prio 5\t\r\n"
        "1->2 id 8 msg trigger 9 size 1\r\ntrigger id 9 oneshot");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 2U);
    EXPECT_EQ(all.flows[0].priority, 5);
    EXPECT_EQ(all.flows[0].fires_received, 9U);
    EXPECT_EQ(all.flows[0].fires, no_trigger);
    EXPECT_EQ(all.flows[1].trigger, 9U);
    EXPECT_EQ(all.flows[1].priority, 0);
    EXPECT_EQ(all.flows[1].trigger_delay, 0_ps);
}

TEST(flow_trace_htsim, a_start_has_the_declared_unit) {
    const std::string text = two + "0->1 start 1.5 size 5\n1->0 start 2000 size 5\n";
    trace_options options{"a.cm"};
    options.unit = start_unit::us;
    EXPECT_EQ(read(text, options).flows[0].start, 1'500'000_ps);
    options.unit = start_unit::ns;
    EXPECT_EQ(read(text, options).flows[0].start, 1500_ps);
    options.unit = start_unit::ps;
    const read_matrix all = read(text, options);
    ASSERT_EQ(all.flows.size(), 1U);
    EXPECT_EQ(all.flows[0].start, 2000_ps);
    ASSERT_EQ(all.errors.size(), 1U);
    EXPECT_TRUE(errors_are(all.errors, {"a.cm:3: start: 1.5, ps, 0 to below 4500s, 1ps"}));
}

TEST(flow_trace_htsim, refuses_to_guess_the_unit_of_a_start_that_is_not_zero) {
    EXPECT_TRUE(errors_are(htsim_mistakes(two + "0->1 start 0.0 size 5\n1->0 start 0.000001 size 5\n"),
                           {"4: start: 0.000001, 0, traffic.start_unit = ps, ns, us, unit"}));
    // Said once, not for each line.
    EXPECT_TRUE(errors_are(htsim_mistakes(two + "0->1 start 7 size 5\n1->0 start 8 size 5\n"),
                           {"3: start: 7, 0, traffic.start_unit = ps, ns, us, unit"}));
    EXPECT_TRUE(errors_are(htsim_mistakes(two + "0->1 start soon size 5\n1->0 start 0 size 5\n"),
                           {"3: start: soon, 0, traffic.start_unit = ps, ns, us"}));
}

TEST(flow_trace_htsim, says_what_is_wrong_with_a_line) {
    const auto line = [](const std::string& text) {
        return htsim_mistakes("Nodes 4\nConnections 1\n" + text + "\n");
    };
    EXPECT_TRUE(errors_are(line("0->4 start 0 size 5"), {"3: dst: 4, 0 to 3"}));
    EXPECT_TRUE(errors_are(line("2->2 start 0 size 5"), {"3: dst: 2"}));
    EXPECT_TRUE(errors_are(line("0-> start 0 size 5"), {"3: dst: missing, 0 to 3"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 size -5"), {"3: size: -5, 1 to 281474976710656"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 size 0"), {"3: size: 0, 1 to 281474976710656"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0"), {"3: size: missing"}));
    EXPECT_TRUE(errors_are(line("0->1 size 5"), {"3: start: missing, trigger"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 trigger 1 size 5"), {"3: start: together, trigger"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 size 5 size 6"), {"3: size: twice"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 size 5 prio 8"), {"3: prio: 8, 0 to 7"}));
    EXPECT_TRUE(errors_are(line("0->1 id 0 start 0 size 5"), {"3: id: 0, 1 to 4294967295"}));
    EXPECT_TRUE(errors_are(
        line("0->1 start 0 size 5 colour red"),
        {"3: colour: colour, id, msg, start, trigger, size, send_done_trigger, recv_done_trigger, prio"}));
    EXPECT_TRUE(errors_are(line("0->1 start 0 size"), {"3: size: no value"}));
    EXPECT_EQ(htsim_mistakes("Nodes 4\nConnections 1\n0->1 start 0 size"),
              "3: size: has no value: the file ends within this line\n");
    EXPECT_TRUE(errors_are(htsim_mistakes("Nodes 4\nConnections 1\n0->1 start 0"), {"3: size: missing"}));
    EXPECT_TRUE(
        errors_are(htsim_mistakes("Nodes 4\nConnections 0\nhello 1\n"), {"3: hello: hello, trigger, failure"}));
}

TEST(flow_trace_htsim, says_what_is_wrong_with_header_and_counts) {
    const std::string one = "0->1 start 0 size 5\n";
    EXPECT_TRUE(errors_are(htsim_mistakes("Connections 1\n" + one), {"2: Nodes: missing"}));
    EXPECT_TRUE(errors_are(htsim_mistakes("Nodes 4\n" + one), {"2: Connections: missing"}));
    EXPECT_TRUE(errors_are(htsim_mistakes("Nodes four\nConnections 1\n" + one), {"1: Nodes: four"}));
    EXPECT_TRUE(errors_are(htsim_mistakes("Nodes 4\nNodes 4\nConnections 1\n" + one), {"2: Nodes: twice"}));
    EXPECT_TRUE(errors_are(htsim_mistakes("Nodes 4\nConnections 1\n" + one + "Triggers 0\n"),
                           {"4: Triggers: first connection"}));
    EXPECT_EQ(htsim_mistakes(two + one), "3: Connections: the file is truncated: 1 found, 2 declared\n");
    EXPECT_EQ(htsim_mistakes(two + one + one + one),
              "5: Connections: the count is wrong: 3 found, 2 declared\n");
    EXPECT_EQ(htsim_mistakes("Nodes 4\nConnections 1\nTriggers 1\n" + one),
              "4: Triggers: the file is truncated: 0 found, 1 declared\n");
}

TEST(flow_trace_htsim, a_last_line_without_a_line_feed_may_be_cut_and_is_warned_of) {
    const std::string text = "Nodes 4\nConnections 1\n0->3 start 0 size 5";
    const read_matrix all = read(text);
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.warnings.size(), 1U);
    EXPECT_EQ(all.warnings[0].line, 3);
    EXPECT_EQ(all.warnings[0].message,
              "ends without a line feed; if it was truncated, its last number may be incomplete");
    EXPECT_TRUE(read(text + "\n").warnings.empty());
}

TEST(flow_trace_htsim, the_smaller_of_matrix_and_fabric_bounds_the_hosts) {
    const std::string text = "Nodes 4\nConnections 1\n0->3 start 0 size 5\n";
    EXPECT_EQ(htsim_mistakes(text, {"a.cm", 16}), "");
    EXPECT_TRUE(errors_are(htsim_mistakes(text, {"a.cm", 3}), {"3: dst: 3, 0 to 2"}));
    EXPECT_EQ(read(text, {"a.cm", 3}).warnings[0].message, "the matrix is for 4 hosts, the fabric has 3");
}

TEST(flow_trace_htsim, failed_links_are_counted_and_warned_of) {
    const read_matrix all = read(
        "Nodes 4\nConnections 1\nFailures 2\n0->1 start 0 size 5\n"
        "failure switch_type AGG switch_id 1 link_id 2\n"
        "failure switch_type TOR switch_id 1 link_id 2\n");
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.warnings.size(), 1U);
    EXPECT_EQ(all.warnings[0].line, 5);
    EXPECT_EQ(all.warnings[0].message.substr(0, 26), "2 failed links are ignored");
}

std::string triggered(const std::string& flows, const std::string& triggers, picoseconds delay = 0_ps) {
    const auto count = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    trace_options options{"a.cm"};
    options.trigger_delay = delay;
    return htsim_mistakes("Nodes 9\nConnections " + std::to_string(count(flows)) + "\nTriggers " +
                              std::to_string(count(triggers)) + "\n" + flows + triggers,
                          options);
}

TEST(flow_trace_htsim, a_trigger_across_hosts_needs_a_delay) {
    const std::string sent = "0->1 start 0 size 5 send_done_trigger 1\n";
    const std::string follow_up = "1->2 trigger 1 size 5\n";
    const std::string define = "trigger id 1 oneshot\n";
    EXPECT_TRUE(errors_are(triggered(sent + follow_up, define),
                           {"5: trigger: trigger 1, hosts 0 and 1, traffic.trigger_delay"}));
    EXPECT_EQ(triggered(sent + follow_up, define, 1us), "");
    // The receiver knows at once that it has every byte.
    EXPECT_EQ(triggered("0->1 start 0 size 5 recv_done_trigger 1\n" + follow_up, define), "");
    EXPECT_EQ(triggered(follow_up + sent, define).substr(0, 44),
              "5: trigger: trigger 1 links hosts 1 and 0, b");
    EXPECT_EQ(triggered("0->1 start 0 size 5 send_done_trigger 1\n1->0 start 0 size 5 send_done_trigger 1\n"
                        "0->2 trigger 1 size 5\n",
                        "trigger id 1 barrier count 2\n")
                  .substr(0, 44),
              "5: trigger: trigger 1 links hosts 0 and 1, b");
}

TEST(flow_trace_htsim, every_triggered_flow_has_the_delay) {
    trace_options options{"a.cm"};
    options.trigger_delay = 1us;
    const read_matrix all =
        read(two +
                 "Triggers 1\n0->1 start 0 size 5 send_done_trigger 1\n3->2 trigger 1 size 5\n"
                 "trigger id 1 oneshot\n",
             options);
    EXPECT_TRUE(all.errors.empty());
    EXPECT_EQ(all.flows[0].trigger_delay, 0_ps);
    EXPECT_EQ(all.flows[1].trigger_delay, picoseconds{1us});
}

TEST(flow_trace_htsim, a_flow_that_can_never_start_is_an_error) {
    const std::string waits = "0->1 trigger 1 size 5\n";
    EXPECT_TRUE(errors_are(triggered(waits, "trigger id 1 oneshot\n"), {"4: trigger: 1 of 1, trigger 1"}));
    EXPECT_TRUE(errors_are(triggered("0->1 trigger 1 size 5 send_done_trigger 1\n", "trigger id 1 oneshot\n"),
                           {"4: trigger: 1 of 1, trigger 1"}));
    EXPECT_TRUE(has_error(
        triggered("0->1 trigger 1 size 5 send_done_trigger 2\n0->1 trigger 2 size 5 send_done_trigger 1\n",
                  "trigger id 1 oneshot\ntrigger id 2 oneshot\n"),
        "4: trigger: 1 of 1, trigger 1"));
    const std::string fires = "0->1 start 0 size 5 send_done_trigger 1\n";
    EXPECT_TRUE(errors_are(triggered(fires + waits + waits, "trigger id 1 multishot\n"),
                           {"4: trigger: 1 of 2, trigger 1"}));
    EXPECT_EQ(triggered(fires + waits + waits, "trigger id 1 oneshot\n"), "");
    EXPECT_EQ(triggered(fires + fires + waits + waits, "trigger id 1 multishot\n"), "");
    EXPECT_TRUE(errors_are(triggered(fires + waits, "trigger id 1 barrier count 2\n"),
                           {"4: trigger: 1 of 1, trigger 1"}));
    EXPECT_EQ(triggered(fires + fires + waits, "trigger id 1 barrier count 2\n"), "");
    // A closed loop: each flow that ends starts the next one.
    std::string loop = fires;
    for (int i = 0; i < 5; ++i) {
        loop += "0->2 trigger 1 size 5 send_done_trigger 1\n";
    }
    EXPECT_EQ(triggered(loop, "trigger id 1 multishot\n"), "");
}

TEST(flow_trace_htsim, says_what_is_wrong_with_a_trigger) {
    const std::string fires = "0->1 start 0 size 5 send_done_trigger 1\n";
    const std::string waits = "0->1 trigger 1 size 5\n";
    EXPECT_TRUE(errors_are(triggered(fires + waits, ""), {"4: trigger: trigger 1, trigger id 1"}));
    EXPECT_TRUE(errors_are(triggered(fires + fires + waits, "trigger id 1 oneshot\n"),
                           {"7: trigger: trigger 1, 2, 1"}));
    const std::string allowed = "trigger id i, oneshot, multishot, barrier count n";
    const auto defined = [&](const std::string& line) {
        const std::string all = triggered(fires + waits, line + "\n");
        return all.substr(0, all.find('\n') + 1);
    };
    EXPECT_TRUE(errors_are(defined("trigger id 1"), {"6: trigger: incomplete, " + allowed}));
    EXPECT_TRUE(errors_are(defined("trigger oneshot"), {"6: trigger: incomplete, " + allowed}));
    EXPECT_TRUE(errors_are(defined("trigger id 1 barrier"), {"6: trigger: incomplete, " + allowed}));
    EXPECT_TRUE(errors_are(defined("trigger id 1 twoshot"), {"6: trigger: twoshot, " + allowed}));
    EXPECT_TRUE(errors_are(defined("trigger id 0 oneshot"), {"6: id: 0, 1 to 4294967295"}));
    EXPECT_TRUE(has_error(triggered(fires + waits, "trigger id 1 oneshot\ntrigger id 1 oneshot\n"),
                          "7: trigger: trigger 1, twice"));
}

}  // namespace
}  // namespace weir::traffic
