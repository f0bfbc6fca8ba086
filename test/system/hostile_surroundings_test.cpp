// Commands in surroundings that no user means: clocks that jump, standard streams that are closed, a disk that
// is full, a directory that is taken away, no gnuplot.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <csignal>

#include "failing_disk.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

const std::string four_hosts =
    "[run]\nduration = 1ms\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n";
const arguments run{"run", "config.ini", "--output.flows=true", "--out"};
const arguments sweep{"sweep", "config.ini", "--vary", "traffic.rate=4000,5000", "--jobs", "1", "--out"};
const arguments size{"size",
                     "config.ini",
                     "--switch.scheme=detail",
                     "--goal",
                     "p50 fct <= 1s in 50% of runs",
                     "--smallest",
                     "switch.ingress_buffer=64KiB,128KiB",
                     "--out"};

class hostile_surroundings : public testing::Test {
 protected:
    hostile_surroundings() { m_where.write("config.ini", four_hosts); }
    outcome weir(const arguments& command, const std::string& out, surroundings around = {}) const {
        around.seconds = 60;
        return run_program(m_where, combined(command, {out}), around);
    }
    static surroundings jumping_clock() { return loaded_before(WEIR_JUMPING_CLOCK); }

    scratch_directory m_where;
};

TEST_F(hostile_surroundings, clocks_that_jump_by_days_change_no_byte_and_hold_nothing_up) {
    for (const arguments& command : {run, sweep, size}) {
        SCOPED_TRACE(command[0]);
        EXPECT_EQ(weir(command, command[0]).status, 0);
        const outcome jumped = weir(command, command[0] + "_jumped", jumping_clock());
        EXPECT_EQ(jumped.status, 0) << jumped.err;
        // The clock of the progress jumps too, so that there is some.
        EXPECT_EQ(jumped.err.rfind("progress: ", 0), 0U) << jumped.err;
        for (const char* wrong : {"nan", "inf", "-"}) {
            EXPECT_EQ(jumped.err.find(wrong), std::string::npos) << jumped.err;
        }
        expect_same_sweeps(m_where / command[0], m_where / (command[0] + "_jumped"));
    }
}

// Files would get the places of the streams, and progress, notes and results be written into them.
TEST_F(hostile_surroundings, nothing_is_written_into_a_file_that_has_the_place_of_a_closed_stream) {
    for (const arguments& command : {run, sweep}) {
        EXPECT_EQ(weir(command, command[0]).status, 0);
        for (const std::vector<int>& closed : std::vector<std::vector<int>>{{1}, {2}, {1, 2}, {0, 1, 2}}) {
            const std::string out = command[0] + std::to_string(closed.size()) + std::to_string(closed.back());
            SCOPED_TRACE(out);
            surroundings around = jumping_clock();
            around.closed_streams = closed;
            const outcome o = weir(command, out, around);
            const bool has_output = std::find(closed.begin(), closed.end(), 1) == closed.end();
            EXPECT_EQ(o.status, has_output ? 0 : 3) << o.err;
            expect_same_sweeps(m_where / command[0], m_where / out);
        }
    }
}

TEST_F(hostile_surroundings,
       a_pipe_that_nobody_reads_is_status_3_where_sigpipe_is_ignored_and_files_are_whole) {
    surroundings around;
    around.broken_pipe = true;
    around.ignored_signal = SIGPIPE;
    for (const arguments& command : {run, sweep}) {
        EXPECT_EQ(weir(command, command[0]).status, 0);
        const outcome o = weir(command, command[0] + "_piped", around);
        EXPECT_EQ(o.status, 3);
        EXPECT_NE(o.err.find("weir: standard output cannot be written\n"), std::string::npos) << o.err;
        expect_same_sweeps(m_where / command[0], m_where / (command[0] + "_piped"));
    }
    // As every command of a pipeline.
    around.ignored_signal = 0;
    EXPECT_EQ(weir(run, "run_killed", around).status, 1000 + SIGPIPE);
    expect_same_sweeps(m_where / "run", m_where / "run_killed");
}

/// A disk of this size at `where / "disk"`; false where the system does not allow it.
bool mount_disk(const scratch_directory& where, const std::string& bytes) {
    fs::create_directory(where / "disk");
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("weir_test", (where / "disk").c_str(), "tmpfs", 0, ("size=" + bytes).c_str()) == 0;
}

