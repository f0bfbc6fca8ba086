// weir sweep through the program: what it runs, what it leaves, how it goes on.
#include <gtest/gtest.h>

#include <set>

#include "sweep_rig.h"

using namespace weir::test;
using nlohmann::json;

namespace {

const std::string two_ms_queries =
    "[run]\nduration = 2ms\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n";
/// Each run takes seconds.
const arguments slow_sweep{"sweep",
                           "--fabric.topology=racks",
                           "--traffic.kind=query",
                           "--run.duration=100s",
                           "--vary",
                           "traffic.rate=1000,2000",
                           "--out",
                           "out"};

TEST(sweep, runs_every_combination_with_every_seed_and_every_run_is_what_weir_run_gives) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const outcome o = run_program(where, {"sweep", "config.ini", "--vary", "switch.scheme=baseline,fc",
                                          "--vary", "link.latency=1us..3us:1us", "--seeds", "5,9",
                                          "--fabric.hosts=5", "--keep=all", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    int point = 0;
    for (const std::string scheme : {"baseline", "fc"}) {
        for (const std::string latency : {"1us", "2us", "3us"}) {
            ++point;
            for (const std::string seed : {"5", "9"}) {
                ASSERT_EQ(
                    run_program(where, {"run", "config.ini", "--fabric.hosts=5", "--switch.scheme=" + scheme,
                                        "--link.latency=" + latency, "--run.seed=" + seed, "--out", "single"})
                        .status,
                    0);
                expect_same_bytes(where / "single",
                                  where / ("out/points/000" + std::to_string(point) + "/seed_" + seed));
            }
        }
    }
    EXPECT_EQ(ended_runs(where / "out").size(), 12U);
}

TEST(sweep, an_option_without_effect_is_told_where_it_has_none_at_any_point) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const auto told = [&](const std::string& schemes) {
        return run_program(where, {"sweep", "config.ini", "--vary", "switch.scheme=" + schemes,
                                   "--pfc.xoff=4KB", "--dry-run", "--out", "out"})
            .err;
    };
    EXPECT_EQ(told("baseline,detail"), "");
    EXPECT_NE(told("baseline,dctcp").find("pfc.xoff: has no effect; it needs "), std::string::npos);
}

TEST(sweep, plus_adds_a_line_to_those_of_the_file) {
    const scratch_directory where;
    where.write("a.ini", "[run]\nduration = 10us\n[fabric]\ntopology = racks\nlink = tor0-root1 latency=2us\n");
    const outcome o = run_program(
        where, {"sweep", "a.ini", "--vary", "fabric.link+=tor1-root0 latency=3us,tor1-root1 latency=4us",
                "--keep", "all", "--out", "s"});
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err.find("replaces"), std::string::npos) << o.err;
    EXPECT_NE(contents(where / "s/points/0002/seed_1/effective.ini")
                  .find("\nlink = tor0-root1 latency=2us\nlink = tor1-root1 latency=4us\n"),
              std::string::npos);
    EXPECT_NE(contents(where / "s/sweep.csv").find("fabric.link+"), std::string::npos);
    const outcome replacing =
        run_program(where, {"sweep", "a.ini", "--vary", "fabric.link=tor1-root0 latency=3us", "--dry-run"});
    EXPECT_NE(replacing.err.find("fabric.link+=... would add to it"), std::string::npos) << replacing.err;
}

TEST(sweep, number_of_processes_and_of_sessions_do_not_change_a_byte) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep",   "config.ini", "--vary", "traffic.rate=1000..4000:1000",
                          "--seeds", "2",          "--plot", "fct_ns.p50"};
    ASSERT_EQ(run_program(where, combined(sweep, {"--out", "one", "--jobs", "1"})).status, 0);
    ASSERT_EQ(run_program(where, combined(sweep, {"--out", "four", "--jobs", "4"})).status, 0);
    expect_same_sweeps(where / "one", where / "four");
    const auto before = ended_runs(where / "one");
    ASSERT_EQ(run_program(where, combined(sweep, {"--out", "one"})).status, 0);
    expect_same_sweeps(where / "one", where / "four");
    EXPECT_EQ(before, ended_runs(where / "one")) << "something ran again";
}

