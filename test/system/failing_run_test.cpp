// Runs that do not come to their end: a full disk, a signal, a lost lossless frame. What they leave must not
// look whole.
#include <gtest/gtest.h>

#include "program.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// Takes minutes if nobody stops it.
const arguments long_run{"run",
                         "--fabric.topology=racks",
                         "--traffic.kind=query",
                         "--traffic.rate=2500",
                         "--run.duration=1000s",
                         "--run.progress=false",
                         "--out",
                         "out"};
const arguments short_run{"run",
                          "--fabric.topology=racks",
                          "--traffic.kind=query",
                          "--traffic.rate=2500",
                          "--run.duration=4ms",
                          "--run.progress=false",
                          "--out",
                          "out"};

/// A full disk at every point of a run: the largest file that can be written grows from run to run.
TEST(failing_run, a_full_disk_ends_the_run_with_status_1_and_nothing_that_looks_whole) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, short_run).status, 0);
    const auto whole = results_in(where / "out");
    std::uintmax_t longest = 0;
    for (const auto& [name, text] : whole) {
        longest = std::max<std::uintmax_t>(longest, text.size());
    }
    for (std::uintmax_t limit = 1000; limit < longest; limit = limit * 3 + 100) {
        SCOPED_TRACE(limit);
        const outcome o = run_program(where, short_run, limit);
        EXPECT_EQ(o.status, 1);
        EXPECT_NE(o.err.find("can not be written"), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(where / "out/summary.json"));
        for (const auto& [name, text] : results_in(where / "out")) {
            const bool partial = name.size() > 8 && name.substr(name.size() - 8) == ".partial";
            EXPECT_TRUE(partial || (whole.count(name) == 1 && text == whole.at(name)))
                << name << " of " << text.size() << " B looks whole";
        }
    }
    EXPECT_EQ(run_program(where, short_run, longest + 8'192).status, 0);
}

void expect_interrupted(int signal, int status) {
    const scratch_directory where;
    const process running(where, long_run);
    // Not before it is under way.
    for (int i = 0; i < 1000 && !(fs::exists(where / "out/flows.csv.partial") &&
                                  fs::file_size(where / "out/flows.csv.partial") > 0);
         ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    running.send(signal);
    const outcome o = running.wait();
    EXPECT_EQ(o.status, status) << o.err;
    EXPECT_NE(o.err.find("interrupted"), std::string::npos) << o.err;
    const json summary = summary_of(where / "out");
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["complete"], false);
    EXPECT_GT(summary["simulated_ns"], 0);
    const json& frames = summary["frames"];
    EXPECT_EQ(frames["sent"].get<std::int64_t>(), frames["delivered"].get<std::int64_t>() +
                                                      frames["dropped"].get<std::int64_t>() +
                                                      frames["inside"].get<std::int64_t>());
    // Every table ends with a whole line, and has as many as the summary says.
    const std::string flows = contents(where / "out/flows.csv");
    EXPECT_EQ(flows.back(), '\n');
    EXPECT_EQ(std::count(flows.begin(), flows.end(), '\n') - 1, summary["flows"]["completed"]);
    for (const auto& [name, text] : results_in(where / "out")) {
        EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
    }
}
TEST(failing_run, sigint_writes_what_there_is_marks_it_incomplete_and_exits_with_130) {
    expect_interrupted(SIGINT, 130);
}
TEST(failing_run, sigterm_writes_what_there_is_marks_it_incomplete_and_exits_with_143) {
    expect_interrupted(SIGTERM, 143);
}

TEST(failing_run, the_loss_of_a_lossless_frame_names_port_class_time_and_thresholds_and_exits_with_1) {
    const scratch_directory where;
    // Seven senders into one port; XOFF comes 1,072 B before the memory is full: less than one frame.
    const outcome o =
        run_program(where, {"run", "--fabric.hosts=8", "--switch.scheme=detail", "--traffic.kind=incast",
                            "--traffic.incast_bytes=4MB", "--traffic.incast_rounds=1",
                            "--tcp.initial_window=1000", "--pfc.xoff=130KB", "--pfc.xon=10KB",
                            "--switch.share_alpha=1", "--run.progress=false", "--out", "out"});
    EXPECT_EQ(o.status, 1);
    for (const char* part : {"fabric.tor0", "ingress port", "lossless class 7", " at 1.", "ms", "131072 B",
                             "XOFF at 130000 B", "XON below 10000 B"}) {
        EXPECT_NE(o.err.find(part), std::string::npos) << part << " is not in: " << o.err;
    }
    EXPECT_FALSE(fs::exists(where / "out/summary.json"));
    EXPECT_FALSE(fs::exists(where / "out/flows.csv"));
}

TEST(failing_run, the_same_fabric_with_the_computed_thresholds_loses_nothing) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"run", "--fabric.hosts=8", "--switch.scheme=detail", "--traffic.kind=incast",
                            "--traffic.incast_bytes=4MB", "--traffic.incast_rounds=1",
                            "--tcp.initial_window=1000", "--run.progress=false", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    const json summary = summary_of(where / "out");
    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(summary["frames"]["dropped"], 0);
    EXPECT_GT(summary["pfc"]["xoff_sent"], 0);
}

}  // namespace
