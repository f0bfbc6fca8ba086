#include "weir/traffic/traces/flow_trace_csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/errors_said.h"

namespace weir::traffic {
namespace {

struct read_trace {
    std::vector<trace_flow> flows;
    config_errors errors;
};

read_trace read(const std::string& text, tag_table& tags, trace_options options = {"t.csv", 8}) {
    std::istringstream in{text};
    flow_trace_csv reader{in, options, tags};
    read_trace all;
    for (trace_flow f; reader.next(f);) {
        all.flows.push_back(f);
    }
    all.errors = reader.errors();
    return all;
}

/// `file:line: key: message` of the csv_mistakes in a trace, one a line.
std::string csv_mistakes(const std::string& text, trace_options options = {"t.csv", 8}) {
    tag_table tags;
    std::string all;
    for (const config_error& e : read(text, tags, options).errors) {
        all += e.file + ":" + std::to_string(e.line) + ": " + e.key + ": " + e.message + "\n";
    }
    return all;
}

const std::string header = "start_ns,src,dst,bytes,priority,tag\n";

TEST(flow_trace_csv, reads_every_column) {
    tag_table tags;
    const read_trace all =
        read(header + "0,0,5,20000,3,query\n1250.125,4,7,1460,7,background\n2000,1,0,1,0,query\n", tags);
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 3U);
    const trace_flow& f = all.flows[1];
    EXPECT_EQ(f.flow, 1U);
    EXPECT_EQ(f.start, 1'250'125_ps);
    EXPECT_EQ(f.src, 4U);
    EXPECT_EQ(f.dst, 7U);
    EXPECT_EQ(f.flow_bytes, 1460U);
    EXPECT_EQ(f.priority, 7);
    EXPECT_EQ(f.tag, 2);
    EXPECT_EQ(f.trigger, no_trigger);
    EXPECT_EQ(all.flows[2].tag, 1);
    EXPECT_EQ(tags.names()[2], "background");
}

TEST(flow_trace_csv, columns_stand_in_any_order_and_two_of_them_may_be_left_out) {
    tag_table tags;
    trace_options options{"t.csv", 8};
    options.default_priority = 6;
    const read_trace all = read("tag,bytes,dst,src,start_ns\nq,10,1,2,3\n,10,1,2,3\n", tags, options);
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 2U);
    EXPECT_EQ(all.flows[0].flow_bytes, 10U);
    EXPECT_EQ(all.flows[0].dst, 1U);
    EXPECT_EQ(all.flows[0].src, 2U);
    EXPECT_EQ(all.flows[0].start, picoseconds{3ns});
    EXPECT_EQ(all.flows[0].priority, 6);
    EXPECT_EQ(all.flows[0].tag, 1);
    EXPECT_EQ(all.flows[1].tag, 0);
}

TEST(flow_trace_csv, takes_windows_line_ends_blanks_comments_and_no_final_line_feed) {
    tag_table tags;
    const read_trace all = read(
        "# made by hand\r\n start_ns ,src,\tdst,bytes,tag\r\n\r\n1, 0 ,\t1,5,a b \t\r\n"
        "  # between\r\n2,0,1,5,c#d # said of it\r\n3,0,1,5,e",
        tags);
    EXPECT_TRUE(all.errors.empty());
    ASSERT_EQ(all.flows.size(), 3U);
    EXPECT_EQ(tags.names(), (std::vector<std::string>{"", "a b", "c#d", "e"}));
    EXPECT_EQ(all.flows[2].flow, 2U);
}

TEST(flow_trace_csv, a_trace_without_flows_is_no_mistake) {
    EXPECT_EQ(csv_mistakes("start_ns,src,dst,bytes\n"), "");
}

TEST(flow_trace_csv, says_what_is_wrong_with_a_header) {
    const std::string allowed = "start_ns, src, dst, bytes, priority, tag";
    EXPECT_TRUE(errors_are(csv_mistakes(""), {"t.csv:0: start_ns: empty, " + allowed}));
    EXPECT_TRUE(errors_are(csv_mistakes("start_ns,src,dst,bytes,colour\n0,0,1,x,red\n"),
                           {"t.csv:1: colour: colour, " + allowed}));
    EXPECT_TRUE(errors_are(csv_mistakes("start_ns,src,dst,bytes,src\n0,0,1,1,1\n"), {"t.csv:1: src: twice"}));
    EXPECT_TRUE(
        errors_are(csv_mistakes("0,0,1,1000\n10,2,3,5000\n"), {"t.csv:1: line: 0,0,1,1000, " + allowed}));
    EXPECT_TRUE(errors_are(csv_mistakes("src,dst\n"),
                           {"t.csv:1: start_ns: missing, " + allowed, "t.csv:1: bytes: missing, " + allowed}));
}

