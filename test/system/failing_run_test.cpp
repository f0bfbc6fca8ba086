// Runs that do not come to their end: a full disk, a signal, a lost lossless frame. What they leave must not
// look whole.
#include <gtest/gtest.h>

#include "program.h"
#include "support/errors_said.h"
#include "tb/support/process/ending_signals.h"

using namespace weir::test;
using nlohmann::json;
using weir::tb::signal_guard;

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
TEST(failing_run, a_full_disk_ends_the_run_with_status_3_and_nothing_that_looks_whole) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, short_run).status, 0);
    const auto whole = results_in(where / "out");
    std::uintmax_t longest = 0;
    for (const auto& [name, text] : whole) {
        longest = std::max<std::uintmax_t>(longest, text.size());
    }
    for (std::uintmax_t limit = 1000; limit < longest; limit = limit * 3 + 100) {
        SCOPED_TRACE(limit);
        const outcome o = run_program(where, short_run, {limit});
        EXPECT_EQ(o.status, 3);
        // One line with the file and the system's reason, wherever it happens: no crash's text.
        EXPECT_EQ(o.err.rfind("weir run: out/", 0), 0U) << o.err;
        EXPECT_NE(o.err.find(".partial: cannot be written: File too large\n"), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(where / "out/summary.json"));
        for (const auto& [name, text] : results_in(where / "out")) {
            const bool partial = name.size() > 8 && name.substr(name.size() - 8) == ".partial";
            EXPECT_TRUE(partial || (whole.count(name) == 1 && text == whole.at(name)))
                << name << " of " << text.size() << " B looks whole";
        }
    }
    EXPECT_EQ(run_program(where, short_run, {longest + 8'192}).status, 0);
}

void wait_until_under_way(const scratch_directory& where) {
    for (int i = 0; i < 1000 && !(fs::exists(where / "out/flows.csv.partial") &&
                                  fs::file_size(where / "out/flows.csv.partial") > 0);
         ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void expect_interrupted(int signal, int status) {
    const scratch_directory where;
    const process running(where, long_run);
    wait_until_under_way(where);
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

TEST(failing_run, sighup_writes_what_there_is_marks_it_incomplete_and_exits_with_129) {
    expect_interrupted(SIGHUP, 129);
}
TEST(failing_run, sighup_is_left_ignored_where_nohup_has_ignored_it) {
    const scratch_directory where;
    surroundings around;
    around.ignored_signal = SIGHUP;
    const process running(where, long_run, around);
    wait_until_under_way(where);
    running.send(SIGHUP);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    running.send(SIGTERM);
    const outcome o = running.wait();
    EXPECT_EQ(o.status, 143) << o.err;
}

TEST(failing_run, a_second_run_into_the_directory_of_a_running_one_is_refused_until_that_is_killed) {
    const scratch_directory where;
    const process running(where, long_run);
    wait_until_under_way(where);
    const std::string effective = contents(where / "out/effective.ini");
    // Its output must not fall into the files of the first.
    arguments again = short_run;
    again.back() = "../" + where.path().filename().string() + "/out";
    const scratch_directory beside;
    const outcome refused = run_program(beside, again);
    EXPECT_EQ(refused.status, 2) << refused.err;
    EXPECT_TRUE(has_error(refused.err, "out: in use"));
    EXPECT_EQ(contents(where / "out/effective.ini"), effective);
    EXPECT_FALSE(fs::exists(where / "out/summary.json"));
    running.send(SIGKILL);
    EXPECT_EQ(running.wait().status, 1000 + SIGKILL);
    const outcome after = run_program(beside, again);
    EXPECT_EQ(after.status, 0) << after.err;
    EXPECT_EQ(summary_of(where / "out")["complete"], true);
}

/// What is cut or broken so that the two transfers of a trace can never be done.
const arguments two_transfers{
    "run", "--traffic.kind=trace", "--traffic.file=two.csv", "--run.progress=false", "--out", "out"};
void expect_unending(const arguments& fault, const std::vector<std::string>& message, int completed) {
    for (const char* sampling : {"--output.occupancy_interval=10us", "--output.occupancy_interval=0"}) {
        SCOPED_TRACE(sampling + (" " + fault[0]));
        const scratch_directory where;
        where.write("two.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n10,2,3,5000\n");
        const outcome o = run_program(where, combined(combined(two_transfers, fault), {sampling}));
        EXPECT_EQ(o.status, 1) << o.err;
        for (const std::string& part : message) {
            EXPECT_NE(o.err.find(part), std::string::npos) << part << " is not in: " << o.err;
        }
        const json summary = summary_of(where / "out");
        ASSERT_TRUE(summary.is_object());
        EXPECT_EQ(summary["complete"], false);
        EXPECT_EQ(summary["simulated_ns"], 4'500'000'000'000);
        EXPECT_EQ(summary["flows"]["completed"], completed);
    }
}
TEST(failing_run, traffic_that_a_cut_link_keeps_from_ending_ends_with_the_longest_run_and_is_named) {
    expect_unending({"--fabric.link=h0-tor0 down"},
                    {"after 4500s, the longest possible run", "1 of 2 transfers is not complete",
                     "flow 0 (h0 to h1, 1KB, started at 0ps, timeouts: "},
                    1);
    expect_unending({"--fabric.link=h2-tor0 down at=1us"},
                    {"1 of 2 transfers is not complete", "flow 1 (h2 to h3, 5KB, started at 10ns, timeouts: "},
                    1);
}
TEST(failing_run, traffic_that_loses_nearly_every_frame_ends_with_the_longest_run) {
    expect_unending(
        {"--fabric.link=h0-tor0 frame_error_rate=0.9999", "--fabric.link=h2-tor0 frame_error_rate=0.9999"},
        {"2 of 2 transfers are not complete", "flow 0", "flow 1"}, 0);
}
TEST(failing_run, a_transfer_whose_last_confirmation_is_missing_is_told_from_one_whose_data_is) {
    // Its bytes have passed the link by 20 us, and the ACK of the last one comes to it after 50 us.
    expect_unending({"--fabric.link=h0-tor0 down at=30us"},
                    {"1 of 2 transfers is not complete: flow 0 (h0 to h1, 1KB, started at 0ps, timeouts: ",
                     "; its data has arrived, but the sender has not received the acknowledgement)"},
                    2);
}
TEST(failing_run, a_trace_that_begins_just_before_the_longest_run_ends_is_not_called_complete) {
    const scratch_directory where;
    where.write("two.csv", "start_ns,src,dst,bytes\n4499999999999.999,0,1,1000\n4499999999999,2,3,1000\n");
    const outcome o = run_program(where, two_transfers);
    EXPECT_EQ(o.status, 1) << o.err;
    for (const char* part : {"2 of 2 transfers are not complete", "flow 0 (h0 to h1", "flow 1 (h2 to h3",
                             "a link that stays down"}) {
        EXPECT_NE(o.err.find(part), std::string::npos) << part << " is not in: " << o.err;
    }
    EXPECT_EQ(o.err.find("its data has arrived"), std::string::npos) << o.err;
}

/// Samples and timeouts may be due after the last time that an event can have (4,503.6 s). That none comes
/// round to the beginning is tested where they are scheduled: lookup_pipeline, pause_timers.
TEST(failing_run, transfers_near_the_end_of_time_complete_however_seldom_fills_are_sampled) {
    const scratch_directory where;
    where.write("two.csv",
                "start_ns,src,dst,bytes\n4479000000000,0,1,100000\n4479000000000,2,1,100000\n"
                "4479000000000,3,1,100000\n");
    for (const char* sampling : {"--output.occupancy_interval=2000s", "--output.occupancy_interval=1s"}) {
        const outcome o =
            run_program(where, combined(two_transfers, {sampling, "--run.duration=4490s", "--link.rate=1Mbps",
                                                        "--switch.scheme=detail", "--tcp.initial_rto=55s",
                                                        "--tcp.initial_window=100", "--tcp.min_rto=50s"}));
        EXPECT_EQ(o.status, 0) << o.err;
        const json summary = summary_of(where / "out");
        EXPECT_EQ(summary["simulated_ns"], 4'490'000'000'000);
        EXPECT_EQ(summary["flows"]["completed"], 3);
    }
}

/// The end of a quantum that takes long need not be waited for; but `timeout` sends two signals at once.
TEST(failing_run, a_second_signal_more_than_a_second_later_ends_the_program_at_once) {
    EXPECT_EXIT(
        {
            const signal_guard guard;
            std::raise(SIGTERM);
            std::raise(SIGTERM);
            std::_Exit(signal_guard::received() == SIGTERM ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_EXIT(
        {
            const signal_guard guard;
            std::raise(SIGINT);
            std::this_thread::sleep_for(std::chrono::milliseconds(2'100));
            std::raise(SIGTERM);
            std::_Exit(0);
        },
        testing::KilledBySignal(SIGTERM), "");
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
    EXPECT_NE(contents(where / "out/failure.json").find("\"verdict\": \"lossless_loss\""), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(contents(where / "out/run.json")).at("ended"), "failed");
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
