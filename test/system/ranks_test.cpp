// One simulation as several processes: every file but run.json has the bytes that one process writes, every end
// has its exit status and its words, and no failure of a rank leaves anything that looks whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <set>

#include "failing_disk.h"
#include "random_configuration.h"
#include "ranks_rig.h"
#include "support/errors_said.h"

using namespace weir::test;
using nlohmann::json;

namespace {

struct rank_way {
    unsigned ranks;
    unsigned threads;
};

/// `options` in one process into `alone`, then in each way into `ranks`. Returns the exit status of the one
/// process. `environment`: of ranks, more of it.
int expect_same_as_one_process(const scratch_directory& where, const arguments& options,
                               const std::vector<rank_way>& ways,
                               const std::map<std::string, std::string>& environment = {}) {
    const auto run = [&](const rank_way& how, const surroundings& around) {
        arguments all = combined(combined({"run"}, options), {"--run.progress=off", "--out", "out"});
        if (how.threads > 1) {
            all.insert(all.end(), {"--run.threads=" + std::to_string(how.threads), "--run.thread_grain=0"});
        }
        return run_program(where, all, around);
    };
    const auto move_files = [&](const char* to) {
        fs::remove_all(where / to);
        if (fs::exists(where / "out")) {
            fs::rename(where / "out", where / to);
        }
    };
    const auto files = [&](const char* out) {
        return fs::exists(where / out) ? results_but_threads(where / out)
                                       : std::map<std::string, std::string>{};
    };
    const outcome alone = run({1, 1}, {});
    move_files("alone");
    const auto expected = files("alone");
    for (const rank_way& how : ways) {
        SCOPED_TRACE(std::to_string(how.ranks) + " ranks of " + std::to_string(how.threads) + " threads");
        surroundings around = as_ranks(how.ranks);
        around.environment.insert(environment.begin(), environment.end());
        const outcome made = run(how, around);
        move_files("ranks");
        EXPECT_EQ(made.status, alone.status) << made.err;
        EXPECT_EQ(made.out, alone.out);
        EXPECT_EQ(said_by_ranks(made.err), alone.err);
        const auto found = files("ranks");
        for (const auto& [name, text] : expected) {
            const auto same = found.find(name);
            if (same == found.end()) {
                ADD_FAILURE() << name << " is missing";
            } else if (same->second != text) {
                const auto differs =
                    std::mismatch(text.begin(), text.end(), same->second.begin(), same->second.end()).first;
                const auto at = static_cast<std::size_t>(differs - text.begin());
                const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
                ADD_FAILURE() << name << " differs at octet " << at << ":\n"
                              << text.substr(line, 300) << "\nand\n"
                              << same->second.substr(line, 300);
            }
        }
        EXPECT_EQ(found.size(), expected.size());
    }
    return alone.status;
}

const std::vector<rank_way> few_ways{{1, 1}, {2, 1}, {3, 1}, {2, 2}};
const std::vector<rank_way> all_ways{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 1}, {4, 2}};

// --- fingerprints and random configurations ---------------------------------------------------------------

const char* const fingerprints[] = {
    "baseline_queries",    "cells_pim",           "cut_links",       "detail_cells",
    "detail_queries",      "fat_tree_rates",      "fc_incast",       "pfabric_queries",
    "priority_flows",      "priority_pfc_bursts", "roce_beside_tcp", "scatter_udp",
    "shared_lossy_queues", "shared_slices_pfc",   "triggered_trace", "weighted_classes"};

class ranks_of_fingerprints : public testing::TestWithParam<const char*> {
 protected:
    void expect_same(const std::vector<rank_way>& ways) const {
        const scratch_directory where;
        const arguments options{WEIR_GOLDEN_DIR "/../fingerprint/" + std::string(GetParam()) + ".ini"};
        EXPECT_EQ(expect_same_as_one_process(where, options, ways), 0);
        EXPECT_GT(summary_of(where / "alone")["packet_hops"], 500);
    }
};
TEST_P(ranks_of_fingerprints, write_the_bytes_of_one_process) {
    WEIR_NEEDS_MPIRUN();
    expect_same(few_ways);
}
TEST_P(ranks_of_fingerprints, long_run_write_the_bytes_of_one_process_with_up_to_four_ranks) {
    WEIR_NEEDS_MPIRUN();
    expect_same(all_ways);
}
INSTANTIATE_TEST_SUITE_P(all, ranks_of_fingerprints, testing::ValuesIn(fingerprints),
                         [](const auto& of) { return std::string(of.param); });

TEST(ranks, have_all_fingerprints_compared) {
    std::size_t configurations = 0;
    for (const auto& entry : fs::directory_iterator(WEIR_GOLDEN_DIR "/../fingerprint")) {
        configurations += entry.path().extension() == ".ini" ? 1 : 0;
    }
    EXPECT_EQ(configurations, std::size(fingerprints)) << "one is missing in ranks_test.cpp";
}

