// What the panels of runs' pictures show: empty tiers, eight runs, one look per port, where axes start.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "tb/view/chart/distribution_plot.h"
#include "tb/view/chart/panel_plot.h"
#include "tb/view/pictures/run_pictures.h"
#include "tb/view/pictures/time_charts.h"

namespace weir::tb {
namespace {

/// The picture of this name that `weir plot` draws; nothing where there is none.
std::optional<picture> drawn(const std::string& name, const std::vector<run_data>& runs) {
    std::ostringstream notes;
    for (picture& each : run_pictures({}, runs, notes)) {
        if (each.name == name) {
            return std::move(each);
        }
    }
    return std::nullopt;
}

run_data paused_run(const std::string& label, const std::vector<double>& tier1,
                    const std::vector<double>& tier2) {
    run_data run;
    run.label = label;
    run.pauses.push_back({"tier1", "tier1", {10, 20}, tier1, {}, 8});
    run.pauses.push_back({"tier2", "tier2", {10, 20}, tier2, {}, 8});
    return run;
}

TEST(plot_pauses, a_tier_without_pauses_says_so_and_has_no_panel) {
    const run_data quiet = paused_run("b", {0, 0}, {0, 0});
    const auto p = drawn("pauses", {paused_run("a", {4, 2}, {0, 0}), quiet});
    ASSERT_TRUE(p.has_value());
    EXPECT_NE(p->commands.find("; tier 2: no pauses in any run'"), std::string::npos) << p->commands;
    EXPECT_EQ(p->data.find("tier 2"), std::string::npos) << "nothing to draw: " << p->data;
    EXPECT_NE(p->commands.find("'b: mean 0 %'"), std::string::npos);
    EXPECT_NE(p->commands.find("set xlabel 'Time [ns]'"), std::string::npos);
    EXPECT_FALSE(drawn("pauses", {quiet}).has_value());
}

TEST(plot_pauses, each_run_has_a_look_and_a_name_of_its_own) {
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < most_styles; ++i) {
        runs.push_back(paused_run("run " + std::to_string(i), {4, 2}, {0, 0}));
    }
    const auto p = drawn("pauses", runs);
    ASSERT_TRUE(p.has_value());
    for (std::size_t i = 0; i < most_styles; ++i) {
        const std::string look = "with steps lt " + std::to_string(i + 1) + " lw 2 dt 1 title 'run " +
                                 std::to_string(i) + ": mean 37.5 %'";
        EXPECT_NE(p->commands.find(look), std::string::npos) << look << p->commands;
    }
}

run_data filled_run(const std::string& label, const std::vector<std::string>& ingress,
                    const std::vector<std::string>& egress) {
    run_data run;
    run.label = label;
    for (std::size_t i = 0; i < ingress.size(); ++i) {
        run.ingress.push_back(
            {"tor0.rx" + ingress[i], "tor0:" + ingress[i], {0, 10}, {0, 100.0 - static_cast<double>(i)}});
    }
    for (std::size_t i = 0; i < egress.size(); ++i) {
        run.egress.push_back(
            {"tor0.tx" + egress[i], "tor0:" + egress[i], {0, 10}, {0, 9000.0 - static_cast<double>(i)}});
    }
    return run;
}

/// By port, both its sides together, all its looks: `lt 1 lw 2 dt 1`.
std::map<std::string, std::set<std::string>> looks_of(const picture& p) {
    std::map<std::string, std::set<std::string>> looks;
    const std::string with = " with lines ";
    for (std::size_t at = p.commands.find(with); at != std::string::npos; at = p.commands.find(with, at + 1)) {
        const std::size_t title = p.commands.find(" title '", at);
        // tor0.rx5
        const std::size_t port = p.commands.find('x', title) + 1;
        looks[p.commands.substr(port, p.commands.find('\'', port) - port)].insert(
            p.commands.substr(at + with.size(), title - at - with.size()));
    }
    return looks;
}

TEST(plot_occupancy, a_port_looks_the_same_in_all_panels_and_like_no_other) {
    const auto p = drawn("occupancy", {filled_run("a", {"1", "2", "3", "4"}, {"5", "6", "1", "2"}),
                                       filled_run("b", {"4", "3", "9", "10"}, {"1", "5", "11", "12"})});
    ASSERT_TRUE(p.has_value());
    std::set<std::string> all;
    for (const auto& [port, looks] : looks_of(*p)) {
        EXPECT_EQ(looks.size(), 1U) << port;
        EXPECT_TRUE(all.insert(*looks.begin()).second) << port << " looks like another: " << *looks.begin();
    }
    EXPECT_EQ(all.size(), 10U);
}

TEST(plot_occupancy, ports_of_too_many_runs_have_looks_by_their_places) {
    std::vector<run_data> runs;
    for (int port = 10; port < 26; ++port) {
        runs.push_back(filled_run("run", {std::to_string(port)}, {"7"}));
        EXPECT_EQ(charts_over_time(occupancy_views, runs).back()[1].series[0].number, port < 25 ? 1U : 0U);
    }
}

TEST(plot_occupancy, a_side_that_no_run_has_takes_no_room) {
    const auto both = drawn("occupancy", {filled_run("a", {"1"}, {"2"}), filled_run("b", {}, {"2"})});
    const auto one = drawn("occupancy", {filled_run("", {}, {"1"}), filled_run("b", {}, {"2"})});
    ASSERT_TRUE(both.has_value() && one.has_value());
    EXPECT_NE(both->commands.find("no samples above 0"), std::string::npos);
    EXPECT_EQ(one->commands.find("no samples"), std::string::npos);
    EXPECT_EQ(one->commands.find(", ingress"), std::string::npos);
    EXPECT_NE(one->commands.find("b, egress"), std::string::npos);
}

TEST(plot_time, says_where_it_starts_when_that_is_not_the_runs_start) {
    const auto is_said = [](const std::vector<double>& time_ns, const std::vector<double>& values,
                            const std::string& label, const std::string& range) {
        run_data run;
        run.windows.push_back({"1 > 2", "1 > 2", time_ns, values});
        const std::string commands =
            panel_picture({"w", "t", "d"}, charts_over_time(window_views, {run}))->commands;
        return commands.find("set xlabel '" + label + "'") != std::string::npos &&
               commands.find("set xrange [" + range) != std::string::npos;
    };
    EXPECT_TRUE(is_said({1e6, 2e6, 50e6}, {0, 1, 0}, "Time [ms]", "0:"));
    EXPECT_TRUE(
        is_said({15e6, 16e6, 50e6}, {1, 1, 0}, "Time [ms] (axis starts at 15 ms: first sample)", "15:"));
    EXPECT_TRUE(is_said({1e6, 41e6, 42e6, 50e6}, {0, 0, 7, 0},
                        "Time [ms] (axis starts at 41 ms: nothing before)", "41:"));
}

TEST(plot_axes, say_what_is_not_plain) {
    EXPECT_EQ(linear_axis(80).label("Goodput", "Gb/s"), "Goodput [Gb/s]");
    EXPECT_EQ(value_axis(14.2, 19).label("Median", "ms"), "Median [ms] (axis starts at 14 ms)");
    EXPECT_EQ(value_axis(-3, 4).label("Off by", "%"), "Off by [%]");
    EXPECT_EQ(log_axis(1, 90).label("Jobs", ""), "Jobs, log scale");
}

TEST(plot_distribution, eight_runs_have_wide_panels_and_rows_of_percentiles_with_their_names) {
    std::vector<labelled_values> runs;
    for (std::size_t i = 0; i < most_styles; ++i) {
        runs.push_back({"run " + std::to_string(i), {}});
        for (std::size_t n = 1; n <= 200 + i; ++n) {
            runs.back().values.push_back(1e5 * static_cast<double>(n));
        }
    }
    const picture p = draw(distribution_figure({"d", "Title", "details"}, runs));
    EXPECT_GT(p.height, 1600U);
    for (std::size_t i = 0; i < most_styles; ++i) {
        EXPECT_NE(p.commands.find("'run " + std::to_string(i) + "' " + std::to_string(i)), std::string::npos);
        // What the legend shows is what is drawn.
        const std::string look = curve_look(i, most_styles);
        EXPECT_NE(p.commands.find("keyentry with linespoints " + look), std::string::npos);
        EXPECT_NE(p.commands.find("with fsteps " + look), std::string::npos);
    }
    EXPECT_NE(p.data.find("99th percentile\n"), std::string::npos);
    EXPECT_EQ(p.data.find("99.9th percentile\n"), std::string::npos) << "too few values";
}

TEST(plot_distribution, the_subtitle_names_the_marks_that_are_drawn) {
    const auto with_values = [](std::size_t count) {
        return labelled_values{"run", std::vector<double>(count, 1e5)};
    };
    EXPECT_EQ(marks_text({with_values(0), with_values(1)}), "");
    EXPECT_EQ(marks_text({with_values(2)}), "; markers: 50th percentile");
    EXPECT_EQ(marks_text({with_values(2), with_values(100)}), "; markers: 50th, 90th, 99th percentile");
    EXPECT_EQ(marks_text({with_values(1000)}), "; markers: 50th, 90th, 99th, 99.9th percentile");
}

TEST(plot_occupancy, each_side_has_a_scale_that_shows_it_and_a_title_ends_before_the_next_panel) {
    const std::string label(60, 'a');
    const auto p = drawn("occupancy", {filled_run(label, {"1"}, {"2"})});
    ASSERT_TRUE(p);
    for (const char* text : {"'Occupancy [B]'", "'Occupancy [KiB]'", "title 'tor0.rx1'", "title 'tor0.tx2'",
                             "aaa, ingress'", "aaa, egress'"}) {
        EXPECT_NE(p->commands.find(text), std::string::npos) << text;
    }
    EXPECT_EQ(p->commands.find(label + ", ingress"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
