// DCTCP in whole runs, against the closed forms of its paper (SIGCOMM 2010, section 3.3): N endless flows
// through one port that marks from K frames on, in step with each other, each a sawtooth.
#include <gtest/gtest.h>

#include <cmath>

#include "long_flows.h"
#include "program.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

constexpr double frame_bytes = 1'518;
constexpr double frames_per_us = 10e3 / 8 / 1'538;
/// Four links of 20 us, two lookups of 3.1 us, a frame on two links, an ACK on two.
constexpr double round_trip_us = 4 * 20 + 2 * 3.1 + 2 / frames_per_us + 2 * 0.067;

struct measured {
    double mean_frames;
    double most_frames;
    double marked_share;
    double busy_percent;
};

nlohmann::json summary_of_run(const scratch_directory& where, int flows, int k, const std::string& duration) {
    const outcome run = run_long_flows(
        where, flows,
        {"--tcp.congestion=dctcp", "--marking.kind=step", "--marking.threshold_frames=" + std::to_string(k),
         "--run.warmup=19ms", "--run.duration=" + duration, "--out", duration});
    EXPECT_EQ(run.status, 0) << run.err;
    return summary_of(where / duration);
}

measured measure(int flows, int k) {
    const scratch_directory where;
    // Marks are counted from the beginning; slow start is over long before 20 ms.
    const double early = summary_of_run(where, flows, k, "20ms")["ecn"]["seen"];
    const double all = summary_of_run(where, flows, k, "60ms")["ecn"]["seen"];
    double early_frames = 0;
    for (const std::string run : {"20ms", "60ms"}) {
        for (const table_row& row : rows_of(where / run / "ports.csv")) {
            if (row.at("node") != "tor0" || row.at("port") != std::to_string(flows) || row.at("class") != "0") {
                continue;
            }
            const double frames = std::stod(row.at("tx_frames"));
            if (run == "20ms") {
                early_frames = frames;
                continue;
            }
            return {std::stod(row.at("egress_mean_bytes")) / frame_bytes,
                    std::stod(row.at("egress_max_bytes")) / frame_bytes,
                    (all - early) / (frames - early_frames), std::stod(row.at("utilisation_percent"))};
        }
    }
    ADD_FAILURE() << "no line of the port";
    return {};
}

struct dctcp_case {
    int flows;
    int k;
};

class dctcp_closed_forms : public testing::TestWithParam<dctcp_case> {};

TEST_P(dctcp_closed_forms, give_the_queues_mean_and_maximum_and_the_share_of_marks) {
    const auto [n, k] = GetParam();
    // Equations 3 to 11: the window at which the queue is K, the share of marks (alpha^2 (1 - alpha/4) is
    // known), the queue's amplitude and maximum.
    const double window = (frames_per_us * round_trip_us + k) / n;
    const double known = (2 * window + 1) / ((window + 1) * (window + 1));
    double alpha = std::sqrt(known);
    for (int i = 0; i < 50; ++i) {
        alpha = std::sqrt(known / (1 - alpha / 4));
    }
    const double amplitude = n * (window + 1) * alpha / 2;
    const measured got = measure(n, k);
    EXPECT_NEAR(got.mean_frames, k + n - amplitude / 2, 1);
    EXPECT_GE(got.most_frames, k + n);
    EXPECT_LE(got.most_frames, k + n + 1.01);  // one is being sent
    EXPECT_NEAR(got.marked_share, alpha, 0.2 * alpha);
    EXPECT_GT(got.busy_percent, 99.9);
}

INSTANTIATE_TEST_SUITE_P(of_the_paper, dctcp_closed_forms,
                         testing::Values(dctcp_case{2, 20}, dctcp_case{2, 40}, dctcp_case{2, 65},
                                         dctcp_case{4, 65}));

TEST(dctcp, fills_its_link_from_a_seventh_of_the_bandwidth_delay_product_on) {
    // Equation 13: K > C x RTT / 7.
    const int bound = static_cast<int>(std::ceil(frames_per_us * round_trip_us / 7));
    EXPECT_GT(measure(2, bound).busy_percent, 99.9);
    EXPECT_LT(measure(2, bound / 4).busy_percent, 99);
}

}  // namespace
