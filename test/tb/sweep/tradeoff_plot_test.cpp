// Metrics of a sweep's points against each other: the Pareto front, what is marked, left out and refused.
#include "tb/study/sweep/tradeoff_plot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "support/scratch_directory.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/results/summary_writer.h"
#include "tb/study/points/sweep_plan.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;
using front = std::vector<std::size_t>;

TEST(pareto_front, has_the_points_that_no_other_point_beats) {
    const std::vector<std::pair<double, double>> points{{1, 9}, {2, 5}, {3, 7}, {4, 5}, {5, 1}};
    EXPECT_EQ(pareto_front(points, {false, false}), (front{0, 1, 4}));
    EXPECT_EQ(pareto_front(points, {true, false}), (front{4}));
    EXPECT_EQ(pareto_front(points, {false, true}), (front{0}));
    EXPECT_EQ(pareto_front(points, {true, true}), (front{0, 2, 3, 4}));
    EXPECT_EQ(pareto_front({{2, 2}, {1, 3}, {2, 2}, {1, 4}}, {}), (front{1, 0, 2})) << "equal points stay";
    EXPECT_EQ(pareto_front({{7, 7}}, {}), (front{0}));
    EXPECT_TRUE(pareto_front({}, {}).empty());
}

/// Sweep of scheme (fc, detail) and ingress buffer (64, 128, 256 KiB).
class tradeoff : public testing::Test {
 protected:
    using json = nlohmann::ordered_json;
    /// 99th percentile (us) and lost frames of a point; nothing: no value.
    struct values {
        std::optional<std::uint64_t> p99_us;
        std::uint64_t lost;
        bool is_lower_bound = false;
    };

    const std::vector<values> all_good{{400, 90}, {300, 40}, {290, 10}, {500, 30}, {200, 20}, {350, 5}};

    void write_sweep(const std::vector<values>& of_points, std::vector<std::uint64_t> seeds = {1, 2}) {
        sweep_plan plan;
        plan.version = "0.1.0";
        plan.configuration = "steady.ini";
        plan.axes = {{{"switch.scheme"}, {{"fc"}, {"detail"}}},
                     {{"switch.ingress_buffer"}, {{"64KiB"}, {"128KiB"}, {"256KiB"}}}};
        plan.seeds = std::move(seeds);
        fs::create_directories(m_where / "s");
        m_where.write("s/plan.json", to_json(plan).dump());
        const campaign_layout layout(m_where / "s", plan.points());
        for (std::size_t point = 0; point < of_points.size(); ++point) {
            for (const std::uint64_t seed : plan.seeds) {
                run_summary made;
                made.complete = true;
                made.fct.count = of_points[point].p99_us ? 100 : 0;
                made.fct.p99 = std::chrono::microseconds(of_points[point].p99_us.value_or(0) + seed);
                made.frames.drops[0] = of_points[point].lost;
                json summary = to_json(made);
                if (!of_points[point].p99_us) {
                    summary["fct_ns"]["p99"] = nullptr;
                }
                summary["fct_ns"]["mean"] = summary["fct_ns"]["p99"];
                if (of_points[point].is_lower_bound && seed == 1) {
                    summary["fct_ns"]["unfinished"] = 3;
                    summary["fct_ns"]["p99_is_lower_bound"] = true;
                }
                fs::create_directories(layout.run(point, seed));
                std::ofstream(layout.run(point, seed) / "summary.json") << to_text(summary);
            }
        }
    }
    int run(std::vector<std::string> args) {
        args.insert(args.begin(),
                    {(m_where / "s").string(), "--format", "svg", "--out", (m_where / "o").string()});
        m_out.str("");
        m_err.str("");
        return sweep_plot_command(args, m_out, m_err);
    }
    std::string read(const std::string& name) const { return test::contents(m_where / name); }