TEST(flow_trace_csv, says_what_is_wrong_with_a_line) {
    const std::string bytes_allowed = "1 to 281474976710656";
    const std::string start_allowed = "0 to below 4500s, ns, 1ps";
    const auto line = [](const std::string& text) { return csv_mistakes(header + text + "\n"); };
    EXPECT_EQ(line("4499999999999.999,0,1,5,0,a"), "");
    EXPECT_TRUE(
        errors_are(line("4500000000000,0,1,5,0,a"), {"t.csv:2: start_ns: 4500000000000, " + start_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,1,-5,0,a"), {"t.csv:2: bytes: -5, " + bytes_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,1,0,0,a"), {"t.csv:2: bytes: 0, " + bytes_allowed}));
    EXPECT_TRUE(
        errors_are(line("0,0,1,281474976710657,0,a"), {"t.csv:2: bytes: 281474976710657, " + bytes_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,1,99999999999999999999999,0,a"),
                           {"t.csv:2: bytes: 99999999999999999999999, " + bytes_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,1,1.5,0,a"), {"t.csv:2: bytes: 1.5, " + bytes_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,1,,0,a"), {"t.csv:2: bytes: missing, " + bytes_allowed}));
    EXPECT_TRUE(errors_are(line("0,0,8,5,0,a"), {"t.csv:2: dst: 8, 0 to 7"}));
    EXPECT_TRUE(errors_are(line("0,-1,1,5,0,a"), {"t.csv:2: src: -1, 0 to 7"}));
    EXPECT_TRUE(errors_are(line("0,3,3,5,0,a"), {"t.csv:2: dst: 3"}));
    EXPECT_TRUE(errors_are(line("0,0,1,5,8,a"), {"t.csv:2: priority: 8, 0 to 7"}));
    EXPECT_TRUE(errors_are(line("0,0,1,5,,a"), {"t.csv:2: priority: missing, 0 to 7"}));
    EXPECT_TRUE(errors_are(line("soon,0,1,5,0,a"), {"t.csv:2: start_ns: soon, " + start_allowed}));
    EXPECT_TRUE(errors_are(line("-1,0,1,5,0,a"), {"t.csv:2: start_ns: -1, " + start_allowed}));
    EXPECT_TRUE(errors_are(line("0.0005,0,1,5,0,a"), {"t.csv:2: start_ns: 0.0005, " + start_allowed}));
    EXPECT_TRUE(errors_are(line("4503599627370.495,0,1,5,0,a"),
                           {"t.csv:2: start_ns: 4503599627370.495, " + start_allowed}));
    EXPECT_EQ(line("0,0,1"), "t.csv:2: bytes: is missing: the line has 3 of 6 fields\n");
    EXPECT_TRUE(errors_are(line("0,0,1,5,0,a,b"), {"t.csv:2: line: 7, 6"}));
    EXPECT_TRUE(errors_are(line("0,0,1,5,0,\"a\""), {"t.csv:2: tag: \"a\", 64"}));
    EXPECT_TRUE(errors_are(line(std::string(5000, '1')), {"t.csv:2: line: 4095"}));
    EXPECT_EQ(csv_mistakes(header + "0,0,1,5,0,a\n10,0,1"),
              "t.csv:3: bytes: is missing: the file ends within this line, after 3 of 6 fields\n");
    EXPECT_EQ(csv_mistakes(header + "0,4000000,1,5,0,a\n", {"t.csv"}), "");
    EXPECT_TRUE(errors_are(csv_mistakes(header + "0,4294967295,1,5,0,a\n", {"t.csv"}),
                           {"t.csv:2: src: 4294967295, 0 to 4294967294"}));
}

TEST(flow_trace_csv, reports_all_mistakes_of_a_line_and_goes_on_behind_it) {
    tag_table tags;
    const read_trace all = read(header + "x,9,9,0,9,a\n1,0,1,5,0,a\n", tags);
    ASSERT_EQ(all.errors.size(), 5U);
    EXPECT_EQ(all.errors[4].key, "priority");
    ASSERT_EQ(all.flows.size(), 1U);
    EXPECT_EQ(all.flows[0].flow, 1U);
}

TEST(flow_trace_csv, refuses_the_256th_name) {
    std::string text = header;
    for (int i = 0; i < 256; ++i) {
        text += "0,0,1,5,0,t" + std::to_string(i) + "\n";
    }
    EXPECT_TRUE(errors_are(csv_mistakes(text), {"t.csv:257: tag: t255, 255"}));
}

}  // namespace
}  // namespace weir::traffic
