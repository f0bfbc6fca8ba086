// Plugins: kinds and options from outside, in every command.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"
#include "support/errors_said.h"

namespace weir::test {
namespace {

const std::string plugin = WEIR_OUTSIDE_PLUGIN;

/// Eight hosts at one switch, whose arbiter and congestion control are the plugin's.
arguments with_plugin(const std::string& command, const arguments& more) {
    return combined(
        {command, "--plugin", plugin, "--fabric.hosts=8", "--switch.speedup=1", "--traffic.kind=incast",
         "--traffic.incast_bytes=700KB", "--traffic.incast_rounds=3", "--marking.kind=step",
         "--marking.counts=bound", "--marking.threshold=9KB", "--tcp.congestion=abe"},
        more);
}

outcome succeed(const scratch_directory& where, const arguments& args) {
    outcome made = run_program(where, args);
    EXPECT_EQ(made.status, 0) << made.err;
    return made;
}

TEST(plugin, blocks_and_options_of_a_plugin_are_in_help_runs_and_effective_ini) {
    const scratch_directory where;
    EXPECT_NE(succeed(where, {"help", "--plugin=" + plugin, "abe"}).out.find("--abe.left = 80%"),
              std::string::npos);
    EXPECT_NE(succeed(where, {"options", "switch.arbiter", "--plugin", plugin})
                  .out.find("fixed_priority: the lowest port wins"),
              std::string::npos);
    succeed(where, with_plugin("run", {"--switch.arbiter=fixed_priority", "--abe.left=50%",
                                       "--trace.wave=run.vcd", "--out", "a"}));
    succeed(where, with_plugin("run", {"--abe.left=50%", "--out", "islip"}));
    succeed(where, with_plugin("run", {"--switch.arbiter=fixed_priority", "--abe.left=100%", "--out", "left"}));
    EXPECT_NE(contents(where / "a/flows.csv"), contents(where / "islip/flows.csv"));
    // How many segments were marked.
    EXPECT_NE(contents(where / "a/summary.json"), contents(where / "left/summary.json"));
    EXPECT_GT(fs::file_size(where / "a/run.vcd"), 1000U);
    // Alone, effective.ini says all of it.
    const std::string effective = contents(where / "a/effective.ini");
    EXPECT_NE(effective.find("\nplugin = " + plugin + " crc64:"), std::string::npos) << effective;
    EXPECT_NE(effective.find("\narbiter = fixed_priority\n"), std::string::npos);
    succeed(where, {"report", "a", "--out", "a.html"});
    succeed(where, {"run", "a/effective.ini", "--out", "again"});
    EXPECT_EQ(contents(where / "again/flows.csv"), contents(where / "a/flows.csv"));
    EXPECT_EQ(contents(where / "again/effective.ini"), effective);
}

TEST(plugin, is_swept_sized_and_drawn) {
    const scratch_directory where;
    succeed(where, with_plugin("sweep", {"--vary", "switch.arbiter=islip,fixed_priority", "--vary",
                                         "abe.left=0.5,0.9", "--out", "sweep"}));
    const std::string means = contents(where / "sweep/means.csv");
    EXPECT_NE(means.find("fixed_priority,90%"), std::string::npos) << means;
    const arguments plot{"plot",   "sweep",    "--metric", "jct_ns.mean",
                         "--over", "abe.left", "--where",  "switch.arbiter=fixed_priority",
                         "--out",  "pictures"};
    EXPECT_EQ(succeed(where, combined(plot, {"--plugin", plugin})).err, "");
    EXPECT_EQ(
        succeed(where, plot).err,
        "note: abe.left: its values are drawn as names, because this program has no such option; --plugin LIB "
        "loads the plugin that has it\n");
    succeed(where, with_plugin("size", {"--smallest", "abe.left=50%,70%,90%", "--goal", "jct_ns.mean<=1s",
                                        "--out", "size"}));
    succeed(where, {"table", "sweep"});
    // Before the command, too.
    succeed(where, {"--plugin", plugin, "sweep", "--tcp.congestion=abe", "--run.duration=1us", "--vary",
                    "abe.left=0.5,0.9", "--out", "before"});
}

TEST(plugin, has_metrics_by_name) {
    const scratch_directory where;
    const auto lossy = [&](const std::string& command, const arguments& more) {
        return combined({command, "--plugin", plugin, "--fabric.hosts=8", "--switch.scheme=baseline",
                         "--switch.egress_buffer=20KB", "--traffic.kind=incast", "--traffic.incast_bytes=700KB",
                         "--traffic.incast_rounds=3", "--tcp.congestion=abe"},
                        more);
    };
    succeed(where, lossy("run", {"--output.metrics=losses", "--out", "run"}));
    EXPECT_EQ(summary_of(where / "run").at("losses").at("worst_percent"), 100);
    succeed(where, lossy("run", {"--out", "plain"}));
    EXPECT_FALSE(summary_of(where / "plain").contains("losses"));
    succeed(where, lossy("size", {"--smallest", "abe.left=50%,70%", "--goal", "losses.worst_percent <= 100",
                                  "--out", "size"}));
    const outcome table = succeed(where, {"table", "run", "--metric", "losses", "--plugin", plugin});
    EXPECT_NE(table.out.find("100.00 %"), std::string::npos) << table.out;
    const arguments unknown{"sweep", "--seeds=2", "--metric", "losses.worst_percent", "--out", "none"};
    EXPECT_EQ(run_program(where, unknown).status, 2);
}

TEST(plugin, is_in_the_runs_of_a_benchmark) {
    const scratch_directory where;
    succeed(where, {"bench", "tcp", "--plugin", plugin, "--fabric.k=4", "--switch.arbiter=fixed_priority",
                    "--repeat=1", "--out", "b"});
    EXPECT_NE(contents(where / "b/bench.json").find("--switch.arbiter=fixed_priority"), std::string::npos);
}

// Named on the command line, and by the experiment's file beside another one on the command line.
TEST(plugin, is_in_the_runs_of_a_paper) {
    const scratch_directory where;
    const std::string incast =
        "[fabric]\nhosts = 8\n[traffic]\nkind = incast\nincast_rounds = 2\n"
        "[switch]\narbiter = fixed_priority\n[marking]\nkind = step\ncounts = bound\nthreshold = 9KB\n"
        "[tcp]\ncongestion = abe\n";
    fs::create_directory(where / "paper");
    where.write("paper/paper.ini", "[paper]\ntitle = Incast\nseeds = 2\n");
    where.write("paper/experiments.csv",
                "name,file,vary,quick\n"
                "incast,incast.ini,\"abe.left=0.5,0.9 traffic.incast_bytes=70KB,700KB\",\n");
    where.write(
        "paper/statements.csv",
        "figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,recorded,quick,source\n"
        "1,longer,More bytes take longer,,order,jct_ns.mean,incast,abe.left,"
        "traffic.incast_bytes=70KB < traffic.incast_bytes=700KB,,,,agrees,,\n");
    where.write("paper/figures.csv", "figure,title,draw,experiment,metric,at,x,curves,scale,relative\n");
    where.write("paper/incast.ini", incast);
    succeed(where, {"reproduce", "./paper", "--plugin", plugin, "--out", "alone"});
    where.write("paper/incast.ini", "[run]\nplugin = " + plugin + "\n" + incast);
    succeed(where, {"reproduce", "./paper", "--plugin", WEIR_EVERY_BLOCK_PLUGIN, "--out", "beside"});
    const std::string effective = contents(where / "beside/points/0001/seed_1/effective.ini");
    EXPECT_NE(effective.find("\nplugin = " + plugin + " crc64:"), std::string::npos) << effective;
    EXPECT_NE(effective.find(std::string("\nplugin = ") + WEIR_EVERY_BLOCK_PLUGIN + " crc64:"),
              std::string::npos);
    EXPECT_EQ(contents(where / "beside/points/0001/seed_1/summary.json"),
              contents(where / "alone/points/0001/seed_1/summary.json"));
}

TEST(plugin, is_not_loaded_from_files_that_are_data) {
    const scratch_directory where;
    where.write("data.ini", "[run]\nplugin = none.so\n");
    for (const char* const command : {"compare", "options", "table"}) {
        const outcome made = run_program(where, {command, "data.ini", "data.ini"});
        EXPECT_EQ(made.err.find("plugin"), std::string::npos) << made.err;
    }
}

TEST(plugin, of_which_files_differ_or_are_gone_is_an_option_that_differs) {
    const scratch_directory where;
    const auto run = [&](const std::string& library, const std::string& out, const arguments& more = {}) {
        succeed(where, combined({"run", "--plugin", library, "--run.duration=10us", "--out", out}, more));
    };
    const auto differing = [&](const std::string& a, const std::string& b) {
        return succeed(where, {"options", "--diff", a, b, "--format=md"}).out;
    };
    const auto only_of_plugin = [&](const std::string& a, const std::string& b) {
        const std::string table = differing(a, b);
        return table.find("\n| run.plugin | ") != std::string::npos &&
               std::count(table.begin(), table.end(), '\n') == 3;
    };
    fs::copy_file(plugin, where / "mine.so");
    fs::copy_file(plugin, where / "copy.so");
    run("mine.so", "mine", {"--switch.arbiter=fixed_priority"});
    run("copy.so", "copy", {"--switch.arbiter=fixed_priority"});
    std::ofstream(where / "mine.so", std::ios::app) << "another build";
    EXPECT_EQ(differing("mine", "mine"), "no option differs\n");
    EXPECT_TRUE(only_of_plugin("mine", "copy"));
    // Without a checksum it is the plugin that a run would have now.
    std::string now = contents(where / "mine/effective.ini");
    now.erase(now.find(" crc64:", now.find("\nplugin = ")), std::string(" crc64:0123456789abcdef").size());
    where.write("now.ini", now);
    EXPECT_TRUE(only_of_plugin("mine", "now.ini"));
    // What a plugin that is gone had is unknown.
    fs::remove(where / "mine.so");
    const outcome refused = run_program(where, {"options", "--diff", "mine", "mine"});
    EXPECT_EQ(refused.status, 2);
    for (const char* const why : {"mine.so' cannot be read", "switch.arbiter: 'fixed_priority' is unknown"}) {
        EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
    }
    fs::copy_file(WEIR_EVERY_BLOCK_PLUGIN, where / "gone.so");
    run("gone.so", "gone");
    fs::remove(where / "gone.so");
    succeed(where, {"run", "--run.duration=10us", "--out", "without"});
    EXPECT_TRUE(only_of_plugin("gone", "without"));
}

// Two racks, several paths, PFC, deficit round robin's classes.
TEST(plugin, each_block_of_a_switch_may_be_a_plugins) {
    const scratch_directory where;
    const auto run = [&](const std::string& out, const arguments& blocks) {
        return run_program(where,
                           combined({"run", "--plugin", WEIR_EVERY_BLOCK_PLUGIN, "--fabric.topology=racks",
                                     "--fabric.racks=2", "--fabric.hosts_per_rack=4", "--fabric.roots=2",
                                     "--traffic.kind=incast", "--traffic.incast_bytes=700KB",
                                     "--traffic.incast_rounds=2", "--pfc.mode=pfc", "--out", out},
                                    blocks));
    };
    const outcome model = run("model", {});
    ASSERT_EQ(model.status, 0) << model.err;
    ASSERT_GT(nlohmann::json::parse(contents(where / "model/summary.json"))["pfc"]["xoff_sent"], 0);
    for (const char* const block :
         {"--switch.tcam=copy", "--switch.balance=copy", "--switch.ingress_memory=copy",
          "--switch.arbiter=copy", "--switch.egress_memory=copy", "--switch.scheduler=copy"}) {
        const outcome copy = run("copy", {block});
        ASSERT_EQ(copy.status, 0) << block << '\n' << copy.err;
        for (const char* const name : {"flows.csv", "ports.csv", "summary.json"}) {
            EXPECT_EQ(contents(where / "copy" / name), contents(where / "model" / name))
                << block << ", " << name;
        }
        EXPECT_NE(contents(where / "copy/effective.ini").find(" = copy\n"), std::string::npos) << block;
        fs::remove_all(where / "copy");
    }
    const outcome silent = run("silent", {"--mac.pfc=silent"});
    ASSERT_EQ(silent.status, 0) << silent.err;
    EXPECT_EQ(nlohmann::json::parse(contents(where / "silent/summary.json"))["pfc"]["frames_sent"], 0);
    EXPECT_TRUE(has_error(run("refused", {"--mac.pfc=silent", "--pfc.watchdog=drop"}).err,
                          "mac.pfc: silent, pfc.watchdog, model, pfc.watchdog = off"));
    EXPECT_NE(run("shared", {"--switch.buffer=shared", "--switch.ingress_memory=copy"})
                  .err.find("switch.ingress_memory"),
              std::string::npos);
}

TEST(plugin, what_a_block_says_that_it_reads_counts_for_options_dry_runs_and_waves) {
    const scratch_directory where;
    const auto run = [&](const arguments& blocks, const std::string& thresholds, const arguments& more) {
        return run_program(where, combined(combined({"run", "--plugin", WEIR_EVERY_BLOCK_PLUGIN,
                                                     "--run.duration=10us", "--fabric.topology=racks",
                                                     "--fabric.roots=2", "--switch.weights=1,2,3,4,5,6,7,8",
                                                     "--switch.balance_thresholds=" + thresholds},
                                                    blocks),
                                           more));
    };
    const arguments reading{"--switch.balance=adaptive_copy", "--switch.scheduler=round_robin_copy"};
    const outcome dry = run(reading, "4KiB", {"--dry-run"});
    EXPECT_EQ(dry.status, 0);
    EXPECT_EQ(dry.err, "");
    EXPECT_NE(dry.out.find("favoured; thresholds: 4KiB\n"), std::string::npos) << dry.out;
    EXPECT_NE(run(reading, "1MiB", {"--dry-run"}).err.find("switch.balance_thresholds: 1MiB is never reached"),
              std::string::npos);
    const outcome missing = run(reading, "", {"--dry-run"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(errors_are(
        missing.err, {"command line: switch.balance_thresholds: '', switch.balance = adaptive_copy, empty"}));
    const outcome traced =
        run(reading, "4KiB", {"--trace.wave=run.vcd", "--trace.wave_signals=favored", "--out", "traced"});
    EXPECT_EQ(traced.status, 0) << traced.err;
    EXPECT_NE(contents(where / "traced/run.vcd").find("favored_below_4096_c0"), std::string::npos);
    const outcome idle = run({"--switch.balance=copy", "--switch.scheduler=copy"}, "4KiB", {"--dry-run"});
    for (const char* const each :
         {"switch.balance_thresholds: has no effect; it needs switch.balance = adaptive "
          "or adaptive_copy\n",
          "switch.weights: has no effect; it needs switch.scheduler = "
          "deficit_round_robin or round_robin_copy, and switch.classes above 1\n"}) {
        EXPECT_NE(idle.err.find(each), std::string::npos) << idle.err;
    }
}

TEST(plugin, a_file_that_is_none_or_another_one_is_refused) {
    const scratch_directory where;
    const auto refused = [&](const arguments& more, const std::string& why) {
        const outcome made = run_program(where, combined({"run", "--out", "out"}, more));
        EXPECT_EQ(made.status, 2);
        EXPECT_TRUE(has_error(made.err, why));
        EXPECT_FALSE(fs::exists(where / "out"));
    };
    std::ofstream(where / "text.so") << "no library\n";
    fs::copy_file(plugin, where / "cut.so");
    // Within what is loaded: half of a file with debugging information may have all of that.
    fs::resize_file(where / "cut.so", 8'192);
    ASSERT_EQ(::mkfifo((where / "pipe.so").c_str(), 0600), 0);
    std::ofstream(where / "a.ini") << "[run]\nseed = 2\nplugin = there/none.so\n";
    refused({"--plugin", "none.so"}, "none.so, No such file or directory");
    refused({"--plugin", "cut.so"}, "cut.so, cut off");
    refused({"--plugin", "pipe.so"}, "pipe.so, no regular file");
    refused({"--plugin", "."}, "a directory");
    refused({"--run.plugin=" + plugin + " crc64:zz"}, "zz, 16, crc64");
    refused({"--plugin", "text.so"}, "text.so' cannot be loaded: ");
    refused({"--plugin="}, "command line: run.plugin: '', empty");
    refused({"--plugin"}, "command line: --plugin: no value");
    refused({"a.ini"}, "a.ini:3: run.plugin: " + (where / "there/none.so").string());
    refused({"--run.plugin=" + plugin + " crc64:0123456789abcdef"}, "checksum, 0123456789abcdef");
    fs::copy_file(plugin, where / "copy.so");
    refused({"--plugin", plugin, "--plugin", "copy.so"}, "copy.so, outside, " + plugin);
    refused({"--plugin", WEIR_OTHER_PLUGIN}, "WEIR_MAX_PORTS = 64, 256");
    refused({"--switch.arbiter=fixed_priority"}, "switch.arbiter: fixed_priority, islip");
}

}  // namespace
}  // namespace weir::test
