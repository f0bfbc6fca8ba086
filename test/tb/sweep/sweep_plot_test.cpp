// Pictures of a sweep: the axis of a swept option, what is refused, what is drawn, and that it is drawn the
// same.
#include <gtest/gtest.h>

#include <stdlib.h>
#include <algorithm>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/errors_said.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/study/sweep/sweep_tables.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/record/table_writers.h"
#include "tb/view/chart/chart.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

sweep_plan plan_of(std::vector<sweep_axis> axes, std::vector<std::uint64_t> seeds = {1, 2, 3}) {
    sweep_plan plan;
    plan.version = "0.1.0";
    plan.configuration = "steady.ini";
    plan.axes = std::move(axes);
    plan.seeds = std::move(seeds);
    return plan;
}

sweep_axis axis_of(const std::string& key, const std::vector<std::string>& values) {
    sweep_axis axis{{key}, {}};
    for (const std::string& value : values) {
        axis.values.push_back({value});
    }
    return axis;
}

std::string labels_of(const plot_axis& axis) {
    std::string all;
    for (const axis_tic& tic : axis.tics) {
        all += (all.empty() ? "" : " ") + tic.label;
    }
    return all;
}

TEST(swept_axis, quantities_stand_by_size_in_a_unit_that_makes_them_short) {
    const sweep_plan plan = plan_of({axis_of("switch.ingress_buffer", {"256KiB", "64KiB", "128KiB"})});
    const swept_axis axis(plan, "switch.ingress_buffer");
    EXPECT_TRUE(axis.is_numeric());
    EXPECT_EQ(axis.in_order(), (std::vector<std::size_t>{1, 2, 0}));
    EXPECT_EQ(axis.label(), "switch.ingress_buffer [KiB]");
    EXPECT_EQ(labels_of(axis.axis()), "64 128 256");
    EXPECT_TRUE(axis.axis().logarithmic);
    EXPECT_EQ(axis.text(0), "256 KiB");
}

TEST(swept_axis, an_axis_of_decimal_sizes_keeps_their_unit) {
    const sweep_plan decimal = plan_of({axis_of("pfc.xoff", {"auto", "3KB", "4KB"})});
    EXPECT_FALSE(swept_axis(decimal, "pfc.xoff").is_numeric());
    const sweep_plan sizes = plan_of({axis_of("pfc.xoff", {"3KB", "4KB", "800B"})});
    const swept_axis axis(sizes, "pfc.xoff");
    EXPECT_EQ(axis.label(), "pfc.xoff [KB]");
    EXPECT_EQ(axis.position(0), 0.8);
    EXPECT_EQ(axis.position(2), 4);
    EXPECT_EQ(axis.axis().tics[1].label, "3");
    const sweep_plan mixed = plan_of({axis_of("pfc.xoff", {"3KB", "4KiB"})});
    EXPECT_EQ(swept_axis(mixed, "pfc.xoff").label(), "pfc.xoff [KiB]");
}

TEST(swept_axis, units_of_every_kind) {
    const auto label_of = [](const std::string& key, const std::vector<std::string>& values) {
        const sweep_plan plan = plan_of({axis_of(key, values)});
        const swept_axis axis(plan, key);
        return axis.label() + ": " + labels_of(axis.axis());
    };
    EXPECT_EQ(label_of("link.latency", {"500ns", "1us", "1.5us"}), "link.latency [µs]: 0.5 1 1.5");
    EXPECT_EQ(label_of("tcp.min_rto", {"1ms", "3.162ms", "10ms"}), "tcp.min_rto [ms]: 1 3.162 10");
    EXPECT_EQ(label_of("link.rate", {"1Gbps", "400Gbps"}), "link.rate [Gb/s]: 1 400");
    EXPECT_EQ(label_of("traffic.load", {"10%", "50%", "90%"}), "traffic.load [%]: 10 50 90");
    EXPECT_EQ(label_of("switch.iterations", {"1", "2", "4"}), "switch.iterations: 1 2 4");
    // Of bare numbers the option's description says what they count.
    EXPECT_EQ(label_of("traffic.burst_rate", {"2000", "4000"}), "traffic.burst_rate [1/s]: 2000 4000");
}

