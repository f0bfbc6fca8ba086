// Campaigns on several machines: by MPI, by a launcher such as a batch system's, by job arrays, on a network
// file system. Whoever makes the runs, and whoever is killed: the bytes are those of one machine that nobody
// disturbed.
#include <random>

#include "failing_disk.h"
#include "ranks_rig.h"
#include "support/errors_said.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

const std::string short_queries =
    "[run]\nduration = 500us\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n";
/// 60 points.
const arguments sixty{"sweep",  "config.ini",
                      "--vary", "traffic.rate=1000..10000:lin:10",
                      "--vary", "link.latency=1us..3us:1us",
                      "--vary", "switch.speedup=2,4"};
/// Two of four runs lose a frame of a lossless class, a verdict of the model.
const arguments failing{"sweep",
                        "--fabric.topology=racks",
                        "--fabric.racks=3",
                        "--fabric.hosts_per_rack=4",
                        "--fabric.roots=2",
                        "--link.rate=10Gbps",
                        "--traffic.kind=incast",
                        "--traffic.incast_bytes=2MB",
                        "--traffic.incast_rounds=1",
                        "--switch.scheme=fc",
                        "--pfc.xoff=39KB",
                        "--pfc.xon=3KB",
                        "--vary",
                        "switch.ingress_buffer=40KB,1MB",
                        "--seeds",
                        "2"};

class farm : public testing::Test {
 protected:
    void SetUp() override { m_where.write("config.ini", short_queries); }
    outcome run(const arguments& words, const std::string& out, const surroundings& around = {}) const {
        return run_program(m_where, combined(words, {"--out", out}), around);
    }
    /// A batch system that runs a job at once. As `bsub -K` it says something, gives the job another
    /// environment, keeps what it prints, ends it on SIGTERM, and has its exit status.
    arguments batch_system(const std::string& prologue = "") const {
        m_where.write("bsub", "#!/bin/sh\n" + prologue +
                                  "shift\necho Job 1 is submitted\necho Waiting for dispatch >&2\n"
                                  "trap 'kill $job; wait $job; exit 143' TERM\n"
                                  "env -i PATH=\"$PATH\" \"$@\" >>mail 2>&1 &\njob=$!\nwait $job\n");
        fs::permissions(m_where / "bsub", fs::perms::owner_all);
        return {"--launcher", "./bsub '-K'", "--jobs", "2"};
    }

    const scratch_directory m_where;
};

TEST_F(farm, ranks_make_the_runs_of_a_sweep_also_after_one_is_killed) {
    WEIR_NEEDS_MPIRUN();
    ASSERT_EQ(run(sixty, "local").status, 0);
    std::mt19937 chance(1);
    for (unsigned kills = 0; kills < 2; ++kills) {
        const process running(m_where, combined(sixty, {"--out", "ranks"}), as_ranks(3, 60));
        const auto ranks = ranks_of(running, 3);
        ASSERT_EQ(ranks.size(), 3U);
        const std::size_t before = ended_runs(m_where / "ranks").size();
        ASSERT_TRUE(wait_until([&] { return ended_runs(m_where / "ranks").size() > before + 5; }));
        std::this_thread::sleep_for(std::chrono::milliseconds(chance() % 50));
        ::kill(ranks.at(kills), SIGKILL);
        EXPECT_NE(running.wait().status, 0);
        for (const auto& [rank, id] : ranks) {
            EXPECT_TRUE(ends_within(std::chrono::seconds(5), id)) << rank;
        }
        ASSERT_TRUE(wait_until([&] { return is_free(m_where / "ranks"); }));
        EXPECT_LT(ended_runs(m_where / "ranks").size(), 60U);
    }
    const outcome last = run(sixty, "ranks", as_ranks(3, 60));
    EXPECT_EQ(last.status, 0) << last.err;
    expect_same_sweeps(m_where / "local", m_where / "ranks");
    EXPECT_EQ(json_in(m_where / "ranks/run.json")["sessions"].back()["jobs"], 3);
    for (const auto& [name, text] : ended_runs(m_where / "ranks")) {
        EXPECT_FALSE(nlohmann::json::parse(text).contains("ranks")) << name << " was made as ranks";
    }
}

TEST_F(farm, a_launcher_makes_the_runs_of_a_sweep_also_after_a_kill) {
    ASSERT_EQ(run(sixty, "local").status, 0);
    const arguments launched = combined(sixty, batch_system());
    const process running(m_where, combined(launched, {"--out", "farm"}));
    ASSERT_TRUE(wait_until([&] { return ended_runs(m_where / "farm").size() > 10; }));
    running.send(SIGKILL);
    running.wait();
    ASSERT_TRUE(wait_until([&] { return is_free(m_where / "farm"); })) << "a job outlives its sweep";
    EXPECT_LT(ended_runs(m_where / "farm").size(), 60U);
    const outcome last = run(launched, "farm");
    EXPECT_EQ(last.status, 0) << last.err;
    expect_same_sweeps(m_where / "local", m_where / "farm");
}

