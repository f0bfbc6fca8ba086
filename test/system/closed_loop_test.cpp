// Closed-loop queries: rounds of answers of drawn sizes after drawn waits (cross-layer study 2012, section IV).
#include <gtest/gtest.h>

#include <string>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

TEST(closed_loop, a_lone_answer_takes_its_ideal_time_and_the_wait) {
    const scratch_directory where;
    const outcome o = run_program(
        where, {"run", "--out", "out", "--run.progress=false", "--fabric.hosts=2", "--traffic.kind=incast",
                "--traffic.incast_target=1", "--traffic.incast_rounds=3", "--traffic.incast_bytes=50KB",
                "--traffic.request=20KB", "--traffic.response_delay=3ms", "--tcp.initial_window=100",
                "--host.stack_out=9.5us", "--host.stack_in=24us", "--output.ideal_jobs=true"});
    ASSERT_EQ(o.status, 0) << o.err;
    const auto rounds = rows_of(where / "out" / "jobs.csv");
    ASSERT_EQ(rounds.size(), 3U);
    // Ahead of a later round's request goes the ACK of what completed the one before: 84 B at 1 Gb/s.
    double ack_ns = 0;
    for (const table_row& round : rounds) {
        EXPECT_EQ(round.at("bytes"), "70000");
        EXPECT_EQ(std::stod(round.at("jct_ns")) - std::stod(round.at("ideal_ns")), 3e6 + ack_ns);
        ack_ns = 84 * 8;
    }
}

TEST(closed_loop, the_testbed_loses_nothing_with_pause_and_asks_again_after_the_last_answer) {
    const std::string testbed = WEIR_GOLDEN_DIR "/../../tb/experiments/cross-layer/testbed.ini";
    for (const bool pause : {true, false}) {
        const scratch_directory where;
        const outcome o = run_program(
            where, {"run", testbed, "--out", "out", "--run.progress=false", "--traffic.incast_rounds=20",
                    "--output.ideal_jobs=true", "--shared.memory=32KiB",
                    std::string("--pfc.mode=") + (pause ? "pause" : "none")});
        ASSERT_EQ(o.status, 0) << o.err;
        const json s = summary_of(where / "out");
        EXPECT_EQ(s["frames"]["dropped"] == 0, pause);
        EXPECT_EQ(s["pfc"]["xoff_sent"] > 0, pause);
        const auto rounds = rows_of(where / "out" / "jobs.csv");
        ASSERT_EQ(rounds.size(), 20U);
        double start = 0;
        for (const table_row& round : rounds) {
            EXPECT_EQ(round.at("src"), "10");
            EXPECT_EQ(round.at("transfers"), "20");
            EXPECT_NEAR(std::stod(round.at("start_ns")), start, 0.01);
            EXPECT_GT(std::stod(round.at("jct_ns")), std::stod(round.at("ideal_ns")));
            start += std::stod(round.at("jct_ns"));
        }
    }
}

}  // namespace