TEST(sweep, all_points_see_the_same_arrivals_under_the_same_seed) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    ASSERT_EQ(run_program(where, {"sweep", "config.ini", "--vary", "switch.scheme=baseline,detail",
                                  "--keep=all", "--traffic.stop=1ms", "--run.duration=0s", "--out", "out"})
                  .status,
              0);
    // flow, job, src, dst, bytes, priority, tag, start_ns of every query's request; the rest is the network's.
    const auto requests = [&](const std::string& point) {
        std::multiset<std::string> found;
        std::istringstream jobs(contents(where / ("out/points/" + point + "/seed_1/jobs.csv")));
        for (std::string line; std::getline(jobs, line);) {
            found.insert(line.substr(0, line.rfind(',')));
        }
        return found;
    };
    EXPECT_GT(requests("0001").size(), 5U);
    EXPECT_EQ(requests("0001"), requests("0002"));
}

TEST(sweep, tables_hold_the_numbers_of_the_summaries_and_their_means) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    ASSERT_EQ(run_program(where, {"sweep", "config.ini", "--vary", "switch.ingress_buffer=64KiB,128KiB",
                                  "--seeds", "3", "--metrics", "frames.sent,fct_ns.p50", "--out", "out"})
                  .status,
              0);
    const json table = json_in(where / "out/sweep.json");
    const json means = json_in(where / "out/means.json");
    ASSERT_EQ(table["runs"].size(), 6U);
    EXPECT_EQ(table["complete"], true);
    std::vector<double> sent;
    std::string expected =
        "point,switch.ingress_buffer,switch.ingress_buffer_bytes,seed,state,status,error,"
        "frames.sent,fct_ns.p50\n";
    for (int point = 1; point <= 2; ++point) {
        for (int seed = 1; seed <= 3; ++seed) {
            const json summary = summary_of(
                where / ("out/points/000" + std::to_string(point) + "/seed_" + std::to_string(seed)));
            const json& row = table["runs"][static_cast<std::size_t>((point - 1) * 3 + seed - 1)];
            EXPECT_EQ(row["metrics"]["frames.sent"], summary["frames"]["sent"]);
            EXPECT_EQ(row["metrics"]["fct_ns.p50"], summary["fct_ns"]["p50"]);
            sent.push_back(summary["frames"]["sent"].get<double>());
            expected += std::to_string(point) + (point == 1 ? ",64KiB,65536," : ",128KiB,131072,") +
                        std::to_string(seed) + ",done,,," + summary["frames"]["sent"].dump() + "," +
                        summary["fct_ns"]["p50"].dump() + "\n";
        }
    }
    EXPECT_EQ(contents(where / "out/sweep.csv"), expected);
    const json& second = means["points"][1]["metrics"]["frames.sent"];
    EXPECT_NEAR(second["mean"].get<double>(), (sent[3] + sent[4] + sent[5]) / 3, 1e-6);
    EXPECT_EQ(second["n"], 3);
    const double differences[] = {sent[3] - sent[0], sent[4] - sent[1], sent[5] - sent[2]};
    const double mean = (differences[0] + differences[1] + differences[2]) / 3;
    double squares = 0;
    for (const double d : differences) {
        squares += (d - mean) * (d - mean);
    }
    // 4.302653: Student's t for 95 % with 2 degrees of freedom, from printed tables.
    const double half = 4.302653 * std::sqrt(squares / 2 / 3);
    EXPECT_NEAR(second["difference"]["mean"].get<double>(), mean, 1e-6);
    EXPECT_NEAR(second["difference"]["high"].get<double>(), mean + half, 1e-3);
}

TEST(sweep, keeps_of_each_run_what_was_asked_for) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    ASSERT_EQ(run_program(where, {"sweep", "config.ini", "--seeds", "1", "--out", "few"}).status, 0);
    ASSERT_EQ(run_program(where, {"sweep", "config.ini", "--seeds", "1", "--keep=all", "--out", "all"}).status,
              0);
    const auto names = [](const fs::path& directory) {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(directory)) {
            found.insert(entry.path().filename().string());
        }
        return found;
    };
    EXPECT_EQ(names(where / "few/points/0001/seed_1"),
              (std::set<std::string>{"summary.json", "effective.ini", "run.json"}));
    EXPECT_EQ(names(where / "all/points/0001/seed_1").count("flows.csv"), 1U);
    // effective.ini repeats the run.
    ASSERT_EQ(run_program(where, {"run", "few/points/0001/seed_1/effective.ini", "--out", "again"}).status, 0);
    EXPECT_EQ(contents(where / "again/summary.json"), contents(where / "few/points/0001/seed_1/summary.json"));
}

