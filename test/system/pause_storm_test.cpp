// A broken adapter that pauses without end: the storm, how it spreads, and how the watchdog ends it.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>

#include "program.h"
#include "support/fabric_rig.h"

using namespace weir;
using namespace weir::tb;
using namespace weir::test;
using nlohmann::json;

namespace {

outcome run_experiment(const scratch_directory& where, const std::string& name, const arguments& more = {}) {
    return run_program(where, combined({"run", WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/" + name,
                                        "--run.progress=off", "--out", "out"},
                                       more));
}

/// Flows of the storm's trace that completed, by number.
std::set<int> completed_in(const fs::path& run) {
    std::istringstream lines(contents(run / "flows.csv"));
    std::set<int> flows;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        flows.insert(std::stoi(line));
    }
    return flows;
}

// Flows: 0 to the broken host; 1 and 2 share its path but for the last link; 3 stays in the other rack, 4 in
// its own.
TEST(pause_storm, stops_flows_that_have_nothing_to_do_with_the_broken_adapter) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "storm.ini");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), (std::set<int>{3, 4}));
    const json summary = summary_of(where / "out");
    EXPECT_EQ(summary["frames"]["dropped"], 0);
    // From about 2.2 ms to 20 ms: the ToR's port to h0, the root's to that ToR, the other ToR's to the root,
    // the adapters of h4, h5 and h6.
    EXPECT_GT(summary["pfc"]["paused_ns"]["tier1"], 2 * 17'000'000);
    EXPECT_GT(summary["pfc"]["paused_ns"]["tier2"], 17'000'000);
    EXPECT_GT(summary["pfc"]["paused_ns"]["host"], 3 * 17'000'000);
}
TEST(pause_storm, is_cured_by_a_watchdog_that_drops_what_is_for_the_broken_adapter) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "storm_watchdog.ini");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), (std::set<int>{1, 2, 3, 4}));
    const json summary = summary_of(where / "out");
    EXPECT_GT(summary["drops"]["watchdog"], 1000);
    EXPECT_EQ(summary["drops"]["watchdog"], summary["frames"]["dropped"]);
    const std::string events = contents(where / "out" / "watchdog.csv");
    EXPECT_EQ(events.substr(0, events.find('\n')),
              "time_ns,node,port,class,event,dropped_frames,dropped_arriving_frames");
    EXPECT_NE(events.find(",tor0,0,0,storm,,\n"), std::string::npos) << events;
}
TEST(pause_storm, is_cured_by_a_watchdog_that_forwards_and_nothing_is_lost) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "storm_watchdog.ini", {"--pfc.watchdog=forward"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), (std::set<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(summary_of(where / "out")["frames"]["dropped"], 0);
}
TEST(pause_storm, that_ends_by_itself_is_restored_and_the_lost_frames_are_those_of_the_storm) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "storm_watchdog.ini", {"--host.broken=h0 from=2ms to=5ms"});
    ASSERT_EQ(run.status, 0) << run.err;
    std::istringstream lines(contents(where / "out" / "watchdog.csv"));
    std::string header, storm, restored, more;
    std::getline(lines, header);
    std::getline(lines, storm);
    std::getline(lines, restored);
    EXPECT_FALSE(std::getline(lines, more)) << more;
    // Paused from 2.000 ms and some us on, and found at a look of each 125 us: the first that sees the queue,
    // then 500 us later; at most two looks late.
    const double found = std::stod(storm) / 1000;
    EXPECT_GE(found, 2'500);
    EXPECT_LE(found, 2'000 + 500 + 2 * 125 + 20);
    // XOFF is repeated each 51.2 us up to 5 ms, where XON comes, and obeyed some us later: restored 1 ms after
    // the last one, at the next look.
    const double over = std::stod(restored) / 1000;
    EXPECT_GE(over, 4'948 + 1'000);
    EXPECT_LE(over, 5'000 + 10 + 1'000 + 125);
    EXPECT_EQ(restored.substr(restored.rfind(',')), ",0") << "it sends nothing";
    restored.erase(restored.rfind(','));
    const std::string lost = restored.substr(restored.rfind(',') + 1);
    EXPECT_GT(std::stoi(lost), 100);
    EXPECT_EQ(summary_of(where / "out")["drops"]["watchdog"], std::stoi(lost));
}
// SONiC drops what the storming port's class receives, too, so that it needs no memory and nobody is paused for
// it.
class storm_of_a_sender : public testing::TestWithParam<const char*> {};
TEST_P(storm_of_a_sender, loses_what_arrives_at_the_port_in_its_class_too) {
    const std::string memory = GetParam();
    const scratch_directory where;
    where.write("sent.csv",
                "start_ns,src,dst,bytes,priority\n0,0,3,20000000,0\n0,0,2,1000000,1\n0,4,0,5000000,0\n");
    const outcome run = run_experiment(
        where, "storm_watchdog.ini",
        {"--traffic.file=sent.csv", "--switch.classes=2", "--switch.scheduler=strict", "--udp.payload=1454B",
         "--udp.header=46B", "--host.broken=h0 classes=0 from=2ms to=5ms", "--switch.buffer=" + memory});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), std::set<int>{1}) << "the other class is not in the storm";
    std::istringstream lines(contents(where / "out" / "watchdog.csv"));
    std::string header, storm, restored;
    std::getline(lines, header);
    std::getline(lines, storm);
    std::getline(lines, restored);
    ASSERT_NE(restored.find(",tor0,0,0,restored,"), std::string::npos) << restored;
    const std::size_t last = restored.rfind(',');
    const int arriving = std::stoi(restored.substr(last + 1));
    const int all = std::stoi(restored.substr(restored.rfind(',', last - 1) + 1));
    // 1,500 B and 20 B of overhead at 10 Gb/s: one frame each 1,216 ns. Of the time up to 5 ms pause frames of
    // 84 B, one each 51.2 us, take 67.2 ns each.
    const double pauses = (5'000'000 - std::stod(storm)) / 51'200 * 67.2;
    const double frames = (std::stod(restored) - std::stod(storm) - pauses) / 1216;
    EXPECT_NEAR(arriving, frames, 1.1);
    EXPECT_GT(all, arriving + 100);
    EXPECT_EQ(summary_of(where / "out")["drops"]["watchdog"], all);
}
INSTANTIATE_TEST_SUITE_P(system, storm_of_a_sender, testing::Values("partitioned", "shared"),
                         [](const auto& memory) { return std::string(memory.param); });
