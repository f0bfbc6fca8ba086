// The program with files that are damaged, wide, empty or cannot be read: who is blamed, and the exit status.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/errors_said.h"

using namespace weir::test;

namespace {

const arguments short_run{"run",
                          "--fabric.topology=single",
                          "--traffic.kind=query",
                          "--traffic.rate=2000",
                          "--run.duration=2ms",
                          "--run.progress=false",
                          "--out",
                          "out"};

TEST(damaged_files, a_file_that_fails_while_it_is_read_is_named_whoever_reads_it) {
    const scratch_directory where;
    const std::string file = "/proc/self/mem";
    const std::vector<arguments> all{
        {"run", "--dry-run", "--fabric.topology=file", "--fabric.file=" + file},
        {"run", "--dry-run", "--fabric.topology=file", "--fabric.file_format=htsim", "--fabric.file=" + file},
        {"run", "--dry-run", "--traffic.kind=trace", "--traffic.file=" + file},
        {"run", "--dry-run", "--traffic.kind=poisson", "--traffic.distribution=file",
         "--traffic.distribution_fraction=percent", "--traffic.distribution_size=1B",
         "--traffic.distribution_file=" + file},
        {"run", "--dry-run", file},
        {"sweep", file, "--vary", "traffic.rate=1,2", "--out", "out"},
        {"headroom", "--diff", file},
        {"compare", file, file},
        {"table", file},
        {"replay", "islip", "--requests", file, "--iterations", "1", "--out", "o.csv"}};
    for (const arguments& command : all) {
        const outcome o = run_program(where, command);
        EXPECT_EQ(o.status, 3) << command[0] << " " << command[1] << ": " << o.err;
        EXPECT_NE(o.err.find("Input/output error"), std::string::npos) << command[1] << ": " << o.err;
        EXPECT_NE(o.err.find(file), std::string::npos) << o.err;
    }
}

TEST(damaged_files, a_run_that_was_killed_is_called_that_by_whoever_reads_it) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, short_run).status, 0);
    fs::remove(where / "out/summary.json");
    fs::rename(where / "out/flows.csv", where / "out/flows.csv.partial");
    for (const arguments& command :
         {arguments{"table", "out"}, arguments{"plot", "out", "--out", "plots"},
          arguments{"plot", "out", "--metric=fct_ns.p99", "--over=traffic.rate", "--out", "plots"},
          arguments{"accuracy", "out", "out"}}) {
        const outcome o = run_program(where, command);
        EXPECT_EQ(o.status, 2) << command[0] << ": " << o.err;
        EXPECT_TRUE(has_error(o.err, "out: flows.csv.partial, summary.json")) << command[0] << ": " << o.err;
        EXPECT_FALSE(fs::exists(where / "plots"));
    }
}

TEST(damaged_files, a_damaged_summary_is_bad_input_with_file_and_key) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, short_run).status, 0);
    const std::string whole = contents(where / "out/summary.json");
    const auto replaced = [&](const std::string& key, const std::string& value) {
        std::string text = whole;
        const std::size_t at = text.find("\"" + key + "\": ") + key.size() + 4;
        return text.replace(at, text.find_first_of(",\n", at) - at, value);
    };
    const auto with_limit = [&](const std::string& resource) {
        nlohmann::ordered_json summary = nlohmann::ordered_json::parse(whole);
        summary["limited_by"] = {resource};
        return summary.dump(2);
    };
    struct damage {
        std::string text;
        const char* said;
    };
    for (const damage& each :
         {damage{replaced("simulated_ns", "1e400"), "1e400, at most 9e15"},
          damage{replaced("packet_hops", "1e30"), "packet_hops: 1e+30, at most 9223372036854775807"},
          damage{replaced("seed", "-1"), "seed: -1, 0, number"},
          damage{with_limit("moon"), "limited_by: moon, resources"},
          damage{replaced("simulated_ns", "null"), "simulated_ns: null, number"},
          damage{replaced("dropped", "\"none\""), "frames.dropped: text, number"},
          damage{whole.substr(0, whole.size() / 2), "incomplete"}}) {
        where.write("out/summary.json", each.text);
        for (const arguments& command :
             {arguments{"table", "out"}, arguments{"plot", "out", "--out", "plots"}}) {
            const outcome o = run_program(where, command);
            EXPECT_EQ(o.status, 2) << o.err;
            EXPECT_EQ(o.err.rfind("out/summary.json:", 0), 0U) << o.err;
            EXPECT_TRUE(has_error(o.err, each.said));
        }
    }
}