TEST(sweep, more_seeds_can_be_added_and_nothing_runs_twice) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=1000,2000", "--seeds"};
    ASSERT_EQ(run_program(where, combined(sweep, {"2", "--out", "grown"})).status, 0);
    const auto before = ended_runs(where / "grown");
    const outcome refused = run_program(where, combined(sweep, {"4", "--out", "grown"}));
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("--extend"), std::string::npos) << refused.err;
    ASSERT_EQ(run_program(where, combined(sweep, {"4", "--extend", "--out", "grown"})).status, 0);
    ASSERT_EQ(run_program(where, combined(sweep, {"4", "--out", "whole"})).status, 0);
    expect_same_sweeps(where / "whole", where / "grown");
    const auto after = ended_runs(where / "grown");
    for (const auto& [name, run_json] : before) {
        EXPECT_EQ(after.at(name), run_json);
    }
}

// --- failures --------------------------------------------------------------------------------------------

/// Seven senders into one port. At the second point XOFF comes less than a frame before the memory is full, and
/// a lossless frame is lost: that run fails.
const arguments lossy_sweep{"sweep",
                            "--fabric.hosts=8",
                            "--switch.scheme=detail",
                            "--traffic.kind=incast",
                            "--traffic.incast_bytes=4MB",
                            "--traffic.incast_rounds=1",
                            "--tcp.initial_window=1000",
                            "--vary",
                            "pfc.xoff,pfc.xon=(auto,auto),(130KB,10KB)",
                            "--metrics",
                            "frames.sent",
                            "--out",
                            "out"};

TEST(sweep, a_point_that_fails_is_recorded_and_the_others_run) {
    const scratch_directory where;
    const outcome o = run_program(where, lossy_sweep);
    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_NE(o.err.find("point 0002: pfc.xoff=130KB, pfc.xon=10KB, seed 1: failed: weir run: "),
              std::string::npos)
        << o.err;
    EXPECT_NE(o.err.find("1 of 2 runs failed"), std::string::npos) << o.err;
    const json table = json_in(where / "out/sweep.json");
    ASSERT_EQ(table["runs"].size(), 2U);
    EXPECT_EQ(table["runs"][0]["state"], "done");
    ASSERT_EQ(table["runs"][1]["state"], "failed");
    EXPECT_EQ(table["runs"][1]["status"], 1);
    const auto error = table["runs"][1]["error"].get<std::string>();
    EXPECT_NE(error.find("lossless class 7"), std::string::npos) << error;
    EXPECT_EQ(error.find("out"), std::string::npos) << "it depends on where the sweep is: " << error;
}

TEST(sweep, a_point_that_failed_by_itself_is_kept_unless_it_is_wanted_again) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, lossy_sweep).status, 1);
    const auto before = sweep_files(where / "out");
    const auto written = fs::last_write_time(where / "out/points/0002/seed_1/failure.json");
    EXPECT_EQ(run_program(where, lossy_sweep).status, 1);
    EXPECT_EQ(sweep_files(where / "out"), before);
    EXPECT_EQ(fs::last_write_time(where / "out/points/0002/seed_1/failure.json"), written);
    EXPECT_EQ(run_program(where, combined(lossy_sweep, {"--retry-failed"})).status, 1);
    EXPECT_EQ(sweep_files(where / "out"), before);
    EXPECT_GT(fs::last_write_time(where / "out/points/0002/seed_1/failure.json"), written);
}

TEST(sweep, a_run_that_could_not_write_its_files_runs_again) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=4000,5000", "--out", "out"};
    // No file longer than 16 KiB: occupancy.csv is; effective.ini, plan.json and failure.json are not.
    const outcome full = run_program(where, sweep, {16'384});
    EXPECT_EQ(full.status, 3);
    EXPECT_NE(full.err.find("cannot be written"), std::string::npos) << full.err;
    const outcome o = run_program(where, sweep);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(ended_runs(where / "out").size(), 2U);
}

TEST(sweep, a_run_whose_summary_was_damaged_runs_again) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=4000,5000", "--out", "out"};
    ASSERT_EQ(run_program(where, sweep).status, 0);
    const auto before = sweep_files(where / "out");
    where.write("out/points/0002/seed_1/summary.json",
                before.at("points/0002/seed_1/summary.json").substr(0, 100));
    ASSERT_EQ(run_program(where, sweep).status, 0);
    EXPECT_EQ(sweep_files(where / "out"), before);
}