TEST_F(farm, verdicts_have_the_same_words_whoever_made_the_run) {
    const outcome local = run(failing, "local");
    ASSERT_EQ(local.status, 1) << local.err;
    ASSERT_TRUE(fs::exists(m_where / "local/points/0001/seed_1/failure.json")) << local.err;
    const outcome launched = run(combined(failing, batch_system()), "farm");
    EXPECT_EQ(launched.status, 1) << launched.err;
    expect_same_sweeps(m_where / "local", m_where / "farm");
    WEIR_NEEDS_MPIRUN();
    EXPECT_EQ(run(failing, "ranks", as_ranks(2, 60)).status, 1);
    expect_same_sweeps(m_where / "local", m_where / "ranks");
}

TEST_F(farm, ctrl_c_ends_the_jobs_of_a_launcher) {
    const process running(m_where,
                          combined(combined(sixty, batch_system()), {"--run.duration=100s", "--out", "farm"}));
    ASSERT_TRUE(
        wait_until([&] { return fs::exists(m_where / "farm/points/0001/seed_1.partial/effective.ini"); }));
    running.send(SIGINT);
    EXPECT_EQ(running.wait().status, 130);
    EXPECT_TRUE(is_free(m_where / "farm"));
    EXPECT_FALSE(fs::exists(m_where / "farm/points/0001/seed_1.partial"));
}

TEST_F(farm, a_launcher_that_fails_is_no_verdict) {
    for (const auto& [status, why] :
         {std::pair("1", "ended with exit status 1; the run left no verdict"),
          std::pair("255", "ended with exit status 255"), std::pair("143", "ended by signal 15")}) {
        const outcome ended = run(combined({"sweep", "config.ini", "--seeds", "1"},
                                           batch_system("exit " + std::string(status) + "\n")),
                                  "out");
        EXPECT_EQ(ended.status, 3) << ended.err;
        EXPECT_NE(ended.err.find("not finished: " + std::string(why) + "\n"), std::string::npos) << ended.err;
    }
    const outcome refused =
        run(combined({"sweep", "config.ini", "--seeds", "1"}, batch_system("echo no queue >&2\nexit 255\n")),
            "out");
    EXPECT_EQ(refused.status, 3) << refused.err;
    EXPECT_NE(refused.err.find("not finished: no queue"), std::string::npos) << refused.err;
}

// As `bsub` without -K, and `sbatch`.
TEST_F(farm, a_run_that_its_launcher_does_not_wait_for_is_not_finished) {
    const std::string why =
        "seed 1: not finished: it ended with exit status 0, and its directory holds no whole run; expected, "
        "with "
        "--launcher, a command that waits for the run, such as 'bsub -K'\n";
    const arguments sweep{"sweep", "config.ini", "--seeds", "1"};
    const outcome none = run(combined(sweep, {"--launcher", "true"}), "none");
    EXPECT_EQ(none.status, 3);
    EXPECT_NE(none.err.find(why), std::string::npos) << none.err;
    EXPECT_NE(none.err.find("1 of 1 runs did not finish"), std::string::npos) << none.err;
    EXPECT_EQ(run(sweep, "none").status, 0);
    // One that goes on keeps its directory.
    const std::string begun = "out/points/0001/seed_1.partial/effective.ini";
    m_where.write("submit", "#!/bin/sh\n\"$@\" >/dev/null 2>&1 &\necho $! >job\nwhile [ ! -e " + begun +
                                " ]; do sleep 0.01; done\n");
    fs::permissions(m_where / "submit", fs::perms::owner_all);
    const outcome early = run(combined(sweep, {"--run.duration=100s", "--launcher", "./submit"}), "out");
    EXPECT_TRUE(fs::exists(m_where / begun));
    ::kill(std::stoi(contents(m_where / "job")), SIGTERM);
    EXPECT_TRUE(wait_until([&] { return is_free(m_where / "out"); }));
    EXPECT_EQ(early.status, 3);
    EXPECT_NE(early.err.find(why), std::string::npos) << early.err;
}