TEST(swept_axis, names_stand_side_by_side_in_their_order) {
    const sweep_plan plan =
        plan_of({axis_of("switch.scheme", {"fc", "baseline"}), axis_of("pfc.xoff", {"auto", "20KB"})});
    const swept_axis axis(plan, "switch.scheme");
    EXPECT_FALSE(axis.is_numeric());
    EXPECT_EQ(labels_of(axis.axis()), "fc baseline");
    EXPECT_FALSE(swept_axis(plan, "pfc.xoff").is_numeric()) << "auto has no place among numbers";
}

TEST(swept_axis, zero_and_values_at_equal_ratios_stand_side_by_side) {
    const auto is_to_scale = [](const std::vector<std::string>& values) {
        return swept_axis(plan_of({axis_of("link.latency", values)}), "link.latency").is_numeric();
    };
    EXPECT_FALSE(is_to_scale({"1s", "10ms", "1ms", "0ps"}));
    EXPECT_TRUE(is_to_scale({"0ps", "1ms", "2ms", "3ms"}));
    EXPECT_TRUE(is_to_scale({"1ms", "10ms", "1s"}));
}

TEST(swept_axis, labels_leave_out_what_has_no_room) {
    std::vector<std::string> values;
    for (int i = 1; i <= 64; ++i) {
        values.push_back(std::to_string(i));
    }
    const sweep_plan plan = plan_of({axis_of("traffic.rate", values)});
    const plot_axis axis = swept_axis(plan, "traffic.rate").axis();
    EXPECT_EQ(axis.tics.size(), 64U);
    EXPECT_EQ(labels_of(axis).substr(0, 10), "1    5    ");
}

TEST(swept_axis, is_logarithmic_where_ratios_are_more_even_than_distances) {
    EXPECT_TRUE(lie_logarithmically({1, 10, 100}));
    EXPECT_TRUE(lie_logarithmically({1, 2, 5, 10, 20, 50}));
    EXPECT_TRUE(lie_logarithmically({1, 3.162, 10, 31.62}));
    EXPECT_FALSE(lie_logarithmically({10, 20, 30, 40, 50}));
    EXPECT_FALSE(lie_logarithmically({30, 50, 80, 90, 95}));
    EXPECT_FALSE(lie_logarithmically({0, 10, 100}));
    EXPECT_FALSE(lie_logarithmically({1, 10})) << "two values lie in any way";
}

TEST(sweep_plot_request, by_default_a_quantity_is_the_axis_and_the_first_other_option_the_curves) {
    using keys = std::vector<std::string>;
    const sweep_axis scheme = axis_of("switch.scheme", {"fc", "detail"});
    const sweep_axis rate = axis_of("traffic.rate", {"1", "2"});
    const sweep_axis latency = axis_of("link.latency", {"1us", "2us"});
    EXPECT_EQ(default_sweep_plot(plan_of({scheme, rate, latency})).over,
              (keys{"traffic.rate", "switch.scheme"}));
    EXPECT_EQ(default_sweep_plot(plan_of({scheme})).over, (keys{"switch.scheme"}));
    EXPECT_EQ(default_sweep_plot(plan_of({rate, latency})).over, (keys{"traffic.rate", "link.latency"}));
}

/// A sweep's directory without a sweep: 100 us times the point's number, and 1 us times the seed's square on
/// top.
class sweep_plot : public testing::Test {
 protected:
    sweep_plot() {
        std::string name = (fs::temp_directory_path() / "weir_sweep_plot_XXXXXX").string();
        m_root = mkdtemp(name.data());
    }
    ~sweep_plot() override { fs::remove_all(m_root); }