TEST(damaged_files, a_summary_of_a_build_before_is_read_without_the_keys_that_it_lacks) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, short_run).status, 0);
    nlohmann::ordered_json older = nlohmann::ordered_json::parse(contents(where / "out/summary.json"));
    older["pfc"].erase("frames_sent");
    older["pfc"].erase("paused_percent");
    for (nlohmann::ordered_json& resource : older["resources"]) {
        for (const char* key : {"bound_percent", "bound_from_ns", "bound_to_ns"}) {
            EXPECT_EQ(resource.erase(key), 1U) << key;
        }
    }
    where.write("out/summary.json", older.dump(2));
    const outcome o = run_program(where, {"table", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    const std::size_t row = o.out.find("\nPFC frames sent");
    ASSERT_NE(row, std::string::npos) << o.out;
    EXPECT_EQ(o.out.substr(o.out.find('\n', row + 1) - 2, 2), " -") << o.out;
}

TEST(damaged_files, a_damaged_summary_of_a_sweep_is_named_by_the_sweep_and_its_plot) {
    const scratch_directory where;
    const arguments sweep{"sweep",
                          "--fabric.topology=single",
                          "--traffic.kind=query",
                          "--run.duration=1ms",
                          "--vary",
                          "traffic.rate=1000,2000",
                          "--out",
                          "s"};
    ASSERT_EQ(run_program(where, sweep).status, 0);
    const std::string file = "s/points/0001/seed_1/summary.json";
    std::string text = contents(where / file);
    const std::size_t at = text.find("\"dropped\": ");
    where.write(file, text.replace(at, 12, "\"dropped\": null"));
    for (const arguments& command :
         {sweep, arguments{"plot", "s", "--metric=fct_ns.p99", "--over=traffic.rate", "--out", "p"}}) {
        const outcome o = run_program(where, command);
        EXPECT_EQ(o.status, 2) << o.err;
        EXPECT_TRUE(has_error(o.err, file + ": frames.dropped: 0, null, number"));
    }
}

TEST(damaged_files, memory_that_runs_out_is_no_verdict) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer takes more memory than there is here";
#endif
    const scratch_directory where;
    where.write("small", "#!/bin/sh\nulimit -v 400000\nexec " WEIR_PROGRAM " \"$@\"\n");
    fs::permissions(where / "small", fs::perms::owner_all);
    const std::string command = "cd '" + where.path().string() +
                                "' && ./small run --fabric.topology=fat_tree --fabric.k=48 --run.duration=1us "
                                "--out o >said 2>&1";
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status)) << contents(where / "said");
    EXPECT_EQ(WEXITSTATUS(status), 3) << contents(where / "said");
    EXPECT_NE(contents(where / "said").find("out of memory"), std::string::npos) << contents(where / "said");
}

TEST(empty_windows, are_warned_of_before_the_run_where_that_is_known) {
    const scratch_directory where;
    const outcome between =
        run_program(where, combined(short_run, {"--output.window_start=15us", "--output.window_end=18us",
                                                "--output.occupancy_interval=10us", "--dry-run"}));
    EXPECT_EQ(between.status, 0);
    EXPECT_NE(between.err.find(
                  "warning: occupancy.csv and pauses.csv will hold no sample: output.window_start = 15us, "
                  "output.window_end = 18us, and the first sample after the start is at 20us "
                  "(output.occupancy_interval = 10us)\n"),
              std::string::npos)
        << between.err;
    const outcome early = run_program(
        where, combined(short_run,
                        {"--traffic.start=1ms", "--trace.window_end=1ms", "--trace.pcap=all", "--dry-run"}));
    EXPECT_NE(early.err.find(
                  "warning: traces will hold no traffic: trace.window_start = 0ps, trace.window_end = 1ms, "
                  "and traffic.start = 1ms\n"),
              std::string::npos)
        << early.err;
    EXPECT_EQ(run_program(where, combined(short_run, {"--output.window_start=15us", "--dry-run"})).err, "");
}

TEST(empty_windows, are_warned_of_after_a_run_that_ended_too_early) {
    const scratch_directory where;
    where.write("one.csv", "start_ns,src,dst,bytes\n0,0,1,1000\n");
    const outcome o = run_program(
        where, {"run", "--traffic.kind=trace", "--traffic.file=one.csv", "--output.window_start=1s",
                "--trace.window_start=1s", "--trace.pcap=all", "--trace.perfetto=true", "--trace.wave=run.vcd",
                "--trace.drop_causes=true", "--run.progress=false", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char* said :
         {"warning: trace.pcapng has no frame: none was sent on the captured links in the window "
          "(trace.window_start = 1s; the run ended at ",
          "warning: perfetto.json has no journey: nothing came in the window (trace.window_start = 1s; the run "
          "ended "
          "at ",
          "warning: run.vcd has no value: nothing was recorded in the window (trace.window_start = 1s; the run "
          "ended at ",
          "warning: drop_causes.csv has no row: nothing to record in the window (trace.window_start = 1s; the "
          "run ended "
          "at ",
          "warning: occupancy.csv and pauses.csv hold no sample: output.window_start = 1s, and the run ended "
          "at "}) {
        EXPECT_NE(o.err.find(said), std::string::npos) << said << "\nis not in\n" << o.err;
    }
}

TEST(blame, is_on_the_option_that_was_given) {
    const scratch_directory where;
    const auto said = [&](const arguments& options) {
        return run_program(where, combined({"run", "--dry-run"}, options)).err;
    };
    EXPECT_TRUE(errors_are(said({"--link.latency=0ns"}), {"command line: link.latency: 0ns, 1ps to 1s"}));
    // A mistake elsewhere hides nothing.
    EXPECT_TRUE(errors_are(said({"--traffic.kind=trace", "--run.seed=x"}),
                           {"command line: run.seed: x, whole number",
                            "command line: traffic.kind: traffic.file, traffic.kind = trace"}));
    EXPECT_TRUE(errors_are(
        said({"--tcp.header=128B", "--traffic.kind=query", "--run.duration=1ms"}),
        {"command line: tcp.header: tcp.mss, 1460B, tcp.header, 128B, 1588B, switch.max_frame, 1530B"}));
    EXPECT_TRUE(errors_are(said({"--switch.speedup=99999999999999999999"}),
                           {"command line: switch.speedup: 99999999999999999999, 1 to 16"}));
    EXPECT_TRUE(errors_are(said({"--link.latency=99999999999999999999s"}),
                           {"command line: link.latency: 99999999999999999999s, 1ps to 1s"}));
    EXPECT_TRUE(errors_are(said({"--tcp.receive_window=1GiB", "--tcp.mss=512B"}),
                           {"command line: tcp.receive_window: 1GiB, at most 1048576, 512B"}));
}

}  // namespace