TEST_F(farm, searches_come_to_the_same_answer) {
    WEIR_NEEDS_MPIRUN();
    const arguments search{"size",         "config.ini",
                           "--goal",       "drops = 0",
                           "--smallest",   "switch.egress_buffer=10KiB,20KiB,40KiB",
                           "--curve",      "3",
                           "--curve-runs", "4",
                           "--confidence", "80%"};
    const outcome local = run(search, "local");
    const outcome ranks = run(search, "ranks", as_ranks(3, 60));
    const outcome launched = run(combined(search, batch_system()), "farm");
    ASSERT_EQ(local.status, 0) << local.err;
    EXPECT_EQ(ranks.status, 0) << ranks.err;
    EXPECT_EQ(launched.status, 0) << launched.err;
    expect_same_sweeps(m_where / "local", m_where / "ranks");
    expect_same_sweeps(m_where / "local", m_where / "farm");
}

// As a job array does it.
TEST_F(farm, points_are_made_side_by_side_and_collected) {
    const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=1000..8000:1000", "--seeds", "2"};
    const outcome local = run(sweep, "local");
    ASSERT_EQ(local.status, 0);
    std::vector<std::unique_ptr<process>> jobs;
    for (const char* points : {"1", "2", "3..4", "6,5", "7"}) {
        jobs.push_back(
            std::make_unique<process>(m_where, combined(sweep, {"--point", points, "--out", "array"})));
    }
    for (const auto& job : jobs) {
        const outcome o = job->wait();
        EXPECT_EQ(o.status, 0) << o.err;
    }
    EXPECT_FALSE(fs::exists(m_where / "array/sweep.csv"));
    const outcome early = run(combined(sweep, {"--collect"}), "array");
    EXPECT_EQ(early.status, 3);
    EXPECT_NE(early.err.find("2 of 16 runs are missing; --point, or the command without --collect, makes them"),
              std::string::npos)
        << early.err;
    const outcome last = run(combined(sweep, {"--point", "8"}), "array");
    EXPECT_EQ(last.out, "2 runs done, 0 failed, of 1 point of 8; --collect makes the tables\n") << last.err;
    const outcome collected = run(combined(sweep, {"--collect"}), "array");
    EXPECT_EQ(collected.status, 0) << collected.err;
    expect_same_sweeps(m_where / "local", m_where / "array");
    const nlohmann::json facts = json_in(m_where / "array/run.json");
    EXPECT_EQ(facts["sessions"].size(), 6U);
    for (const auto& session : facts["sessions"]) {
        EXPECT_EQ(session["outcome"], "ended");
    }
}

TEST_F(farm, a_whole_sweep_and_some_of_its_points_do_not_go_together) {
    const arguments sweep{"sweep", "config.ini", "--run.duration=100s", "--seeds", "1"};
    const process point(m_where, combined(sweep, {"--point", "1", "--out", "out"}));
    ASSERT_TRUE(
        wait_until([&] { return fs::exists(m_where / "out/points/0001/seed_1.partial/effective.ini"); }));
    const outcome whole = run(sweep, "out");
    EXPECT_EQ(whole.status, 2);
    EXPECT_TRUE(has_error(whole.err, "--out: out, in use"));
    const outcome again = run(combined(sweep, {"--point", "1"}), "out");
    EXPECT_EQ(again.status, 3);
    EXPECT_NE(again.err.find("seed_1.partial: is in use"), std::string::npos) << again.err;
    point.send(SIGTERM);
    EXPECT_EQ(point.wait().status, 143);
}

struct refused_farm {
    const char* name;
    arguments words;
    std::string message;
};
std::ostream& operator<<(std::ostream& to, const refused_farm& of) {
    return to << of.name;
}
class farm_with_bad_input : public farm, public testing::WithParamInterface<refused_farm> {};
TEST_P(farm_with_bad_input, is_refused) {
    const outcome o =
        run(combined({"sweep", "config.ini", "--vary", "switch.speedup=1,2,3"}, GetParam().words), "out");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(errors_are(o.err, {"command line: " + GetParam().message}));
    EXPECT_FALSE(fs::exists(m_where / "out"));
}
const refused_farm refusals_of_farms[] = {
    {"backslash", {"--launcher", "bsub \\"}, "--launcher: bsub \\, backslash, bsub -K -q short"},
    {"an_open_quote", {"--launcher", "bsub -J 'weir"}, "--launcher: bsub -J 'weir, quote, bsub -K -q short"},
    {"no_program", {"--launcher", "no_such_program -K"}, "--launcher: no_such_program, PATH, bsub -K -q short"},
    {"no_file", {"--launcher", "./config.ini"}, "--launcher: ./config.ini, can be run, bsub -K -q short"},
    {"collect_with_launcher", {"--launcher", "env", "--collect"}, "--launcher: --collect"},
    {"collect_of_nothing", {"--collect"}, "--out: out, no runs"},
    {"nothing", {"--launcher", " "}, "--launcher: bsub -K -q short, empty"},
    {"point_0", {"--point", "0"}, "--point: 0, 1 to 3, 1, 1..3"},
    {"point_4", {"--point", "2..4"}, "--point: 2..4, 1 to 3, 1, 1..3"},
    {"point_x", {"--point", "x"}, "--point: x, 1 to 3, 1, 1..3"},
    {"point_twice", {"--point", "1,1"}, "--point: 1,1, 1 to 3, 1, 1..3"},
    {"both", {"--point", "1", "--collect"}, "--point: --collect"},
    {"plot", {"--point", "1", "--plot", "drops.total"}, "--plot: --point, --collect"},
};
INSTANTIATE_TEST_SUITE_P(all, farm_with_bad_input, testing::ValuesIn(refusals_of_farms),
                         [](const auto& of) { return std::string(of.param.name); });

