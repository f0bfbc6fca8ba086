// `weir bench` as its user runs it.
#include <gtest/gtest.h>

#include <algorithm>

#include <cstdlib>

#include "program.h"
#include "support/errors_said.h"

using namespace weir::test;
using nlohmann::json;

namespace {

json json_rows_of(const fs::path& directory) {
    return json::parse(contents(directory / "bench.json")).at("cases").at(0).at("rows");
}

TEST(bench, measures_the_run_that_it_says_it_measures) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"bench", "tcp", "--fabric.k=4", "--repeat=2", "--threads=1,2", "--out", "b"});
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("speed-up"), std::string::npos) << o.out;
    const outcome direct =
        run_program(where, {"run", WEIR_GOLDEN_DIR "/../../tb/experiments/bench/permutation_tcp.ini",
                            "--fabric.k=4", "--run.duration=3ms", "--out", "direct"});
    ASSERT_EQ(direct.status, 0) << direct.err;
    const json rows = json_rows_of(where / "b");
    ASSERT_EQ(rows.size(), 2U);
    for (const json& row : rows) {
        ASSERT_EQ(row.at("samples").size(), 2U);
        for (const json& sample : row.at("samples")) {
            EXPECT_EQ(sample.at("packet_hops"), summary_of(where / "direct").at("packet_hops"));
            EXPECT_GE(sample.at("setup_cpu_seconds"), 0);
            EXPECT_GT(sample.at("cpu_seconds"), sample.at("setup_cpu_seconds"));
            EXPECT_GT(sample.at("wall_seconds"), sample.at("setup_wall_seconds"));
            EXPECT_GE(sample.at("peak_memory_bytes"), sample.at("setup_memory_bytes"));
            EXPECT_GT(sample.at("setup_memory_bytes"), 1'000'000);
        }
    }
    EXPECT_EQ(rows[1].at("threads"), 2);
    // What was run, not what the case is without the option on top.
    const std::vector<std::string> options = rows[0].at("options");
    EXPECT_EQ(std::count(options.begin(), options.end(), "--fabric.k=4"), 1);
    EXPECT_EQ(std::count(options.begin(), options.end(), "--fabric.k=8"), 0);
    EXPECT_EQ(rows[0].at("simulated_ns"), 3'000'000);
    const json file = json::parse(contents(where / "b/bench.json"));
    EXPECT_EQ(file.at("complete"), true);
    EXPECT_NE(file.at("build").get<std::string>().find(__VERSION__), std::string::npos);
}

TEST(bench, warnings_of_the_run_are_passed_on) {
    const scratch_directory where;
    const outcome o = run_program(where, {"bench", "tcp", "--fabric.k=4", "--repeat=1", "--threads=1,1000"});
    EXPECT_EQ(o.status, 0);
    EXPECT_NE(o.err.find("case tcp: warning: run.threads = 1000: this process may use"), std::string::npos)
        << o.err;
}

TEST(bench, a_directory_that_can_not_be_made_is_known_before_anything_is_measured) {
    const scratch_directory where;
    where.write("file", "");
    const outcome o = run_program(where, {"bench", "udp_8192", "--repeat=1000", "--out", "file/b"});
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "--out: file/b: Not a directory"));
}

TEST(bench, a_signal_ends_it_at_once_with_what_it_has_measured) {
    for (const auto& [signal, status] : {std::pair(SIGHUP, 129), std::pair(SIGTERM, 143)}) {
        const scratch_directory where;
        const process running(where, {"bench", "udp_8192", "--repeat=1000", "--threads=1", "--out", "b"});
        std::this_thread::sleep_for(std::chrono::seconds(1));
        running.send(signal);
        const outcome o = running.wait();
        EXPECT_EQ(o.status, status) << o.err;
        // A build without optimisation has warned of itself.
        const std::string last = "weir bench: interrupted\n";
        EXPECT_EQ(o.err.find(last), o.err.size() - last.size()) << o.err;
    }
}