    void write_sweep(const sweep_plan& plan, std::uint64_t values = 100) const {
        fs::create_directories(m_root / "s");
        std::ofstream(m_root / "s/plan.json") << to_json(plan).dump();
        const campaign_layout layout(m_root / "s", plan.points());
        for (std::size_t point = 0; point < plan.points(); ++point) {
            for (const std::uint64_t seed : plan.seeds) {
                fs::create_directories(layout.run(point, seed));
                run_summary made;
                made.complete = true;
                made.fct.count = values;
                made.fct.p99 = std::chrono::nanoseconds((point + 1) * 100'000 + seed * seed * 1000);
                std::ofstream(layout.run(point, seed) / "summary.json") << to_text(to_json(made));
            }
        }
    }
    int run(std::vector<std::string> args) {
        args.insert(args.begin(), (m_root / "s").string());
        args.insert(args.end(), {"--out", (m_root / "o").string()});
        m_out.str("");
        m_err.str("");
        return sweep_plot_command(args, m_out, m_err);
    }
    std::string read(const std::string& name) const {
        std::ifstream in(m_root / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path m_root;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

TEST_F(sweep_plot, data_are_means_and_their_intervals) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    run({"--metric", "fct_ns.p99", "--over", "link.latency", "--format", "svg"});
    // Seeds 1, 2, 3 add 1, 4, 9 us: mean 14/3, variance 49/3, so 4.302653 * sqrt(49/9) = 10.03952 us to each
    // side.
    EXPECT_EQ(read("o/fct_ns.p99_over_link.latency.dat"),
              "# 99th percentile of transfer completion time [µs]\n# x_us y_us low high\n"
              "1 104.6667 94.62714 114.7062\n2 204.6667 194.6271 214.7062\n\n\n");
    const std::string script = read("o/fct_ns.p99_over_link.latency.gp");
    for (const char* part : {"'99th percentile of transfer completion time'", "'link.latency [µs]'",
                             "'99th percentile of transfer completion time [µs]'",
                             "mean of 3 seeds with its 95 % confidence interval", "filledcurves"}) {
        EXPECT_NE(script.find(part), std::string::npos) << part;
    }
}

TEST_F(sweep_plot, the_interval_of_a_mean_below_zero_holds_the_mean) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    ASSERT_EQ(run({"--metric", "slack_ns = 100us - fct_ns.p99", "--over", "link.latency", "--format", "svg"}),
              0)
        << m_err.str();
    const std::string data = read("o/slack_ns_over_link.latency.dat");
    EXPECT_NE(data.find("\n1 -4.666667 -14.70619 5.372856\n2 -104.6667 -114.7062 -94.62714\n"),
              std::string::npos)
        << data;
    EXPECT_EQ(drawn_low({3, 1, 2}), 0) << "what is measured is not below zero";
}

TEST_F(sweep_plot, named_metrics_are_printed_in_their_order_and_no_others) {
    const sweep_plan plan = plan_of({axis_of("link.latency", {"1us", "2us"})});
    write_sweep(plan);
    const auto printed = [&](const std::vector<std::string>& metrics) {
        const sweep_results results(plan, campaign_layout(m_root / "s", plan.points()), metric_filter(metrics));
        std::ostringstream table;
        table_options options;
        options.metrics = metrics;
        print_means(table, results, options, 10);
        return table.str();
    };
    EXPECT_EQ(printed({"flows.completed", "fct_ns.p99", "frames.dropped"}),
              "point  link.latency  runs  flows.completed         fct_ns.p99  frames.dropped\n"
              "0001            1us     3                0  104.667 us +-9.6%               0\n"
              "0002            2us     3                0  204.667 us +-4.9%               0\n");
    const std::string wide = printed({"frames", "drops.total", "pfc"});
    EXPECT_GT(wide.find("pfc.xoff_sent"), wide.find("drops.total"));
    std::istringstream lines(wide);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), terminal_width) << line;
    }
}

