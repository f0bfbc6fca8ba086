// What is not the model's and not the user's fault: a disk that fails, memory and threads that are missing.
// Every command says so with exit status 3, and none leaves what looks whole; a path that is wrong is bad
// input.
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <sstream>

#include "failing_disk.h"
#include "support/errors_said.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

const std::string four_hosts =
    "[run]\nduration = 1ms\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n";
const arguments run{"run", "config.ini", "--output.flows=true", "--out", "out"};
const arguments two_rates{"sweep", "config.ini", "--vary", "traffic.rate=4000,5000", "--out", "out"};
const arguments size{"size",
                     "config.ini",
                     "--switch.scheme=detail",
                     "--goal",
                     "p50 fct <= 1s in 50% of runs",
                     "--smallest",
                     "switch.ingress_buffer=64KiB,128KiB",
                     "--out",
                     "out"};
const arguments bench{"bench", "udp", "--fabric.k=4", "--repeat=1", "--threads=1", "--out", "out"};
const arguments replay{"replay",       "islip", "--requests", "requests.csv",
                       "--iterations", "1",     "--out",      "out/file"};
/// After `run --out made`.
const arguments plot{"plot", "made", "--format", "svg", "--out", "out"};

void prepare(const scratch_directory& where) {
    where.write("config.ini", four_hosts);
    where.write("requests.csv", "slot,in0\n0,1\n");
    ASSERT_EQ(run_program(where, {"run", "config.ini", "--out", "made"}).status, 0);
}

void expect_failure(const scratch_directory& where, const arguments& command, const std::string& what,
                    const std::string& said) {
    SCOPED_TRACE(command[0] + " with " + what);
    const outcome o = run_program(where, command, failing_disk(what));
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find(said), std::string::npos) << o.err;
}

TEST(environment, a_directory_that_the_disk_refuses_is_status_3_for_every_command) {
    const scratch_directory where;
    prepare(where);
    for (const arguments& command : {run, two_rates, size, bench, plot}) {
        for (const auto& [error, reason] :
             {std::pair(ENOSPC, "No space left on device"), std::pair(EACCES, "Permission denied"),
              std::pair(EROFS, "Read-only file system"), std::pair(EIO, "Input/output error"),
              std::pair(ENOMEM, "Cannot allocate memory")}) {
            expect_failure(where, command, "mkdir:" + std::to_string(error) + ":out",
                           std::string("out: cannot be created: ") + reason);
            EXPECT_FALSE(fs::exists(where / "out"));
        }
    }
}

TEST(environment, a_file_that_the_disk_refuses_is_status_3_for_every_command) {
    const scratch_directory where;
    prepare(where);
    fs::create_directory(where / "out");
    const std::vector<std::pair<arguments, std::string>> commands{
        {run, "summary.json"}, {two_rates, "plan.json"}, {size, "search.json"},
        {bench, "bench.json"}, {replay, "out/file"},     {plot, "plot"}};
    for (const auto& [command, file] : commands) {
        fs::remove_all(where / "out");
        if (command[0] == "replay") {
            fs::create_directory(where / "out");
        }
        const std::string which = command[0] == "plot" ? ".dat" : file;
        for (const std::string call : {"open", "fsync", "close", "rename"}) {
            expect_failure(where, command, call + ":" + std::to_string(EIO) + ":" + which,
                           "Input/output error");
            EXPECT_FALSE(fs::exists(where / "out" / file)) << command[0] << call;
        }
    }
}

TEST(environment, a_directory_that_may_not_be_written_is_status_3_before_anything_is_done) {
    const scratch_directory where;
    prepare(where);
    for (const arguments& command : {run, two_rates, size}) {
        expect_failure(where, command, "access:" + std::to_string(EACCES) + ":",
                       ": cannot be written: Permission denied");
        EXPECT_FALSE(fs::exists(where / "out"));
    }
}

TEST(environment, a_directory_whose_permissions_forbid_it_is_status_3_and_stays_empty) {
    const scratch_directory where;
    prepare(where);
    surroundings unprivileged;
    if (::geteuid() == 0) {
        // Permissions do not apply to root unless it has lost its capabilities.
        unprivileged.starter = {"setpriv", "--inh-caps=-all", "--bounding-set=-all"};
    }
    const fs::path closed = where / "closed";
    for (arguments command : {run, two_rates, size, bench, plot}) {
        for (const fs::perms allowed : {fs::perms::owner_read | fs::perms::owner_exec, fs::perms::none}) {
            fs::create_directory(closed);
            fs::permissions(closed, allowed);
            for (const std::string out : {"closed", "closed/below"}) {
                SCOPED_TRACE(command[0] + " --out " + out);
                command.back() = out;
                const outcome o = run_program(where, command, unprivileged);
                EXPECT_EQ(o.status, 3) << o.err;
                EXPECT_NE(o.err.find("closed"), std::string::npos) << o.err;
                EXPECT_NE(o.err.find(": Permission denied"), std::string::npos) << o.err;
            }
            fs::permissions(closed, fs::perms::owner_all);
            EXPECT_TRUE(fs::is_empty(closed));
            fs::remove_all(closed);
        }
    }
}