TEST(bench, what_a_run_refuses_ends_it_with_2_before_anything_is_measured) {
    const scratch_directory where;
    const outcome o = run_program(where, {"bench", "udp", "--switch.speedup=0", "--out", "b"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("switch.speedup"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(where / "b"));
}
TEST(bench, a_directory_with_anything_else_in_it_is_left_alone) {
    const scratch_directory where;
    fs::create_directory(where / "b");
    where.write("b/mine.txt", "");
    const outcome o = run_program(where, {"bench", "udp", "--out", "b"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("--out: 'b' holds 'mine.txt'"), std::string::npos) << o.err;
}

surroundings with_compiler(const std::string& compiler) {
    surroundings around;
    around.environment["CXX"] = compiler;
    return around;
}
/// In the place of a compiler: makes a peer that says fixed numbers. Both note how they were called.
surroundings put_compiler(const scratch_directory& where) {
    const fs::path compiler = where.write("compiler",
                                          "#!/bin/sh\n"
                                          "echo \"$*\" >> compiled.txt\n"
                                          "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && made=$2; shift; done\n"
                                          "cp peer \"$made\"\n");
    const fs::path peer =
        where.write("peer",
                    "#!/bin/sh\n"
                    "echo \"$*\" >> calls.txt\n"
                    "echo '{\"packet_hops\": 1000, \"drops\": 0, \"cpu_seconds\": 2.5, \"setup_cpu_seconds\": "
                    "0.5, \"wall_seconds\": 9, "
                    "\"setup_wall_seconds\": 1, \"peak_memory_bytes\": 4096, \"setup_memory_bytes\": 4096}'\n");
    for (const fs::path& script : {compiler, peer}) {
        fs::permissions(script, fs::perms::owner_all);
    }
    return with_compiler(compiler);
}
TEST(bench, a_peer_that_drops_is_no_peer) {
    const scratch_directory where;
    const surroundings around = put_compiler(where);
    where.write("peer", "#!/bin/sh\necho '{\"packet_hops\": 1000, \"drops\": 3}'\n");
    fs::permissions(where / "peer", fs::perms::owner_all);
    const outcome o = run_program(where, {"bench", "udp", "--against=ns3", "--repeat=1", "--out", "b"}, around);
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.err.find("ns3: 3 packets were dropped, and 0 negative ACKs came"), std::string::npos) << o.err;
}
TEST(bench, a_case_that_was_measured_before_another_failed_is_reported) {
    const scratch_directory where;
    const surroundings around = put_compiler(where);
    // From its second call on it says nothing.
    where.write("peer",
                "#!/bin/sh\n[ -e called ] && exit 3\ntouch called\n"
                "echo '{\"packet_hops\": 1000, \"drops\": 0, \"cpu_seconds\": 2.5, \"setup_cpu_seconds\": 0.5, "
                "\"wall_seconds\": 9, \"setup_wall_seconds\": 1, \"peak_memory_bytes\": 4096, "
                "\"setup_memory_bytes\": 4096}'\n");
    fs::permissions(where / "peer", fs::perms::owner_all);
    const outcome o =
        run_program(where, {"bench", "udp", "tcp", "--against=ns3", "--repeat=1", "--out", "b"}, around);
    EXPECT_EQ(o.status, 3);
    EXPECT_NE(o.out.find("udp "), std::string::npos) << o.out;
    EXPECT_EQ(o.out.find("tcp "), std::string::npos) << o.out;
    const json file = json::parse(contents(where / "b/bench.json"));
    EXPECT_EQ(file.at("complete"), false);
    EXPECT_EQ(file.at("cases").size(), 1U);
}
TEST(bench, a_peer_runs_as_often_and_gives_a_ratio) {
    const scratch_directory where;
    const surroundings around = put_compiler(where);
    const outcome o =
        run_program(where, {"bench", "udp", "cells", "--against=ns3", "--repeat=2", "--out", "b"}, around);
    ASSERT_EQ(o.status, 0) << o.err;
    const json rows = json_rows_of(where / "b");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].at("engine"), "ns3");
    EXPECT_EQ(rows[1].at("samples").size(), 2U);
    EXPECT_DOUBLE_EQ(rows[1].at("cpu_ns_per_hop"), 2e6);
    EXPECT_DOUBLE_EQ(rows[1].at("cpu_ratio"), 2e6 / rows[0].at("cpu_ns_per_hop").get<double>());
    EXPECT_NE(o.out.find("ns3 / weir"), std::string::npos) << o.out;
    const std::string call =
        "--k=8 --gbps=10 --latency_ns=1000 --frame=1500 --gap=20 --spread=frame --transport=udp "
        "--load=0.7 --duration_ns=1250000\n";
    EXPECT_EQ(contents(where / "calls.txt"), call + call);
    const json file = json::parse(contents(where / "b/bench.json"));
    EXPECT_EQ(file.at("cases").at(1).at("rows").size(), 1U);
    // Each run of the peer beside the run of weir in the same turn.
    std::vector<double> pairs;
    for (unsigned turn = 0; turn < 2; ++turn) {
        const json& weir = rows[0].at("samples").at(turn);
        const double seconds =
            weir.at("cpu_seconds").get<double>() - weir.at("setup_cpu_seconds").get<double>();
        pairs.push_back(2e-3 / (seconds / weir.at("packet_hops").get<double>()));
        EXPECT_DOUBLE_EQ(rows[1].at("cpu_ratio_pairs").at(turn), pairs.back());
    }
    EXPECT_DOUBLE_EQ(rows[1].at("cpu_ratio_median"), (pairs[0] + pairs[1]) / 2);
    EXPECT_NE(o.out.find("median of 2 pairs"), std::string::npos) << o.out;
    EXPECT_TRUE(file.at("peers").contains("ns3"));
    EXPECT_EQ(file.at("peer_builds").at("ns3"), around.environment.at("CXX") + " -std=c++17 -O3 -DNDEBUG");
}
/// A directory that looks like a copy of htsim's repository.
fs::path put_htsim(const scratch_directory& where) {
    fs::create_directories(where / "its copy/sim");
    where.write("its copy/sim/eventlist.cpp", "");
    return where / "its copy";
}
TEST(bench, htsim_is_compiled_from_its_sources_and_runs_the_cases_that_it_has) {
    const scratch_directory where;
    const surroundings around = put_compiler(where);
    const fs::path copy = put_htsim(where);
    const outcome o = run_program(
        where, {"bench", "udp", "cells", "--against=htsim", "--htsim", "its copy", "--repeat=2", "--out", "b"},
        around);
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(contents(where / "compiled.txt").find("-std=c++17 -O3 -DNDEBUG -fwhole-program"), 0U);
    EXPECT_NE(contents(where / "compiled.txt").find(" -iquote its copy/sim "), std::string::npos);
    const std::string call =
        "--k=8 --gbps=10 --latency_ns=1000 --frame=1500 --gap=20 --transport=udp --load=0.7 "
        "--duration_ns=5000000\n";
    EXPECT_EQ(contents(where / "calls.txt"), call + call);
    const json rows = json_rows_of(where / "b");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].at("engine"), "htsim");
    EXPECT_NE(o.out.find("htsim / weir"), std::string::npos) << o.out;
    // It is no copy of git's, and the sources were left as they were.
    EXPECT_EQ(json::parse(contents(where / "b/bench.json")).at("peers").at("htsim"), "unknown");
    EXPECT_EQ(std::distance(fs::recursive_directory_iterator(copy), fs::recursive_directory_iterator()), 2);
}
TEST(bench, the_revision_of_htsim_is_its_own_and_not_that_of_a_repository_around_it) {
    if (std::system("git --version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "git is not installed";
    }
    const scratch_directory where;
    const surroundings around = put_compiler(where);
    const fs::path copy = put_htsim(where);
    const auto git = [&](const fs::path& directory, const std::string& words) {
        const std::string call = "cd '" + directory.string() +
                                 "' && git -c user.name=a -c user.email=a@b -c init.defaultBranch=main " +
                                 words + " > git.txt 2>&1";
        return std::system(call.c_str());
    };
    const auto revision = [&] {
        const outcome o = run_program(
            where, {"bench", "udp", "--against=htsim", "--htsim=its copy", "--repeat=1", "--out", "b"}, around);
        EXPECT_EQ(o.status, 0) << o.err;
        return json::parse(contents(where / "b/bench.json")).at("peers").at("htsim").get<std::string>();
    };
    ASSERT_EQ(git(where.path(), "init"), 0);
    ASSERT_EQ(git(where.path(), "commit --allow-empty -m around"), 0);
    EXPECT_EQ(revision(), "unknown");
    ASSERT_EQ(git(copy, "init"), 0);
    ASSERT_EQ(git(copy, "add sim"), 0);
    ASSERT_EQ(git(copy, "commit -m copy"), 0);
    ASSERT_EQ(git(copy, "tag v1"), 0);
    EXPECT_EQ(revision(), "v1");
    where.write("its copy/sim/eventlist.cpp", "changed");
    EXPECT_EQ(revision(), "v1-dirty");
}
TEST(bench, a_directory_without_htsim_is_refused_before_anything_is_measured) {
    const scratch_directory where;
    fs::create_directory(where / "empty");
    where.write("file", "");
    for (const auto& [named, what] :
         {std::pair("none", "'none' is not a directory"), std::pair("file", "'file' is not a directory"),
          std::pair("empty", "'empty' has no sim/eventlist.cpp")}) {
        const outcome o =
            run_program(where, {"bench", "udp", "--against=htsim", "--htsim", named, "--out", "b"});
        EXPECT_EQ(o.status, 2);
        EXPECT_TRUE(has_error(o.err, std::string("--htsim: ") + what));
        EXPECT_FALSE(fs::exists(where / "b"));
    }
}
TEST(bench, another_htsim_that_does_not_compile_ends_it_with_2) {
    const scratch_directory where;
    put_htsim(where);
    const outcome o = run_program(where, {"bench", "udp", "--against=htsim", "--htsim=its copy", "--out", "b"},
                                  with_compiler("false"));
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has_error(o.err, "--against: htsim: compiled"));
    EXPECT_FALSE(fs::exists(where / "b"));
}
TEST(bench, a_peer_that_can_not_be_built_ends_it_with_2_and_says_what_is_needed) {
    const scratch_directory where;
    for (const char* compiler : {"false", "no_such_compiler"}) {
        const outcome o =
            run_program(where, {"bench", "udp", "--against=ns3", "--out", "b"}, with_compiler(compiler));
        EXPECT_EQ(o.status, 2);
        EXPECT_NE(o.err.find("libns3-dev"), std::string::npos) << o.err;
        EXPECT_FALSE(fs::exists(where / "b"));
    }
}