TEST_F(sweep_plot, many_curves_have_bars_at_their_values_where_bands_would_hide_each_other) {
    const auto script_with = [&](const std::vector<std::string>& rates) {
        fs::remove_all(m_root / "s");
        write_sweep(plan_of({axis_of("link.latency", {"1us", "2us", "4us"}), axis_of("traffic.rate", rates)}));
        run({"--metric", "fct_ns.p99", "--over", "link.latency,traffic.rate", "--format", "svg"});
        return read("o/fct_ns.p99_over_link.latency_traffic.rate.gp");
    };
    const std::string few = script_with({"1", "2", "3", "4"});
    EXPECT_NE(few.find("filledcurves"), std::string::npos);
    EXPECT_EQ(few.find("yerrorbars"), std::string::npos);
    const std::string many = script_with({"1", "2", "3", "4", "5", "6", "7", "8"});
    EXPECT_EQ(many.find("filledcurves"), std::string::npos);
    EXPECT_NE(many.find("yerrorbars"), std::string::npos);
    // Eight lines are told apart by colour and points, in the legend as in the panel.
    EXPECT_NE(many.find("keyentry with linespoints lt 8 lw 2 dt 1"), std::string::npos);
    EXPECT_NE(many.find("2 with linespoints lt 8 lw 2 dt 1"), std::string::npos);
}

TEST_F(sweep_plot, no_curve_over_a_quantity_is_shifted) {
    // Of eight curves over 18 B and 19 B, on an axis that reaches 1,472 B: a shift by a pixel would swap the
    // values.
    for (const char* const last : {"20B", "1472B"}) {
        for (const char* over : {"udp.payload,switch.cell", "switch.cell,udp.payload"}) {
            fs::remove_all(m_root / "s");
            write_sweep(
                plan_of({axis_of("udp.payload", {"18B", "19B", last}),
                         axis_of("switch.cell", {"32B", "48B", "64B", "80B", "96B", "112B", "128B", "256B"})}));
            run({"--metric", "fct_ns.p99", "--over", over, "--format", "svg"});
            std::string name = std::string("o/fct_ns.p99_over_") + over;
            std::replace(name.begin(), name.end(), ',', '_');
            const std::string script = read(name + ".gp");
            EXPECT_NE(script.find(" using 1:2 with linespoints "), std::string::npos) << script;
            EXPECT_EQ(script.find("using ("), std::string::npos) << script;
            const std::string data = read(name + ".dat");
            EXPECT_NE(data.find(over[0] == 'u' ? "\n18 " : "\n32 "), std::string::npos) << data;
        }
    }
}

TEST_F(sweep_plot, an_axis_that_does_not_start_at_zero_says_so) {
    write_sweep(plan_of({axis_of("switch.scheme", {"fc", "detail", "baseline"})}, {1}));
    run({"--metric", "fct_ns.p99", "--over", "switch.scheme", "--format", "svg"});
    EXPECT_EQ(read("o/fct_ns.p99_over_switch.scheme.gp").find("axis starts"), std::string::npos);
    const campaign_layout layout(m_root / "s", 3);
    run_summary made;
    made.complete = true;
    made.fct.count = 100;
    made.fct.p99 = 280us;
    std::ofstream(layout.run(0, 1) / "summary.json") << to_text(to_json(made));
    run({"--metric", "fct_ns.p99", "--over", "switch.scheme", "--format", "svg"});
    EXPECT_NE(read("o/fct_ns.p99_over_switch.scheme.gp").find("(axis starts at 200 µs)"), std::string::npos);
}

