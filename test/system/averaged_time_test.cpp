// Averages start at the first frame, or at the end of the warm-up: a trace gives the same averages whenever its
// first flow starts.
#include <gtest/gtest.h>

#include "program.h"
#include "ranks_rig.h"
#include "table_rows.h"

namespace weir::test {
namespace {

/// Two flows to one host, one after the other; `start_ns` is that of the first one.
std::string trace_from(std::uint64_t start_ns) {
    return "start_ns,src,dst,bytes\n" + std::to_string(start_ns) + ",0,1,300000\n" +
           std::to_string(start_ns + 40'000) + ",2,1,200000\n";
}

nlohmann::json run(const scratch_directory& where, std::uint64_t start_ns, const std::string& out,
                   const arguments& more = {}, const surroundings& around = {}) {
    where.write("trace.csv", trace_from(start_ns));
    const outcome made = run_program(
        where,
        combined({"run", "--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=2",
                  "--link.rate=10Gbps", "--switch.classes=2", "--pfc.mode=pfc", "--traffic.kind=trace",
                  "--traffic.file=trace.csv", "--run.progress=off", "--out", out},
                 more),
        around);
    EXPECT_EQ(made.status, 0) << made.err;
    return summary_of(where / out);
}

/// Compares results that do not depend on when the traffic starts.
void expect_same_averages(const scratch_directory& where, nlohmann::json early, nlohmann::json late) {
    EXPECT_EQ(late["goodput"], early["goodput"]);
    EXPECT_EQ(late["pfc"], early["pfc"]);
    EXPECT_EQ(late["limited_by"], early["limited_by"]);
    for (nlohmann::json* summary : {&early, &late}) {
        for (nlohmann::json& kind : (*summary)["resources"]) {
            EXPECT_GT(kind["busy_percent"], 1);
            // When it bound, and for how long, is known between two looks, which are at fixed times.
            for (const char* key : {"bound_percent", "bound_from_ns", "bound_to_ns", "fullest"}) {
                kind.erase(key);
            }
        }
    }
    EXPECT_EQ(late["resources"], early["resources"]);
    EXPECT_EQ(contents(where / "late/ports.csv"), contents(where / "early/ports.csv"));
}

// Payload over the time from the first frame's first bit to the end: 500 kB in about 0.45 ms.
TEST(averaged_time, begins_with_the_first_frame_however_late_that_is) {
    const scratch_directory where;
    const nlohmann::json early = run(where, 0, "early");
    EXPECT_FALSE(early.contains("averaged_from_ns"));
    for (const std::uint64_t start_ns : {37'123ULL, 2'000'000'000ULL}) {
        const nlohmann::json late = run(where, start_ns, "late");
        expect_same_averages(where, early, late);
        EXPECT_EQ(late["averaged_from_ns"], start_ns);
        const double seconds = (late["simulated_ns"].get<double>() - static_cast<double>(start_ns)) / 1e9;
        EXPECT_NEAR(late["goodput"]["bps"].get<double>(), 8 * 500'000 / seconds, 1);
        const std::vector<table_row> intervals = rows_of(where / "late/limit_intervals.csv");
        EXPECT_EQ(intervals.front().at("start_ns"), std::to_string(start_ns));
        EXPECT_GT(late["resources"]["link"]["bound_from_ns"], start_ns);
        fs::remove_all(where / "late");
    }
}

TEST(averaged_time, counts_from_the_frame_not_from_the_flow_whose_stack_delays_it) {
    const scratch_directory where;
    EXPECT_EQ(run(where, 2'000'000, "late", {"--host.stack_out=7us"})["averaged_from_ns"], 2'007'000);
}

TEST(averaged_time, is_the_time_after_a_warm_up_that_is_set) {
    const scratch_directory where;
    const nlohmann::json made = run(where, 2'000'000, "out", {"--run.warmup=1ms"});
    EXPECT_FALSE(made.contains("averaged_from_ns"));
    const double seconds = (made["simulated_ns"].get<double>() - 1e6) / 1e9;
    EXPECT_NEAR(made["goodput"]["bps"].get<double>(), 8 * 500'000 / seconds, 1);
}

TEST(averaged_time, is_said_where_it_is_not_the_whole_run) {
    const scratch_directory where;
    where.write("trace.csv", trace_from(2'000'000'000));
    const auto run_with = [&](const std::string& out, const arguments& more) {
        return run_program(where, combined({"run", "--traffic.kind=trace", "--traffic.file=trace.csv",
                                            "--run.progress=off", "--out", out},
                                           more));
    };
    const outcome late = run_with("late", {});
    EXPECT_NE(late.out.find("\naverages   from the first frame, at 2.000 s, to the end of the run\n"),
              std::string::npos)
        << late.out;
    EXPECT_EQ(late.err, "");
    const outcome warm = run_with("warm", {"--run.warmup=1ms"});
    EXPECT_EQ(warm.out.find("from the first frame"), std::string::npos) << warm.out;
    EXPECT_NE(warm.err.find("run.warmup = 1ms ends 1.999s before the first frame, at 2s: averages include that "
                            "idle time; run.warmup = 0ps starts them at the first frame"),
              std::string::npos)
        << warm.err;
}

TEST(averaged_time, is_the_same_bytes_for_any_engine_quantum_threads_and_effective_configuration) {
    const scratch_directory where;
    run(where, 2'000'000'000, "late");
    for (const arguments& way : std::vector<arguments>{
             {"--run.engine=literal"}, {"--run.threads=3", "--run.thread_grain=0"}, {"--run.quantum=137ns"}}) {
        run(where, 2'000'000'000, "again", way);
        expect_same_bytes(where / "late", where / "again");
        fs::remove_all(where / "again");
    }
    const outcome again = run_program(where, {"run", "late/effective.ini", "--out", "again"});
    EXPECT_EQ(again.status, 0) << again.err;
    expect_same_bytes(where / "late", where / "again");
}

// The first frame is another rank's than rank 0's.
TEST(averaged_time, is_the_same_bytes_for_ranks) {
    WEIR_NEEDS_MPIRUN();
    const scratch_directory where;
    run(where, 2'000'000'000, "alone");
    run(where, 2'000'000'000, "ranks", {}, as_ranks(3));
    expect_same_bytes(where / "alone", where / "ranks");
}

// An adapter that pauses its link partner sends the first frame.
TEST(averaged_time, begins_with_a_pause_frame_if_that_is_the_first) {
    const scratch_directory where;
    const nlohmann::json made =
        run(where, 2'000'000, "out", {"--host.broken=h3 from=1ms", "--run.duration=3ms"});
    EXPECT_EQ(made["averaged_from_ns"], 1'000'000);
    EXPECT_EQ(made["pfc"]["paused_percent"]["tier1"].is_null(), false);
    EXPECT_LE(made["pfc"]["paused_percent"]["tier1"], 100);
}

TEST(averaged_time, that_a_pause_frame_begins_long_before_data_is_warned_of) {
    const scratch_directory where;
    where.write("trace.csv", trace_from(2'000'000));
    const auto warnings = [&](const std::string& out, const arguments& more) {
        const outcome made =
            run_program(where, combined({"run", "--fabric.hosts=4", "--link.rate=10Gbps", "--switch.classes=2",
                                         "--pfc.mode=pfc", "--traffic.kind=trace", "--traffic.file=trace.csv",
                                         "--run.progress=off", "--run.duration=3ms", "--out", out},
                                        more));
        EXPECT_EQ(made.status, 0) << made.err;
        return made.err;
    };
    const std::string told =
        ": averages include that idle time; set run.warmup to the start of the first transfer to leave it out";
    const std::string broken = warnings("broken", {"--host.broken=h3 from=0ns to=1us"});
    EXPECT_NE(broken.find("averages start with a pause frame, at 0ps, 2ms before the first data frame, at 2ms" +
                          told),
              std::string::npos)
        << broken;
    const std::string warm = warnings("warm", {"--host.broken=h3 from=0ns to=1us", "--run.warmup=1ms"});
    EXPECT_NE(warm.find("run.warmup = 1ms ends 1ms before the first data frame, at 2ms" + told),
              std::string::npos)
        << warm;
    EXPECT_EQ(warnings("advised", {"--host.broken=h3 from=0ns to=1us", "--run.warmup=2ms"}).find("idle time"),
              std::string::npos);
    EXPECT_EQ(warnings("near", {"--host.broken=h3 from=1.95ms to=1.96ms"}).find("idle time"),
              std::string::npos);
    EXPECT_EQ(warnings("whole", {}).find("idle time"), std::string::npos);
}

}  // namespace
}  // namespace weir::test
