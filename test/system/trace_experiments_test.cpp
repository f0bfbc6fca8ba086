// The experiments of tb/experiments/traces as docs/experiments/traces.md reports them: every flow completes,
// nothing is lost, and the figures are those of the page, to the digits given there.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "program.h"

using namespace weir::test;
using nlohmann::json;

namespace {

struct experiment {
    const char* file;
    int flows;
    std::int64_t packet_hops;
    std::int64_t xoffs;
    /// Unit: ms, and half of the page's last digit.
    double mean;
    double median;
    double longest;
    double half_digit;
    /// Least and most, and half of the last digits.
    double slowdowns[2];
    double half_slowdown_digits[2];
};

void expect_as_documented(const experiment& e) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"run", std::string(WEIR_GOLDEN_DIR "/../../tb/experiments/traces/") + e.file,
                            "--run.progress=false", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    const json s = summary_of(where / "out");
    EXPECT_EQ(s["complete"], true);
    EXPECT_EQ(s["flows"]["started"], e.flows);
    EXPECT_EQ(s["flows"]["completed"], e.flows);
    EXPECT_EQ(s["frames"]["dropped"], 0);
    EXPECT_EQ(s["frames"]["inside"], 0);
    EXPECT_EQ(s["frames"]["sent"], s["frames"]["delivered"]);
    EXPECT_EQ(s["packet_hops"], e.packet_hops);
    EXPECT_EQ(s["pfc"]["xoff_sent"], e.xoffs);
    const json& fct = s["fct_ns"];
    EXPECT_NEAR(fct["mean"].get<double>() / 1e6, e.mean, e.half_digit);
    EXPECT_NEAR(fct["p50"].get<double>() / 1e6, e.median, e.half_digit);
    EXPECT_NEAR(fct["max"].get<double>() / 1e6, e.longest, e.half_digit);

    std::istringstream flows(contents(where / "out/flows.csv"));
    std::string line;
    std::getline(flows, line);
    double least = 1e300;
    double most = 0;
    int lines = 0;
    while (std::getline(flows, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        // flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts
        const double slowdown = std::stod(fields.at(8)) / std::stod(fields.at(9));
        least = std::min(least, slowdown);
        most = std::max(most, slowdown);
        ++lines;
    }
    EXPECT_EQ(lines, e.flows);
    EXPECT_GE(least, 1.0);
    EXPECT_NEAR(least, e.slowdowns[0], e.half_slowdown_digits[0]);
    EXPECT_NEAR(most, e.slowdowns[1], e.half_slowdown_digits[1]);
}

TEST(trace_experiments, hpccs_two_flows_share_a_link_that_is_never_idle) {
    expect_as_documented(
        {"hpcc_flows.ini", 2, 1'095'896, 2'840, 33.72, 33.72, 33.72, 0.005, {2.00, 2.00}, {0.005, 0.005}});
}
TEST(trace_experiments, htsims_incast_of_128_keeps_the_targets_link_full) {
    expect_as_documented(
        {"incast_128.ini", 127, 1'989'240, 15'154, 15.8, 17.0, 21.4, 0.05, {7.9, 121}, {0.05, 0.5}});
}
TEST(trace_experiments, long_run_websearch_on_an_overloaded_core_completes) {
    expect_as_documented(
        {"websearch_128.ini", 1'138, 16'672'204, 11'677, 1.57, 0.67, 12.1, 0.05, {1.00, 272}, {0.005, 0.5}});
}
TEST(trace_experiments, long_run_htsims_permutation_of_1024_needs_no_pause) {
    expect_as_documented(
        {"perm_1024.ini", 1'024, 16'456'440, 0, 0.230, 0.232, 0.290, 0.0005, {1.2, 3.1}, {0.05, 0.05}});
}

}  // namespace