TEST_F(sweep_plot, runs_that_failed_or_are_missing_are_left_out_and_named) {
    const sweep_plan plan = plan_of({axis_of("link.latency", {"1us", "2us"})});
    write_sweep(plan);
    fs::remove_all(m_root / "s/points/0002/seed_1");
    fs::remove_all(m_root / "s/points/0002/seed_2");
    run({"--metric", "fct_ns.p99", "--over", "link.latency", "--format", "svg"});
    EXPECT_NE(read("o/fct_ns.p99_over_link.latency.dat").find("\n2 209 ? ?\n"), std::string::npos);
    EXPECT_NE(read("o/fct_ns.p99_over_link.latency.gp").find("; 2 of 6 runs are missing'"), std::string::npos);
    fs::create_directories(m_root / "s/points/0002/seed_1");
    std::ofstream(m_root / "s/points/0002/seed_1/failure.json")
        << R"({"status": 1, "verdict": "lossless_loss", "error": "e"})";
    run({"--metric", "fct_ns.p99", "--over", "link.latency", "--format", "svg"});
    EXPECT_NE(read("o/fct_ns.p99_over_link.latency.gp").find("1 of 6 runs failed"), std::string::npos);
}

TEST_F(sweep_plot, a_percentile_of_too_few_values_is_left_out_and_told) {
    const sweep_plan plan = plan_of({axis_of("link.latency", {"1us", "2us"})});
    write_sweep(plan);
    const campaign_layout layout(m_root / "s", plan.points());
    const auto make_few = [&](std::size_t point, std::uint64_t seed) {
        run_summary made;
        made.complete = true;
        made.fct.count = 99;
        made.fct.p99 = 900us;
        std::ofstream(layout.run(point, seed) / "summary.json") << to_text(to_json(made));
    };
    make_few(1, 1);
    make_few(1, 2);
    run({"--metric", "fct_ns.p99", "--over", "link.latency", "--format", "svg"});
    EXPECT_NE(read("o/fct_ns.p99_over_link.latency.dat").find("\n2 209 ? ?\n"), std::string::npos);
    const std::string script = read("o/fct_ns.p99_over_link.latency.gp");
    EXPECT_NE(script.find("2 of 6 runs"), std::string::npos) << script;
    EXPECT_NE(script.find("left out"), std::string::npos) << script;
    make_few(1, 3);
    const sweep_results results(plan, layout, metric_filter({"fct_ns.p99"}));
    std::ostringstream table;
    print_means(table, results, {}, 10);
    EXPECT_NE(table.str().find("0002            2us     3                  -\n"), std::string::npos)
        << table.str();
    EXPECT_NE(table.str().find("note: 3 of 6 runs have fewer than 100 values of fct_ns, so their fct_ns.p99 "
                               "is the maximum, and left out here (sweep.csv has it)\n"),
              std::string::npos)
        << table.str();
    EXPECT_EQ(results.mean(1, 0, 0.95).mean, 900'000) << "files have all numbers";
    fs::remove_all(m_root / "o");
    write_sweep(plan, 99);
    EXPECT_EQ(run({"--metric", "fct_ns.p99", "--over", "link.latency"}), 2);
    EXPECT_TRUE(errors_are(m_err.str(), {"command line: --metric: fct_ns.p99, 100 values, fct_ns"}));
}

TEST_F(sweep_plot, a_mean_with_a_lower_bound_is_one_everywhere) {
    const sweep_plan plan = plan_of({axis_of("link.latency", {"1us", "2us"})});
    write_sweep(plan);
    const campaign_layout layout(m_root / "s", plan.points());
    const fs::path file = layout.run(1, 2) / "summary.json";
    nlohmann::ordered_json summary =
        nlohmann::ordered_json::parse(read(file.lexically_relative(m_root).string()));
    summary["fct_ns"]["unfinished"] = 7;
    summary["fct_ns"]["p99_is_lower_bound"] = true;
    std::ofstream(file) << summary.dump();
    const sweep_results results(plan, layout, metric_filter({"fct_ns.p99"}));
    EXPECT_FALSE(results.mean(0, 0, 0.95).is_lower_bound);
    const mean_interval bound = results.sound_mean(1, 0, 0.95);
    EXPECT_TRUE(bound.is_lower_bound);
    EXPECT_FALSE(bound.has_width());
    EXPECT_TRUE(results.difference(1, 0, 0, 0.95).is_lower_bound);
    // Nothing is known about a distance to a bound.
    EXPECT_EQ(results.difference(0, 1, 0, 0.95).n, 2U);
    EXPECT_EQ(results.sound_ratio(0, 1, 0, 0.95).n, 2U);
    std::ostringstream table;
    print_means(table, results, {}, 10);
    EXPECT_NE(table.str().find("at least 204.667 us"), std::string::npos) << table.str();
    write_tables(results, {}, m_root);
    const std::string runs = read("sweep.csv");
    EXPECT_NE(runs.find(",fct_ns.p99,fct_ns.p99_is_lower_bound\n"), std::string::npos) << runs;
    EXPECT_NE(runs.find("\n2,2us,2000,2,done,,,204000,true\n"), std::string::npos) << runs;
    EXPECT_NE(runs.find("\n2,2us,2000,3,done,,,209000,false\n"), std::string::npos) << runs;
    const std::string means = read("means.csv");
    EXPECT_NE(means.find(",n,mean,low,high,mean_is_lower_bound,reference_point,"), std::string::npos) << means;
    EXPECT_NE(means.find("\n2,2us,2000,fct_ns.p99,3,204666.666667,,,true,1,3,100000,,,true,0.95\n"),
              std::string::npos)
        << means;
    EXPECT_EQ(run({"--metric", "fct_ns.p99", "--over", "link.latency", "--format", "svg"}), 0) << m_err.str();
    const std::string data = read("o/fct_ns.p99_over_link.latency.dat");
    EXPECT_NE(data.find("\n2 204.6667 ? ?\n"), std::string::npos) << data;
    EXPECT_NE(data.find("at least: a lower bound"), std::string::npos) << data;
    EXPECT_NE(read("o/fct_ns.p99_over_link.latency.gp").find("points pt '\xE2\x86\x91'"), std::string::npos);
}

TEST_F(sweep_plot, values_that_are_all_zero_lie_on_an_axis_that_has_only_zero) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    run({"--metric", "frames.dropped", "--over", "link.latency", "--format", "svg"});
    EXPECT_NE(read("o/frames.dropped_over_link.latency.gp").find("set ytics nomirror out ('0' 0)"),
              std::string::npos);
}

