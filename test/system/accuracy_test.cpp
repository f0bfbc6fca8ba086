// weir accuracy through the program: two values of one option of a sweep, compared transfer by transfer.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "program.h"
#include "support/errors_said.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

/// One datagram of 1,486 B at a time: what differs is known.
const std::string config =
    "[run]\nduration = 2ms\n[fabric]\nhosts = 2\n[link]\nrate = 10Gbps\nlatency = 1us\n"
    "[switch]\nmax_frame = 1486B\n[udp]\npayload = 1440B\n[tcp]\nmss = 1400B\n"
    "[traffic]\nkind = bernoulli\nload = 5%\n";

class accuracy : public testing::Test {
 protected:
    void SetUp() override {
        m_where.write("config.ini", config);
        const outcome swept =
            run_program(m_where, {"sweep", "config.ini", "--vary", "switch.crossbar=frame,cell", "--vary",
                                  "traffic.load=5%,50%", "--seeds", "2", "--keep=all", "--out", "swept"});
        ASSERT_EQ(swept.status, 0) << swept.err;
    }
    outcome compare(const arguments& more) {
        return run_program(m_where, combined({"accuracy", "swept"}, more));
    }
    void expect_refused(const arguments& more, const std::string& text) {
        const outcome o = compare(combined(more, {"--out", "out"}));
        EXPECT_EQ(o.status, 2) << o.out;
        EXPECT_TRUE(has_error(o.err, text));
        EXPECT_FALSE(fs::exists(m_where / "out"));
    }
    scratch_directory m_where;
};

TEST_F(accuracy, of_frames_that_are_alone_is_their_padding_and_the_wait_for_a_slot) {
    const outcome o = compare({"--pair", "switch.crossbar=frame,cell", "--out", "out", "--format", "svg"});
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(contents(m_where / "out" / "accuracy.md") + "out/error_cycles.svg\nout/time_percent.svg\n",
              o.out);
    for (const char* name : {"error_cycles.svg", "error_cycles.gp", "time_percent.dat"}) {
        EXPECT_TRUE(fs::exists(m_where / "out" / name)) << name;
    }
    const std::vector<table_row> rows = rows_of(m_where / "out" / "accuracy.csv");
    ASSERT_EQ(rows.size(), 2U);
    for (const auto& row : rows) {
        // 64 B at 40 Gb/s; two hosts send to each other, and never meet in the crossbar.
        EXPECT_EQ(row.at("cycle_ns"), "12.8");
        EXPECT_EQ(row.at("only_in_one"), "0");
        EXPECT_GT(std::stod(row.at("transfers")), 50);
        // 1,506 B of wire take 301.2 ns; 24 cells of them 307.2 ns, from the next slot on.
        EXPECT_LE(std::stod(row.at("max_abs_ns")), 307.2 - 301.2 + 12.8);
        EXPECT_GE(std::stod(row.at("mean_abs_ns")), 307.2 - 301.2);
        EXPECT_LT(std::stod(row.at("mean_error_ns")), 0);
    }
}

/// Mean of |frame - cell| over the transfers of a seed. Unit: ns.
double mean_error(const fs::path& frame, const fs::path& cell) {
    std::map<std::string, double> times;
    for (const auto& row : rows_of(frame)) {
        times[row.at("flow")] = std::stod(row.at("fct_ns"));
    }
    double sum = 0;
    for (const auto& row : rows_of(cell)) {
        sum += std::abs(times.at(row.at("flow")) - std::stod(row.at("fct_ns")));
    }
    return sum / static_cast<double>(times.size());
}

TEST_F(accuracy, is_the_mean_over_seeds_with_its_interval) {
    ASSERT_EQ(compare({"--pair", "switch.crossbar=frame,cell", "--out", "out", "--format", "svg"}).status, 0);
    const std::vector<table_row> rows = rows_of(m_where / "out" / "accuracy.csv");
    // The second load: points 2 (frame) and 4 (cell).
    const auto seed = [&](const std::string& name) {
        return mean_error(m_where / ("swept/points/0002/" + name + "/flows.csv"),
                          m_where / ("swept/points/0004/" + name + "/flows.csv"));
    };
    const double first = seed("seed_1");
    const double second = seed("seed_2");
    ASSERT_NE(first, second);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].at("traffic.load"), "50%");
    EXPECT_EQ(rows[1].at("seeds"), "2");
    EXPECT_EQ(rows[1].at("confidence"), "0.95");
    // Means of a seed are whole picoseconds.
    EXPECT_NEAR(std::stod(rows[1].at("mean_abs_ns")), (first + second) / 2, 0.002);
    // Student's t with one degree of freedom: 12.706.
    EXPECT_NEAR(std::stod(rows[1].at("mean_abs_ns_half_width")), 12.7062 * std::abs(first - second) / 2, 0.02);
    ASSERT_EQ(compare({"--pair", "switch.crossbar=frame,cell", "--confidence", "50%", "--out", "half",
                       "--format", "svg"})
                  .status,
              0);
    EXPECT_NEAR(std::stod(rows_of(m_where / "half" / "accuracy.csv")[1].at("mean_abs_ns_half_width")),
                std::abs(first - second) / 2, 0.002);
    EXPECT_NE(contents(m_where / "out" / "error_cycles.gp").find("mean of 2 seeds with its 95 % confidence"),
              std::string::npos);
}

