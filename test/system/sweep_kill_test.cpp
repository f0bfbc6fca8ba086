// A sweep that is killed at random moments goes on to the same bytes as one that nobody disturbed, and what had
// ended before stays as it is.
#include <random>

#include "sweep_rig.h"

using namespace weir::test;

namespace {

const std::string one_ms_queries =
    "[run]\nduration = 1ms\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n";

struct kill_plan {
    arguments sweep;
    std::size_t runs;
    std::size_t kills;
};

/// Kills the sweep `kills` times with SIGKILL. When: any number of runs after its start (also before the
/// first), and then up to 20 ms, so that it hits the check of the plan, runs, files that are written and named.
void expect_killed_sweep_ends_the_same(const kill_plan& plan) {
    const scratch_directory where;
    where.write("config.ini", one_ms_queries);
    const outcome whole = run_program(where, combined(plan.sweep, {"--out", "whole"}));
    ASSERT_EQ(whole.status, 0) << whole.err;
    ASSERT_EQ(ended_runs(where / "whole").size(), plan.runs);

    std::mt19937 chance(plan.runs);
    std::map<std::string, std::string> ended;
    for (std::size_t kill = 0; kill < plan.kills; ++kill) {
        // So that it never comes to its end: a share for each kill.
        const std::size_t most = plan.runs * (kill + 1) / (plan.kills + 1);
        const std::size_t now = ended_runs(where / "killed").size();
        const bool early = chance() % 5 == 0;
        const std::size_t wanted = early ? now : now + chance() % (std::max(most, now + 1) - now) + 1;
        const auto pause = std::chrono::microseconds(chance() % 20'000);
        const process running(where, combined(plan.sweep, {"--out", "killed"}));
        ASSERT_TRUE(wait_until([&] { return early || ended_runs(where / "killed").size() >= wanted; }));
        std::this_thread::sleep_for(pause);
        running.send(SIGKILL);
        ASSERT_EQ(running.wait().status, 1000 + SIGKILL) << "kill " << kill << " came too late";
        if (fs::exists(where / "killed")) {
            ASSERT_TRUE(wait_until([&] { return is_free(where / "killed"); })) << "runs outlive their sweep";
        }
        const auto there = ended_runs(where / "killed");
        for (const auto& [name, run_json] : ended) {
            ASSERT_EQ(there.count(name), 1U) << name << " is lost";
            EXPECT_EQ(there.at(name), run_json) << name << " ran again";
        }
        ended = there;
    }
    EXPECT_FALSE(ended.empty());
    EXPECT_LT(ended.size(), plan.runs);
    const outcome last = run_program(where, combined(plan.sweep, {"--out", "killed"}));
    ASSERT_EQ(last.status, 0) << last.err;
    expect_same_sweeps(where / "whole", where / "killed");
    const auto there = ended_runs(where / "killed");
    for (const auto& [name, run_json] : ended) {
        EXPECT_EQ(there.at(name), run_json) << name << " ran again";
    }
}

TEST(sweep_kill, a_killed_sweep_ends_with_the_same_bytes) {
    expect_killed_sweep_ends_the_same(
        {{"sweep", "config.ini", "--vary", "traffic.rate=1000..6000:1000", "--seeds", "2", "--keep", "all"},
         12,
         3});
}

TEST(sweep_kill, what_the_last_write_of_a_killed_sweep_left_is_removed_where_no_run_is_missing) {
    const scratch_directory where;
    where.write("config.ini", one_ms_queries);
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=4000,5000", "--out", "out"};
    ASSERT_EQ(run_program(where, sweep).status, 0);
    const auto whole = sweep_files(where / "out");
    where.write("out/run.json.partial", contents(where / "out/run.json").substr(0, 20));
    EXPECT_EQ(run_program(where, sweep).status, 0);
    EXPECT_TRUE(sweep_files(where / "out") == whole);
}

TEST(sweep_kill, long_run_of_200_points_killed_ten_times_ends_with_the_same_bytes) {
    expect_killed_sweep_ends_the_same(
        {{"sweep", "config.ini", "--vary", "traffic.rate=1000..10000:lin:10", "--vary",
          "switch.scheme=baseline,priority,fc,priority_pfc", "--vary", "link.latency=1us..5us:1us"},
         200,
         10});
}

}  // namespace