    test::scratch_directory m_where;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

TEST_F(tradeoff, points_and_their_front_are_drawn_and_listed) {
    write_sweep(all_good);
    ASSERT_EQ(run({"--metric", "fct_ns.p99", "--over", "drops.total"}), 0) << m_err.str();
    const std::string data = read("o/fct_ns.p99_over_drops.total.dat");
    EXPECT_NE(data.find("Pareto front\n# x y_us\n5 351.5\n10 291.5\n20 201.5\n"), std::string::npos) << data;
    EXPECT_NE(data.find("scheme = fc\n# x y_us low high x_low x_high\n90 401.5 "), std::string::npos) << data;
    const std::string script = read("o/fct_ns.p99_over_drops.total.gp");
    for (const char* const part : {"with steps lw 2", "xerrorbars", "yerrorbars", "mean of 2 seeds",
                                   "'ingress_buffer=256KiB' at first 5, first 351.5"}) {
        EXPECT_NE(script.find(part), std::string::npos) << part << "\n" << script;
    }
    const std::string listed = m_out.str();
    EXPECT_EQ(listed.rfind("Pareto front (lower fct_ns.p99, lower drops.total): 3 of 6 points\n"
                           "  point 0006: switch.scheme=detail, switch.ingress_buffer=256KiB: ",
                           0),
              0U)
        << listed;
    EXPECT_NE(data.find("#   point 0005: switch.scheme=detail, switch.ingress_buffer=128KiB: "),
              std::string::npos);
}

TEST_F(tradeoff, means_without_unfinished_transfers_are_not_in_the_front) {
    write_sweep({{100, 1, true}, {300, 40}, {290, 10}, {500, 30}, {200, 20}, {350, 5}});
    ASSERT_EQ(
        run({"--metric", "fct_ns.mean", "--metric", "twice_ns = 2 * fct_ns.mean", "--over", "drops.total"}), 0)
        << m_err.str();
    EXPECT_NE(m_out.str().find("): 3 of 6 points\n"), std::string::npos) << m_out.str();
    // Seeds 1 and 2 of the first point: 101 us and 102 us.
    for (const auto& [metric, cross] :
         {std::pair("fct_ns.mean", "y_us\n1 101.5\n\n"), std::pair("twice_ns", "y_ms\n1 0.203\n\n")}) {
        const std::string data = read(std::string("o/") + metric + "_over_drops.total.dat");
        EXPECT_NE(data.find(std::string("transfers did not complete: not in the front\n# x ") + cross),
                  std::string::npos)
            << data;
    }
    const std::string script = read("o/fct_ns.mean_over_drops.total.gp");
    EXPECT_NE(script.find("; transfers did not complete at 1 of 6 points"), std::string::npos) << script;
    EXPECT_EQ(script.find("'ingress_buffer=64KiB' at"), std::string::npos) << "labels are of the front";
    EXPECT_NE(script.find("'ingress_buffer=256KiB' at first 5, first 351.5"), std::string::npos) << script;
}

TEST_F(tradeoff, a_missing_front_is_explained) {
    write_sweep(
        {{400, 90, true}, {300, 40, true}, {290, 10, true}, {500, 30, true}, {200, 20, true}, {350, 5, true}});
    ASSERT_EQ(run({"--metric", "fct_ns.mean", "--over", "drops.total"}), 0) << m_err.str();
    EXPECT_EQ(m_out.str().rfind("no Pareto front: at every point some transfers ", 0), 0U) << m_out.str();
    ASSERT_EQ(run({"--metric", "fct_ns.p99", "--over", "x = drops.total * 2"}), 2)
        << "a definition is for --metric";
    ASSERT_EQ(run({"--metric", "x = drops.total * 2", "--over", "fct_ns.p99"}), 0) << m_err.str();
    EXPECT_NE(m_out.str().find("no Pareto front: neither lower nor higher x is better\n"), std::string::npos)
        << m_out.str();
}

TEST_F(tradeoff, points_without_a_value_are_left_out_and_bounds_are_not_in_the_front) {
    write_sweep({{400, 90}, {std::nullopt, 0}, {290, 10, true}, {500, 30}, {200, 20}, {350, 15}}, {1});
    ASSERT_EQ(run({"--metric", "fct_ns.p99", "--over", "drops.total"}), 0) << m_err.str();
    const std::string script = read("o/fct_ns.p99_over_drops.total.gp");
    EXPECT_NE(script.find("; left out: 1 point without both values"), std::string::npos) << script;
    EXPECT_NE(script.find("; transfers did not complete at 1 of 5 points, "), std::string::npos) << script;
    EXPECT_EQ(script.find("errorbars"), std::string::npos) << "one seed has no intervals";
    const std::string data = read("o/fct_ns.p99_over_drops.total.dat");
    EXPECT_NE(data.find("Pareto front\n# x y_us\n15 351\n20 201\n"), std::string::npos) << data;
    EXPECT_NE(data.find("transfers did not complete: not in the front\n# x y_us\n10 291\n"), std::string::npos)
        << data;
}

TEST_F(tradeoff, a_size_is_an_axis_on_request_and_where_chooses_points) {
    write_sweep(all_good);
    ASSERT_EQ(run({"--metric", "fct_ns.p99", "--over", "switch.ingress_buffer", "--pareto"}), 0) << m_err.str();
    EXPECT_NE(read("o/fct_ns.p99_over_switch.ingress_buffer.dat")
                  .find("Pareto front\n# x_KiB y_us\n64 401.5\n128 201.5\n"),
              std::string::npos)
        << read("o/fct_ns.p99_over_switch.ingress_buffer.dat");
    ASSERT_EQ(run({"--metric", "fct_ns.p99", "--over", "drops.total", "--where", "switch.scheme=fc"}), 0);
    EXPECT_NE(m_out.str().find("): 1 of 3 points\n"), std::string::npos) << m_out.str();
    ASSERT_EQ(run({"--metric", "fct_ns.p99,drops.total", "--over", "drops.total"}), 0)
        << "is not drawn over itself";
    EXPECT_FALSE(fs::exists(m_where / "o/drops.total_over_drops.total.dat"));
}

TEST_F(tradeoff, the_axis_is_a_metric_in_any_spelling_that_names_one) {
    write_sweep(all_good);
    for (const char* const over : {"drops.total", "drops.t?tal", "fct-ns.p99"}) {
        EXPECT_EQ(run({"--metric", "frames.dropped", "--over", over}), 0) << m_err.str();
    }
    EXPECT_TRUE(fs::exists(m_where / "o/frames.dropped_over_fct_ns.p99.gp"));
}

TEST_F(tradeoff, a_logarithmic_scale_is_refused_if_a_drawn_value_is_zero) {
    write_sweep({{400, 90}, {300, 0}, {290, 10}, {500, 30}, {200, 20}, {350, 5}});
    const std::vector<std::string> args{"--metric", "drops.total", "--over", "fct_ns.p99", "--scale", "log"};
    EXPECT_EQ(run(args), 2);
    EXPECT_NE(m_err.str().find("--scale: 'log' does not show drops.total = 0 of point 0002: "),
              std::string::npos)
        << m_err.str();
    std::vector<std::string> detail = args;
    detail.insert(detail.end(), {"--where", "switch.scheme=detail"});
    EXPECT_EQ(run(detail), 0) << m_err.str();
}

TEST_F(tradeoff, what_cannot_be_drawn_is_refused) {
    write_sweep(all_good);
    const auto refused = [&](const std::vector<std::string>& args, const char* option, const char* value) {
        const int status = run(args);
        EXPECT_NE(m_err.str().find(option), std::string::npos) << m_err.str();
        EXPECT_NE(m_err.str().find(value), std::string::npos) << m_err.str();
        return status;
    };
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "switch.scheme", "--pareto"},
                      "--over: ", "'switch.scheme'"),
              2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "drops.total,link.rate"}, "--over: ", "'link.rate'"),
              2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "drops.totals"}, "--over: ", "'drops.totals'"), 2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "detours.p99"}, "--over: ", "'detours.p99'"), 2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "frames"}, "--over: ", "'frames' names "), 2);
    EXPECT_EQ(
        refused({"--metric", "fct_ns.p99", "--over", "y = drops.total / 2"}, "--over: ", "defines a metric"),
        2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "fct_ns.p99"}, "--metric: ", "'fct_ns.p99'"), 2);
    EXPECT_EQ(refused({"--metric", "fct_ns.p99", "--over", "drops.total", "--where", "switch.scheme=dibs"},
                      "--where: ", "'dibs'"),
              2);
    EXPECT_FALSE(fs::exists(m_where / "o"));
}

}  // namespace
}  // namespace weir::tb
