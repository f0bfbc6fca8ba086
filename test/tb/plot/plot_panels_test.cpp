// What the panels of runs' pictures show: empty tiers, eight runs, one look per port, where axes start.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/plot/distribution_plot.h"
#include "tb/plot/occupancy_plot.h"
#include "tb/plot/pause_plot.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {
namespace {

run_data paused_run(const std::string& label, const std::vector<double>& tier1,
                    const std::vector<double>& tier2) {
    run_data run;
    run.label = label;
    run.has_pauses = true;
    run.pauses.push_back({"tier1", {10, 20}, tier1, 8});
    run.pauses.push_back({"tier2", {10, 20}, tier2, 8});
    return run;
}

TEST(plot_pauses, a_tier_without_pauses_says_so_and_has_no_scale) {
    const run_data quiet = paused_run("b", {0, 0}, {0, 0});
    const auto p = pause_picture({"p", "t", "d"}, {paused_run("a", {40, 20}, {0, 0}), quiet});
    ASSERT_TRUE(p.has_value());
    EXPECT_NE(p->commands.find("'tier 2: no pauses in any run'"), std::string::npos) << p->commands;
    EXPECT_EQ(p->data.find("tier 2"), std::string::npos) << "nothing to draw: " << p->data;
    // The run that paused nothing in a tier where another did.
    EXPECT_NE(p->commands.find("'no pauses' at graph 0.5, 0.5"), std::string::npos);
    // Time and bars are labelled below the last tier that has strips.
    EXPECT_NE(p->commands.find("set xlabel 'Time [ns]'"), std::string::npos);
    EXPECT_FALSE(pause_picture({"p", "t", "d"}, {quiet}).has_value());
}

TEST(plot_pauses, each_run_has_a_strip_and_a_name_of_its_own) {
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < most_styles; ++i) {
        runs.push_back(paused_run("run " + std::to_string(i), {40, 20}, {0, 0}));
    }
    const auto p = pause_picture({"p", "t", "d"}, runs);
    ASSERT_TRUE(p.has_value());
    std::set<std::string> places;
    for (std::size_t i = 0; i < most_styles; ++i) {
        const std::size_t at = p->commands.find("set label 5 'run " + std::to_string(i) + "'");
        ASSERT_NE(at, std::string::npos) << i;
        places.insert(p->commands.substr(p->commands.find("screen 1", at), 20));
        const std::size_t drawn = p->commands.find("with filledcurves y=0 lt " + std::to_string(i + 1));
        EXPECT_GT(drawn, at) << i;
        EXPECT_NE(drawn, std::string::npos) << i;
    }
    EXPECT_EQ(places.size(), most_styles);
}