const std::string all_tables =
    "--output.segments=on --output.fairness_window=50us --output.busy_links=50% --output.full_queues=on "
    "--output.series=* --output.windows=* --output.rates=* --output.ideal_jobs=on --output.occupancy_nodes=* ";
/// What a configuration is compared with in turn: nothing more, all tables, traces that a limit ends, a
/// waveform.
const std::vector<std::string> more_files{
    "", all_tables + "--trace.pause_causes=on --trace.drop_causes=on",
    "--trace.pcap=all --trace.pcap_limit=4000 --trace.perfetto=on --trace.perfetto_limit=4000",
    "--trace.wave=run.vcd --trace.wave_limit=4000"};

/// Of ranks: METIS is replaced, so that they have any part of the fabric.
std::map<std::string, std::string> cut_by_lot(unsigned seed) {
    return {{"LD_PRELOAD", WEIR_RANDOM_CUT}, {"WEIR_CUT_SEED", std::to_string(seed)}};
}

/// How many ended with each exit status. Half of the fabrics are cut by lot, with each of `more_files`.
std::map<int, unsigned> compare_random(unsigned first, unsigned count, const std::vector<rank_way>& ways) {
    std::map<int, unsigned> ended;
    for (unsigned number = first; number < first + count; ++number) {
        const random_configuration configuration = make_random_configuration(number);
        SCOPED_TRACE("random configuration " + std::to_string(number) + ":\n" + configuration.text());
        const scratch_directory where;
        configuration.write(where);
        const arguments more = words_in(more_files[number % more_files.size()]);
        const auto cut =
            number / more_files.size() % 2 == 0 ? cut_by_lot(number) : std::map<std::string, std::string>{};
        ++ended[expect_same_as_one_process(where, combined({"c.ini"}, more), ways, cut)];
    }
    for (const auto& [status, runs] : ended) {
        std::cout << runs << " configurations ended with status " << status << ", alike in " << ways.size()
                  << " ways\n";
    }
    return ended;
}
TEST(ranks, write_the_bytes_of_one_process_for_random_configurations) {
    WEIR_NEEDS_MPIRUN();
    EXPECT_GE(compare_random(2'000, 6, {{2, 1}, {3, 2}})[0], 4U);
}
class ranks_of_random_configurations : public testing::TestWithParam<unsigned> {};
TEST_P(ranks_of_random_configurations, long_run_write_the_bytes_of_one_process) {
    WEIR_NEEDS_MPIRUN();
    EXPECT_GE(compare_random(3'000 + 50 * GetParam(), 50, all_ways)[0], 35U);
}
INSTANTIATE_TEST_SUITE_P(four, ranks_of_random_configurations, testing::Range(0U, 4U));

// --- options that write more ------------------------------------------------------------------------------

const std::string small_racks =
    "--fabric.topology=racks --fabric.racks=3 --fabric.hosts_per_rack=4 --fabric.roots=2 ";
const std::string rank_queries = small_racks + "--traffic.kind=query --traffic.rate=2500 --run.duration=3ms ";
const std::string paused_queries = WEIR_GOLDEN_DIR "/../fingerprint/detail_queries.ini --run.duration=6ms ";
const std::string fat_tree_rounds =
    "--fabric.topology=fat_tree --fabric.k=4 --link.rate=1Gbps --switch.classes=1 --switch.drop=egress_tail "
    "--switch.egress_buffer=40KB --tcp.initial_window=10 --traffic.kind=incast --traffic.incast_bytes=300KB "
    "--traffic.incast_rounds=2 --trace.drop_causes=on ";
const std::string deadlock_folder = WEIR_GOLDEN_DIR "/../../tb/experiments/deadlock/";

struct rank_case {
    const char* name;
    std::string options;
    /// In summary.json: what has happened, or the comparison would say little.
    const char* happened;
    /// Files that are there only with these options.
    std::vector<std::string> files;
};
std::ostream& operator<<(std::ostream& to, const rank_case& of) {
    return to << of.name;
}

const std::vector<rank_case> rank_cases{
    {"every_table",
     paused_queries + all_tables + "--trace.pause_causes=on --trace.drop_causes=on",
     "/pfc/xoff_sent",
     {"segments.csv", "paths.csv", "fairness.csv", "busy_links.csv", "full_queues.csv", "port_series.csv",
      "windows.csv", "pause_causes.csv", "pause_flows.csv", "pause_tree.json"}},
    {"warmup", paused_queries + all_tables + "--run.warmup=1ms", "/pfc/xoff_sent", {"fairness.csv"}},
    {"limiters",
     small_racks + all_tables +
         "--switch.scheme=dcqcn --link.rate=10Gbps --traffic.kind=permutation --traffic.load=90% "
         "--traffic.transport=roce --run.duration=2ms",
     "/packet_hops",
     {"rates.csv"}},
    {"precision_of_transfers",
     "--fabric.topology=racks --fabric.racks=2 --fabric.hosts_per_rack=4 --link.rate=10Gbps "
     "--traffic.kind=poisson --traffic.load=60% --traffic.sizes=4KB --traffic.transport=udp --run.warmup=1ms "
     "--output.jobs=false --output.fairness_window=50us --run.duration=1s "
     "--run.until=p99_of_fct_within_15%_and_mean_of_slowdown_within_5%",
     "/until/ended_run",
     {}},
    {"precision_of_jobs",
     small_racks + "--traffic.kind=query --traffic.rate=2500 --run.until=mean_of_jct_within_15% "
                   "--run.duration=1s",
     "/until/ended_run",
     {}},
    {"drop_causes", fat_tree_rounds + all_tables, "/frames/dropped", {"drop_causes.csv"}},
    {"detours",
     fat_tree_rounds + all_tables +
         "--switch.overflow=detour --marking.kind=step --marking.threshold_frames=10 --tcp.congestion=dctcp "
         "--tcp.duplicate_acks=0",
     "/packet_hops",
     {"segments.csv"}},
    {"storm",
     deadlock_folder + "storm.ini --run.duration=5ms --output.series=* --trace.pause_causes=on",
     "/pfc/xoff_sent",
     {"port_series.csv", "pause_causes.csv"}},
    {"watchdog",
     deadlock_folder + "storm_watchdog.ini --run.duration=5ms --trace.pause_causes=on --trace.drop_causes=on",
     "/drops/watchdog",
     {"watchdog.csv"}},
    {"watchdog_that_forwards",
     deadlock_folder + "storm_watchdog.ini --run.duration=5ms --pfc.watchdog=forward",
     "/pfc/xoff_sent",
     {"watchdog.csv"}},
    {"parallel_program",
     small_racks + all_tables +
         "--traffic.kind=goal --traffic.program=ring_all_reduce "
         "--traffic.program_bytes=100KB",
     "/flows/completed",
     {"segments.csv"}},
    {"parallel_program_with_warmup",
     small_racks + "--traffic.kind=goal --traffic.program=all_to_all --traffic.program_bytes=20KB "
                   "--run.warmup=10us",
     "/flows/completed",
     {}},
    {"changing_links",
     rank_queries + all_tables +
         "--fabric.link=tor0-root0_down_at=500us --fabric.link=tor0-root0_up_at=1ms "
         "--fabric.link=tor1-root1_rate=100Mbps_at=1ms --fabric.link=h1-tor0_latency=20us_at=1500us "
         "--fabric.link=h3-tor0_down_at=2ms",
     "/drops/link_down",
     {"port_series.csv"}},
    // More samples than are kept: each rank takes fewer from the same time on.
    {"thinned_series",
     rank_queries + all_tables + "--output.occupancy_interval=1us ",
     "/flows/completed",
     {"port_series.csv", "windows.csv", "fairness.csv"}},
};

class ranks_of_options : public testing::TestWithParam<rank_case> {};
TEST_P(ranks_of_options, write_the_bytes_of_one_process) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    arguments options = words_in(GetParam().options);
    for (std::string& option : options) {  // values with blanks
        if (option.rfind("--run.until", 0) == 0 || option.rfind("--fabric.link", 0) == 0) {
            std::replace(option.begin(), option.end(), '_', ' ');
        }
    }
    ASSERT_EQ(expect_same_as_one_process(where, options, {{2, 1}, {3, 1}}), 0);
    const json happened = summary_of(where / "alone").at(json::json_pointer(GetParam().happened));
    EXPECT_TRUE(happened.is_boolean() ? happened.get<bool>() : happened > 0) << happened;
    for (const std::string& name : GetParam().files) {
        EXPECT_TRUE(fs::exists(where / "ranks" / name)) << name;
    }
}
INSTANTIATE_TEST_SUITE_P(all, ranks_of_options, testing::ValuesIn(rank_cases),
                         [](const auto& of) { return std::string(of.param.name); });

#ifdef WEIR_RANDOM_CUT
TEST(ranks, write_the_bytes_of_one_process_whatever_the_cut) {
    WEIR_NEEDS_MPIRUN();
    std::set<std::string> cuts;
    for (const unsigned seed : {1, 2, 3}) {
        SCOPED_TRACE("cut " + std::to_string(seed));
        const scratch_directory where;
        EXPECT_EQ(expect_same_as_one_process(where, words_in(fat_tree_rounds + all_tables), {{4, 1}},
                                             cut_by_lot(seed)),
                  0);
        std::string cut;
        const json run = json::parse(contents(where / "ranks/run.json"));
        for (const json& rank : run.at("ranks")) {
            cut += rank.at("switches").dump() + " " + rank.at("hosts").dump() + " " +
                   rank.at("cut_links").dump() + "\n";
        }
        cuts.insert(cut);
    }
    EXPECT_EQ(cuts.size(), 3U);
}
#endif

// Each rank has the RTL of its own switches alone.
TEST(ranks, write_the_bytes_of_one_process_with_rtl_in_switches) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    if (run_program(where, {"run", "--switch.tcam=rtl", "--dry-run"})
            .err.find("needs a program that was built with Verilator") != std::string::npos) {
        GTEST_SKIP() << "this program was built without RTL";
    }
    for (const std::string rtl :
         {"--switch.tcam=rtl --rtl.switches=tor*", "--switch.arbiter=rtl", "--pfc.mode=pfc --mac.pfc=rtl"}) {
        SCOPED_TRACE(rtl);
        const scratch_directory own;
        EXPECT_EQ(expect_same_as_one_process(
                      own,
                      words_in("--fabric.topology=racks --fabric.racks=3 --fabric.hosts_per_rack=4 "
                               "--fabric.roots=2 --traffic.kind=incast --traffic.incast_bytes=60KB "
                               "--traffic.incast_rounds=1 " +
                               rtl),
                      {{2, 1}, {3, 1}}),
                  0);
    }
}

// --- ends -------------------------------------------------------------------------------------------------

TEST(ranks, find_a_deadlock_with_the_words_and_files_of_one_process) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    EXPECT_EQ(expect_same_as_one_process(where, {deadlock_folder + "ring.ini", "--trace.pause_causes=on"},
                                         {{2, 1}, {3, 1}}),
              1);
    const json failure = json::parse(contents(where / "ranks" / "failure.json"));
    EXPECT_EQ(failure["verdict"], "deadlock");
}

/// One of two transfers has no way.
arguments cut_off(const scratch_directory& where) {
    where.write("two.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n10,2,7,5000\n");
    return combined(words_in(small_racks), {"--traffic.kind=trace", "--traffic.file=two.csv",
                                            "--fabric.link=tor0-root0 down", "--fabric.link=tor0-root1 down"});
}
TEST(ranks, end_traffic_that_cannot_end_as_one_process_does) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    EXPECT_EQ(expect_same_as_one_process(where, cut_off(where), {{2, 1}, {3, 1}}), 1);
    EXPECT_EQ(json::parse(contents(where / "ranks" / "failure.json"))["verdict"], "limit");
}

