// RTL in the place of models in a running fabric: the whole run writes the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/errors_said.h"
#include "system/program.h"

using namespace weir::test;

namespace {

/// A fat-tree whose queries of eight priorities fill egress ports, so that PFC pauses links of all tiers.
constexpr const char* busy_fat_tree =
    "[run]\nduration = 6ms\n"
    "[fabric]\ntopology = fat_tree\nk = 4\n"
    "[switch]\nscheme = detail\negress_buffer = 16KiB\nbalance_thresholds = 8KiB,12KiB\n"
    "[traffic]\nkind = query\nrate = 12000\npriorities = 0,1,2,3,4,5,6,7\nsizes = 8KB,32KB\n";

/// effective.ini says what was RTL; all else has to be the same.
void expect_same_results(const fs::path& a, const fs::path& b) {
    auto of_a = results_in(a);
    auto of_b = results_in(b);
    of_a.erase("effective.ini");
    of_b.erase("effective.ini");
    ASSERT_FALSE(of_a.empty());
    ASSERT_EQ(of_a.size(), of_b.size());
    for (const auto& [name, text] : of_a) {
        EXPECT_EQ(of_b.count(name), 1U) << name;
        EXPECT_TRUE(of_b.at(name) == text) << name << " differs";
    }
}

/// Ideal times are the model's.
void expect_same_times(const fs::path& a, const fs::path& b) {
    const auto times = [](const fs::path& directory) {
        std::vector<std::string> found;
        std::istringstream lines(contents(directory / "flows.csv"));
        for (std::string line; std::getline(lines, line);) {
            std::size_t at = 0;
            for (int column = 0; column < 9; ++column) {
                at = line.find(',', at) + 1;
            }
            found.push_back(line.substr(0, at));
        }
        return found;
    };
    EXPECT_GT(times(a).size(), 10U);
    EXPECT_EQ(times(a), times(b));
}

struct loop_rig {
    explicit loop_rig(const char* text = busy_fat_tree) { ini = where.write("run.ini", text).string(); }