TEST_F(hostile_surroundings, a_disk_that_is_full_at_any_point_is_status_3_and_names_the_file) {
    if (!mount_disk(m_where, "1m")) {
        GTEST_SKIP() << "no disk can be mounted here (a user namespace without that right)";
    }
    EXPECT_EQ(weir(run, "made").status, 0);
    const arguments plot{"plot", "made", "--out"};
    const arguments report{"report", "made", "--out"};
    for (const arguments& command : {run, sweep, size, plot, report}) {
        const bool is_page = command[0] == "report";
        const std::string whole_name = is_page ? command[0] + ".html" : command[0];
        ASSERT_EQ(weir(command, whole_name).status, 0);
        const auto whole = is_page
                               ? std::map<std::string, std::string>{{"x.html", contents(m_where / whole_name)}}
                               : sweep_files(m_where / whole_name);
        for (const std::uintmax_t free_bytes : {0, 4'096, 16'384, 40'960, 65'536, 131'072}) {
            SCOPED_TRACE(command[0] + " with " + std::to_string(free_bytes) + " B left");
            fs::remove_all(m_where / "disk/out");
            fs::create_directory(m_where / "disk/out");
            const std::uintmax_t available = fs::space(m_where / "disk").available;
            m_where.write("disk/filler", std::string(available - free_bytes, 'x'));
            const outcome o = weir(command, is_page ? "disk/out/x.html" : "disk/out");
            fs::remove(m_where / "disk/filler");
            EXPECT_TRUE(o.status == 3 || (o.status == 0 && free_bytes > 0)) << o.status;
            EXPECT_TRUE(o.status == 0 || o.err.find("No space left on device") != std::string::npos) << o.err;
            const auto left = sweep_files(m_where / "disk/out");
            // Of a sweep some of whose runs are missing: sweep.json says so, and the tables over all runs,
            // beside it, have fewer lines. Those of the runs are whole.
            const bool incomplete = std::any_of(left.begin(), left.end(), [](const auto& file) {
                return file.second.find("\"complete\": false") != std::string::npos;
            });
            for (const auto& [name, text] : left) {
                const bool partial = name.find(".partial") != std::string::npos;
                const bool lacks_runs = incomplete && name.find('/') == std::string::npos;
                EXPECT_TRUE(partial || lacks_runs || (whole.count(name) == 1 && whole.at(name) == text))
                    << name << " of " << text.size() << " B looks whole";
            }
        }
    }
}

TEST_F(hostile_surroundings, a_disk_that_is_read_only_is_status_3_and_keeps_what_there_is) {
    if (!mount_disk(m_where, "1m")) {
        GTEST_SKIP() << "no disk can be mounted here (a user namespace without that right)";
    }
    EXPECT_EQ(weir(run, "disk/made").status, 0);
    EXPECT_EQ(weir(sweep, "disk/swept").status, 0);
    const auto before = sweep_files(m_where / "disk");
    ASSERT_EQ(::mount(nullptr, (m_where / "disk").c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
    const arguments plot{"plot", "disk/made", "--out"};
    const arguments report{"report", "disk/made", "--out"};
    for (const auto& [command, out] : {std::pair{run, "disk/out"},
                                       {run, "disk/made"},
                                       {sweep, "disk/out"},
                                       {sweep, "disk/swept"},
                                       {size, "disk/out"},
                                       {plot, "disk/out"},
                                       {report, "disk/x.html"}}) {
        SCOPED_TRACE(command[0] + " into " + out);
        const outcome o = weir(command, out);
        EXPECT_EQ(o.status, 3) << o.err;
        // The directory that it would be made in, or a file.
        EXPECT_TRUE(o.err.find(out) != std::string::npos ||
                    o.err.find("/disk: cannot be written: ") != std::string::npos)
            << o.err;
        EXPECT_NE(o.err.find("Read-only file system"), std::string::npos) << o.err;
    }
    EXPECT_TRUE(sweep_files(m_where / "disk") == before);
}

TEST_F(hostile_surroundings, a_directory_that_is_moved_or_removed_under_way_is_status_3) {
    for (const auto& [words, moved] : {std::pair{run, true}, {run, false}, {sweep, true}, {sweep, false}}) {
        arguments command = words;
        const bool is_moved = moved;
        SCOPED_TRACE(command[0] + (is_moved ? ", moved" : ", removed"));
        const bool is_run = command[0] == "run";
        command.insert(command.end() - 1, is_run ? "--run.duration=1000s" : "--run.duration=200ms");
        const process running(m_where, combined(command, {"out"}));
        // Once it writes lines of results, a signal is no longer the end of the process.
        ASSERT_TRUE(wait_until([&] {
            std::error_code none_yet;
            return is_run ? fs::file_size(m_where / "out/flows.csv.partial", none_yet) > 0 && !none_yet
                          : fs::exists(m_where / "out/points/0001/seed_1.partial/effective.ini");
        }));
        // A sweep may make a file while they are removed.
        ASSERT_TRUE(wait_until([&] {
            std::error_code not_yet;
            is_moved ? fs::rename(m_where / "out", m_where / "taken", not_yet)
                     : static_cast<void>(fs::remove_all(m_where / "out", not_yet));
            return !not_yet;
        }));
        if (is_run) {
            running.send(SIGTERM);
        }
        const outcome o = running.wait();
        EXPECT_EQ(o.status, 3) << o.err;
        EXPECT_NE(o.err.find("No such file or directory"), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(m_where / "taken/summary.json") || fs::exists(m_where / "taken/sweep.json"));
        EXPECT_EQ(weir(is_run ? run : sweep, "again").status, 0);
        fs::remove_all(m_where / "taken");
        fs::remove_all(m_where / "again");
        fs::remove_all(m_where / "out");
    }
}

TEST_F(hostile_surroundings, without_gnuplot_all_but_the_pictures_is_there_and_the_status_is_3) {
    EXPECT_EQ(weir(sweep, "sweep").status, 0);
    EXPECT_EQ(weir(size, "whole").status, 0);
    surroundings around;
    around.environment = {{"PATH", "/nowhere"}};
    const outcome searched = weir(size, "size", around);
    EXPECT_NE(searched.out.find("smallest switch.ingress_buffer: 64KiB, met"), std::string::npos);
    const outcome drawn =
        weir({"plot", "sweep", "--metric", "jct_ns.p50", "--over", "traffic.rate", "--out"}, "plots", around);
    for (const outcome& o : {searched, drawn}) {
        EXPECT_EQ(o.status, 3);
        EXPECT_NE(o.err.find("gnuplot is not installed; the scripts in "), std::string::npos) << o.err;
    }
    auto files = sweep_files(m_where / "size");
    for (const auto& [name, text] : sweep_files(m_where / "whole")) {
        EXPECT_TRUE(name.rfind("plots/", 0) == 0 || files[name] == text) << name;
    }
}

}  // namespace