run_data filled_run(const std::string& label, const std::vector<std::string>& ingress,
                    const std::vector<std::string>& egress) {
    run_data run;
    run.label = label;
    run.has_occupancy = true;
    for (std::size_t i = 0; i < ingress.size(); ++i) {
        run.ingress.push_back({"tor0", ingress[i], {0, 10}, {0, 100.0 - static_cast<double>(i)}});
    }
    for (std::size_t i = 0; i < egress.size(); ++i) {
        run.egress.push_back({"tor0", egress[i], {0, 10}, {0, 9000.0 - static_cast<double>(i)}});
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
    const std::vector<run_data> two{filled_run("a", {"1", "2", "3", "4"}, {"5", "6", "1", "2"}),
                                    filled_run("b", {"4", "3", "9", "10"}, {"1", "5", "11", "12"})};
    std::vector<run_data> eight;
    for (int i = 0; i < 8; ++i) {
        const std::string tens = std::to_string(i);
        eight.push_back(filled_run("r" + tens, {tens + "1", tens + "2", "7"}, {tens + "3", "8", tens + "4"}));
    }
    for (const std::vector<run_data>& runs : {two, eight}) {
        const auto p = occupancy_picture({"o", "t", "d"}, runs);
        ASSERT_TRUE(p.has_value());
        std::set<std::string> all;
        for (const auto& [port, looks] : looks_of(*p)) {
            EXPECT_EQ(looks.size(), 1U) << port;
            EXPECT_TRUE(all.insert(*looks.begin()).second) << port << " looks like another: " << *looks.begin();
        }
        EXPECT_GE(all.size(), 10U);
    }
    EXPECT_EQ(ports_per_panel(two), most_ports);
    EXPECT_EQ(ports_per_panel(eight), 1U);
}

TEST(plot_occupancy, a_side_that_no_run_has_takes_no_room) {
    const auto both =
        occupancy_picture({"o", "t", "d"}, {filled_run("a", {"1"}, {"2"}), filled_run("b", {}, {"2"})});
    const auto one = occupancy_picture({"", "t", "d"}, {filled_run("", {}, {"1"}), filled_run("b", {}, {"2"})});
    ASSERT_TRUE(both.has_value() && one.has_value());
    EXPECT_NE(both->commands.find("no samples"), std::string::npos);
    EXPECT_EQ(one->commands.find("no samples"), std::string::npos);
    EXPECT_EQ(one->commands.find(", ingress"), std::string::npos);
    EXPECT_NE(one->commands.find("b, egress"), std::string::npos);
}

TEST(plot_occupancy, each_side_has_a_scale_that_shows_it) {
    const auto p = occupancy_picture({"o", "t", "d"}, {filled_run("a", {"1"}, {"2"})});
    ASSERT_TRUE(p.has_value());
    EXPECT_NE(p->commands.find("'Occupancy [B]'"), std::string::npos);
    EXPECT_NE(p->commands.find("'Occupancy [KiB]'"), std::string::npos);
    EXPECT_NE(p->commands.find("title 'tor0.rx1'"), std::string::npos);
    EXPECT_NE(p->commands.find("title 'tor0.tx2'"), std::string::npos);
}

TEST(plot_time, says_where_it_starts_when_that_is_not_the_runs_start) {
    sampled_time whole;
    whole.include({1e6, 2e6, 50e6}, {0, 1, 0});
    EXPECT_EQ(whole.label(), "Time [ms]");
    EXPECT_EQ(whole.axis().low, 0);
    sampled_time warm;
    warm.include({15e6, 16e6, 50e6}, {1, 1, 0});
    EXPECT_EQ(warm.label(), "Time [ms] (axis starts at 15 ms: first sample)");
    sampled_time idle;
    idle.include({1e6, 41e6, 42e6, 50e6}, {0, 0, 7, 0});
    EXPECT_EQ(idle.label(), "Time [ms] (axis starts at 41 ms: nothing before)");
    EXPECT_EQ(idle.axis().low, 41);
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
    const picture p = distribution_picture({"d", "Title", "details"}, runs);
    EXPECT_GT(p.height, 1600U);
    for (std::size_t i = 0; i < most_styles; ++i) {
        EXPECT_NE(p.commands.find("'run " + std::to_string(i) + "' " + std::to_string(i)), std::string::npos);
        // What the legend shows is what is drawn.
        const std::string look = curve_look(i, most_styles);
        EXPECT_NE(p.commands.find("keyentry with linespoints " + look), std::string::npos);
        EXPECT_NE(p.commands.find("with fsteps " + look), std::string::npos);
    }
    EXPECT_NE(p.data.find("# percentile 99\n"), std::string::npos);
    EXPECT_EQ(p.data.find("# percentile 99.9\n"), std::string::npos) << "too few values";
    // The legend above may have one column, this one has a row.
    EXPECT_NE(p.commands.find("samplen 1 maxcols 6 font"), std::string::npos);
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

TEST(plot_occupancy, a_title_ends_before_the_next_panel) {
    const std::string label(60, 'a');
    const auto p = occupancy_picture({"o", "t", "d"}, {filled_run(label, {"1"}, {"2"})});
    ASSERT_TRUE(p);
    EXPECT_EQ(p->commands.find(label + ", ingress"), std::string::npos);
    EXPECT_NE(p->commands.find("aaa, ingress'"), std::string::npos);
    EXPECT_NE(p->commands.find("aaa, egress'"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