    fs::path run(const std::string& name, const arguments& options) {
        const outcome made = run_program(where, combined({"run", ini, "--out", name}, options));
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(made.err, "");
        return where / name;
    }
    scratch_directory where;
    std::string ini;
};

/// That the RTL was there, and was asked: without it the same bytes would say nothing.
void expect_cycles(const fs::path& run, const arguments& rtl) {
    const nlohmann::json cycles = nlohmann::json::parse(contents(run / "run.json")).at("rtl_cycles");
    const bool one = std::find(rtl.begin(), rtl.end(), "--rtl.switches=tor0.0") != rtl.end();
    EXPECT_EQ(cycles.size() == 1, one);
    for (const auto& [option, block] : std::map<std::string, std::string>{
             {"--switch.arbiter=rtl", "arbiter"}, {"--switch.tcam=rtl", "tcam"}, {"--mac.pfc=rtl", "pfc"}}) {
        const bool wanted = std::find(rtl.begin(), rtl.end(), option) != rtl.end();
        std::uint64_t sum = 0;
        for (const auto& [name, blocks] : cycles.items()) {
            EXPECT_EQ(blocks.contains(block), wanted) << name;
            sum += wanted ? blocks.at(block).get<std::uint64_t>() : 0;
        }
        EXPECT_EQ(sum > 100, wanted) << block;
    }
}

void expect_no_difference(const arguments& rtl, const arguments& common = {}) {
    loop_rig r;
    const fs::path model = r.run("model", common);
    EXPECT_FALSE(nlohmann::json::parse(contents(model / "run.json")).contains("rtl_cycles"));
    const fs::path with_rtl = r.run("rtl", combined(common, rtl));
    expect_same_results(model, with_rtl);
    expect_cycles(with_rtl, rtl);
    const nlohmann::json summary = summary_of(model);
    EXPECT_GT(summary["pfc"]["xoff_sent"].get<int>(), 100);
    EXPECT_GT(summary["flows"]["completed"].get<int>(), 500);
}

TEST(rtl_in_the_loop, an_arbiter_at_one_switch_changes_no_byte) {
    expect_no_difference({"--switch.arbiter=rtl", "--rtl.switches=tor0.0"});
}
TEST(rtl_in_the_loop, an_arbiter_at_every_switch_changes_no_byte) {
    expect_no_difference({"--switch.arbiter=rtl"});
}
TEST(rtl_in_the_loop, an_arbiter_at_every_switch_with_cells_changes_no_byte) {
    expect_no_difference({"--switch.arbiter=rtl"}, {"--switch.crossbar=cell", "--switch.iterations=2"});
}
TEST(rtl_in_the_loop, an_arbiter_at_some_switches_with_two_threads_changes_no_byte) {
    expect_no_difference({"--switch.arbiter=rtl", "--rtl.switches=agg*,core1", "--run.threads=2"});
}
TEST(rtl_in_the_loop, a_tcam_at_every_switch_changes_no_byte) {
    expect_no_difference({"--switch.tcam=rtl"});
}
TEST(rtl_in_the_loop, a_tcam_at_some_switches_with_two_threads_changes_no_byte) {
    expect_no_difference({"--switch.tcam=rtl", "--rtl.switches=tor*,core0", "--run.threads=2"});
}
TEST(rtl_in_the_loop, tables_that_follow_cut_and_mended_links_change_no_byte) {
    expect_no_difference({"--switch.tcam=rtl", "--switch.arbiter=rtl"},
                         {"--fabric.link=tor0.0-agg0.0 down at=1ms", "--fabric.link=tor0.0-agg0.0 up at=3ms",
                          "--fabric.link=agg1.1-core2 down at=1500us", "--fabric.reroute_delay=100us"});
}
TEST(rtl_in_the_loop, a_table_behind_a_shared_memory_changes_no_byte) {
    loop_rig r(
        "[run]\nduration = 3ms\n[fabric]\ntopology = fat_tree\nk = 4\n[switch]\nbuffer = shared\n"
        "[traffic]\nkind = query\nrate = 12000\nsizes = 8KB,32KB\n");
    expect_same_results(r.run("model", {}), r.run("rtl", {"--switch.tcam=rtl"}));
}

TEST(rtl_in_the_loop, pfc_at_every_switch_changes_no_byte) {
    expect_no_difference({"--mac.pfc=rtl"});
}
TEST(rtl_in_the_loop, pfc_at_some_switches_with_two_threads_changes_no_byte) {
    expect_no_difference({"--mac.pfc=rtl", "--rtl.switches=tor*,core0", "--run.threads=2"});
}
TEST(rtl_in_the_loop, pauses_that_run_out_or_are_refreshed_change_no_byte) {
    // 8 us, so that most pauses take more than one; some of them are over before their XON.
    expect_no_difference({"--mac.pfc=rtl"}, {"--pfc.quanta=160", "--pfc.refresh=10%"});
    expect_no_difference({"--mac.pfc=rtl"}, {"--pfc.quanta=160", "--pfc.refresh=80%"});
}
TEST(rtl_in_the_loop, pfc_of_links_that_are_cut_and_change_their_rate_changes_no_byte) {
    expect_no_difference({"--mac.pfc=rtl"},
                         {"--fabric.link=tor0.0-agg0.0 down at=1ms", "--fabric.link=tor0.0-agg0.0 up at=3ms",
                          "--fabric.link=agg1.1-core2 rate=500Mbps at=1500us"});
}
TEST(rtl_in_the_loop, all_blocks_at_once_change_no_byte) {
    expect_no_difference({"--switch.arbiter=rtl", "--switch.tcam=rtl", "--mac.pfc=rtl"});
}
TEST(rtl_in_the_loop, no_switch_at_all_is_refused) {
    loop_rig r;
    const outcome made =
        run_program(r.where, {"run", r.ini, "--dry-run", "--switch.arbiter=rtl", "--rtl.switches="});
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "rtl.switches: '', no switch"));
}
TEST(rtl_in_the_loop, pause_of_all_classes_beside_pfc_as_rtl_is_refused) {
    loop_rig r;
    const outcome made =
        run_program(r.where, {"run", r.ini, "--out", "out", "--mac.pfc=rtl", "--pfc.mode=pause"});
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "mac.pfc: rtl, 802.3x PAUSE, pfc.mode = pause, model"));
}
TEST(rtl_in_the_loop, a_watchdog_beside_pfc_as_rtl_is_refused) {
    loop_rig r;
    const outcome made =
        run_program(r.where, {"run", r.ini, "--out", "out", "--mac.pfc=rtl", "--pfc.watchdog=drop"});
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "mac.pfc: rtl, watchdog"));
}