TEST_F(sweep_plot, the_legend_lists_the_curves_that_have_points) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"}), axis_of("switch.scheme", {"fc", "detail"})}));
    for (const char* point : {"0002", "0004"}) {
        fs::remove_all(m_root / "s/points" / point);
    }
    run({"--metric", "fct_ns.p99", "--over", "link.latency,switch.scheme", "--format", "svg"});
    const std::string script = read("o/fct_ns.p99_over_link.latency_switch.scheme.gp");
    EXPECT_NE(script.find("title 'scheme = fc'"), std::string::npos) << script;
    EXPECT_EQ(script.find("scheme = detail"), std::string::npos);
}

TEST_F(sweep_plot, a_sweep_without_any_run_that_is_done_is_called_that) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    const std::string sweep = (m_root / "s").string();
    for (const char* point : {"0001", "0002"}) {
        for (const char* seed : {"1", "2", "3"}) {
            const fs::path run = m_root / "s/points" / point / ("seed_" + std::string(seed));
            fs::rename(run, run.string() + ".partial");
        }
    }
    const std::string message = sweep + ": 0 of 6, weir sweep";
    EXPECT_EQ(run({"--metric", "goodput.bps", "--over", "link.latency"}), 2);
    EXPECT_TRUE(errors_are(m_err.str(), {message}));
    const auto as_run = unfinished_run(m_root / "s");
    ASSERT_TRUE(as_run);
    EXPECT_TRUE(errors_are(*as_run, {message}));
    std::ostringstream err;
    EXPECT_EQ(
        accuracy_command({sweep, "--pair", "link.latency=1us,2us", "--out", (m_root / "accuracy").string()},
                         m_out, err),
        2);
    EXPECT_TRUE(errors_are(err.str(), {message}));
    fs::rename(m_root / "s/points/0002/seed_2.partial", m_root / "s/points/0002/seed_2");
    EXPECT_NE(unfinished_run(m_root / "s")->message.find("such as points/0002/seed_2 in it"),
              std::string::npos);
    fs::rename(m_root / "s/points/0002/seed_2/summary.json", m_root / "s/points/0002/seed_2/failure.json");
    EXPECT_NE(
        unfinished_run(m_root / "s")
            ->message.find("0 of 6 runs are done, 1 failed; the same `weir sweep` command with --retry-failed"),
        std::string::npos);
}