/// Thresholds that are too high for the memory: a lossless frame is lost.
const std::string lost_frames =
    small_racks +
    "--link.rate=10Gbps --traffic.kind=incast --traffic.incast_bytes=2MB --switch.scheme=fc "
    "--switch.ingress_buffer=40KB --pfc.xoff=39KB --pfc.xon=3KB ";
TEST(ranks, end_at_a_lossless_loss_with_the_words_and_files_of_one_process) {
    WEIR_NEEDS_MPIRUN();
    for (const char* more : {"", "--trace.drop_causes=on --trace.pause_causes=on"}) {
        const scratch_directory where;
        EXPECT_EQ(expect_same_as_one_process(where, words_in(lost_frames + more), {{2, 1}, {3, 1}}), 1);
    }
}

/// Takes minutes if nobody stops it.
arguments endless(const std::string& out) {
    return combined(words_in("run " + small_racks),
                    {"--traffic.kind=query", "--traffic.rate=2500", "--run.duration=1000s",
                     "--run.progress=off", "--out", out});
}
void wait_for_flows(const scratch_directory& where) {
    const fs::path flows = where / "out/flows.csv.partial";
    for (int i = 0; i < 2'000 && !(fs::exists(flows) && fs::file_size(flows) > 0); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// All results so far are there, marked incomplete.
void expect_interrupted(const scratch_directory& where, const outcome& o) {
    EXPECT_NE(said_by_ranks(o.err).find("weir run: interrupted at "), std::string::npos) << o.err;
    EXPECT_EQ(o.err.find("interrupted"), o.err.rfind("interrupted")) << o.err;
    const json summary = summary_of(where / "out");
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["complete"], false);
    EXPECT_NE(o.out.find("transfers"), std::string::npos) << o.out;
    for (const auto& [name, text] : results_in(where / "out")) {
        EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
    }
}
/// mpirun itself may hang.
void expect_all_end(const std::map<unsigned, pid_t>& ranks) {
    for (const auto& [rank, id] : ranks) {
        EXPECT_TRUE(ends_within(std::chrono::seconds(20), id)) << "rank " << rank << " is still there";
    }
}

TEST(ranks, that_are_interrupted_write_what_there_is) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    const process running(where, endless("out"), as_ranks(3));
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 3);
    ASSERT_EQ(ranks.size(), 3U);
    for (const auto& [rank, id] : ranks) {
        ::kill(id, SIGINT);
    }
    const outcome o = running.wait();
    EXPECT_EQ(o.status, 130) << o.err;
    expect_interrupted(where, o);
    json summary = summary_of(where / "out");
    const json& frames = summary["frames"];
    EXPECT_EQ(frames["sent"].get<std::int64_t>(), frames["delivered"].get<std::int64_t>() +
                                                      frames["dropped"].get<std::int64_t>() +
                                                      frames["inside"].get<std::int64_t>());
    // One process comes to the same until then.
    arguments as_long = endless("alone");
    as_long.push_back("--run.duration=" + summary["simulated_ns"].dump() + "ns");
    as_long.erase(std::find(as_long.begin(), as_long.end(), "--run.duration=1000s"));
    ASSERT_EQ(run_program(where, as_long).status, 0);
    for (const char* name : {"flows.csv", "jobs.csv", "ports.csv", "occupancy.csv", "pauses.csv"}) {
        EXPECT_TRUE(contents(where / "out" / name) == contents(where / "alone" / name)) << name;
    }
}