TEST(environment, an_earlier_file_that_can_not_be_removed_is_status_3) {
    const scratch_directory where;
    prepare(where);
    for (const arguments& command : {run, two_rates, size, plot}) {
        fs::remove_all(where / "out");
        if (command[0] == "plot") {
            fs::create_directory(where / "out");
            where.write("out/job_completion_cdf.dat", "");
        } else {
            ASSERT_EQ(run_program(where, command).status, 0) << command[0];
        }
        // One that goes on makes its tables anew once a run is missing.
        fs::remove_all(where / "out/points/0001");
        expect_failure(where, command, "remove:" + std::to_string(EROFS) + ":out/",
                       "cannot be removed: Read-only file system");
    }
}

TEST(environment, a_path_that_is_wrong_is_bad_input_that_names_the_option) {
    const scratch_directory where;
    prepare(where);
    where.write("file", "");
    for (arguments command : {run, two_rates, size, bench, replay, plot}) {
        for (const std::string& out : {std::string("file/below"), std::string(300, 'x') + "/y"}) {
            SCOPED_TRACE(command[0] + " --out " + out);
            command.back() = out;
            const outcome o = run_program(where, command);
            EXPECT_EQ(o.status, 2) << o.err;
            EXPECT_NE(o.err.find("command line: --out: "), std::string::npos) << o.err;
        }
    }
    arguments missing = replay;
    missing.back() = "nowhere/file";
    const outcome o = run_program(where, missing);
    EXPECT_EQ(o.status, 2) << o.err;
    EXPECT_TRUE(has_error(o.err, "command line: --out: nowhere/file, nowhere, not a directory"));
}

/// Calls of a run, each with the last part of its path.
std::vector<std::string> calls_of(const fs::path& log) {
    std::vector<std::string> calls;
    std::istringstream lines(contents(log));
    for (std::string line; std::getline(lines, line);) {
        const std::string call = line.substr(0, line.find(' '));
        if (call == "fsync" || call == "rename") {
            calls.push_back(call + " " + fs::path(line.substr(call.size() + 1)).filename().string());
        }
    }
    return calls;
}

/// Every file is on the disk before it takes its name, and all names are on the disk at the end.
void expect_synchronised(const std::vector<std::string>& calls, const std::string& directory) {
    std::ptrdiff_t last_name = -1;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].rfind("rename ", 0) == 0) {
            const std::string before = "fsync " + calls[i].substr(7) + ".partial";
            const auto end = calls.begin() + static_cast<std::ptrdiff_t>(i);
            EXPECT_NE(std::find(calls.begin(), end, before), end) << calls[i] << " before it is on the disk";
            last_name = static_cast<std::ptrdiff_t>(i);
        }
    }
    EXPECT_GE(last_name, 0) << "no file";
    EXPECT_NE(std::find(calls.begin() + last_name + 1, calls.end(), "fsync " + directory), calls.end())
        << "the names may be lost";
}

TEST(environment, a_runs_files_are_on_the_disk_before_they_have_their_names_and_the_names_at_the_end) {
    const scratch_directory where;
    prepare(where);
    const std::string log = (where / "calls.txt").string();
    ASSERT_EQ(run_program(where, run, failing_disk("", log)).status, 0);
    const std::vector<std::string> calls = calls_of(log);
    expect_synchronised(calls, "out");
    // A summary must not be found without the tables that it sums up.
    const auto summary = std::find(calls.begin(), calls.end(), "rename summary.json");
    const auto last_name = std::find_if(std::make_reverse_iterator(summary), calls.rend(),
                                        [](const std::string& call) { return call.rfind("rename ", 0) == 0; });
    EXPECT_NE(std::find(last_name.base(), summary, "fsync out"), summary);
    for (const auto& file : results_in(where / "out")) {
        EXPECT_NE(std::find(calls.begin(), calls.end(), "fsync " + file.first + ".partial"), calls.end())
            << file.first;
    }
}

TEST(environment, the_files_of_sweeps_searches_and_replays_are_on_the_disk_too) {
    const scratch_directory where;
    prepare(where);
    const std::string log = (where / "calls.txt").string();
    for (const arguments& command : {two_rates, size, replay}) {
        SCOPED_TRACE(command[0]);
        fs::remove_all(where / "out");
        fs::remove(log);
        if (command[0] == "replay") {
            fs::create_directory(where / "out");
        }
        ASSERT_EQ(run_program(where, command, failing_disk("", log)).status, 0);
        std::vector<std::string> calls = calls_of(log);
        // A run's directory takes its name when all in it is there; pictures have a directory of their own.
        const auto elsewhere = [](const std::string& call) {
            return call == "rename seed_1" || call.rfind("rename curve.dat") == 0 ||
                   call.rfind("rename curve.gp") == 0;
        };
        calls.erase(std::remove_if(calls.begin(), calls.end(), elsewhere), calls.end());
        expect_synchronised(calls, "out");
    }
}

