// weir reproduce with a toy paper: the same bytes whatever happens, the record, and bad input.
#include <algorithm>
#include <regex>

#include "support/errors_said.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

const fs::path toy = fs::path(WEIR_GOLDEN_DIR) / "../toy_paper";

/// A copy of the toy paper that a test may change.
class toy_paper : public testing::Test {
 protected:
    toy_paper() { fs::copy(toy, m_where / "paper"); }

    outcome reproduce(const arguments& more) const {
        return run_program(m_where, combined({"reproduce", "./paper"}, more));
    }
    void replace(const std::string& file, const std::string& from, const std::string& to) const {
        std::string text = contents(m_where / ("paper/" + file));
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        m_where.write("paper/" + file, text.replace(at, from.size(), to));
    }

    scratch_directory m_where;
};

TEST_F(toy_paper, comes_to_its_recorded_verdicts) {
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("18 runs"), std::string::npos) << o.out;
    const auto results = json_in(m_where / "out/results.json");
    ASSERT_EQ(results["statements"].size(), 2U);
    const auto& first = results["statements"][0];
    EXPECT_EQ(first["where"], "Fig. 1");
    EXPECT_EQ(first["paper"], 0.2);
    EXPECT_EQ(first["unit"], "ms");
    EXPECT_EQ(first["verdict"], "agrees");
    // The mean of the runs' own numbers, point 2: 2,000/s, detail.
    double sum = 0;
    for (const char* seed : {"1", "2", "3"}) {
        sum +=
            summary_of(m_where / ("out/points/0002/seed_" + std::string(seed)))["jct_ns"]["p50"].get<double>();
    }
    EXPECT_NEAR(first["ours"].get<double>(), sum / 3e6, 1e-6);
    EXPECT_LT(first["low"], first["ours"]);
    EXPECT_LT(first["ours"], first["high"]);
    const std::string page = contents(m_where / "out/results.md");
    for (const char* part :
         {"# A toy: queries over one switch", "3 seeds (1, 2, 3)",
          "![Mean and median over the load](plots/figure_1.png)",
          "| More queries wait longer, whatever the switch (section 2) | 2000 < 6000 < 10000 |",
          "nobody, nowhere\n\nFour hosts at one switch ask each other, 2,000 to 10,000 times a second.\n\nMade "
          "by",
          "## Fig. 2: Distribution at 10,000 queries/s\n\nThe steeper a curve, the less an answer depends on "
          "chance.\n\n![Distribution",
          "Mean of job completion time divided by that of rate = 2000:\n\n| switch.scheme | 2000 | 6000 | "
          "10000 "
          "|\n|---|---|---|---|\n| baseline | 1 +-0 | "}) {
        EXPECT_NE(page.find(part), std::string::npos) << part << " is not in\n" << page;
    }
    for (const char* picture : {"figure_1.svg", "figure_1_2.svg", "figure_2.svg"}) {
        EXPECT_TRUE(fs::exists(m_where / "out/plots" / picture)) << picture;
    }
    // The ratio of each seed's means at 10,000/s and at 2,000/s, baseline.
    double ratio = 0;
    for (const char* seed : {"1", "2", "3"}) {
        const auto mean_of = [&](const char* point) {
            return summary_of(m_where /
                              (std::string("out/points/") + point + "/seed_" + seed))["jct_ns"]["mean"]
                .get<double>();
        };
        ratio += mean_of("0005") / mean_of("0001") / 3;
    }
    const std::string drawn = contents(m_where / "out/plots/figure_1_2.dat");
    const std::string label = ": rate = 10000\n# x y low high\n";
    const std::size_t block = drawn.find(label);
    ASSERT_NE(block, std::string::npos) << drawn;
    std::istringstream row(drawn.substr(block + label.size()));
    double x = 0;
    double shown = 0;
    row >> x >> shown;
    EXPECT_GT(ratio, 1.5);
    EXPECT_NEAR(shown, ratio, 1e-4);
    // A report has the same verdicts and pictures.
    const auto report = report_of(m_where, "out");
    const auto rows = table_in(report, "statements")["rows"];
    ASSERT_EQ(rows.size(), 2U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][1], results["statements"][i]["says"]);
        EXPECT_EQ(rows[i][4], results["statements"][i]["verdict"]);
    }
    EXPECT_EQ(rows[0][2], "0.2 ms");
    EXPECT_EQ(table_in(report, "opening")["rows"][0][1], "agrees: 2");
    ASSERT_EQ(report["pictures"].size(), 3U);
    EXPECT_EQ(report["pictures"][0]["name"], "figure_1");
    EXPECT_EQ(table_in(report, "points")["rows"].size(), 6U);
    // jobs.csv stays where a distribution is drawn, 10,000/s, and nowhere else.
    EXPECT_TRUE(fs::exists(m_where / "out/points/0005/seed_1/jobs.csv"));
    EXPECT_FALSE(fs::exists(m_where / "out/points/0001/seed_1/jobs.csv"));
    // One that lacks it, as if the figure had come to the table later, runs again.
    const auto before = sweep_files(m_where / "out");
    fs::remove(m_where / "out/points/0005/seed_1/jobs.csv");
    const outcome again = reproduce({"--out", "out"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(again.out.find("1 run, "), std::string::npos) << again.out;
    EXPECT_EQ(sweep_files(m_where / "out"), before);
}

TEST_F(toy_paper, says_a_cost_that_the_reference_run_scales) {
    replace("experiments.csv", "vary,quick\n", "vary,quick,cpu_seconds,memory_mb\n");
    replace("experiments.csv", "stop=2ms\"\n", "stop=2ms\",0.5,70\n");
    const outcome o = reproduce({"--dry-run"});
    EXPECT_EQ(o.status, 0) << o.err;
    std::smatch found;
    const std::regex cost(
        "cost: about (?:(\\d+) min )?(\\d+) s of processor time \\(the reference run took (\\d+) ms\\), "
        "70 MB of memory a run");
    ASSERT_TRUE(std::regex_search(o.out, found, cost)) << o.out;
    const auto number = [&](std::size_t at) { return found[at].matched ? std::stod(found[at]) : 0; };
    EXPECT_GT(number(3), 10);
    // 18 runs.
    EXPECT_NEAR(60 * number(1) + number(2), 18 * 0.5 * number(3) / 1000, 1);
}

TEST_F(toy_paper, gives_the_same_bytes_with_one_process_with_two_threads_and_from_another_place) {
    ASSERT_EQ(reproduce({"--out", "two", "--jobs", "2"}).status, 0);
    ASSERT_EQ(reproduce({"--out", "one", "--jobs", "1"}).status, 0);
    fs::create_directory(m_where / "below");
    ASSERT_EQ(reproduce({"--out", "below/threads", "--threads", "2"}).status, 0);
    expect_same_sweeps(m_where / "two", m_where / "one");
    expect_same_sweeps(m_where / "two", m_where / "below/threads");
}

TEST_F(toy_paper, killed_goes_on_to_the_same_bytes) {
    ASSERT_EQ(reproduce({"--out", "whole"}).status, 0);
    for (const std::size_t wanted : {1U, 7U, 13U}) {
        const process running(m_where, {"reproduce", "./paper", "--out", "killed", "--jobs", "1"});
        ASSERT_TRUE(wait_until([&] { return ended_runs(m_where / "killed").size() >= wanted; }));
        running.send(SIGKILL);
        ASSERT_EQ(running.wait().status, 1000 + SIGKILL) << "the kill came too late";
        ASSERT_TRUE(wait_until([&] { return is_free(m_where / "killed"); }));
    }
    const auto before = ended_runs(m_where / "killed");
    ASSERT_LT(before.size(), 18U);
    const outcome o = reproduce({"--out", "killed"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find(std::to_string(18 - before.size()) + " runs, "), std::string::npos) << o.out;
    expect_same_sweeps(m_where / "whole", m_where / "killed");
    const auto after = ended_runs(m_where / "killed");
    for (const auto& [name, text] : before) {
        EXPECT_EQ(after.at(name), text) << name << " ran again";
    }
}

TEST_F(toy_paper, a_wrong_record_is_named_and_ends_with_status_1) {
    replace("statements.csv", "20%,agrees", "20%,differs");
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "weir reproduce: Fig. 1, median_low: 'agrees', recorded is 'differs'\n");
    EXPECT_EQ(json_in(m_where / "out/results.json")["statements"][0]["recorded"], "differs");
    // The tables of statements and figures may change: no run is made again.
    replace("statements.csv", "20%,differs", "20%,agrees");
    const auto before = ended_runs(m_where / "out");
    EXPECT_EQ(reproduce({"--out", "out"}).status, 0);
    EXPECT_EQ(ended_runs(m_where / "out"), before);
}

TEST_F(toy_paper, quick_and_other_seeds_leave_unjudged_what_needs_more) {
    const outcome quick = reproduce({"--quick", "--out", "quick"});
    EXPECT_EQ(quick.status, 0) << quick.err;
    const auto results = json_in(m_where / "quick/results.json");
    EXPECT_EQ(results["quick"], true);
    EXPECT_EQ(results["statements"][0]["verdict"], "agrees");
    EXPECT_EQ(results["statements"][1]["verdict"], "not judged");
    EXPECT_NE(contents(m_where / "quick/results.md").find("**Quick**"), std::string::npos);
    replace("statements.csv", "20%,agrees", "20%,differs");
    const outcome one = reproduce({"--seeds", "1", "--out", "one"});
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(json_in(m_where / "one/results.json")["statements"][0]["verdict"], "not judged");
    // More seeds go on with what is there, fewer do not.
    EXPECT_EQ(reproduce({"--seeds", "2", "--out", "one", "--dry-run"}).status, 0);
    EXPECT_EQ(reproduce({"--seeds", "2", "--out", "one"}).status, 0);
    const outcome fewer = reproduce({"--seeds", "1", "--out", "one"});
    EXPECT_EQ(fewer.status, 2);
    EXPECT_NE(fewer.err.find("out"), std::string::npos) << fewer.err;
    const outcome full = reproduce({"--out", "quick"});
    EXPECT_EQ(full.status, 2);
    EXPECT_NE(full.err.find("--quick: the reproduction in this directory has quick ones"), std::string::npos)
        << full.err;
}

TEST_F(toy_paper, a_figure_alone_runs_only_its_points_and_the_rest_may_follow) {
    const outcome o = reproduce({"--figure", "2", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("6 runs"), std::string::npos) << o.out;
    EXPECT_FALSE(fs::exists(m_where / "out/plots/figure_1.svg"));
    EXPECT_EQ(json_in(m_where / "out/results.json")["statements"].size(), 0U);
    ASSERT_EQ(reproduce({"--out", "out"}).status, 0);
    ASSERT_EQ(reproduce({"--out", "whole"}).status, 0);
    expect_same_sweeps(m_where / "out", m_where / "whole");
    // What earlier calls have found stays, whatever is asked for, and in whatever order the seeds are given.
    const std::string results = contents(m_where / "out/results.json");
    const std::string page = contents(m_where / "out/results.md");
    EXPECT_EQ(reproduce({"--figure", "2", "--seeds", "3,1,2", "--out", "out"}).status, 0);
    EXPECT_EQ(contents(m_where / "out/results.json"), results);
    EXPECT_EQ(contents(m_where / "out/results.md"), page);
    EXPECT_TRUE(fs::exists(m_where / "out/plots/figure_1.svg"));
    // An experiment that comes to the table's end does not disturb those before it.
    m_where.write("paper/experiments.csv", contents(toy / "experiments.csv") +
                                               "again,queries.ini,traffic.rate=2000 switch.scheme=detail,\n");
    m_where.write("paper/statements.csv",
                  contents(toy / "statements.csv") +
                      "1,again,The same point runs once,,value,jct_ns.p50,again,,,,,,not stated,,\n");
    const auto before = ended_runs(m_where / "out");
    const outcome more = reproduce({"--out", "out"});
    EXPECT_EQ(more.status, 0) << more.err;
    EXPECT_EQ(ended_runs(m_where / "out"), before);
    EXPECT_EQ(json_in(m_where / "out/results.json")["statements"][2]["ours"],
              json_in(m_where / "out/results.json")["statements"][0]["ours"]);
}

TEST_F(toy_paper, draws_what_plot_draws_of_single_runs) {
    ASSERT_EQ(reproduce({"--figure", "1", "--out", "out"}).status, 0);
    m_where.write("paper/figures.csv",
                  contents(toy / "figures.csv") +
                      "3,Queues of both switches,run,rates,occupancy,traffic.rate=10000,,switch.scheme,,\n"
                      "3,Causes,run,rates,pause_tree,traffic.rate=2000 switch.scheme=detail,,,,\n");
    const outcome o = reproduce({"--figure", "3", "--out", "out"});
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "weir reproduce: Fig. 3, 'Causes': no run has pause_tree\n");
    // The runs that figure 1 has left without their tables are made again.
    EXPECT_NE(o.out.find("9 runs, "), std::string::npos) << o.out;
    const std::string script = contents(m_where / "out/plots/figure_3_occupancy.gp");
    EXPECT_NE(script.find("Queues of both switches"), std::string::npos);
    EXPECT_NE(script.find("'figure_3_occupancy.dat'"), std::string::npos);
    const std::string data = contents(m_where / "out/plots/figure_3_occupancy.dat");
    for (const char* label : {"# scheme = baseline, ", "# scheme = detail, "}) {
        EXPECT_NE(data.find(label), std::string::npos) << label;
    }
    EXPECT_TRUE(fs::exists(m_where / "out/plots/figure_3_occupancy.svg"));
    EXPECT_NE(
        contents(m_where / "out/results.md").find("![Queues of both switches](plots/figure_3_occupancy.png)"),
        std::string::npos);
}

TEST_F(toy_paper, a_run_that_loses_a_lossless_frame_fails_its_statements) {
    // Room for two frames above XOFF, and more are under way.
    replace(
        "queries.ini", "[traffic]",
        "[switch]\ningress_buffer = 5KiB\negress_buffer = 16KiB\nbalance_thresholds = 4KiB\n[pfc]\nxoff = 4KB\n"
        "xon = 2KB\nreserve = 0B\n[traffic]");
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("Fig. 1, queueing: 'failed', recorded is 'agrees': point 000"), std::string::npos)
        << o.err;
    EXPECT_NE(o.err.find("lossless"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("runs failed; --retry-failed runs them again"), std::string::npos) << o.err;
    EXPECT_EQ(json_in(m_where / "out/results.json")["statements"][1]["verdict"], "failed");
}

// shared_profiles.a_lossless_queue_beyond_its_limit_loses_frames_and_that_is_told_before: such a run goes on.
TEST_F(toy_paper, a_lossless_loss_that_does_not_end_a_run_fails_its_statements_too) {
    m_where.write(
        "paper/queries.ini",
        "[fabric]\ntopology = single\nhosts = 8\n[link]\nrate = 10Gbps\nlatency = 1us\n[switch]\nbuffer = "
        "shared\nlookup_delay = 400ns\nmemory_cell = 208B\nclasses = 2\n[pfc]\nmode = pfc\n[shared]\n"
        "lossless_classes = 0\nmemory = 1500KB\nlossy_pool = 100KB\n[tcp]\ninitial_window = 100\nmin_rto = "
        "1ms\n[traffic]\nkind = incast\nincast_rounds = 2\nincast_bytes = 1MB\npriorities = 0\n");
    m_where.write("paper/experiments.csv",
                  "name,file,vary,quick\nlimits,queries.ini,\"shared.lossless_queue_threshold=100KB,1MB\",\n");
    std::string statements = contents(toy / "statements.csv");
    statements.resize(statements.find('\n') + 1);
    const std::string tail = ",,,,not stated,,\n";
    m_where.write("paper/statements.csv",
                  statements + "1,low,Loses,,value,jct_ns.mean,limits,shared.lossless_queue_threshold=100KB," +
                      tail + "1,high,Does not,,value,jct_ns.mean,limits,shared.lossless_queue_threshold=1MB," +
                      tail);
    std::string figures = contents(toy / "figures.csv");
    m_where.write("paper/figures.csv", figures.substr(0, figures.find('\n') + 1));
    fs::remove(m_where / "paper/about.md");
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_NE(o.err.find("Fig. 1, low: 'failed', recorded is 'not stated': point 0001: limits, "
                         "shared.lossless_queue_threshold=100KB, seed 1: lost "),
              std::string::npos)
        << o.err;
    EXPECT_EQ(o.err.find("Fig. 1, high"), std::string::npos) << o.err;
}

TEST_F(toy_paper, says_up_to_which_load_a_bound_holds) {
    m_where.write("paper/statements.csv",
                  contents(toy / "statements.csv") +
                      "1,load,Load at 0.3 ms,,value,jct_ns.mean,rates,traffic.rate,switch.scheme=detail,,up to "
                      "0.3ms,,not stated,,\n");
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    // Seed by seed from the runs' own numbers: points 2, 4 and 6 are detail at 2,000, 6,000 and 10,000/s.
    double sum = 0;
    for (const char* seed : {"1", "2", "3"}) {
        std::vector<double> means;
        for (const char* point : {"0002", "0004", "0006"}) {
            means.push_back(
                summary_of(m_where / ("out/points/" + std::string(point) + "/seed_" + seed))["jct_ns"]["mean"]
                    .get<double>());
        }
        const std::size_t above = means[1] > 300'000 ? 1 : 2;
        ASSERT_LE(means[above - 1], 300'000);
        ASSERT_GT(means[above], 300'000);
        const double low = above == 1 ? 2000 : 6000;
        sum += low + 4000 * (300'000 - means[above - 1]) / (means[above] - means[above - 1]);
    }
    const auto row = json_in(m_where / "out/results.json")["statements"][2];
    EXPECT_NEAR(row["ours"].get<double>(), sum / 3, 0.1);
    EXPECT_EQ(row["unit"], "");
}

TEST_F(toy_paper, draws_effects_of_a_design_and_names_the_rows_that_give_all_numbers) {
    m_where.write("paper/experiments.csv",
                  contents(toy / "experiments.csv") +
                      "design,queries.ini,\"switch.lookup_delay,tcp.min_rto,link.latency=(1us,10ms,1us),"
                      "(1us,50ms,5us),(10us,10ms,5us),(10us,50ms,1us) switch.scheme=fc,detail\",\n");
    m_where.write(
        "paper/figures.csv",
        contents(toy / "figures.csv") +
            "choices,Which choice decides it,effects,design,jct_ns.p50,,link.latency,switch.scheme,,\n");
    const std::string at = ",jct_ns.p50,design,tcp.min_rto,switch.scheme=detail,,any,20%,agrees,,\n";
    const std::string low = "choices,low,Low,0.12ms,value" + at;
    const std::string whole = contents(toy / "statements.csv") + low;
    m_where.write("paper/statements.csv", whole + "choices,above,Above,>0.1ms,value" + at);
    const outcome o = reproduce({"--out", "out", "--figure", "choices"});
    ASSERT_EQ(o.status, 0) << o.err;
    // (third row + fourth - first - second) / 2 of the runs' own numbers: points 8, 10, 12 and 14 are detail.
    const auto median = [&](const std::string& point) {
        double sum = 0;
        for (const char* seed : {"1", "2", "3"}) {
            sum += summary_of(m_where / ("out/points/00" + point + "/seed_" + seed))["jct_ns"]["p50"]
                       .get<double>();
        }
        return sum / 3000;
    };
    const double effect = (median("12") + median("14") - median("08") - median("10")) / 2;
    const std::string data = contents(m_where / "out/plots/figure_choices.dat");
    const std::string label = "scheme = detail\n# x_us y low high\n";
    const std::size_t row = data.find(label);
    ASSERT_NE(row, std::string::npos) << data;
    EXPECT_NEAR(std::stod(data.substr(row + label.size())), effect, 1e-4);
    std::string page = contents(m_where / "out/results.md");
    for (const char* part :
         {"| **agrees**; at 1 of 4 places: row 1 |",
          "| **agrees**; at 4 of 4 places: row 1; row 2; row 3; row 4 |",
          "Where all of the paper's numbers agree at once (low, above): **row 1 (switch.lookup_delay=1us, "
          "tcp.min_rto=10ms, link.latency=1us)**.",
          "| switch.lookup_delay | 1us | 10us |"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part << " is not in\n" << page;
    }
    EXPECT_EQ(json_in(m_where / "out/results.json")["at_once"][0]["places"].size(), 1U);
    const auto before = sweep_files(m_where / "out");
    ASSERT_EQ(reproduce({"--out", "one", "--figure", "choices", "--jobs", "1"}).status, 0);
    EXPECT_EQ(sweep_files(m_where / "one"), before);
    // Each agrees at some row, both at none.
    m_where.write("paper/statements.csv", whole +
                                              "choices,above,Above,>0.16ms,value,jct_ns.p50,design,tcp.min_rto,"
                                              "switch.scheme=detail,,any,,agrees,,\n");
    ASSERT_EQ(reproduce({"--out", "out", "--figure", "choices"}).status, 0);
    page = contents(m_where / "out/results.md");
    EXPECT_NE(page.find("at once (low, above): **no row**."), std::string::npos) << page;
}

TEST_F(toy_paper, a_picture_of_what_no_run_has_is_named) {
    m_where.write(
        "paper/figures.csv",
        contents(toy / "figures.csv") +
            "1,Ghost,curves,rates,groups.ghost.8000.7.jct_ns.p50,,traffic.rate,switch.scheme,linear,\n");
    const outcome o = reproduce({"--out", "out"});
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("Fig. 1, 'Ghost': no run has groups.ghost.8000.7.jct_ns.p50"), std::string::npos)
        << o.err;
    EXPECT_NE(contents(m_where / "out/results.md").find("*Ghost: no run has groups.ghost.8000.7.jct_ns.p50.*"),
              std::string::npos);
}

TEST_F(toy_paper, is_found_by_name_and_listed) {
    const surroundings around{0, 0, {{"WEIR_EXPERIMENTS", m_where.path().string()}}};
    const outcome list = run_program(m_where, {"reproduce"}, around);
    EXPECT_EQ(list.status, 0);
    EXPECT_EQ(list.out, "paper  A toy: queries over one switch (nobody, nowhere)\n");
    const outcome dry = run_program(m_where, {"reproduce", "paper", "--dry-run"}, around);
    EXPECT_EQ(dry.status, 0) << dry.err;
    EXPECT_NE(dry.out.find("paper: 18 runs, "), std::string::npos) << dry.out;
    EXPECT_NE(dry.out.find("point 0001: rates, traffic.rate=2000, switch.scheme=baseline\n"), std::string::npos)
        << dry.out;
    const outcome unknown = run_program(m_where, {"reproduce", "papre", "--out", "out"}, around);
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(has_error(unknown.err, "PAPER: papre, paper, paper.ini"));
}

TEST_F(toy_paper, bad_input_is_named_before_anything_runs) {
    struct bad {
        const char* file;
        const char* from;
        const char* to;
        const char* message;
    };
    for (const bad& each :
         {bad{"statements.csv", "jct_ns.p50", "jct_ns.p51", "statements.csv:2: metric: 'jct_ns.p51'"},
          {"experiments.csv", "switch.scheme=baseline", "switch.scheme=basic",
           "experiments.csv:2: vary: switch.scheme: 'basic'"},
          {"experiments.csv", "queries.ini", "query.ini", "query.ini: cannot be read"},
          {"experiments.csv", "traffic.rate=2000..10000:4000", "traffic.rate=2000..10000:4000 tcp.mss=8000B",
           "experiments.csv:2: "},
          {"queries.ini", "hosts = 4", "hosts = 0", "queries.ini:4: fabric.hosts: '0' is out of range"},
          {"figures.csv", "traffic.rate=10000", "traffic.rate=1",
           "figures.csv:4: at: 'traffic.rate' never has"},
          {"figures.csv", "linear,traffic.rate=2000", "linear,switch.scheme=baseline",
           "figures.csv:3: relative: switch.scheme=baseline, traffic.rate=VALUE"},
          {"figures.csv", "log,", "log,switch.scheme=baseline",
           "figures.csv:4: relative: switch.scheme=baseline"},
          {"about.md", "## 2", "## 3", "about.md:3: 3, 1, 2"},
          {"about.md", "\nThe", "\n## 2\nThe", "about.md:5: 2, twice"},
          {"paper.ini", "seeds = 3", "seeds = 0", "paper.ini:4: paper.seeds: "}}) {
        fs::remove_all(m_where / "paper");
        fs::copy(toy, m_where / "paper");
        replace(each.file, each.from, each.to);
        const outcome o = reproduce({"--out", "out"});
        EXPECT_EQ(o.status, 2) << each.message;
        EXPECT_TRUE(has_error(o.err, each.message));
        EXPECT_FALSE(fs::exists(m_where / "out"));
    }
    fs::remove_all(m_where / "paper");
    fs::copy(toy, m_where / "paper");
    for (const auto& [more, message] : std::vector<std::pair<arguments, std::string>>{
             {{"--figure", "9", "--out", "out"}, "--figure: 9, 1, 2"},
             {{"--seeds", "none", "--out", "out"}, "--seeds: 'none' is not a list of seeds"},
             {{}, "--out: is missing"},
             {{"--figure", "", "--out", "out"}, "--figure: empty"},
             {{"--out", "paper"}, "--out: 'paper' holds 'about.md'"}}) {
        const outcome o = reproduce(more);
        EXPECT_EQ(o.status, 2) << message;
        EXPECT_TRUE(has_error(o.err, message));
    }
    EXPECT_EQ(contents(m_where / "paper/queries.ini"), contents(toy / "queries.ini"));
    const outcome no_paper = run_program(m_where, {"reproduce", "--quick", "--out", "out"});
    EXPECT_EQ(no_paper.status, 2);
    EXPECT_TRUE(has_error(no_paper.err, "PAPER: missing"));
    const outcome no_index = run_program(m_where, {"reproduce", "--index", ""});
    EXPECT_EQ(no_index.status, 2);
    EXPECT_TRUE(has_error(no_index.err, "--index: empty"));
}

TEST(reproduce, long_run_of_detail_quick_comes_to_its_recorded_verdicts) {
    const scratch_directory where;
    const outcome o = run_program(where, {"reproduce", "detail", "--quick", "--out", "out"});
    EXPECT_EQ(o.status, 0) << o.out << o.err;
}

}  // namespace