// One that the others wait for, for longer than a lost one would be waited for.
TEST(ranks, that_are_interrupted_wait_for_one_that_is_slow) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    const process running(where, endless("out"), as_ranks(2));
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 2);
    ASSERT_EQ(ranks.size(), 2U);
    ::kill(ranks.at(1), SIGSTOP);
    ::kill(ranks.at(0), SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    ::kill(ranks.at(1), SIGCONT);
    const outcome o = running.wait();
    EXPECT_EQ(o.status, 143) << o.err;
    expect_interrupted(where, o);
}

// Ctrl-C is mpirun's: after so many seconds it sends SIGTERM to all ranks, and after as many again SIGKILL.
TEST(ranks, that_mpirun_ends_write_what_there_is) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    surroundings around = as_ranks(3, 60);
    around.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "4";
    const process running(where, endless("out"), around);
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 3);
    ASSERT_EQ(ranks.size(), 3U);
    ::kill(running.id(), SIGINT);
    expect_all_end(ranks);
    expect_interrupted(where, running.wait());
}

// --- failures ---------------------------------------------------------------------------------------------

/// What has its final name must be whole: the program writes it at the end.
void expect_only_partial_files(const fs::path& directory) {
    for (const auto& [name, text] : results_in(directory)) {
        const bool partial = name.size() > 8 && name.substr(name.size() - 8) == ".partial";
        const bool whole = name == "effective.ini" || name == "nodes.csv";
        EXPECT_TRUE(partial || (whole && text.back() == '\n')) << name;
    }
}