TEST_F(farm, a_launcher_is_refused_under_mpirun) {
    WEIR_NEEDS_MPIRUN();
    const outcome o = run({"sweep", "config.ini", "--seeds", "1", "--launcher", "env"}, "out", as_ranks(2, 60));
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(errors_are(said_by_ranks(o.err), {"command line: --launcher: mpirun"}));
    EXPECT_FALSE(fs::exists(m_where / "out"));
}

// The run's rank says so to rank 0, which would wait for it.
TEST_F(farm, a_rank_that_cannot_read_what_its_run_wrote_does_not_hang_the_others) {
    WEIR_NEEDS_MPIRUN();
    m_where.write("each",
                  "#!/bin/sh\nif [ $OMPI_COMM_WORLD_RANK = 1 ]; then export LD_PRELOAD=" WEIR_FAILING_DISK
                  " WEIR_FAIL=pread:5:memfd; fi\nexec \"$@\"\n");
    surroundings around = as_ranks(2, 60);
    around.starter = {"sh", "each"};
    const outcome o = run({"sweep", "config.ini", "--vary", "switch.speedup=1,2,3,4"}, "out", around);
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.err.find("not finished: "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("what a process wrote cannot be read: Input/output error"), std::string::npos)
        << o.err;
}

TEST_F(farm, commands_of_one_process_are_refused_under_mpirun) {
    WEIR_NEEDS_MPIRUN();
    ASSERT_EQ(run({"run", "config.ini"}, "out").status, 0);
    const outcome o = run({"plot", "out"}, "pictures", as_ranks(2, 60));
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "weir plot: 2, mpirun"));
    EXPECT_FALSE(fs::exists(m_where / "pictures"));
}

TEST_F(farm, bad_input_of_ranks_is_said_once) {
    WEIR_NEEDS_MPIRUN();
    const outcome o = run({"sweep", "config.ini", "--vary", "switch.speedup=x"}, "out", as_ranks(3, 60));
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(count_errors(o.err, "switch.speedup: x, whole number"), 1) << o.err;
}

TEST_F(farm, directories_are_locked_on_nfs_too) {
    surroundings nfs = loaded_before(WEIR_FAILING_DISK);
    nfs.environment["WEIR_NFS"] = "1";
    const arguments sweep{"sweep", "config.ini", "--vary", "switch.speedup=2,4", "--seeds", "2"};
    ASSERT_EQ(run(sweep, "local").status, 0);
    const outcome o = run(sweep, "nfs", nfs);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(fs::exists(m_where / "nfs/.lock"));
    const outcome again = run(sweep, "nfs", nfs);
    EXPECT_EQ(again.status, 0) << again.err;

    const arguments endless{"config.ini", "--run.duration=100s", "--run.progress=off"};
    const process first(m_where, combined(combined({"run"}, endless), {"--out", "run"}), nfs);
    ASSERT_TRUE(wait_until([&] { return fs::exists(m_where / "run/effective.ini"); }));
    const outcome second = run(combined({"run"}, endless), "run", nfs);
    EXPECT_EQ(second.status, 2) << second.err;
    EXPECT_TRUE(has_error(second.err, "in use"));
    first.send(SIGTERM);
    EXPECT_EQ(first.wait().status, 143);

    const process sweeping(m_where,
                           combined(combined({"sweep"}, {"config.ini", "--run.duration=100s", "--seeds", "1"}),
                                    {"--out", "sweeping"}),
                           nfs);
    ASSERT_TRUE(wait_until([&] { return fs::exists(m_where / "sweeping/points"); }));
    const outcome other = run({"sweep", "config.ini", "--run.duration=100s", "--seeds", "1"}, "sweeping", nfs);
    EXPECT_EQ(other.status, 2) << other.err;
    EXPECT_NE(other.err.find("is in use by another sweep"), std::string::npos) << other.err;
    sweeping.send(SIGTERM);
    EXPECT_EQ(sweeping.wait().status, 143);
}

}  // namespace