TEST_F(sweep_plot, bad_input_is_named_and_nothing_is_written) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"}),
                         axis_of("traffic.rate", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
                                                  "13", "14", "15", "16", "17"}),
                         {{"pfc.xoff", "pfc.xon"}, {{"20KB", "10KB"}, {"20KB", "5KB"}, {"40KB", "20KB"}}}}));
    const auto refused = [&](const std::vector<std::string>& args, const std::string& message) {
        EXPECT_EQ(run(args), 2);
        EXPECT_TRUE(has_error(m_err.str(), message));
        EXPECT_FALSE(fs::exists(m_root / "o"));
    };
    const std::vector<std::string> metric{"--metric", "fct_ns.p99"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), metric.begin(), metric.end());
        return more;
    };
    refused({"--over", "link.latency"}, "--metric: missing");
    refused(metric, "--over: missing");
    refused(with({"--over", "link.rate"}), "--over: link.rate, link.latency");
    refused(with({"--over", "link.latency,traffic.rate,pfc.xon"}), "more than two");
    refused(with({"--over", "link.latency,traffic.rate"}), "traffic.rate, 17 curves");
    refused(with({"--over", "pfc.xoff,pfc.xon"}), "pfc.xon, together");
    refused(with({"--over", "pfc.xoff"}), "pfc.xoff, 20KB");
    refused(with({"--over", "link.latency"}), "traffic.rate, --where traffic.rate=VALUE");
    refused(with({"--over", "link.latency", "--where", "traffic.rate=77"}), "traffic.rate, 77");
    refused(with({"--over", "link.latency", "--where", "traffic.rate"}), "traffic.rate, =");
    refused(with({"--over", "link.latency", "--where", "pfc.xoff=20KB", "--where", "pfc.xon=20KB"}),
            "--where: no point has all these values");
    refused(with({"--over", "link.latency", "--where", "link.latency=1us"}), "link.latency, --over");
    refused(with({"--over", "link.latency", "--confidence", "2"}), "--confidence: 2");
    refused(with({"--over", "link.latency", "--scale", "cubic"}), "--scale: cubic");
    const std::vector<std::string> where{"--over",         "link.latency", "--where",
                                         "traffic.rate=1", "--where",      "pfc.xon=5KB"};
    const auto metric_where = [&](const std::string& name) {
        std::vector<std::string> args = where;
        args.insert(args.begin(), {"--metric", name});
        return args;
    };
    refused(metric_where("fct_ns.p98"), "fct_ns.p98, summary.json");
    refused(metric_where("groups.none"), "groups.none");
    refused(metric_where("late = fct_ns.p99 / groups.none.64.0.fct_ns.p99"),
            "late, operands, groups.none.64.0.fct_ns.p99");
    refused(metric_where("jct_ns.p99"), "jct_ns.p99");
    std::vector<std::string> zeros = metric_where("frames.dropped");
    zeros.insert(zeros.end(), {"--scale", "log"});
    refused(zeros, "--scale: log, frames.dropped, linear");
    std::ofstream(m_root / "s/plan.json") << "{";
    refused(metric_where("fct_ns.p99"), "plan.json:1: plan.json, incomplete");
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_NE(m_out.str().find("--where KEY=VALUE"), std::string::npos);
}