// mpirun is quiet: rank 0 says it.
TEST(ranks, that_are_lost_are_named_by_rank_0) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    const process running(where, endless("out"), as_ranks(3, 30));
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 3);
    ASSERT_EQ(ranks.size(), 3U);
    ::kill(ranks.at(2), SIGKILL);
    const outcome o = running.wait();
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.err.find("weir run: rank 2 (process " + std::to_string(ranks.at(2)) + " on "),
              std::string::npos)
        << o.err;
    EXPECT_NE(o.err.find(") has ended before the run"), std::string::npos) << o.err;
}

// --- several machines -------------------------------------------------------------------------------------

TEST(rank_machines, write_the_bytes_of_one_process) {
    WEIR_NEEDS_MACHINES();
    const scratch_directory where;
    arguments words =
        combined(words_in("run " + rank_queries + all_tables + "--run.progress=off --out"), {"alone"});
    const outcome alone = run_program(where, words);
    words.back() = "apart";
    const outcome apart = run_program(where, words, as_ranks_of_two_machines(where, 3));
    EXPECT_EQ(apart.status, 0) << apart.err;
    EXPECT_EQ(apart.out, alone.out);
    EXPECT_EQ(said_by_ranks(apart.err), alone.err);
    EXPECT_TRUE(results_but_threads(where / "apart") == results_but_threads(where / "alone"));
    const std::string reached = contents(where / "reached");
    EXPECT_TRUE(reached == "first\nsecond\n" || reached == "second\nfirst\n") << reached;
}

// mpirun passes a Ctrl-C on to all machines.
TEST(rank_machines, that_mpirun_ends_write_what_there_is) {
    WEIR_NEEDS_MACHINES();
    const scratch_directory where;
    surroundings around = as_ranks_of_two_machines(where, 3);
    around.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "3";
    const process running(where, endless("out"), around);
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 3, where / "machines");
    ASSERT_EQ(ranks.size(), 3U);
    ::kill(running.id(), SIGINT);
    expect_all_end(ranks);
    expect_interrupted(where, running.wait());
}

