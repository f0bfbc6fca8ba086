// Metrics that are defined in an INI file and on the command line: in sweeps, pictures, tables, searches and
// runs.
#include "table_rows.h"

namespace weir::test {
namespace {

using nlohmann::json;

class derived_metric : public testing::Test {
 protected:
    derived_metric() {
        m_dir.write(
            "config.ini",
            "[run]\nduration = 2ms\nprogress = off\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 4000\n"
            "[output]\nmetrics = waste = 1 - goodput.bps / offered.bps\n");
    }

    outcome call(const arguments& words, const arguments& more = {}) const {
        return run_program(m_dir, combined(words, more));
    }
    /// Two points, two seeds.
    outcome sweep(const arguments& more) const {
        return call(
            {"sweep", "config.ini", "--vary", "link.rate=1Gbps,10Gbps", "--seeds", "2", "--out", "swept"},
            more);
    }

    scratch_directory m_dir;
};

TEST_F(derived_metric, has_a_column_intervals_and_differences_in_sweeps) {
    const outcome made = sweep({"--metric", "tail_ns = max(fct_ns.max, 1ns) - fct_ns.p50", "--metric",
                                "waste,fct_ns,offered,goodput", "--plot", "waste_percent = waste"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.out.find("tail_ns"), std::string::npos) << "the table for people has it";
    for (const table_row& row : rows_of(m_dir / "swept/sweep.csv")) {
        EXPECT_NEAR(std::stod(row.at("tail_ns")),
                    std::stod(row.at("fct_ns.max")) - std::stod(row.at("fct_ns.p50")), 1e-3);
        EXPECT_NEAR(std::stod(row.at("waste")),
                    1 - std::stod(row.at("goodput.bps")) / std::stod(row.at("offered.bps")), 1e-9);
    }
    const json means = json::parse(contents(m_dir / "swept/means.json"));
    const json& second = means["points"][1]["metrics"]["waste"];
    EXPECT_LE(second["low"], second["mean"]);
    EXPECT_TRUE(second["difference"]["mean"].is_number());
    const json plan = json::parse(contents(m_dir / "swept/plan.json"));
    EXPECT_EQ(plan["metrics"].size(), 3U);
    EXPECT_NE(contents(m_dir / "swept/plots/waste_percent_over_link.rate.gp").find(" = waste"),
              std::string::npos);

    EXPECT_EQ(call({"plot", "swept", "--metric", "tail_ns", "--over", "link.rate", "--out", "drawn"}).status,
              0);
    EXPECT_NE(contents(m_dir / "drawn/tail_ns_over_link.rate.gp").find("max(fct"), std::string::npos);
    EXPECT_EQ(call({"plot", "swept", "--metric", "tail_ns", "--over", "waste", "--out", "over"}).status, 0);
    EXPECT_NE(contents(m_dir / "over/tail_ns_over_waste.gp").find("against"), std::string::npos);
    const outcome table = call({"table", "swept", "--format=csv", "--metric", "waste,twice = 2 * waste"});
    EXPECT_EQ(table.status, 2) << "a list holds no definition";
    const outcome twice =
        call({"table", "swept", "--format=json", "--metric", "waste", "--metric", "twice = 2 * waste"});
    ASSERT_EQ(twice.status, 0) << twice.err;
    const json point = json::parse(twice.out)["points"][1]["metrics"];
    EXPECT_NEAR(point["twice"]["mean"], 2 * point["waste"]["mean"].get<double>(), 1e-9);
    EXPECT_NE(call({"table", "swept"}).out.find("waste"), std::string::npos) << "the sweep defines it";

    EXPECT_EQ(sweep({"--metric", "none = frames.dropped / frames.dropped"}).status, 0);
    EXPECT_NE(call({"table", "swept", "--metric", "none"}).out.find(" -"), std::string::npos) << "0 / 0";
    EXPECT_EQ(call({"plot", "swept", "--metric", "none", "--over", "link.rate", "--out", "n"}).status, 2);
}

TEST_F(derived_metric, is_known_to_tables_of_runs_that_define_it) {
    ASSERT_EQ(call({"run", "config.ini", "--out", "a"}).status, 0);
    ASSERT_EQ(call({"run", "config.ini", "--link.rate=10Gbps", "--out", "b"}).status, 0);
    const outcome made =
        call({"table", "a", "b", "--format=json", "--metric", "waste", "--metric", "sent = frames.sent * 2"});
    ASSERT_EQ(made.status, 0) << made.err;
    const json runs = json::parse(made.out)["runs"];
    EXPECT_LT(runs[1]["metrics"]["waste"], 1);
    EXPECT_NEAR(runs[1]["ratios"]["sent"],
                runs[1]["metrics"]["sent"].get<double>() / runs[0]["metrics"]["sent"].get<double>(), 1e-9);

    const char* const one = "--output.metrics=waste = offered.bps / offered.bps";
    ASSERT_EQ(call({"run", "config.ini", one, "--out", "c"}).status, 0);
    const auto waste_of_c = [&](const arguments& more) {
        const outcome both = call({"table", "a", "c", "--format=json", "--metric"}, more);
        return json::parse(both.out)["runs"][1]["metrics"]["waste"].get<double>();
    };
    EXPECT_LT(waste_of_c({"waste"}), 1) << "the first run's definition counts for both";
    EXPECT_EQ(waste_of_c({"waste = 7"}), 7);
}

TEST_F(derived_metric, is_judged_by_goals) {
    const outcome made = call({"size", "config.ini", "--smallest", "link.rate=1Gbps..10Gbps:log:3", "--metric",
                               "tail_ns = fct_ns.max - fct_ns.p50", "--goal", "tail_ns <= 10s", "--goal",
                               "waste <= 1", "--max-runs", "40", "--out", "sized"});
    ASSERT_EQ(made.status, 0) << made.out << made.err;
    EXPECT_EQ(json::parse(contents(m_dir / "sized/search.json"))["runs"]["metrics"].size(), 2U);
}

TEST_F(derived_metric, is_refused_where_it_is_wrong) {
    const auto refuses = [&](const arguments& words, const std::string& because) {
        const outcome made = call(words);
        EXPECT_EQ(made.status, 2) << words.back() << made.out;
        EXPECT_NE(made.err.find(because), std::string::npos) << because << ": " << made.err;
        EXPECT_FALSE(fs::exists(m_dir / "out"));
    };
    const arguments base{"sweep", "config.ini", "--vary", "link.rate=1Gbps,10Gbps", "--out", "out"};
    refuses(combined(base, {"--metric", "x = fct_ns.p99 / nothing"}), "--metric: 'x = fct_ns.p99 / nothing'");
    refuses(combined(base, {"--metric", "wasted"}), "'wasted'");
    refuses(combined(base, {"--plot", "simulated_ns = 1ns"}), "simulated_ns");
    const arguments size{"size", "config.ini", "--smallest", "link.rate=1Gbps,10Gbps", "--out", "out"};
    refuses(combined(size, {"--goal", "wasted <= 1"}), "--goal: 'wasted <= 1");
    refuses(combined(size, {"--goal", "x_ns <= 1us", "--metric", "x_ns = pfc.paused_ns.tier9 + 1ns"}),
            "'tier9'");
    refuses(combined(size, {"--goal", "drops = 0", "--metric", "drops.total"}), "--metric: 'drops.total'");
    refuses(combined(size, {"--goal", "drops = 0", "--metric", "a.b = 1"}),
            "--metric: 'a.b = 1' has the name 'a.b'");
    refuses(combined(base, {"--output.metrics=x_ns = 1"}), "output.metrics: 'x_ns = 1'");
    refuses(combined(base, {"--metric", ""}), "--metric: is empty");
    m_dir.write("wrong.ini", "[output]\n\nmetrics = x = 1 + goodput.bps\n");
    refuses({"run", "wrong.ini", "--out", "out"}, "wrong.ini:3: output.metrics: 'x = 1 + goodput.bps'");
    refuses({"sweep", "wrong.ini", "--seeds=1", "--out", "out"}, "wrong.ini:3: output.metrics");
    refuses({"run", "config.ini", "--run.until=mean of waste within 2%", "--out", "out"},
            "'waste' is no metric");
}

}  // namespace
}  // namespace weir::test