TEST(pause_storm, of_a_sender_loses_nothing_that_arrives_where_the_watchdog_forwards) {
    const scratch_directory where;
    where.write("sent.csv", "start_ns,src,dst,bytes,priority\n0,0,3,5000000,0\n0,4,0,5000000,0\n");
    const outcome run =
        run_experiment(where, "storm_watchdog.ini", {"--traffic.file=sent.csv", "--pfc.watchdog=forward"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), (std::set<int>{0, 1}));
    EXPECT_EQ(summary_of(where / "out")["frames"]["dropped"], 0);
}
TEST(pause_storm, of_8023x_stops_all_classes) {
    const scratch_directory where;
    const outcome run = run_experiment(where, "storm.ini", {"--pfc.mode=pause", "--switch.classes=4"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out"), (std::set<int>{3, 4}));
}
TEST(pause_storm, of_another_class_stops_nothing) {
    const scratch_directory where;
    const outcome run =
        run_experiment(where, "storm.ini", {"--switch.classes=2", "--host.broken=h0 classes=1"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(completed_in(where / "out").size(), 5U);
}

class storm_however_it_runs : public testing::TestWithParam<const char*> {};
TEST_P(storm_however_it_runs, writes_the_same_bytes) {
    const scratch_directory where;
    const std::string watchdog = std::string("--pfc.watchdog=") + GetParam();
    ASSERT_EQ(run_experiment(where, "storm_watchdog.ini", {watchdog}).status, 0);
    fs::rename(where / "out", where / "first");
    for (const arguments& way :
         std::vector<arguments>{{"--run.engine=literal"}, {"--run.threads=2"}, {"--run.quantum=137ns"}}) {
        ASSERT_EQ(run_experiment(where, "storm_watchdog.ini", combined({watchdog}, way)).status, 0);
        fs::remove(where / "out" / "effective.ini");
        fs::remove(where / "first" / "effective.ini");
        expect_same_bytes(where / "first", where / "out");
    }
}
INSTANTIATE_TEST_SUITE_P(system, storm_however_it_runs, testing::Values("off", "drop", "forward"),
                         [](const auto& action) { return std::string(action.param); });

// --- deadlocks --------------------------------------------------------------------------------------------

TEST(pause_storm, watchdogs_break_a_deadlock_at_the_price_of_frames) {
    const scratch_directory where;
    const outcome run = run_experiment(
        where, "ring.ini",
        {"--pfc.watchdog=drop", "--pfc.watchdog_detection=500us", "--pfc.watchdog_restoration=500us"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_GT(summary_of(where / "out")["drops"]["watchdog"], 0);
    EXPECT_EQ(summary_of(where / "out")["frames"]["inside"], 0) << "everything has moved on in the end";
    const std::string events = contents(where / "out" / "watchdog.csv");
    for (const char* queue : {",s0,2,0,storm", ",s1,3,0,storm", ",s2,3,0,storm"}) {
        EXPECT_NE(events.find(queue), std::string::npos) << events;
    }
}
TEST(pause_storm, in_which_everything_stands_still_is_no_deadlock) {
    const scratch_directory where;
    where.write("all.csv", "start_ns,src,dst,bytes,priority\n0,1,0,500000,0\n");
    const outcome run = run_program(
        where, {"run", "--fabric.hosts=2", "--pfc.mode=pfc", "--switch.classes=1", "--traffic.kind=trace",
                "--traffic.file=all.csv", "--traffic.transport=udp", "--host.broken=h0", "--pfc.quanta=2000",
                "--run.duration=100ms", "--run.progress=off", "--out", "out"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(summary_of(where / "out")["flows"]["completed"], 0);
}

// --- by hand ----------------------------------------------------------------------------------------------

TEST(pause_storm, frames_are_exact_in_time_and_content) {
    // 1 Gb/s, 6.6 us; 100 quanta are 51.2 us, repeated after 25.6 us; from 10 us to 80 us.
    single_config single;
    single.hosts = 2;
    fabric_parameters parameters;
    parameters.flow_control.mode = flow_control_mode::pfc;
    parameters.flow_control.quanta = pause_quanta{100};
    parameters.device.classes = 4;
    parameters.broken_adapters = {{0, 0x05, 10us, 80us}};
    fabric_rig rig(make_topology(single), parameters);
    rig.run(1ms);
    const mac_port& host = rig.made.host(0)->mac();
    // XOFF at 10, 35.6 and 61.2 us; XON at 80 us.
    EXPECT_EQ(host.requests.stats().frames_sent, 4U);
    EXPECT_EQ(host.requests.stats().refreshes_sent, 2U);
    const mac_port& port = rig.made.device(0).mac(rig.plan.edge_port(0));
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(port.timers.stats().xoff_received[c], c == 0 || c == 2 ? 3U : 0U);
        EXPECT_EQ(port.timers.stats().xon_received[c], c == 0 || c == 2 ? 1U : 0U);
        // Obeyed as long as announced: all frames take the same way.
        EXPECT_EQ(port.timers.stats().paused_time[c], c == 0 || c == 2 ? 70us : 0us);
    }
}

}  // namespace