// Rank 0 sees its own machine alone. It waits for 0.7 of the 6 s after which mpirun ends it.
TEST(rank_machines, that_lose_a_rank_end_and_leave_nothing_half) {
    WEIR_NEEDS_MACHINES();
    const scratch_directory where;
    surroundings around = as_ranks_of_two_machines(where, 3);
    around.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "6";
    const process running(where, endless("out"), around);
    wait_for_flows(where);
    const auto ranks = ranks_of(running, 3, where / "machines");
    ASSERT_EQ(ranks.size(), 3U);
    ::kill(ranks.at(2), SIGKILL);
    expect_all_end(ranks);
    const outcome o = running.wait();
    EXPECT_NE(o.status, 0);
    std::smatch seconds;
    const std::regex expected(
        "weir run: a rank of another machine has not come to the end of its quantum for ([0-9]+\\.[0-9]) s "
        "since ");
    ASSERT_TRUE(std::regex_search(o.err, seconds, expected)) << o.err;
    EXPECT_GE(std::stod(seconds[1]), 4.2);
    expect_only_partial_files(where / "out");
}

// --- kills ------------------------------------------------------------------------------------------------

class ranks_that_are_killed : public testing::TestWithParam<unsigned> {};
TEST_P(ranks_that_are_killed, end_the_run_at_once_and_leave_nothing_that_looks_whole) {
    WEIR_NEEDS_MPIRUN();
    const unsigned victim = GetParam();
    std::mt19937 chance(victim);
    for (int i = 0; i < 2; ++i) {
        const scratch_directory where;
        // mpirun says which rank was killed. Now and then it hangs after that, when all ranks have ended: in
        // pmix_rte_finalize, at a mutex (OpenMPI 4.1.4 with PMIx 4.2.2).
        surroundings around = as_ranks(3, 30);
        around.environment.erase("OMPI_MCA_orte_execute_quiet");
        const process running(where, endless("out"), around);
        const auto ranks = ranks_of(running, 3);
        ASSERT_EQ(ranks.size(), 3U);
        if (i > 0) {
            wait_for_flows(where);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(chance() % 400));
        const auto killed_at = std::chrono::steady_clock::now();
        ::kill(ranks.at(victim), SIGKILL);
        for (const auto& [rank, id] : ranks) {
            EXPECT_TRUE(ends_within(std::chrono::seconds(10), id)) << "rank " << rank << " is still there";
        }
        EXPECT_LT(std::chrono::steady_clock::now() - killed_at, std::chrono::seconds(10));
        const outcome o = running.wait();
        EXPECT_NE(o.status, 0);
        EXPECT_NE(o.err.find("rank " + std::to_string(victim)), std::string::npos) << o.err;
        EXPECT_EQ(o.err.find("internal error"), std::string::npos) << o.err;
        if (fs::exists(where / "out")) {
            expect_only_partial_files(where / "out");
        }
        arguments again = endless("out");
        *std::find(again.begin(), again.end(), "--run.duration=1000s") = "--run.duration=1ms";
        const outcome after = run_program(where, again, as_ranks(3));
        EXPECT_EQ(after.status, 0) << after.err;
        EXPECT_EQ(summary_of(where / "out")["complete"], true);
    }
}
INSTANTIATE_TEST_SUITE_P(each, ranks_that_are_killed, testing::Values(0U, 1U, 2U));

const arguments short_ranks = words_in("run " + rank_queries + "--run.progress=off --out out");

/// In MPI's start, while the fabric is built, in the run, while tables are gathered and written, in MPI's end.
class ranks_that_are_killed_at_a_call : public testing::TestWithParam<unsigned> {
 protected:
    /// Of the victim alone: `name=value` before the program.
    surroundings with(const std::string& variables) const {
        m_where.write("each", "#!/bin/sh\nif [ $OMPI_COMM_WORLD_RANK = " + std::to_string(GetParam()) +
                                  " ]; then export " + variables +
                                  " LD_PRELOAD=" WEIR_FAILING_DISK "; fi\nexec \"$@\"\n");
        surroundings around = as_ranks(2, 30);
        around.starter = {"sh", "each"};
        return around;
    }
    void expect_ends_clearly(unsigned places) const {
        ASSERT_EQ(run_program(m_where, short_ranks, with("WEIR_CALLS=calls")).status, 0);
        const std::string calls = contents(m_where / "calls");
        const auto count = static_cast<unsigned>(std::count(calls.begin(), calls.end(), '\n'));
        fs::rename(m_where / "out", m_where / "undisturbed");
        const auto expected = results_in(m_where / "undisturbed");
        for (unsigned i = 0; i < places; ++i) {
            const unsigned call = 1 + i * count / places;
            SCOPED_TRACE("call " + std::to_string(call) + " of " + std::to_string(count));
            const surroundings killed = with("WEIR_FAIL_NTH=" + std::to_string(call) + ":0");
            outcome o = run_program(m_where, short_ranks, killed);
            if (o.status >= 1000) {  // mpirun itself hangs now and then, as above
                o = run_program(m_where, short_ranks, killed);
            }
            EXPECT_NE(o.status, 0);
            EXPECT_LT(o.status, 1000) << "it hangs";
            EXPECT_EQ(o.err.find("internal error"), std::string::npos) << o.err;
            if (fs::exists(m_where / "out")) {
                for (const auto& [name, text] : results_in(m_where / "out")) {
                    const bool partial = name.size() > 8 && name.substr(name.size() - 8) == ".partial";
                    EXPECT_TRUE(partial || text == expected.at(name)) << name;
                }
            }
        }
        const outcome after = run_program(m_where, short_ranks, as_ranks(2));
        EXPECT_EQ(after.status, 0) << after.err;
        expect_same_bytes(m_where / "undisturbed", m_where / "out");
    }