TEST(bench, long_run_ns3_takes_longer_for_the_same_load_where_it_is_installed) {
    if (!fs::exists("/usr/include/ns3/core-module.h")) {
        GTEST_SKIP() << "libns3-dev is not installed";
    }
    const scratch_directory where;
    const outcome o = run_program(where, {"bench", "udp", "tcp", "--against=ns3", "--repeat=1", "--out", "b"});
    ASSERT_EQ(o.status, 0) << o.err;
    const json cases = json::parse(contents(where / "b/bench.json")).at("cases");
    for (const json& c : cases) {
        EXPECT_GT(c.at("rows").at(1).at("cpu_ratio"), 3) << c.at("case");
    }
    // The same load: frames at the same distance over paths of the same lengths, for a quarter of the time.
    const auto hops = [&](unsigned row) {
        return cases.at(0).at("rows").at(row).at("samples").at(0).at("packet_hops").get<double>();
    };
    EXPECT_NEAR(hops(1) / hops(0), 0.25, 0.015);
}
TEST(bench, long_run_htsim_carries_the_same_load_where_it_is) {
    const char* const copy = std::getenv("WEIR_HTSIM");
    if (copy == nullptr) {
        GTEST_SKIP() << "WEIR_HTSIM names no copy of htsim's repository";
    }
    const scratch_directory where;
    const outcome o = run_program(
        where, {"bench", "udp", "tcp", "--against=htsim", "--htsim", copy, "--repeat=1", "--out", "b"});
    ASSERT_EQ(o.status, 0) << o.err;
    const json cases = json::parse(contents(where / "b/bench.json")).at("cases");
    const auto hops = [&](unsigned which, unsigned row) {
        return cases.at(which).at("rows").at(row).at("samples").at(0).at("packet_hops").get<double>();
    };
    // Over UDP as many frames, and an ACK for each of them; over TCP it is faster to fill the links.
    EXPECT_NEAR(hops(0, 1) / hops(0, 0), 2, 0.12);
    EXPECT_NEAR(hops(1, 1) / hops(1, 0), 1.1, 0.1);
}
TEST(bench, long_run_instructions_are_those_that_the_script_counts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "valgrind does not run what a sanitizer is in";
#endif
    if (std::system("valgrind --version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "valgrind is not installed";
    }
    const scratch_directory where;
    const outcome o =
        run_program(where, {"bench", "udp", "--fabric.k=4", "--repeat=1", "--instructions", "--out", "b"});
    ASSERT_EQ(o.status, 0) << o.err;
    const std::string tree = WEIR_GOLDEN_DIR "/../..";
    const std::string script = tree + "/scripts/instructions_per_hop " WEIR_PROGRAM " " + tree +
                               "/tb/experiments/bench/permutation_udp.ini 200us 400us --fabric.k=4 > " +
                               (where / "script.txt").string();
    ASSERT_EQ(std::system(script.c_str()), 0);
    const double counted = json_rows_of(where / "b").at(0).at("instructions_per_hop");
    // Not to the last digit: the words on the command line are others.
    EXPECT_NEAR(counted, std::stod(contents(where / "script.txt")), 0.005 * counted);
}

}  // namespace
