#include "weir/traffic/traces/flow_trace_hpcc.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/errors_said.h"

namespace weir::traffic {
namespace {

trace_scan scan(std::istream& in, std::vector<trace_flow>* flows = nullptr, host_id hosts = 0) {
    flow_trace_hpcc reader{in, {"flow.txt", hosts}};
    if (flows == nullptr) {
        return scan_trace(reader);
    }
    trace_scan none;
    for (trace_flow f; reader.next(f);) {
        flows->push_back(f);
    }
    none.errors = reader.errors();
    return none;
}

std::string hpcc_mistakes(const std::string& text, host_id hosts = 8) {
    std::istringstream in{text};
    std::string all;
    for (const config_error& e : scan(in, nullptr, hosts).errors) {
        all += std::to_string(e.line) + ": " + e.key + ": " + e.message + "\n";
    }
    return all;
}

TEST(flow_trace_hpcc_golden, the_declared_count_governs_the_repository_file) {
    std::ifstream in{WEIR_GOLDEN_DIR "/traces/hpcc_flow.txt"};
    ASSERT_TRUE(in);
    const trace_scan s = scan(in, nullptr, 320);
    EXPECT_TRUE(s.errors.empty());
    EXPECT_EQ(s.count, 2U);
    EXPECT_EQ(s.total_bytes, 400'000'000U);
    EXPECT_EQ(s.first_start, picoseconds{2s});
    EXPECT_EQ(s.max_host, 3U);
    EXPECT_TRUE(s.sorted);
    ASSERT_EQ(s.warnings.size(), 1U);
    EXPECT_EQ(s.warnings[0].line, 4);
    // grep -c . says 262 lines with text; 3 are the count and the flows.
    EXPECT_EQ(s.warnings[0].message, "259 lines after the 2 declared flows are ignored");
}

TEST(flow_trace_hpcc, a_last_flow_without_a_line_feed_may_be_cut_and_is_warned_of) {
    std::istringstream cut{"2\n2 1 3 100 2000 2\n3 1 3 100 2000 2.5"};
    const trace_scan s = scan(cut, nullptr);
    EXPECT_TRUE(s.errors.empty());
    ASSERT_EQ(s.warnings.size(), 1U);
    EXPECT_EQ(s.warnings[0].line, 3);
    EXPECT_EQ(s.warnings[0].message,
              "ends without a line feed; if it was truncated, its last number may be incomplete");
    // What is not read can be cut.
    std::istringstream ignored{"1\n2 1 3 100 2000 2\n3 1 3 100 2000 2.5"};
    EXPECT_EQ(scan(ignored, nullptr).warnings.size(), 1U) << "of the ignored line";
}

TEST(flow_trace_hpcc, reads_every_column_with_a_port_and_without_one_as_conweave_writes_it) {
    for (const char* text : {"2 \r\n2 1 3 100 200000000 2\r\n\r\n3\t1 7 65535 1 2.000000125  # late",
                             "2\n2 1 3 200000000 2\n3 1 7 1 2.000000125\n"}) {
        std::istringstream in{text};
        std::vector<trace_flow> flows;
        EXPECT_TRUE(scan(in, &flows).errors.empty()) << text;
        ASSERT_EQ(flows.size(), 2U) << text;
        EXPECT_EQ(flows[0].src, 2U);
        EXPECT_EQ(flows[0].dst, 1U);
        EXPECT_EQ(flows[0].priority, 3);
        EXPECT_EQ(flows[0].flow_bytes, 200'000'000U);
        EXPECT_EQ(flows[0].start, picoseconds{2s});
        EXPECT_EQ(flows[1].flow, 1U);
        EXPECT_EQ(flows[1].flow_bytes, 1U);
        EXPECT_EQ(flows[1].start, 2'000'000'125'000_ps);
        EXPECT_EQ(flows[1].priority, 7);
    }
}

TEST(flow_trace_hpcc, all_flows_have_as_many_fields_as_the_first) {
    EXPECT_EQ(hpcc_mistakes("2\n0 1 3 100 5 0\n0 1 3 5 0\n"),
              "3: start_s: is missing: the line has 5 of 6 fields\n");
    EXPECT_TRUE(errors_are(hpcc_mistakes("2\n0 1 3 5 0\n0 1 3 100 5 0\n"),
                           {"3: line: 6, src dst priority_group bytes start_s, dst_port"}));
    EXPECT_EQ(hpcc_mistakes("2\n0 1 3 5 0\n0 1 3 5\n"), "3: start_s: is missing: the line has 4 of 5 fields\n");
    EXPECT_TRUE(errors_are(hpcc_mistakes("2\n0 1 3 5 0\n0 1 8 0 -1\n"),
                           {"3: priority_group: 8, 0 to 7", "3: bytes: 0, 1 to 281474976710656",
                            "3: start_s: -1, 0 to below 4500s, 1ps"}));
}

TEST(flow_trace_hpcc, blank_lines_at_the_end_are_not_worth_a_warning) {
    std::istringstream in{"1\n0 1 3 100 5 0\n\n  \n# end\n"};
    EXPECT_TRUE(scan(in).warnings.empty());
}

TEST(flow_trace_hpcc, says_exactly_what_is_wrong) {
    const std::string good = "0 1 3 100 5 0\n";
    EXPECT_TRUE(errors_are(hpcc_mistakes(""), {"0: count: empty"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes(good), {"1: count: 0 1 3 100 5 0"}));
    EXPECT_EQ(hpcc_mistakes("3\n" + good + good), "3: count: the file is truncated: 2 of 3 declared flows\n");
    EXPECT_EQ(hpcc_mistakes("1\n0 1 3 100\n"), "2: bytes: is missing: the line has 4 of 6 fields\n");
    EXPECT_EQ(hpcc_mistakes("1\n0 1 3 10"),
              "2: bytes: is missing: the file ends within this line, after 4 of 6 fields\n");
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 1 3 100 5 0 0\n"),
                           {"2: line: 7, src dst priority_group dst_port bytes start_s"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 1 8 100 5 0\n"), {"2: priority_group: 8, 0 to 7"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 1 3 65536 5 0\n"), {"2: dst_port: 65536, 0 to 65535"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 8 3 100 5 0\n"), {"2: dst: 8, 0 to 7"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 1 3 100 5 4503.599627370495\n"),
                           {"2: start_s: 4503.599627370495, 0 to below 4500s, 1ps"}));
    EXPECT_TRUE(errors_are(hpcc_mistakes("1\n0 1 3 100 0 0\n"), {"2: bytes: 0, 1 to 281474976710656"}));
}

}  // namespace
}  // namespace weir::traffic
