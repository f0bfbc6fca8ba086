// Whole fabrics of NewReno's transfers beside ns-3 3.37 (test/golden/transport/fct_ns3): 200 connections each.
//
// A transfer that meets no other takes the same time: to the nanosecond where ns-3's times are whole
// nanoseconds, and else but for its rounding of each frame's time on each link. What happens after a loss
// differs (docs/accuracy.md), and so do the transfers that meet there: they are compared as distributions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

const fs::path golden = fs::path(WEIR_GOLDEN_DIR) / "transport/fct_ns3";

/// From start to end. Unit: ns.
struct transfer_time {
    double start;
    double taken;
};
using times_of_flows = std::vector<transfer_time>;

table_row scenario(const std::string& name) {
    for (const table_row& row : weir::test::rows_of(golden / "scenarios.csv")) {
        if (row.at("scenario") == name) {
            return row;
        }
    }
    throw std::out_of_range(name);
}

/// In the order of the golden's rows, which is that of their numbers.
times_of_flows by_ns3(const std::string& name) {
    times_of_flows times;
    for (const table_row& row : weir::test::rows_of(golden / (name + ".fct.csv"))) {
        times.push_back({std::stod(row.at("start_ns")), std::stod(row.at("fct_ns"))});
    }
    return times;
}

times_of_flows by_weir(const std::string& name) {
    const scratch_directory where;
    const table_row s = scenario(name);
    std::ofstream trace(where / "flows.csv");
    trace << "start_ns,src,dst,bytes\n";
    std::map<std::string, std::size_t> number;
    const auto key = [](const std::string& start, const std::string& src, const std::string& dst,
                        const std::string& length) { return start + ' ' + src + ' ' + dst + ' ' + length; };
    for (const table_row& row : weir::test::rows_of(golden / (name + ".flows.csv"))) {
        const std::string& start = row.at("start_ns");
        const std::string& length = row.at("bytes");
        trace << start << ',' << row.at("src") << ',' << row.at("dst") << ',' << length << '\n';
        const std::size_t next = number.size();
        number[key(start, row.at("src"), row.at("dst"), length)] = next;
    }
    trace.close();
    // The frame in transmission is not in ns-3's queue.
    const int queue = std::stoi(s.at("queue_bytes")) + std::stoi(s.at("mss")) + 42;
    const outcome run = run_program(
        where, {"run", WEIR_GOLDEN_DIR "/../../tb/experiments/fct_ns3/" + s.at("topology") + ".ini",
                "--traffic.file=flows.csv", "--link.rate=" + s.at("edge_bps") + "bps",
                "--fabric.bottleneck_rate=" + s.at("core_bps") + "bps",
                "--link.latency=" + s.at("link_delay_ns") + "ns",
                "--switch.egress_buffer=" + std::to_string(queue) + "B", "--tcp.mss=" + s.at("mss") + "B",
                "--tcp.initial_window=" + s.at("initial_window_segments"),
                "--tcp.min_rto=" + s.at("min_rto_us") + "us", "--out", "out"});
    EXPECT_EQ(run.status, 0) << run.err;
    times_of_flows times(number.size());
    for (const table_row& row : weir::test::rows_of(where / "out" / "flows.csv")) {
        const std::size_t i = number.at(key(row.at("start_ns"), row.at("src"), row.at("dst"), row.at("bytes")));
        times[i] = {std::stod(row.at("start_ns")), std::stod(row.at("fct_ns"))};
    }
    return times;
}

bool is_alone(const times_of_flows& times, std::size_t i) {
    for (std::size_t j = 0; j < times.size(); ++j) {
        if (j != i && times[j].start <= times[i].start + times[i].taken &&
            times[i].start <= times[j].start + times[j].taken) {
            return false;
        }
    }
    return true;
}

/// Largest difference of the two distributions (Kolmogorov and Smirnov).
double distance(const times_of_flows& a, const times_of_flows& b) {
    double most = 0;
    for (const times_of_flows* at : {&a, &b}) {
        for (const transfer_time& t : *at) {
            const auto share = [&](const times_of_flows& of) {
                return static_cast<double>(
                           std::count_if(of.begin(), of.end(),
                                         [&](const transfer_time& each) { return each.taken <= t.taken; })) /
                       static_cast<double>(of.size());
            };
            most = std::max(most, std::abs(share(a) - share(b)));
        }
    }
    return most;
}

struct ns3_case {
    const char* scenario;
    /// Transfers that meet no other, at least.
    int alone;
    /// What ns-3's rounding may make of one: nothing at 1 Gb/s; 0.4 of 1,202 ns per frame at 10 Gb/s.
    double rounding;
};

class beside_ns3 : public testing::TestWithParam<ns3_case> {};

TEST_P(beside_ns3, transfers_that_meet_no_other_take_the_same_time_and_all_are_distributed_alike) {
    const ns3_case& c = GetParam();
    const times_of_flows theirs = by_ns3(c.scenario);
    const times_of_flows ours = by_weir(c.scenario);
    ASSERT_EQ(ours.size(), theirs.size());
    int alone = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        ASSERT_EQ(ours[i].start, theirs[i].start) << i;
        if (is_alone(theirs, i) && is_alone(ours, i)) {
            ++alone;
            EXPECT_NEAR(ours[i].taken, theirs[i].taken, c.rounding * theirs[i].taken) << i;
        }
    }
    EXPECT_GE(alone, c.alone);
    // 95 % of pairs of samples from one distribution are closer.
    EXPECT_LT(distance(ours, theirs), 1.358 * std::sqrt(2.0 / static_cast<double>(ours.size())));
}

INSTANTIATE_TEST_SUITE_P(fct_ns3, beside_ns3,
                         testing::Values(ns3_case{"dumbbell_1g", 20, 0}, ns3_case{"dumbbell_10g_iw3", 25, 4e-4},
                                         ns3_case{"leafspine_10g", 0, 4e-4},
                                         ns3_case{"leafspine_10g_deep", 0, 4e-4}),
                         [](const auto& each) { return std::string(each.param.scenario); });

// Where no frame is lost the middle of the distribution agrees, too. The mean is that of a few transfers that
// time out too early, and that the programs recover differently (docs/accuracy.md).
TEST(beside_ns3_without_losses, medians_agree_and_so_do_the_ratios_of_single_transfers_on_average) {
    const times_of_flows theirs = by_ns3("leafspine_10g_deep");
    const times_of_flows ours = by_weir("leafspine_10g_deep");
    const auto median = [](times_of_flows times) {
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end(),
                         [](const transfer_time& a, const transfer_time& b) { return a.taken < b.taken; });
        return middle->taken;
    };
    EXPECT_NEAR(median(ours) / median(theirs), 1, 0.01);
    double logs = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        logs += std::log(ours[i].taken / theirs[i].taken);
    }
    EXPECT_NEAR(logs / static_cast<double>(ours.size()), 0, 0.015);
}

}  // namespace