// --- memory and threads ----------------------------------------------------------------------------------

/// A sanitizer takes more memory than there is.
bool has_limits() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}
/// Unit: B.
constexpr std::uintmax_t little = 200'000'000;
surroundings with_little_memory() {
    surroundings around;
    around.address_space = little;
    return around;
}

TEST(environment, a_run_without_memory_is_status_3) {
    if (!has_limits()) {
        GTEST_SKIP() << "not with a sanitizer";
    }
    const scratch_directory where;
    const outcome o = run_program(where,
                                  {"run", "--fabric.topology=fat_tree", "--fabric.k=40", "--traffic.kind=query",
                                   "--run.duration=1ms", "--out", "out"},
                                  with_little_memory());
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("out of memory"), std::string::npos) << o.err;
}

TEST(environment, a_run_without_threads_is_status_3_and_says_how_many_there_are) {
    if (!has_limits()) {
        GTEST_SKIP() << "not with a sanitizer";
    }
    const scratch_directory where;
    where.write("config.ini", four_hosts);
    const outcome o =
        run_program(where, combined(run, {"--run.threads=200", "--run.thread_grain=0"}), with_little_memory());
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("run.threads = 200: expected up to "), std::string::npos) << o.err;
}

TEST(environment, a_sweeps_run_that_lacked_memory_is_left_open_and_the_same_command_fills_the_hole) {
    if (!has_limits()) {
        GTEST_SKIP() << "not with a sanitizer";
    }
    const scratch_directory where;
    where.write("config.ini", four_hosts);
    // Of the two fabrics one is too large.
    const arguments sizes{"sweep",
                          "config.ini",
                          "--fabric.topology=fat_tree",
                          "--vary",
                          "fabric.k=4,40",
                          "--run.duration=2us",
                          "--seeds",
                          "2",
                          "--jobs",
                          "1",
                          "--out"};
    const outcome o = run_program(where, combined(sizes, {"holes"}), with_little_memory());
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("fabric.k=40, seed 1: not finished: weir: out of memory"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("2 of 4 runs did not finish"), std::string::npos) << o.err;
    const nlohmann::json table = json_in(where / "holes/sweep.json");
    EXPECT_EQ(table["complete"], false);
    EXPECT_EQ(table["runs"][2]["state"], "missing");
    const auto done = ended_runs(where / "holes");
    EXPECT_EQ(done.size(), 2U);
    ASSERT_EQ(run_program(where, combined(sizes, {"holes"})).status, 0);
    ASSERT_EQ(run_program(where, combined(sizes, {"whole"})).status, 0);
    expect_same_sweeps(where / "whole", where / "holes");
    for (const auto& [name, run_json] : done) {
        EXPECT_EQ(ended_runs(where / "holes").at(name), run_json) << "it ran again";
    }
}

/// As the system does where memory runs out.
TEST(environment, a_sweeps_run_that_was_killed_is_left_open_and_the_same_command_fills_the_hole) {
    const scratch_directory where;
    where.write("config.ini", four_hosts);
    const arguments rates{"sweep",  "config.ini", "--vary", "traffic.rate=4000,5000", "--run.duration=1s",
                          "--jobs", "1",          "--out"};
    const process running(where, combined(rates, {"holes"}));
    pid_t child = 0;
    const fs::path children =
        "/proc/" + std::to_string(running.id()) + "/task/" + std::to_string(running.id()) + "/children";
    ASSERT_TRUE(wait_until([&] {
        return fs::exists(where / "holes/points/0001/seed_1.partial/effective.ini") &&
               std::istringstream(contents(children)) >> child;
    }));
    ::kill(child, SIGKILL);
    const outcome o = running.wait();
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("traffic.rate=4000, seed 1: not finished: ended by signal 9"), std::string::npos)
        << o.err;
    EXPECT_EQ(ended_runs(where / "holes").size(), 1U);
    ASSERT_EQ(run_program(where, combined(rates, {"holes"})).status, 0);
    ASSERT_EQ(run_program(where, combined(rates, {"whole"})).status, 0);
    expect_same_sweeps(where / "whole", where / "holes");
}

TEST(environment, a_search_whose_run_lacked_threads_is_status_3_and_goes_on) {
    if (!has_limits()) {
        GTEST_SKIP() << "not with a sanitizer";
    }
    const scratch_directory where;
    where.write("config.ini", four_hosts);
    const arguments threads = combined(size, {"--run.threads=200", "--run.thread_grain=0"});
    const outcome o = run_program(where, threads, with_little_memory());
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("the same command goes on with the runs that have not ended"), std::string::npos)
        << o.err;
    EXPECT_EQ(run_program(where, threads).status, 0);
}

}  // namespace