TEST_F(accuracy, counts_in_cycles_that_a_user_names_and_is_turned_round_with_the_pair) {
    ASSERT_EQ(compare({"--pair", "switch.crossbar=frame,cell", "--out", "one", "--format", "svg"}).status, 0);
    ASSERT_EQ(compare({"--pair=switch.crossbar=cell,frame", "--cycle=1ns", "--out", "other", "--format", "svg"})
                  .status,
              0);
    const std::vector<table_row> one = rows_of(m_where / "one" / "accuracy.csv");
    const std::vector<table_row> other = rows_of(m_where / "other" / "accuracy.csv");
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(other[i].at("max_abs_cycles"), one[i].at("max_abs_ns"));
        EXPECT_EQ(other[i].at("mean_error_ns"), one[i].at("mean_error_ns").substr(1));
    }
}

TEST_F(accuracy, refuses_what_it_can_not_compare) {
    expect_refused({}, "--pair: KEY=MODEL, REFERENCE, missing");
    expect_refused({"--pair", "switch.crossbar"}, "switch.crossbar");
    expect_refused({"--pair", "switch.crossbar=frame"}, "is not a pair");
    expect_refused({"--pair", "switch.speedup=2,4"}, "switch.speedup, switch.crossbar, traffic.load");
    expect_refused({"--pair", "switch.crossbar=frame,pim"}, "'switch.crossbar' never has the value 'pim'");
    expect_refused({"--pair", "switch.crossbar=pim,rtl"}, "'switch.crossbar' never has the value 'pim'");
    expect_refused({"--pair", "traffic.load=5%,rtl"}, "'traffic.load' never has the value 'rtl'");
    // Without Verilator always; with it, this sweep has another rule of egress memory, and no end.
    expect_refused({"--pair", "switch.crossbar=frame,rtl"}, "RTL");
    expect_refused({"--pair", "switch.crossbar=cell,cell"}, "compares 'cell' with itself");
    expect_refused({"--pair", "switch.crossbar=frame,cell", "--cycle", "4"}, "--cycle");
    expect_refused({"--pair", "switch.crossbar=frame,cell", "--cycle", "0ns"}, "out of range");
    expect_refused({"--pair", "switch.crossbar=frame,cell", "--confidence", "1"}, "--confidence: 1");
    expect_refused({"--pair", "switch.crossbar=frame,cell", "--over", "switch.crossbar"}, "--where");
    expect_refused({"--pair", "switch.crossbar=frame,cell", "--over", "link.rate"}, "link.rate");
    fs::remove(m_where / "swept/points/0001/seed_2/flows.csv");
    expect_refused({"--pair", "switch.crossbar=frame,cell"}, "seed_2/flows.csv: No such file or directory");
    EXPECT_EQ(run_program(m_where, {"accuracy", "nothing", "--pair", "a=b,c", "--out", "out"}).status, 2);
}

TEST(accuracy_of_two_runs, is_that_of_the_transfers_that_both_have) {
    const scratch_directory where;
    for (const std::string run : {"rtl", "model"}) {
        fs::create_directory(where / run);
        where.write(run + "/summary.json", "{}");
    }
    const std::string header = "flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns\n";
    where.write("rtl/flows.csv",
                header + "0,0,0,1,500,0,,0,1000\n1,1,0,1,500,0,,2000,2200\n2,2,0,1,500,0,,4000,4000\n");
    where.write("model/flows.csv",
                header + "1,1,0,1,500,0,,2000,2000\n0,0,0,1,500,0,,0,1100\n3,3,0,1,500,0,,9000,100\n");
    const outcome o = run_program(where, {"accuracy", "rtl", "model"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out,
              "| 2 transfers | mean | 99th percentile | largest |\n|---|---|---|---|\n"
              "| time in model, ns | 1550.0 | - | 2000.0 |\n"
              "| time in rtl, ns | 1600.0 | - | 2200.0 |\n"
              "| relative difference of these, % | 3.226 | - | 10.000 |\n"
              "| absolute difference per transfer, ns | 150.000 | - | 200.000 |\n"
              "| the same, relative to its time in model, % | 9.55 | - | 10.00 |\n"
              "\nMean difference: 50.000 ns. Transfers completed in only one of the two: 2.\n");
    const auto refused = [&](const arguments& args, const std::string& why) {
        const outcome made = run_program(where, combined({"accuracy"}, args));
        EXPECT_EQ(made.status, 2);
        EXPECT_TRUE(has_error(made.err, why));
    };
    refused({"rtl", "model", "--cycle=1ns"}, "--cycle: no effect");
    refused({"rtl", "nowhere"}, "nowhere/flows.csv: cannot be read");
    where.write("model/flows.csv", header + "0,0,0,1,500,0,,0,1100\n1,1,0,2,500,0,,2000,2000\n");
    refused({"rtl", "model"},
            "rtl/flows.csv: flow: flow 1 (job 1, from 0 to 1, 500B, priority 0) is not in model/flows.csv");
    where.write("model/flows.csv", header + "7,7,0,1,500,0,,0,2000\n");
    refused({"rtl", "model"}, "rtl: has no transfer in common with model");
}

}  // namespace