TEST_F(sweep_plot, a_sweep_is_told_from_a_run) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    const std::string sweep = (m_root / "s").string();
    const std::string of_sweep = sweep + "/points/0001/seed_1";
    EXPECT_EQ(subject_of_plot({sweep, "--out", "o"}), plot_subject::sweep);
    EXPECT_EQ(subject_of_plot({"--metric=fct_ns", sweep}), plot_subject::sweep);
    EXPECT_EQ(subject_of_plot({"none", "--metric=fct_ns"}), plot_subject::metrics_of_runs);
    EXPECT_EQ(subject_of_plot({of_sweep, "--over", "fct_ns.p99"}), plot_subject::metrics_of_runs);
    EXPECT_EQ(subject_of_plot({of_sweep, "--out", "o", "--label", "x"}), plot_subject::runs);
    EXPECT_EQ(subject_of_plot({of_sweep, "--out", sweep}), plot_subject::runs);
    for (const char* const flag : {"--pareto", "--help"}) {
        EXPECT_EQ(subject_of_plot({"--metric", "fct_ns", "--over", "drops", flag, sweep}), plot_subject::sweep);
    }
}

TEST_F(sweep_plot, a_run_of_which_the_sweep_kept_the_summary_only_has_no_pictures_of_its_own) {
    write_sweep(plan_of({axis_of("link.latency", {"1us", "2us"})}));
    const std::string of_sweep = (m_root / "s/points/0001/seed_1").string();
    EXPECT_EQ(plot_command({of_sweep, "--out", (m_root / "o").string()}, m_out, m_err), 2);
    EXPECT_NE(m_err.str().find(of_sweep + ": has no tables"), std::string::npos) << m_err.str();
    EXPECT_NE(m_err.str().find("--keep all"), std::string::npos) << m_err.str();
    EXPECT_EQ(m_err.str().find("No such file"), std::string::npos) << m_err.str();
}

TEST_F(sweep_plot, gnuplot_draws_every_form_and_again_the_same_files) {
    if (run_gnuplot(m_root.string(), "none").status == 127) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    write_sweep(plan_of({axis_of("switch.scheme", {"fc", "detail"}),
                         axis_of("link.latency", {"1us", "10us", "100us"}),
                         {{"pfc.xoff", "pfc.xon"}, {{"20KB", "10KB"}, {"40KB", "5KB"}}}}));
    const std::vector<std::vector<std::string>> forms{
        {"--over", "link.latency,switch.scheme", "--where", "pfc.xoff=20KB"},
        {"--over", "switch.scheme,pfc.xoff", "--where", "link.latency=1us"},
        {"--over", "pfc.xoff", "--where", "link.latency=1us", "--where", "switch.scheme=fc", "--scale",
         "linear"},
        {"--over", "switch.scheme", "--where", "link.latency=1000ns", "--where", "pfc.xoff=20KB", "--title",
         "It's"}};
    for (std::vector<std::string> args : forms) {
        args.insert(args.begin(), {"--metric", "fct_ns.p99,frames.dropped"});
        ASSERT_EQ(run(args), 0) << m_err.str();
        EXPECT_EQ(m_err.str(), "") << args[3];
        std::istringstream names(m_out.str());
        int drawn = 0;
        for (std::string name; std::getline(names, name); ++drawn) {
            const std::string relative = fs::relative(name, m_root).string();
            EXPECT_GT(fs::file_size(name), 5000U) << name;
            const std::string before = read(relative);
            ASSERT_EQ(run(args), 0);
            EXPECT_TRUE(read(relative) == before) << name;
        }
        EXPECT_EQ(drawn, 4);
    }
}

}  // namespace
}  // namespace weir::tb
