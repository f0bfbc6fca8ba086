// Vegas in whole runs, against its paper's claim: each flow keeps between alpha and beta segments in the queue
// of the bottleneck, which stays full with them alone.
#include <gtest/gtest.h>

#include "long_flows.h"
#include "program.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

struct vegas_case {
    int flows;
    int alpha;
    int beta;
};

class vegas_in_equilibrium : public testing::TestWithParam<vegas_case> {};

TEST_P(vegas_in_equilibrium, keeps_alpha_to_beta_segments_of_each_flow_in_the_queue) {
    const auto [flows, alpha, beta] = GetParam();
    const scratch_directory where;
    const outcome run = run_long_flows(
        where, flows,
        {"--tcp.congestion=vegas", "--vegas.alpha=" + std::to_string(alpha),
         "--vegas.beta=" + std::to_string(beta), "--run.warmup=30ms", "--run.duration=60ms", "--out", "o"});
    ASSERT_EQ(run.status, 0) << run.err;
    for (const table_row& row : rows_of(where / "o" / "ports.csv")) {
        if (row.at("node") == "tor0" && row.at("port") == std::to_string(flows) && row.at("class") == "0") {
            // The frame that is being sent is in the queue, and waits for nobody.
            const double waiting = std::stod(row.at("egress_mean_bytes")) / 1'518 - 1;
            EXPECT_GE(waiting, flows * alpha - 0.1);
            EXPECT_LE(waiting, flows * beta + 0.1);
            EXPECT_GT(std::stod(row.at("utilisation_percent")), 99.9);
            return;
        }
    }
    ADD_FAILURE() << "no line of the port";
}

INSTANTIATE_TEST_SUITE_P(of_the_paper, vegas_in_equilibrium,
                         testing::Values(vegas_case{2, 2, 4}, vegas_case{4, 2, 4}, vegas_case{8, 2, 4},
                                         vegas_case{4, 1, 3}, vegas_case{4, 8, 10}));

}  // namespace