// --- the RTL's own latencies
// ---------------------------------------------------------------------------------------

TEST(rtl_in_the_loop, a_lookup_takes_three_cycles_of_the_clock) {
    loop_rig r;
    r.run("delay", {"--switch.lookup_delay=15ns"});
    r.run("clock", {"--switch.tcam=rtl", "--rtl.latency=rtl", "--rtl.clock=5ns"});
    // The times of an empty fabric too.
    EXPECT_GT(contents(r.where / "delay" / "flows.csv").size(), 10'000U);
    EXPECT_EQ(contents(r.where / "delay" / "flows.csv"), contents(r.where / "clock" / "flows.csv"));
}
TEST(rtl_in_the_loop, no_transfer_is_quicker_than_in_an_empty_fabric) {
    loop_rig r;
    const auto quicker = [&](const std::string& name, const arguments& options) {
        std::istringstream lines(contents(r.run(name, options) / "flows.csv"));
        std::string line;
        std::getline(lines, line);
        int early = 0;
        int count = 0;
        for (; std::getline(lines, line); ++count) {
            std::vector<std::string> fields;
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');) {
                fields.push_back(cell);
            }
            early += std::stod(fields.at(8)) < std::stod(fields.at(9)) ? 1 : 0;
        }
        EXPECT_GT(count, 500);
        return early;
    };
    const arguments rtl{"--switch.arbiter=rtl", "--switch.tcam=rtl", "--mac.pfc=rtl", "--rtl.latency=rtl",
                        "--rtl.clock=8ns"};
    EXPECT_EQ(quicker("all", rtl), 0);
    EXPECT_EQ(quicker("some", combined(rtl, {"--rtl.switches=tor*"})), 0);
    EXPECT_EQ(quicker("slow", {"--switch.tcam=rtl", "--rtl.latency=rtl", "--rtl.clock=1us",
                               "--switch.lookup_delay=1us", "--rtl.switches=tor*"}),
              0);
}
TEST(rtl_in_the_loop, a_dry_run_says_which_blocks_are_rtl_where_and_what_they_take) {
    loop_rig r;
    const auto said = [&](const arguments& options) {
        const outcome made = run_program(r.where, combined({"run", r.ini, "--dry-run"}, options));
        EXPECT_EQ(made.status, 0) << made.err;
        const std::size_t begin = made.out.find("RTL in ");
        return begin == std::string::npos ? "" : made.out.substr(begin, made.out.find("TCP: ") - begin);
    };
    EXPECT_EQ(said({}), "");
    EXPECT_EQ(
        said({"--switch.arbiter=rtl", "--switch.tcam=rtl", "--rtl.switches=core*,tor1.0"}),
        "RTL in tor1.0, core0 to core3, with the model's latencies\n  switch.arbiter\n  switch.tcam: lookup "
        "3.1us\n");
    EXPECT_EQ(
        said({"--switch.arbiter=rtl", "--switch.tcam=rtl", "--mac.pfc=rtl", "--rtl.latency=rtl",
              "--rtl.clock=8ns"}),
        "RTL in all switches, with latencies of its own, clock 8ns\n"
        "  switch.arbiter: 1 cycle (8ns) per iteration\n"
        "  switch.tcam: lookup 3 cycles (24ns)\n"
        "  mac.pfc: to the next edge and 3 cycles (24ns) from a frame's last bit to its pause, 4 cycles (32ns) "
        "from a request to its frame; thresholds do not account for this delay of up to 5 cycles (40ns), 5 B "
        "at 1Gbps\n");
}
TEST(rtl_in_the_loop, a_transfer_begins_when_the_arbiters_cycles_are_over) {
    // Each datagram has the switch for itself: a run of one iteration.
    loop_rig r(
        "[run]\nduration = 1ms\n[fabric]\ntopology = single\nhosts = 2\n"
        "[traffic]\nkind = trace\nfile = flows.csv\ntransport = udp\n");
    std::string flows = "start_ns,src,dst,bytes\n";
    for (int i = 0; i < 20; ++i) {
        flows += std::to_string(40'000 * i) + ",0,1," + std::to_string(100 + 50 * i) + "\n";
    }
    r.where.write("flows.csv", flows);
    const fs::path model = r.run("model", {"--switch.lookup_delay=100ns"});
    const fs::path rtl = r.run(
        "rtl", {"--switch.lookup_delay=90ns", "--switch.arbiter=rtl", "--rtl.latency=rtl", "--rtl.clock=10ns"});
    expect_same_times(model, rtl);
}
TEST(rtl_in_the_loop, pfc_with_latencies_of_its_own_has_the_same_bytes_whatever_the_quantum) {
    loop_rig r;
    const arguments latency{"--mac.pfc=rtl", "--rtl.latency=rtl", "--rtl.clock=8ns"};
    const nlohmann::json own = summary_of(r.run("own", latency));
    const nlohmann::json model = summary_of(r.run("model", {}));
    EXPECT_EQ(own["drops"], model["drops"]);
    // T_R of the model is 1.024 us.
    EXPECT_NE(own["pfc"]["paused_ns"], model["pfc"]["paused_ns"]);
    EXPECT_EQ(
        contents(r.run("again", combined(latency, {"--run.quantum=700ns", "--run.threads=2"})) / "flows.csv"),
        contents(r.where / "own" / "flows.csv"));
}
TEST(rtl_in_the_loop, a_clock_that_does_not_fit_is_refused) {
    loop_rig r;
    const auto refused = [&](const arguments& options, const std::string& why) {
        const outcome made =
            run_program(r.where, combined({"run", r.ini, "--out", "no", "--rtl.latency=rtl"}, options));
        EXPECT_EQ(made.status, 2);
        EXPECT_TRUE(has_error(made.err, why));
    };
    refused({"--switch.tcam=rtl"}, "rtl.latency: rtl.clock, 6.4ns");
    refused({"--mac.pfc=rtl", "--rtl.clock=5ns"}, "rtl.clock: 5ns, 2, h0-tor0.0");
    refused({"--mac.pfc=rtl", "--rtl.clock=2ns", "--fabric.link=tor0.0-agg0.0 rate=500Mbps at=1ms"},
            "500Mbps, 4ns, 1us");
    refused({"--switch.arbiter=rtl", "--switch.crossbar=cell", "--rtl.clock=32ns"}, "32ns, 4");
}

TEST(rtl_in_the_loop, names_of_no_switch_are_refused) {
    loop_rig r;
    const outcome made = run_program(
        r.where, {"run", r.ini, "--out", "out", "--switch.arbiter=rtl", "--rtl.switches=tor0.0,spine*"});
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "rtl.switches: spine*, all"));
    // `*` alone stands for other text, as in the options of traces.
    const outcome question =
        run_program(r.where, {"run", r.ini, "--dry-run", "--switch.arbiter=rtl", "--rtl.switches=tor?.0"});
    EXPECT_EQ(question.status, 2);
    EXPECT_TRUE(has_error(question.err, "rtl.switches: tor?.0, no switch"));
    EXPECT_FALSE(fs::exists(r.where / "out"));
}
TEST(rtl_in_the_loop, switches_with_more_ports_than_the_rtl_was_built_for_are_refused) {
    const scratch_directory where;
    const arguments wide{
        "run", "--out", "out", "--fabric.hosts=65", "--run.duration=1us", "--switch.arbiter=rtl"};
    const outcome made = run_program(where, wide);
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "switch.arbiter: rtl, RTL, 65"));
    EXPECT_NE(made.err.find("up to 64 ports"), std::string::npos) << made.err;
}
TEST(rtl_in_the_loop, switches_with_more_routes_than_the_rtl_was_built_for_are_refused) {
    const scratch_directory where;
    arguments many{"run",
                   "--dry-run",
                   "--out",
                   "out",
                   "--fabric.topology=racks",
                   "--fabric.racks=12",
                   "--fabric.hosts_per_rack=100",
                   "--run.duration=1us",
                   "--switch.tcam=rtl",
                   "--switch.tcam_entries=2000"};
    EXPECT_EQ(run_program(where, many).status, 0);
    // A route by hand is one for each of the rack's hosts.
    for (int rack = 0; rack < 12; ++rack) {
        const std::string tor = "tor" + std::to_string(rack);
        many.push_back("--fabric.route=root0 to " + tor + " via " + tor);
    }
    const outcome made = run_program(where, many);
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "switch.tcam: rtl, RTL"));
    EXPECT_TRUE(has_error(made.err, "root0, 1024"));
}

}  // namespace