 private:
    scratch_directory m_where;
};
TEST_P(ranks_that_are_killed_at_a_call, end_the_run_and_leave_nothing_half) {
    WEIR_NEEDS_MPIRUN();
    expect_ends_clearly(8);
}
TEST_P(ranks_that_are_killed_at_a_call, long_run_end_the_run_and_leave_nothing_half) {
    WEIR_NEEDS_MPIRUN();
    expect_ends_clearly(100);
}
INSTANTIATE_TEST_SUITE_P(each, ranks_that_are_killed_at_a_call, testing::Values(0U, 1U));

// From its start on, when the others wait for a rank that nobody knows yet. Where the memory is OpenMPI's own,
// it goes on without, says why it cannot, or ends by a signal.
class ranks_of_which_one_has_no_memory : public testing::TestWithParam<unsigned> {};
TEST_P(ranks_of_which_one_has_no_memory, end_with_status_3_and_say_which) {
    WEIR_NEEDS_MPIRUN();
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
    const std::string rank = std::to_string(GetParam());
    const scratch_directory where;
    long said = 0;
    for (long n = 1;; n *= 3) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        fs::remove_all(where / "out");
        fs::remove(where / "refused");
        where.write("each", "#!/bin/sh\nif [ $OMPI_COMM_WORLD_RANK = " + rank +
                                " ]; then export "
                                "LD_PRELOAD=" WEIR_FAILING_MEMORY " WEIR_REFUSED=refused WEIR_REFUSE_NTH=" +
                                std::to_string(n) + "; fi\nexec \"$@\"\n");
        surroundings around = as_ranks(2, 30);
        around.starter = {"sh", "each"};
        const outcome o = run_program(where, short_ranks, around);
        if (!fs::exists(where / "refused")) {
            EXPECT_EQ(o.status, 0) << o.err;
            break;
        }
        EXPECT_LT(o.status, 1000) << "it hangs";
        if (o.status != 0 && fs::exists(where / "out")) {
            expect_only_partial_files(where / "out");
        }
        if (o.status == 3) {
            EXPECT_EQ(said_by_ranks(o.err).find("weir: rank " + rank + ": out of memory\n"), 0U) << o.err;
            ++said;
        }
    }
    EXPECT_GT(said, 5);
}
INSTANTIATE_TEST_SUITE_P(each, ranks_of_which_one_has_no_memory, testing::Values(0U, 1U));