TEST(sweep, a_run_that_had_ended_when_its_sweep_was_killed_gets_its_name) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep",      "config.ini", "--vary", "traffic.rate=4000,5000",
                          "--keep=all", "--out",      "out"};
    ASSERT_EQ(run_program(where, sweep).status, 0);
    const auto before = sweep_files(where / "out");
    const auto runs = ended_runs(where / "out");
    fs::rename(where / "out/points/0002/seed_1", where / "out/points/0002/seed_1.partial");
    ASSERT_EQ(run_program(where, sweep).status, 0);
    EXPECT_EQ(sweep_files(where / "out"), before);
    EXPECT_EQ(ended_runs(where / "out"), runs) << "it ran again";
}

TEST(sweep, a_configuration_that_changes_under_a_sweep_ends_it) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep",  "config.ini", "--vary", "traffic.rate=1..100:1",
                          "--jobs", "1",          "--out",  "out"};
    const process running(where, sweep);
    ASSERT_TRUE(wait_until([&] { return ended_runs(where / "out").size() > 1; }));
    where.write("config.ini", two_ms_queries + "[link]\nlatency = 3us\n");
    const outcome o = running.wait();
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.err.find("config.ini has changed since the sweep began"), std::string::npos) << o.err;
    where.write("config.ini", two_ms_queries);
    EXPECT_EQ(run_program(where, sweep).status, 0);
    EXPECT_EQ(ended_runs(where / "out").size(), 100U);
}

// --- signals and locks -----------------------------------------------------------------------------------

void expect_interrupted(int signal, int status) {
    const scratch_directory where;
    where.write("config.ini", two_ms_queries);
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=1..80:1", "--out"};
    const process running(where, combined(sweep, {"out"}));
    ASSERT_TRUE(wait_until([&] { return ended_runs(where / "out").size() > 2; }));
    running.send(signal);
    const outcome o = running.wait();
    EXPECT_EQ(o.status, status) << o.err;
    EXPECT_NE(o.err.find("interrupted; "), std::string::npos) << o.err;
    EXPECT_TRUE(is_free(where / "out"));
    for (const auto& file : sweep_files(where / "out")) {
        EXPECT_EQ(file.first.find(".partial"), std::string::npos) << file.first;
    }
    // What there is can be looked at, and says that it is not all.
    const json table = json_in(where / "out/sweep.json");
    EXPECT_EQ(table["complete"], false);
    EXPECT_EQ(table["runs"].size(), 80U);
    EXPECT_EQ(table["runs_done"], ended_runs(where / "out").size());
    ASSERT_EQ(run_program(where, combined(sweep, {"out"})).status, 0);
    ASSERT_EQ(run_program(where, combined(sweep, {"whole"})).status, 0);
    expect_same_sweeps(where / "whole", where / "out");
}

TEST(sweep, sigint_stops_it_and_it_goes_on_later) {
    expect_interrupted(SIGINT, 130);
}

TEST(sweep, sighup_stops_it_and_it_goes_on_later) {
    expect_interrupted(SIGHUP, 129);
}

TEST(sweep, sigterm_stops_it_and_it_goes_on_later) {
    expect_interrupted(SIGTERM, 143);
}

TEST(sweep, ends_its_runs_at_once_when_it_is_stopped) {
    const scratch_directory where;
    const process running(where, slow_sweep);
    ASSERT_TRUE(wait_until([&] { return fs::exists(where / "out/points/0001/seed_1.partial/effective.ini"); }));
    const auto before = std::chrono::steady_clock::now();
    running.send(SIGTERM);
    EXPECT_EQ(running.wait().status, 143);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
    EXPECT_TRUE(is_free(where / "out"));
    EXPECT_FALSE(fs::exists(where / "out/points/0001/seed_1.partial"));
}

TEST(sweep, two_sweeps_do_not_share_a_directory) {
    const scratch_directory where;
    const scratch_directory other;
    const process running(where, slow_sweep);
    ASSERT_TRUE(wait_until([&] { return fs::exists(where / "out/points/0001"); }));
    arguments second = slow_sweep;
    second.back() = (where / "out").string();
    const outcome o = run_program(other, second);
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("is in use by another sweep"), std::string::npos) << o.err;
    running.send(SIGKILL);
    running.wait();
}

TEST(sweep, runs_die_with_a_sweep_that_is_killed) {
    const scratch_directory where;
    const process running(where, slow_sweep);
    ASSERT_TRUE(wait_until([&] { return fs::exists(where / "out/points/0001/seed_1.partial/effective.ini"); }));
    EXPECT_FALSE(is_free(where / "out"));
    running.send(SIGKILL);
    running.wait();
    EXPECT_TRUE(wait_until([&] { return is_free(where / "out"); })) << "a run outlives its sweep";
}

}  // namespace
