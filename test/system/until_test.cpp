// A run that ends when a figure is known well enough (run.until): at the same instant however it runs, with the
// results of a run that is that long, and with a figure that a much longer run confirms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/errors_said.h"
#include "table_rows.h"

namespace weir::test {
namespace {

/// Independent transfers of 4 KB between 8 hosts of one switch, in their steady state after a millisecond.
const arguments steady{"--fabric.topology=single", "--fabric.hosts=8",
                       "--link.rate=10Gbps",       "--traffic.kind=poisson",
                       "--traffic.load=60%",       "--traffic.sizes=4KB",
                       "--traffic.transport=udp",  "--run.warmup=1ms",
                       "--run.progress=off",       "--run.seed=3",
                       "--output.jobs=false",      "--output.fairness_window=50us"};

nlohmann::json run(const scratch_directory& where, const std::string& out, const arguments& more,
                   const arguments& options = steady) {
    const outcome made = run_program(where, combined(combined({"run", "--out", out}, options), more));
    EXPECT_EQ(made.status, 0) << made.err;
    return summary_of(where / out);
}

std::string ns_text(const nlohmann::json& ns) {
    return ns.dump() + "ns";
}

TEST(until, a_run_ends_at_the_same_instant_whatever_quantum_threads_and_engine) {
    const scratch_directory where;
    const arguments goal{"--run.until=p99 of fct within 8% and mean of slowdown within 2%",
                         "--run.duration=1s"};
    const nlohmann::json summary = run(where, "usual", goal);
    const nlohmann::json& until = summary["until"];
    EXPECT_EQ(until["reached"], true);
    EXPECT_EQ(until["ended_run"], true);
    EXPECT_EQ(summary["complete"], true);
    EXPECT_LT(summary["simulated_ns"], 50'000'000);
    // The figure is that of completed transfers; the summary counts the few unfinished ones, too.
    std::vector<double> times;
    for (const table_row& row : rows_of(where / "usual" / "flows.csv")) {
        times.push_back(std::stod(row.at("fct_ns")));
    }
    std::sort(times.begin(), times.end());
    EXPECT_EQ(until["figures"]["fct.p99"]["estimate_ns"], times[(99 * times.size() + 99) / 100 - 1]);
    EXPECT_GE(summary["fct_ns"]["p99"], until["figures"]["fct.p99"]["estimate_ns"]);
    EXPECT_LE(until["figures"]["fct.p99"]["half_width_percent"], 8);
    EXPECT_GE(until["figures"]["fct.p99"]["batches"], 32);
    for (const char* way : {"--run.quantum=100ns", "--run.quantum=333ns", "--run.threads=2",
                            "--run.threads=2 --run.thread_grain=0", "--run.engine=literal"}) {
        const std::string text = way;
        const std::size_t blank = text.find(' ');
        arguments more = combined(goal, {text.substr(0, blank)});
        if (blank != std::string::npos) {
            more.push_back(text.substr(blank + 1));
        }
        run(where, "other", more);
        expect_same_bytes(where / "usual", where / "other");
        fs::remove_all(where / "other");
    }
}

TEST(until, all_results_are_those_of_a_run_of_that_duration) {
    const scratch_directory where;
    nlohmann::json ended = run(where, "until", {"--run.until=p99 of fct within 8%", "--run.duration=1s"});
    nlohmann::json same = run(where, "same", {"--run.duration=" + ns_text(ended["simulated_ns"])});
    ended.erase("until");
    EXPECT_EQ(ended, same);
    for (const char* directory : {"until", "same"}) {
        fs::remove(where / directory / "summary.json");
        fs::remove(where / directory / "effective.ini");
    }
    expect_same_bytes(where / "until", where / "same");
}

// Links are 0.5 % busy: nothing happens at most of the times at which the figure is looked at. It is good
// enough at 41.96 ms, and so is the next look, at 50.152 ms: with traffic until 49 ms that is after the last
// event.
TEST(until, idle_time_does_not_change_when_a_run_ends) {
    const scratch_directory where;
    arguments idle = combined(steady, {"--traffic.load=0.5%", "--run.until=mean of fct within 2%"});
    idle.erase(std::find(idle.begin(), idle.end(), "--traffic.load=60%"));
    for (const std::string duration : {"2s", "0s"}) {
        for (const std::string stop : {"100ms", "49ms"}) {
            const arguments options = combined(idle, {"--run.duration=" + duration, "--traffic.stop=" + stop});
            const nlohmann::json summary = run(where, "usual", {}, options);
            const bool traffic_ends = duration == "0s" && stop == "49ms";
            EXPECT_EQ(summary["until"]["ended_run"], !traffic_ends) << duration << ' ' << stop;
            EXPECT_EQ(summary["until"]["reached"], true);
            EXPECT_EQ(summary["simulated_ns"] == 50'152'000, !traffic_ends) << summary["simulated_ns"];
            for (const char* way : {"--run.quantum=100ns", "--run.engine=literal", "--run.threads=2"}) {
                run(where, "other", {way}, options);
                expect_same_bytes(where / "usual", where / "other");
                fs::remove_all(where / "other");
            }
            fs::remove_all(where / "usual");
        }
    }
}

TEST(until, a_run_ten_times_as_long_confirms_the_figure) {
    const scratch_directory where;
    const nlohmann::json ended = run(where, "until", {"--run.until=p90 of fct within 2%", "--run.duration=1s"});
    const double ns = ended["simulated_ns"].get<double>();
    const nlohmann::json longer =
        run(where, "longer", {"--run.duration=" + std::to_string(static_cast<long>(10 * ns)) + "ns"});
    const double estimate = ended["fct_ns"]["p90"].get<double>();
    const double truth = longer["fct_ns"]["p90"].get<double>();
    EXPECT_LE(std::abs(estimate - truth), 0.02 * truth);
    EXPECT_NE(estimate, truth);
}

TEST(until, an_aim_that_is_not_reached_is_said) {
    const scratch_directory where;
    const outcome made = run_program(
        where, combined(combined({"run", "--out", "out"}, steady),
                        {"--run.duration=8ms", "--run.until=p99 of fct within 1% and mean of fct within 40%"}));
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.err.find("warning: run.until: 'p99 of fct within 1% at 95%' was not reached: "),
              std::string::npos)
        << made.err;
    EXPECT_EQ(made.err.find("'mean of fct"), std::string::npos) << made.err;
    EXPECT_NE(made.out.find("(not reached)"), std::string::npos) << made.out;
    EXPECT_NE(made.out.find("assumed: a steady state from run.warmup on"), std::string::npos) << made.out;
    const nlohmann::json summary = summary_of(where / "out");
    EXPECT_EQ(summary["until"]["reached"], false);
    EXPECT_EQ(summary["until"]["ended_run"], false);
    EXPECT_EQ(summary["simulated_ns"], 8'000'000);
}

TEST(until, a_tag_that_the_traffic_has_not_is_refused) {
    const scratch_directory where;
    const outcome made =
        run_program(where, combined(combined({"run", "--out", "out"}, steady),
                                    {"--run.duration=3ms", "--run.until=p99 of fct of qeury within 1%"}));
    EXPECT_EQ(made.status, 2);
    EXPECT_TRUE(has_error(made.err, "run.until: qeury, flow"));
    EXPECT_FALSE(fs::exists(where / "out"));
}

TEST(until, a_sweep_ends_each_run_by_itself_and_reports_how_well_it_is_known) {
    const scratch_directory where;
    where.write("config.ini", "[fabric]\ntopology = single\n");
    const outcome made =
        run_program(where, combined(combined({"sweep", "config.ini", "--out", "swept", "--vary",
                                              "link.latency=1us,2us", "--seeds", "2"},
                                             steady),
                                    {"--run.duration=1s", "--run.until=mean of fct within 3%"}));
    EXPECT_EQ(made.status, 0) << made.err;
    const std::string runs = contents(where / "swept/sweep.csv");
    EXPECT_NE(runs.find("until.figures.fct.mean.half_width_percent"), std::string::npos) << runs;
}

}  // namespace
}  // namespace weir::test