TEST(ranks, end_with_status_3_where_the_disk_is_full) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    // Of the program's own processes alone: OpenMPI has files, too.
    where.write("limited",
                "#!/bin/sh\ntrap '' XFSZ\nprogram=$1\nshift\nulimit -f 4\nexec \"$program\" \"$@\"\n");
    surroundings around = as_ranks(2);
    around.starter = {"sh", "limited"};
    // Messages over sockets: shared memory is a file.
    around.environment["OMPI_MCA_btl"] = "self,tcp";
    const outcome o = run_program(where, short_ranks, around);
    EXPECT_EQ(o.status, 3) << o.err;
    EXPECT_NE(o.err.find("weir run: out/"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find(".partial: cannot be written: File too large\n"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(where / "out/summary.json"));
    const outcome after = run_program(where, short_ranks, as_ranks(2));
    EXPECT_EQ(after.status, 0) << after.err;
}

std::set<std::string> names_in(const fs::path& directory) {
    std::set<std::string> names;
    if (fs::exists(directory)) {
        for (const auto& entry : fs::directory_iterator(directory)) {
            names.insert(entry.path().filename().string());
        }
    }
    return names;
}

/// One process and two ranks end in the same way, with the same words and names of files, where a call on a
/// file fails. Returns what they say.
std::string expect_same_failure(const scratch_directory& where, const arguments& words, const std::string& what,
                                int status) {
    SCOPED_TRACE(what);
    const surroundings failing = failing_disk(what);
    fs::remove_all(where / "out");
    const outcome alone = run_program(where, words, failing);
    const auto left_alone = names_in(where / "out");
    fs::remove_all(where / "out");
    // Not of mpirun itself, which has files of its own.
    where.write("each",
                "#!/bin/sh\nexport LD_PRELOAD=" WEIR_FAILING_DISK " WEIR_FAIL=" + what + "\nexec \"$@\"\n");
    surroundings around = as_ranks(2, 60);
    around.starter = {"sh", "each"};
    const outcome o = run_program(where, words, around);
    EXPECT_EQ(alone.status, status);
    EXPECT_EQ(o.status, status);
    EXPECT_EQ(said_by_ranks(o.err), alone.err);
    EXPECT_EQ(names_in(where / "out"), left_alone);
    return alone.err;
}

TEST(ranks, say_what_one_process_says_where_a_call_on_a_file_fails) {
    WEIR_NEEDS_MPIRUN();
    for (const char* what : {"mkdir:13:out", "remove:5:jobs.csv", "write:28:flows.csv", "fsync:5:ports.csv",
                             "rename:28:run.json"}) {
        expect_same_failure({}, short_ranks, what, 3);
    }
}

// Rank 0 cannot go on with what all ranks do together; the others must not wait for it, and the verdict is not
// lost.
TEST(ranks, say_a_verdict_as_one_process_where_its_files_cannot_be_written) {
    WEIR_NEEDS_MPIRUN();
    for (const char* file : {"ports.csv", "perfetto.json"}) {
        const std::string said =
            expect_same_failure({}, words_in("run --trace.perfetto=on " + lost_frames + "--out out"),
                                "rename:28:" + std::string(file), 1);
        EXPECT_NE(said.find(file), std::string::npos) << said;
        EXPECT_NE(said.find("lost a frame of lossless class"), std::string::npos) << said;
        EXPECT_NE(said.find("incomplete files in out end in .partial"), std::string::npos) << said;
    }
    const scratch_directory where;
    const std::string said = expect_same_failure(
        where, combined({"run"}, combined(cut_off(where), {"--out", "out"})), "rename:28:ports.csv", 1);
    EXPECT_NE(said.find("ports.csv"), std::string::npos) << said;
    EXPECT_NE(said.find("the traffic does not end: "), std::string::npos) << said;
}

struct refused_ranks {
    const char* name;
    std::string options;
    std::string message;
};
std::ostream& operator<<(std::ostream& to, const refused_ranks& of) {
    return to << of.name;
}
class ranks_with_bad_input : public testing::TestWithParam<refused_ranks> {};
TEST_P(ranks_with_bad_input, end_with_status_2_and_say_it_once) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    where.write("file", "");
    where.write("bad.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n10,2,3,x\n");
    const outcome o = run_program(where, words_in("run --run.duration=1ms " + GetParam().options), as_ranks(3));
    EXPECT_EQ(o.status, 2) << o.err;
    EXPECT_EQ(o.out, "");
    const std::string& message = GetParam().message;
    EXPECT_EQ(count_errors(o.err, message), 1) << message << " is not once in " << o.err;
    EXPECT_FALSE(fs::exists(where / "out"));
}
const refused_ranks refusals[] = {
    {"no_out", "--traffic.kind=query", "--out: --out DIR, --dry-run, missing"},
    {"unknown_option", "--nonsense=1 --out out", "--nonsense: "},
    {"bad_value", "--switch.speedup=zzz --out out", "switch.speedup: zzz, whole number"},
    {"literal_engine", "--run.engine=literal --out out", "run.engine: literal, fast"},
    {"missing_configuration", "missing.ini --out out", "missing.ini, No such file or directory"},
    {"missing_trace", "--traffic.kind=trace --traffic.file=missing.csv --out out",
     "missing.csv, No such file or directory"},
    {"bad_trace", "--traffic.kind=trace --traffic.file=bad.csv --out out", "bad.csv:3: bytes: x"},
    {"out_is_a_file", "--traffic.kind=query --out file", "--out: file, a file"},
    {"out_cannot_be_made", "--traffic.kind=query --out /proc/none", "--out: /proc/none: "},
};
INSTANTIATE_TEST_SUITE_P(all, ranks_with_bad_input, testing::ValuesIn(refusals),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(ranks, print_the_fabric_of_a_dry_run_once) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    const arguments dry = words_in("run --dry-run " + rank_queries);
    const outcome alone = run_program(where, dry);
    const outcome ranks = run_program(where, dry, as_ranks(3));
    EXPECT_EQ(ranks.status, 0);
    EXPECT_EQ(ranks.out, alone.out);
    EXPECT_EQ(ranks.err, alone.err);
}

TEST(ranks, may_be_more_than_there_are_switches) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    EXPECT_EQ(
        expect_same_as_one_process(
            where,
            words_in("--fabric.topology=racks --fabric.racks=2 --fabric.hosts_per_rack=2 --fabric.roots=1 "
                     "--traffic.kind=query --traffic.rate=2500 --run.duration=1ms"),
            {{4, 1}}),
        0);
    EXPECT_EQ(json::parse(contents(where / "ranks/run.json"))["ranks"].size(), 4U);
}

}  // namespace
