#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support/errors_said.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/completions/percentile_rule.h"
#include "tb/run/fields/ini_file.h"
#include "tb/run/results/summary_writer.h"
#include "tb/view/chart/distribution_plot.h"
#include "tb/view/chart/panel_plot.h"
#include "tb/view/pictures/percentile_plot.h"
#include "tb/view/pictures/run_pictures.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/pictures/time_charts.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

constexpr const char* flows_header =
    "flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts\n";
constexpr const char* jobs_header = "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns\n";

/// A directory of its own for each test, gone afterwards.
class plot : public testing::Test {
 protected:
    plot() {
        std::string name = (fs::temp_directory_path() / "weir_plot_XXXXXX").string();
        m_root = mkdtemp(name.data());
    }
    ~plot() override { fs::remove_all(m_root); }

    std::string path(const std::string& name) const { return (m_root / name).string(); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(path(name)).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// Jobs 1..count of `bytes`, job n taking n us; each with one transfer of half that time.
    void write_run(const std::string& name, int count, const std::vector<int>& sizes,
                   const std::string& complete = "true") const {
        std::string flows = flows_header;
        std::string jobs = jobs_header;
        int n = 0;
        for (const int bytes : sizes) {
            for (int i = 1; i <= count; ++i, ++n) {
                const std::string head = std::to_string(n) + "," + std::to_string(n) + ",0,1,";
                flows += head + std::to_string(bytes) + ",7,q,0," + std::to_string(i * 500) + ".125,1,0,0\n";
                jobs += std::to_string(n) + ",query,0," + std::to_string(bytes) + ",2,7,q,0," +
                        std::to_string(i * 1000) + "\n";
            }
        }
        write_summary(name, n, n, complete);
        write(name + "/flows.csv", flows);
        write(name + "/jobs.csv", jobs);
    }
    void write_summary(const std::string& name, int jobs, int flows,
                       const std::string& complete = "true") const {
        run_summary made;
        made.complete = complete == "true";
        made.simulated = 1s;
        made.jct.count = static_cast<std::uint64_t>(jobs);
        made.fct.count = static_cast<std::uint64_t>(flows);
        write(name + "/summary.json", to_text(to_json(made)));
    }
    int run(const std::vector<std::string>& args) {
        m_out.str("");
        m_err.str("");
        return plot_command(args, m_out, m_err);
    }
    /// The error text with the test's directory as `@`.
    std::string errors() const {
        std::string text = m_err.str();
        for (std::size_t at = text.find(m_root.string()); at != std::string::npos;
             at = text.find(m_root.string())) {
            text.replace(at, m_root.string().size(), "@");
        }
        return text;
    }

    fs::path m_root;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

std::vector<double> skewed_values(std::size_t n) {
    random_stream stream{7, 1, random_purpose::sizes};
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        // Two modes far apart, and a heavy tail.
        const double u = stream.uniform();
        values.push_back(u < 0.7 ? 1e5 * (1 + stream.uniform()) : 1e7 / std::pow(1 - stream.uniform(), 0.7));
    }
    std::sort(values.begin(), values.end());
    return values;
}

// The literal definition: count values one by one.
double literal_percentile(const std::vector<double>& ascending, double percent) {
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        if (static_cast<double>(i + 1) * 1e5 >= static_cast<double>(ascending.size()) * percent * 1e3 - 1e-3) {
            return ascending[i];
        }
    }
    return ascending.back();
}

TEST(plot_distribution, percentile_is_the_smallest_value_that_covers_the_share) {
    const std::vector<double> thousand = skewed_values(1000);
    for (const double p : {0.1, 1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
        EXPECT_EQ(percentile(thousand, p), literal_percentile(thousand, p)) << p;
    }
    EXPECT_EQ(percentile({3}, 50), 3);
    EXPECT_EQ(percentile({1, 2, 3, 4}, 50), 2);
    EXPECT_TRUE(has_percentile(1000, 99.9));
    EXPECT_FALSE(has_percentile(999, 99.9));
    EXPECT_FALSE(has_percentile(1, 50));
}

TEST(plot_distribution, a_curve_ends_at_the_last_completion_and_the_legend_counts_the_rest) {
    labelled_values broken{"broken", {10, 20, 30, 45, 60, 80}, {25, 40, 60, 90}};
    const std::vector<double> shares = broken.shares();
    ASSERT_EQ(shares.size(), 6U);
    EXPECT_NEAR(shares[2], 11.0 / 35, 1e-15);
    EXPECT_NEAR(shares[5], 139.0 / 175, 1e-15);
    EXPECT_EQ(broken.percentile(50), 60);
    EXPECT_EQ(broken.percentile(90), std::nullopt);
    EXPECT_EQ(labelled_values::legend({&broken}), "broken (6 of 10 completed)");
    broken.ages = std::vector<double>(4, HUGE_VAL);  // of slowdowns that are not known
    EXPECT_NEAR(broken.shares()[5], 0.6, 1e-15);
    const picture drawn = draw(distribution_figure({"cdf", "t", "d"}, {broken, {"whole", {5, 6}}}));
    EXPECT_NE(drawn.commands.find("broken (6 of 10 completed)"), std::string::npos);
    EXPECT_EQ(labelled_values::legend({&broken, &broken}), "broken (12 of 20 completed)");
    const labelled_values none{"none", {}, {1, 2}};
    EXPECT_EQ(labelled_values::legend({&none}), "none (0 of 2 completed) (no curve)");
    const labelled_values single{"single", {}, {1, 2}, 1};
    EXPECT_EQ(labelled_values::legend({&single}), "single (1 of 3 completed) (no curve)");
    EXPECT_EQ(labelled_values::legend({&broken, &single}), "broken (7 of 13 completed)");
}

TEST(plot_distribution, thinning_keeps_every_value_of_a_small_run) {
    EXPECT_EQ(thinned_ranks(3), (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(thinned_ranks(2000).size(), 2000U);
}

TEST(plot_distribution, thinning_keeps_percentiles_and_the_tail) {
    for (const std::size_t n : {2001U, 12'345U, 300'000U, 5'000'000U}) {
        const std::vector<std::size_t> ranks = thinned_ranks(n);
        EXPECT_LE(ranks.size(), 2000U) << n;
        EXPECT_EQ(ranks.front(), 1U);
        EXPECT_EQ(ranks.back(), n);
        EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
        for (std::size_t i = 1; i < ranks.size(); ++i) {
            const double share = static_cast<double>(ranks[i] - ranks[i - 1]) / static_cast<double>(n);
            const double left = static_cast<double>(n - ranks[i - 1]) / static_cast<double>(n);
            EXPECT_LE(share, 1.0 / 1000 + 1.0 / static_cast<double>(n)) << n << " at " << ranks[i];
            if (left < 0.5 && ranks[i] - ranks[i - 1] > 1) {
                EXPECT_LE(share / left, 0.03) << n << " at " << ranks[i];
            }
        }
    }
    // What a reader takes from the thinned curve is what the values say.
    const std::vector<double> values = skewed_values(300'000);
    const std::vector<std::size_t> ranks = thinned_ranks(values.size());
    for (const double p : {50.0, 90.0, 99.0, 99.9, 99.99, 99.999}) {
        const auto drawn = std::find_if(ranks.begin(), ranks.end(), [&](std::size_t r) {
            return static_cast<double>(r) / 300'000 >= p / 100 - 1e-12;
        });
        EXPECT_EQ(values[*drawn - 1], literal_percentile(values, p)) << p;
    }
}

TEST(plot_distribution, script_and_data_are_the_same_every_time) {
    const std::vector<labelled_values> runs{{"it's_A", {1000, 2000, 3000}}, {"empty", {}}, {"B", {1500}}};
    const picture p = draw(distribution_figure({"d", "Title", "details"}, runs));
    EXPECT_EQ(p.data,
              "# it's_A\n# x_us share_completed share_at_least\n"
              "1 0 1\n1 0.3333333 1\n2 0.6666667 0.6666667\n3 1 0.3333333\n"
              "\n\n# its percentiles\n# x_us share_completed share_at_least\n2 0.5 0.5\n\n\n"
              "# B\n# x_us share_completed share_at_least\n"
              "1.5 0 1\n1.5 1 1\n\n\n# its percentiles\n# x_us share_completed share_at_least\n? ? ?\n\n\n");
    const std::string script = script_of(p, {"png", "svg"});
    EXPECT_EQ(script, script_of(draw(distribution_figure({"d", "Title", "details"}, runs)), {"png", "svg"}));
    EXPECT_NE(script.find("do for [format in \"png svg\"]"), std::string::npos);
    EXPECT_NE(script.find(R"(title 'it'."\047".'s_A')"), std::string::npos);
    EXPECT_NE(script.find("set xlabel 'Completion time [µs], log scale'"), std::string::npos);
    // The run without values keeps its place in the styles: B has the third.
    EXPECT_NE(script.find("'d.dat' index 2 using 1:2 with steps lt 3"), std::string::npos);
    EXPECT_EQ(script.find("lt 2,"), std::string::npos);
    EXPECT_EQ(script.find(fs::temp_directory_path().string()), std::string::npos);
}

TEST(plot_axes, logarithmic_axis_encloses_its_values_with_round_ends) {
    const auto labels = [](const plot_axis& a) {
        std::string all;
        for (const axis_tic& t : a.tics) {
            all += t.label.empty() ? "" : t.label + " ";
        }
        return number_text(a.low) + ".." + number_text(a.high) + ": " + all;
    };
    EXPECT_EQ(labels(log_axis(0.17, 66)), "0.1..100: 0.1 1 10 100 ");
    EXPECT_EQ(labels(log_axis(0.26, 28)), "0.2..50: 0.2 0.5 1 2 5 10 20 50 ");
    EXPECT_EQ(labels(log_axis(25, 25)), "20..30: 20 25 30 ");
    EXPECT_EQ(labels(log_axis(1, 1000)), "1..1000: 1 10 100 1000 ");
    EXPECT_EQ(labels(linear_axis(99)), "0..100: 0 20 40 60 80 100 ");
    EXPECT_EQ(labels(linear_axis(0)), "0..1: 0 ");
    EXPECT_EQ(labels(value_axis(0, 0)), "0..1: 0 ");
    EXPECT_EQ(labels(binary_axis(0)), "0..1: 0 ");
    EXPECT_EQ(labels(binary_axis(128)), "0..128: 0 32 64 96 128 ");
    EXPECT_EQ(labels(time_axis(2, 2.3)), "2..2.3: 2 2.1 2.2 2.3 ");
    for (double low = 1e-3; low < 1e5; low *= 1.37) {
        for (double span = 1; span < 1e6; span *= 2.9) {
            const plot_axis a = log_axis(low, low * span);
            EXPECT_LE(a.low, low * 1.001);
            EXPECT_GE(a.high, low * span * 0.999);
            EXPECT_GT(a.high, a.low);
            const auto labelled =
                std::count_if(a.tics.begin(), a.tics.end(), [](const axis_tic& t) { return !t.label.empty(); });
            EXPECT_GE(labelled, 2) << low << " " << span;
            EXPECT_LE(labelled, 10) << low << " " << span;
        }
    }
}

TEST(plot_axes, unit_of_time_follows_the_range) {
    EXPECT_EQ(log_time_unit(2e4, 8e5).name, "µs");
    EXPECT_EQ(log_time_unit(1e5, 5e7).name, "ms");
    EXPECT_EQ(log_time_unit(1.2e4, 2e7).name, "ms");
    EXPECT_EQ(log_time_unit(1e9, 5e9).name, "s");
    EXPECT_EQ(time_unit(5e7).name, "ms");
    EXPECT_EQ(byte_unit(131072).name, "KiB");
    EXPECT_EQ(byte_text(8192), "8 KiB");
    EXPECT_EQ(byte_text(1460), "1460 B");
    EXPECT_EQ(short_number(18.04), "18");
    EXPECT_EQ(short_number(0.012345), "0.0123");
    EXPECT_EQ(short_number(1234.4), "1234");
}

TEST(plot_percentiles, need_enough_values_and_group_many_sizes) {
    std::vector<completion> few;
    for (int i = 1; i <= 100; ++i) {
        few.push_back({2048, i * 1000.0});
        few.push_back({8192, i * 2000.0});
    }
    EXPECT_FALSE(percentile_figure({"p", "t", "d"}, "Size", {{"a", {{64, 1}, {64, 2}}}}).has_value());
    const auto drawn = [](const std::vector<sized_completions>& runs) {
        const auto made = percentile_figure({"p", "t", "d"}, "Size", runs);
        return made ? std::optional(draw(*made)) : std::nullopt;
    };
    const auto p = drawn({{"a", few}});
    ASSERT_TRUE(p.has_value());
    EXPECT_EQ(p->data,
              "# Median: a\n# x y_us\n2048 50\n8192 100\n\n\n"
              "# 99th percentile: a\n# x y_us\n2048 99\n8192 198\n\n\n");
    EXPECT_NE(p->commands.find("'d; 99.9th takes 1,000 of a size'"), std::string::npos) << p->commands;
    EXPECT_EQ(p->commands.find("99.9th percentile"), std::string::npos);
    EXPECT_NE(p->commands.find("'2 KiB' 2048, '8 KiB' 8192"), std::string::npos) << p->commands;
    const auto near = drawn({{"a", {{2048, 1}, {2048, 2}, {2100, 1}, {8192, 1}}}});
    ASSERT_TRUE(near.has_value());
    EXPECT_NE(near->commands.find("'2 KiB' 2048, ''.\"\\n\".'2100 B' 2100, '8 KiB' 8192"), std::string::npos)
        << near->commands;
    EXPECT_GT(near->height, p->height);

    std::vector<completion> many;
    for (std::uint64_t bytes = 1024; bytes < 4096; bytes += 64) {
        many.push_back({bytes, static_cast<double>(bytes)});
        many.push_back({bytes, static_cast<double>(bytes)});
    }
    const auto grouped = drawn({{"a", many}});
    ASSERT_TRUE(grouped.has_value());
    EXPECT_EQ(grouped->data, "# Median: a\n# x y_us\n1448.155 1.472\n2896.309 3.008\n\n\n");
}

TEST(plot_percentiles, the_legend_counts_what_has_not_completed) {
    const completion unfinished{128, 40, HUGE_VAL, 0, true};
    const std::vector<completion> broken{{64, 10}, {64, 20}, {64, 30}, unfinished};
    const auto made =
        percentile_figure({"p", "t", "d"}, "Size", {{"broken", broken}, {"none", {unfinished, unfinished}}});
    ASSERT_TRUE(made.has_value());
    const picture p = draw(*made);
    EXPECT_NE(p.commands.find("'broken (3 of 4 completed)'"), std::string::npos) << p.commands;
    EXPECT_NE(p.commands.find("'none (0 of 2 completed) (no curve)'"), std::string::npos) << p.commands;
}

TEST(plot_distribution, a_single_completion_is_not_drawn_but_counted) {
    const auto run_of = [](const std::string& label, std::size_t completed, std::size_t unfinished) {
        run_data run;
        run.label = label;
        run.completed.groups = {"class 7"};
        run.completed.transfers.assign(completed, {64, 1000, 2});
        run.completed.transfers.resize(completed + unfinished, {64, 9000, HUGE_VAL, 0, true});
        return run;
    };
    std::ostringstream notes;
    const std::vector<picture> drawn =
        run_pictures({}, {run_of("whole", 5, 0), run_of("broken", 1, 99), run_of("one", 1, 0)}, notes);
    for (const std::string name : {"transfer_completion_cdf", "slowdown_cdf"}) {
        const std::string left_out = "note: " + name + ": not drawn for ";
        EXPECT_NE(notes.str().find(left_out + "broken: only 1 of 100 transfers completed, and a single value "
                                              "has no distribution\n"),
                  std::string::npos)
            << notes.str();
        EXPECT_NE(notes.str().find(left_out + "one: it has one transfer, and a single value has no "
                                              "distribution\n"),
                  std::string::npos)
            << notes.str();
        const auto p =
            std::find_if(drawn.begin(), drawn.end(), [&](const picture& each) { return each.name == name; });
        ASSERT_NE(p, drawn.end()) << name;
        EXPECT_NE(p->commands.find("'broken (1 of 100 completed) (no curve)'"), std::string::npos)
            << p->commands;
        EXPECT_NE(p->commands.find("'one (no curve)'"), std::string::npos) << p->commands;
    }
}

TEST(plot_distribution, slowdowns_have_no_unit) {
    const picture p = draw(distribution_figure({"d", "Title", "details"}, {{"A", {1, 2, 4}}}, true, slowdown));
    EXPECT_EQ(p.data,
              "# A\n# x share_completed share_at_least\n"
              "1 0 1\n1 0.3333333 1\n2 0.6666667 0.6666667\n4 1 0.3333333\n"
              "\n\n# its percentiles\n# x share_completed share_at_least\n2 0.5 0.5\n\n\n");
    EXPECT_NE(p.commands.find("set xlabel 'Slowdown, log scale'"), std::string::npos) << p.commands;
}

/// Of a run with these series of egress memory.
chart chart_of_egress(const std::vector<time_series>& lines) {
    run_data run;
    run.label = "run";
    run.port_egress = lines;
    return charts_over_time({port_memory_views[1]}, {run})[0][0];
}
std::string names_of(const chart& drawn) {
    std::string names;
    for (const chart_series& each : drawn.series) {
        names += each.name + (each.is_beside ? "-" : "") + ";";
    }
    return names;
}

TEST(plot_series, those_nearest_to_their_limits_come_first_and_limits_near_enough_are_beside_them) {
    const double none = std::nan("");
    const auto line = [&](const char* name, double value, double limit) {
        return time_series{
            name, name, {1000, 2000}, {0, value}, {limit, limit}, none, limit > 0 ? value / limit : 0};
    };
    const chart chosen =
        chart_of_egress({line("idle", 0, 10), line("a", 90, 100), line("b", 500, 1000), line("c", 95, 100),
                         line("d", 4, none), line("e", 60, 100), line("f", 1, 100)});
    EXPECT_EQ(names_of(chosen), "a;a, limit-;b;c;c, limit-;e;e, limit-;") << "that of b flattens the others";
    const auto drawn = panel_picture({"s", "t", "d"}, {{chart_of_egress({line("a", 90, 100)})}});
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->data,
              "# run, egress, a\n# time_us value_B\n1 0\n2 90\n\n\n"
              "# run, egress, a, limit\n# time_us value_B\n1 100\n2 100\n\n\n");
    EXPECT_NE(drawn->commands.find("index 0 using 1:2 with lines lt 1 lw 2 dt 1 title 'a'"), std::string::npos);
    EXPECT_NE(drawn->commands.find("index 1 using 1:2 with lines lt 1 lw 2 dt (12,5) notitle"),
              std::string::npos);
    EXPECT_EQ(names_of(chart_of_egress({line("a", 90, none)})), "a;");
    EXPECT_FALSE(panel_picture({"s", "t", "d"}, charts_over_time(pool_views, {run_data{}})));
}

TEST(plot_series, capacities_are_named_and_drawn_where_they_flatten_nothing) {
    const auto line = [](const char* name, double value, double capacity) {
        return time_series{name, name, {1000, 2000}, {0, value}, {}, capacity};
    };
    const chart near = chart_of_egress({line("a", 4, 16), line("b", 3, 16)});
    EXPECT_EQ(names_of(near), "a of 16 B;b of 16 B;capacity 16 B-;");
    const std::string commands = panel_picture({"s", "t", "d"}, {{near}})->commands;
    EXPECT_NE(commands.find("'run, egress'"), std::string::npos) << commands;
    EXPECT_NE(commands.find("'a of 16 B'"), std::string::npos) << commands;
    EXPECT_NE(commands.find("'Memory [B]'"), std::string::npos) << commands;
    EXPECT_NE(commands.find("set yrange [0:16]"), std::string::npos) << commands;
    const chart far = chart_of_egress({line("a", 4, 17), line("b", 3, 496768)});
    EXPECT_EQ(names_of(far), "a of 17 B;b of 485 KiB;") << "17 B is more than four times 4 B";
    EXPECT_NE(panel_picture({"s", "t", "d"}, {{far}})->commands.find("set yrange [0:4]"), std::string::npos);
}

TEST(plot_series, a_key_has_one_look_in_all_runs_and_counts_are_steps_that_fit_with_what_stands_beside_them) {
    const auto line = [](const char* key, double limit) {
        return time_series{"name", key, {1000, 2000}, {0, 5}, {0, limit}};
    };
    run_data run;
    run.port_announced = {line("a", 9), line("b", 5)};
    run.port_paused = {line("b", 5)};
    run_data other;
    other.port_announced = {line("b", 5)};
    const std::string drawn =
        panel_picture({"s", "t", "d"}, charts_over_time(port_pause_views, {run, other}))->commands;
    EXPECT_NE(drawn.find("index 0 using 1:2 with steps lt 1"), std::string::npos) << drawn;
    for (const char* of_b : {"index 2 using 1:2 with steps", "index 3 using 1:2 with steps",
                             "index 4 using 1:2 with lines", "index 5 using 1:2 with steps"}) {
        EXPECT_NE(drawn.find(of_b + std::string(" lt 2")), std::string::npos) << of_b;
    }
    EXPECT_NE(drawn.find("set yrange [0:10]"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find("'no samples above 0'"), std::string::npos) << drawn;
}

TEST(plot_series, a_view_that_is_empty_in_all_runs_is_left_out) {
    run_data run;
    run.port_sent = {{"s", "s", {1000, 2000}, {0, 5}}};
    run.port_announced = {{"a", "a", {1000, 2000}, {0, 5}, {0, 9}}};
    run.port_paused = {{"a", "a", {1000, 2000}, {0, 0}}};
    std::ostringstream notes;
    const std::vector<picture> drawn = run_pictures({}, {run}, notes);
    const auto pauses = std::find_if(drawn.begin(), drawn.end(),
                                     [](const picture& each) { return each.name == "port_pauses"; });
    ASSERT_NE(pauses, drawn.end());
    EXPECT_NE(pauses->commands.find("; paused: 0 in all runs'"), std::string::npos) << pauses->commands;
    EXPECT_EQ(pauses->commands.find("no samples"), std::string::npos) << pauses->commands;
}

TEST(plot_occupancy, envelope_keeps_peaks_and_ends) {
    std::vector<double> values(100'000, 10);
    values[0] = 11;
    values[77'731] = 500;
    values[33'390] = 0;
    values.back() = 12;
    const std::vector<std::size_t> kept = envelope(values);
    EXPECT_LE(kept.size(), 2000U);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    for (const std::size_t place :
         {std::size_t{0}, std::size_t{77'731}, std::size_t{33'390}, values.size() - 1}) {
        EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), place)) << place;
    }
    EXPECT_EQ(envelope({1, 2, 3}), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(plot_pauses, joining_intervals_keeps_the_time_paused) {
    time_series series;
    double all = 0;
    for (int i = 1; i <= 4097; ++i) {
        series.time_ns.push_back(i * 1000.0);
        series.values.push_back((i * 37) % 101);
        all += (i * 37) % 101 * 1000;
    }
    const chart_series steps = stretches_of(series, false);
    EXPECT_EQ(steps.y.size(), 250U);
    ASSERT_EQ(steps.x.size(), 251U);
    EXPECT_EQ(steps.x.front(), 0);
    EXPECT_EQ(steps.x.back(), 4'097'000);
    double joined = 0;
    for (std::size_t i = 0; i < steps.y.size(); ++i) {
        joined += steps.y[i] * (steps.x[i + 1] - steps.x[i]);
    }
    EXPECT_NEAR(joined, all, all * 1e-9);
}

TEST(plot_pauses, a_sample_at_the_start_of_a_run_is_no_interval) {
    const chart_series steps = stretches_of({"1", "1", {0, 10, 20}, {0, 0.5, 1}}, false);
    EXPECT_EQ(steps.x, (std::vector<double>{0, 10, 20}));
    EXPECT_EQ(steps.y, (std::vector<double>{0.5, 1}));
    EXPECT_TRUE(stretches_of({"1", "1", {0}, {0}}, false).y.empty());
}

TEST(plot_pauses, are_a_share_of_time_where_the_table_counts_transmitters) {
    run_data run;
    run.label = "a";
    run.pauses.push_back({"2", "2", {10, 20}, {4, 2}, {}, 8});
    const chart shares = pause_charts({run}).at(0);
    EXPECT_EQ(shares.y.kind, axis_kind::percent);
    EXPECT_EQ(shares.series[0].y, (std::vector<double>{50, 25}));
    EXPECT_EQ(shares.series[0].name, "a: mean 37.5 %");
    run.pauses[0].capacity = 0;
    const auto counts = panel_picture({"p", "t", "d"}, {pause_charts({run})});
    ASSERT_TRUE(counts.has_value());
    EXPECT_NE(counts->data.find("# time_ns value\n0 4\n10 2\n20 2\n"), std::string::npos) << counts->data;
    EXPECT_NE(counts->commands.find("'a: mean 3'"), std::string::npos) << counts->commands;
}

TEST_F(plot, jobs_of_one_transfer_each_are_drawn_once_and_a_note_says_why) {
    std::string flows = flows_header;
    std::string jobs = jobs_header;
    for (int i = 1; i <= 30; ++i) {
        const std::string n = std::to_string(i);
        flows += n + "," + n + ",0,1,64,7,q,0," + n + "000,1,0,0\n";
        jobs += n + ",flow,0,64,1,7,q,0," + n + "000\n";
    }
    write_summary("r", 30, 30);
    write("r/flows.csv", flows);
    write("r/jobs.csv", jobs);
    run({path("r"), "--out", path("o")});
    EXPECT_TRUE(fs::exists(path("o/job_completion_cdf.gp")));
    EXPECT_FALSE(fs::exists(path("o/transfer_completion_cdf.gp")));
    EXPECT_NE(errors().find("note: transfer_completion_cdf: not drawn: each job is one transfer, so it would "
                            "show the same as job_completion_cdf\n"),
              std::string::npos)
        << errors();
    EXPECT_NE(read("o/job_completion_cdf.gp").find("30 jobs, each of one transfer"), std::string::npos);
}

TEST_F(plot, completions_are_drawn_by_tag_and_class_and_chosen_by_them) {
    std::string flows = flows_header;
    std::string jobs = jobs_header;
    for (int i = 1; i <= 30; ++i) {
        const std::string n = std::to_string(i);
        // Three pairs of tag and class; the transfers of the third are no jobs, and take as long as in an empty
        // fabric.
        const std::string group = std::array<const char*, 3>{"7,q", "0,q", "0,"}[i % 3];
        flows += n + "," + n + ",0,1,64," + group + ",0," + n + "000," + (i % 3 == 2 ? n + "000" : "1000") +
                 ",0,0\n";
        jobs += i % 3 == 2 ? "" : n + ",query,0,64,2," + group + ",0," + n + "500\n";
    }
    write_summary("r", 20, 30);
    write("r/flows.csv", flows);
    write("r/jobs.csv", jobs);
    EXPECT_EQ(run({path("r"), "--out", path("all"), "--format", "svg"}), 0) << errors();
    const auto groups = [&](const std::string& file) {
        const std::string data = read(file);
        std::string found;
        for (const char* group : {"q, class 7: 10", "q, class 0: 10", "class 0: 10"}) {
            found += data.find(std::string("# ") + group) != std::string::npos ? "1" : "0";
        }
        return found;
    };
    EXPECT_EQ(groups("all/job_completion_cdf_by_class.dat"), "110");
    EXPECT_EQ(groups("all/transfer_completion_cdf_by_class.dat"), "111");
    EXPECT_EQ(groups("all/slowdown_cdf_by_class.dat"), "111");
    EXPECT_NE(read("all/slowdown_cdf_by_class.dat").find("# x share_completed "), std::string::npos);
    const run_data of_both = read_run(path("r"), {{}, {}, {"q"}, {0}});
    EXPECT_EQ(of_both.completed.transfers.size(), 10U);
    EXPECT_EQ(of_both.completed.transfers[0].slowdown, 1);
    EXPECT_EQ(read_run(path("r"), {{}, {}, {""}, {}}).completed.jobs_by_kind.size(), 0U);
    EXPECT_EQ(run({path("r"), "--out", path("some"), "--format", "svg", "--tag", ""}), 0) << errors();
    EXPECT_NE(read("some/transfer_completion_cdf.gp").find("10 transfers; only tag (no tag)"),
              std::string::npos);
    EXPECT_EQ(run({path("r"), "--out", path("of_class"), "--size", "64", "--kind", "query", "--class", "0"}),
              0);
    EXPECT_NE(read("of_class/job_completion_cdf.gp").find("Completion time of 64 B queries"),
              std::string::npos);
    EXPECT_NE(read("of_class/job_completion_cdf.gp").find("; only kind query, class 0;"), std::string::npos);
    for (const char* name : {"transfer_completion_cdf_by_class", "slowdown_cdf", "slowdown_cdf_by_class"}) {
        EXPECT_NE(read(std::string("of_class/") + name + ".gp").find("; only 64 B, kind query, class 0"),
                  std::string::npos)
            << name;
    }
    EXPECT_EQ(run({path("r"), "--out", path("none"), "--tag", "web", "--class", "3"}), 2);
    EXPECT_TRUE(errors_are(errors(), {"command line: --tag: web, '', 'q'", "command line: --class: 3, 0, 7"}));
    EXPECT_EQ(run({path("r"), "--out", path("none"), "--class", "8"}), 2);
    EXPECT_TRUE(errors_are(errors(), {"command line: --class: 8, 0 to 7"}));
    EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(plot, reads_columns_in_any_order_and_applies_filters) {
    write_run("r", 2, {2048});
    write("r/jobs.csv", "jct_ns,bytes,kind\r\n10.5,2048,query\r\n\r\n20,8192,query\r\n30,8192,web\r\n");
    write_summary("r", 3, 2);
    run_filter filter;
    filter.sizes = {8192};
    filter.kinds = {"query"};
    const run_data run = read_run(path("r"), filter);
    EXPECT_TRUE(run.errors.empty());
    ASSERT_EQ(run.completed.jobs_by_kind.size(), 1U);
    ASSERT_EQ(run.completed.jobs_by_kind.at("query").size(), 1U);
    EXPECT_EQ(run.completed.jobs_by_kind.at("query")[0].time_ns, 20);
    EXPECT_TRUE(run.completed.transfers.empty());
    EXPECT_EQ(run.completed.seen.sizes, (std::set<std::uint64_t>{2048, 8192}));
    const run_data all = read_run(path("r"), {});
    EXPECT_EQ(all.completed.jobs_by_kind.at("query")[0].time_ns, 10.5);
    EXPECT_EQ(all.completed.jobs_by_kind.at("web").size(), 1U);
    ASSERT_EQ(all.completed.transfers.size(), 2U);
    EXPECT_EQ(all.completed.transfers[1].time_ns, 1000.125);
    EXPECT_TRUE(all.ingress.empty());
}

TEST_F(plot, reads_occupancy_and_pauses) {
    write_run("r", 1, {64});
    write(
        "r/occupancy.csv",
        "time_ns,node,port,side,occupancy_bytes\n10,tor0,1,ingress,5\n10,tor0,1,egress,6\n10,tor0,2,ingress,7\n"
        "20,tor0,1,ingress,8\n20,tor0,1,egress,6\n20,tor0,2,ingress,7\n");
    write("r/pauses.csv", "time_ns,tier,paused_ns,xoff_sent\n10,1,3,1\n10,2,0,0\n20,1,4,2\n20,2,0,0\n");
    const run_data run = read_run(path("r"), {});
    EXPECT_TRUE(run.errors.empty());
    ASSERT_EQ(run.ingress.size(), 2U);
    EXPECT_EQ(run.ingress[0].values, (std::vector<double>{5, 8}));
    ASSERT_EQ(run.egress.size(), 1U);
    ASSERT_EQ(run.pauses.size(), 2U);
    EXPECT_EQ(run.pauses[0].values, (std::vector<double>{0.3, 0.4}));
    EXPECT_EQ(run.pauses[0].capacity, 0);
}

TEST_F(plot, says_exactly_what_is_wrong_with_a_table) {
    write_run("r", 1, {64});
    write("r/jobs.csv", "kind,bytes,jct_ns\nquery,64,x\nquery,-1,5\nquery,64\nquery,64,nan\nquery,6.5,1\n");
    write("r/flows.csv", "bytes,fct\n1,2\n");
    write("r/occupancy.csv",
          "time_ns,node,port,side,occupancy_bytes\n5,a,1,left,5\n5,a,1,egress,1\n4,a,1,egress,1\n");
    write("r/pauses.csv", "");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(
        errors(),
        {"@/r/jobs.csv:2: jct_ns: x, 0 and above", "@/r/jobs.csv:3: bytes: -1, whole number, 0 and above",
         "@/r/jobs.csv:4: line: 2 fields, 3", "@/r/jobs.csv:5: jct_ns: nan, 0 and above",
         "@/r/jobs.csv:6: bytes: 6.5, whole number, 0 and above", "@/r/flows.csv:1: fct_ns: missing, bytes,fct",
         "@/r/occupancy.csv:2: side: left, ingress, egress", "@/r/occupancy.csv:4: time_ns: advance, a.tx1",
         "@/r/pauses.csv: CSV, empty"}));
    EXPECT_FALSE(fs::exists(path("o")));
}

TEST_F(plot, tables_that_a_run_was_told_not_to_write_may_be_missing) {
    write_run("r", 2, {64});
    fs::remove(path("r/flows.csv"));
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {"@/r/flows.csv: No such file or directory"}));
    write("r/effective.ini", std::string(effective_head) + "\n[output]\nflows = false\n# end\n");
    const run_data without = read_run(path("r"), {});
    EXPECT_TRUE(without.errors.empty());
    EXPECT_TRUE(without.without_flows);
    EXPECT_FALSE(without.without_jobs);
    EXPECT_EQ(without.completed.jobs_by_kind.at("query").size(), 2U);
    std::ostringstream notes;
    run_pictures({}, {without}, notes);
    EXPECT_NE(notes.str().find("transfer_completion_cdf: not drawn: no run has flows.csv (output.flows)"),
              std::string::npos)
        << notes.str();
    // One that is there is read.
    write_run("r", 2, {64});
    EXPECT_EQ(read_run(path("r"), {}).completed.transfers.size(), 2U);
}

TEST_F(plot, a_tier_that_no_node_has_is_refused) {
    write_run("r", 1, {64});
    write("r/pauses.csv", "time_ns,tier,paused_ns\n10,host,3\n10,tier1x,3\n10,tier1,3\n10,tier,0\n10,,0\n");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {"@/r/pauses.csv:3: tier: tier1x, host, tier0, tier1, ...",
                                      "@/r/pauses.csv:5: tier: tier, host, tier0, tier1, ...",
                                      "@/r/pauses.csv:6: tier: '', host, tier0, tier1, ..."}));
}

TEST_F(plot, stops_after_twenty_mistakes_of_a_table) {
    write_run("r", 1, {64});
    std::string jobs = "kind,bytes,jct_ns\n";
    for (int i = 0; i < 1000; ++i) {
        jobs += "query,1,x\n";
    }
    write("r/jobs.csv", jobs);
    EXPECT_EQ(read_run(path("r"), {}).errors.size(), 20U);
}

TEST_F(plot, an_unfinished_last_line_is_an_error_of_a_stopped_run_too) {
    write_run("r", 1, {64});
    write("r/jobs.csv", "kind,bytes,jct_ns\nquery,64,5\nquery,6");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    const char* const cut = "@/r/jobs.csv:3: line: incomplete";
    EXPECT_TRUE(errors_are(errors(), {cut}));
    write_summary("r", 2, 1, "false");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {cut}));
    // All fields are there, and the last one may be short.
    write("r/jobs.csv", "kind,bytes,jct_ns\nquery,64,5\nquery,64,10");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {cut}));
}

TEST_F(plot, tables_have_as_many_lines_as_the_summary_counts) {
    write_run("r", 10, {64});
    write_summary("r", 11, 9);
    EXPECT_EQ(run({path("r"), "--size", "64", "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {"@/r/jobs.csv: 10 lines, summary.json, 11 jobs",
                                      "@/r/flows.csv: 10 lines, summary.json, 9 transfers"}));
    EXPECT_FALSE(fs::exists(path("o")));
}

TEST_F(plot, samples_of_all_series_have_the_same_times) {
    write_run("r", 1, {64});
    const std::string header = "time_ns,tier,paused_ns\n";
    const char* const missing = "@/r/pauses.csv: last sample, missing";
    write("r/pauses.csv", header + "10,1,3\n10,2,0\n20,1,4\n");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {missing}));
    write("r/pauses.csv", header + "10,1,3\n20,1,0\n");
    write(
        "r/occupancy.csv",
        "time_ns,node,port,side,occupancy_bytes\n10,tor0,1,egress,5\n20,tor0,1,egress,5\n30,tor0,1,egress,5\n");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {missing}));
}

constexpr const char* port_series_head =
    "time_ns,node,port,class,ingress_bytes,counted_bytes,threshold_bytes,ingress_capacity_bytes,egress_bytes,"
    "egress_limit_bytes,egress_capacity_bytes,rx_bps,tx_bps,xoff_sent,xon_sent,xoff_received,paused_percent\n";

TEST_F(plot, series_of_ports_have_sums_of_pauses_and_one_of_the_classes_paused_together) {
    write_run("r", 1, {64});
    const std::string memory = ",5,7,9,64,1,32,48,";
    write("r/port_series.csv", port_series_head + ("10,tor0,1,3" + memory + ",,,,,\n") + "20,tor0,1,3" +
                                   memory + "8,6,2,1,0,50\n" + "20,tor0,1,4,0,7,9,64,0,32,48,0,0,2,1,0,50\n" +
                                   "30,tor0,1,3" + memory + "8,6,1,2,0,0\n" +
                                   "30,tor0,1,4,0,7,9,64,0,32,48,0,0,1,2,0,0\n");
    const run_data r = read_run(path("r"), {});
    ASSERT_TRUE(r.errors.empty());
    const time_series& announced = r.port_announced.at(0);
    EXPECT_EQ(announced.name, "tor0.rx1 class 3");
    EXPECT_EQ(r.port_paused.at(0).name, "tor0.tx1 class 3");
    EXPECT_EQ(r.port_paused.at(0).key, announced.key);
    EXPECT_EQ(announced.values, (std::vector<double>{2, 3}));
    EXPECT_EQ(announced.limits, (std::vector<double>{1, 3}));
    EXPECT_TRUE(r.port_announced.at(1).values.empty());
    EXPECT_TRUE(r.port_paused.at(1).values.empty());
    EXPECT_EQ(r.port_ingress.at(0).capacity, 64);
    EXPECT_EQ(r.port_egress.at(0).capacity, 48);
    EXPECT_DOUBLE_EQ(r.port_ingress.at(0).share, 7.0 / 9);
    EXPECT_EQ(r.port_received.at(0).values, (std::vector<double>{8, 8}));
}

TEST_F(plot, series_of_classes_with_equal_xoffs_and_other_xons_are_all_kept) {
    write_run("r", 1, {64});
    const std::string memory = ",5,7,9,64,1,32,48,8,6,";
    write("r/port_series.csv",
          port_series_head + ("10,tor0,1,3" + memory + "1,1,0,0\n") + "10,tor0,1,4" + memory + "1,0,0,0\n");
    const run_data r = read_run(path("r"), {});
    EXPECT_EQ(r.port_announced.at(1).values, (std::vector<double>{1}));
}

TEST_F(plot, series_have_ports_and_classes_in_range_and_lines_in_order) {
    write_run("r", 1, {64});
    const std::string rest = ",5,5,9,64,1,32,48,8,8,0,0,0,0\n";
    write("r/port_series.csv", port_series_head + ("10,tor0,x,3" + rest) + "10,tor0,65536,3" + rest +
                                   "10,tor0,1,8" + rest + "10,tor0,1,7" + rest + "10,tor0,1,7" + rest);
    write("r/pool_series.csv",
          "time_ns,node,pool,slice,occupancy_bytes,group_threshold_bytes,size_bytes\n"
          "10,tor0,puddle,0,1,,2\n10,tor0,headroom,-1,1,,2\n");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(
        errors(),
        {"@/r/port_series.csv:2: port: x, 0 to 65535", "@/r/port_series.csv:3: port: 65536, 0 to 65535",
         "@/r/port_series.csv:4: class: 8, 0 to 7", "@/r/port_series.csv:6: time_ns: advance, tor0:1 class 7",
         "@/r/pool_series.csv:2: pool: puddle, lossless_pool, lossy_pool, headroom, queue_pool, "
         "lossless_queue_pool",
         "@/r/pool_series.csv:3: slice: -1, 0 to 65535"}));
}

TEST_F(plot, series_start_later_but_end_together) {
    write_run("r", 1, {64});
    const std::string head = "time_ns,node,pool,slice,occupancy_bytes,group_threshold_bytes,size_bytes\n";
    const std::string start =
        "10,tor0,lossy_pool,0,1,,9\n20,tor0,lossy_pool,0,1,,9\n20,tor1,lossy_pool,0,1,,9\n";
    write("r/pool_series.csv", head + start);
    EXPECT_TRUE(read_run(path("r"), {}).errors.empty());
    write("r/pool_series.csv", head + start + "30,tor0,lossy_pool,0,1,,9\n");
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 2);
    EXPECT_TRUE(errors_are(errors(), {"@/r/pool_series.csv: last sample, missing"}));
}

TEST_F(plot, the_picture_of_occupancy_says_which_runs_have_no_samples) {
    for (const char* name : {"r", "plain"}) {
        write_run(name, 3, {2048});
    }
    write("r/occupancy.csv",
          "time_ns,node,port,side,occupancy_bytes\n10,tor0,1,egress,5\n20,tor0,1,egress,5\n");
    EXPECT_EQ(run({path("r"), path("plain"), "--out", path("o")}), 0) << errors();
    EXPECT_NE(read("o/occupancy.gp").find("; no samples: plain"), std::string::npos) << read("o/occupancy.gp");
}

TEST_F(plot, one_job_of_each_size_has_neither_percentiles_nor_distributions_and_the_notes_say_so) {
    write_run("r", 1, {2048, 8192, 32768});
    run({path("r"), "--out", path("o")});
    const std::string notes = errors();
    for (const char* size : {"2 KiB", "8 KiB", "32 KiB"}) {
        EXPECT_NE(notes.find("note: job_completion_cdf_by_size of " + std::string(size) +
                             " responses: not drawn for r: it has one job, and a single value has no "
                             "distribution\n"),
                  std::string::npos)
            << notes;
    }
    EXPECT_NE(
        notes.find("note: percentiles_by_size: not drawn: too few jobs per size for a percentile; a median "
                   "takes two of one size in one run\n"),
        std::string::npos)
        << notes;
    EXPECT_FALSE(fs::exists(path("o/job_completion_cdf_by_size.gp")));
    EXPECT_FALSE(fs::exists(path("o/percentiles_by_size.gp")));
    EXPECT_TRUE(fs::exists(path("o/job_completion_cdf.gp")));
}

TEST_F(plot, one_job_in_all_has_no_distribution_and_one_size_no_percentiles_by_size) {
    write_run("r", 1, {64});
    run({path("r"), "--out", path("o")});
    EXPECT_NE(errors().find("note: job_completion_cdf: not drawn for r: it has one job, and"),
              std::string::npos)
        << errors();
    EXPECT_NE(errors().find("note: percentiles_by_size: not drawn: fewer than two sizes of jobs\n"),
              std::string::npos)
        << errors();
    EXPECT_FALSE(fs::exists(path("o/job_completion_cdf.gp")));
}

TEST_F(plot, pictures_do_not_go_into_the_directory_of_a_run_or_a_sweep) {
    write_run("r", 3, {2048});
    write("r/effective.ini", "# end\n");
    write("s/plan.json", "");
    write("s/points/x", "");
    const auto refused = [&](const std::string& out) {
        EXPECT_EQ(run({path("r"), "--out", path(out)}), 2);
        return errors();
    };
    for (const char* out : {"r", "r/", "r/../r/."}) {
        EXPECT_TRUE(
            errors_are(refused(out), {"command line: --out: @/" + std::string(out) + ", a run, outside"}));
    }
    EXPECT_TRUE(errors_are(refused("r/plots/a"), {"command line: --out: @/r/plots/a, a run, outside"}));
    EXPECT_FALSE(fs::exists(path("r/plots")));
    EXPECT_TRUE(errors_are(refused("s"), {"command line: --out: @/s, a sweep, @/s/plots"}));
    // An effective.ini that was copied to work with makes no run's directory.
    write("effective.ini", "");
    run({path("r"), "--out", path("beside")});
    EXPECT_TRUE(fs::exists(path("beside/job_completion_cdf.gp")));
}

TEST_F(plot, refuses_bad_arguments_and_writes_nothing) {
    write_run("r", 3, {2048, 8192});
    write("file", "");
    const auto refused = [&](const std::vector<std::string>& args) {
        EXPECT_EQ(run(args), 2);
        return errors();
    };
    const std::string out = path("o");
    EXPECT_TRUE(errors_are(refused({path("none"), "--out", out}), {"command line: @/none: not a directory"}));
    fs::create_directories(path("empty"));
    EXPECT_TRUE(errors_are(refused({path("empty"), "--out", out}),
                           {"@/empty/summary.json: No such file or directory"}));
    EXPECT_TRUE(errors_are(refused({path("r")}), {"command line: --out: --out DIR, missing"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--out", path("file")}),
                           {"command line: --out: @/file, a file, a directory"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--out", out, "--label", "a", "--label", "b"}),
                           {"command line: --label: 2, 1 directories"}));
    EXPECT_TRUE(errors_are(refused({path("r"), path("r") + "/", "--out", out, "--label", "a", "--label", "a"}),
                           {"command line: DIR: @/r, twice", "command line: --label: a, twice"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--out", out, "--format", "png,pdf"}),
                           {"command line: --format: pdf, png, svg, png,svg"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--out", out, "--size", "4096"}),
                           {"command line: --size: 4 KiB, 2 KiB, 8 KiB"}));
    EXPECT_TRUE(
        errors_are(refused({path("r"), "--out", out, "--kind", "web"}), {"command line: --kind: web, query"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--out", out, "--size", "99999999999999999999"}),
                           {"command line: --size: 99999999999999999999, at most 9223372036854775807"}));
    EXPECT_TRUE(has_error(refused({path("r"), "--out", out, "--size", "8k"}), "--size: 8k, unit"));
    EXPECT_TRUE(errors_are(
        refused({path("r"), "--out", out, "--colour=red"}),
        {"command line: --colour: --out, --label, --size, --kind, --tag, --class, --title, --format, --help"}));
    EXPECT_TRUE(
        errors_are(refused({path("r"), "--out", out, "--labl", "x"}), {"command line: --labl: --label"}));
    EXPECT_TRUE(errors_are(refused({path("r"), "--ouut", out}), {"command line: --ouut: --out"}));
    EXPECT_TRUE(has_error(refused(std::vector<std::string>(17, path("r"))), "too many, at most 16"));
    EXPECT_TRUE(has_error(refused({"--out", out}), "no directory, at least 1"));
    write("r/summary.json", "{\"complete\": ");
    EXPECT_TRUE(
        errors_are(refused({path("r"), "--out", out}), {"@/r/summary.json:1: summary.json, incomplete"}));
    EXPECT_FALSE(fs::exists(out));
    EXPECT_EQ(run({"-h"}), 0);
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_NE(m_out.str().find("--label TEXT"), std::string::npos);
}

TEST_F(plot, without_gnuplot_writes_the_scripts_and_fails) {
    write_run("r", 30, {2048, 8192});
    const std::string before = std::getenv("PATH");
    setenv("PATH", path("nowhere").c_str(), 1);
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 3);
    setenv("PATH", before.c_str(), 1);
    EXPECT_NE(errors().find("gnuplot is not installed; the scripts in @/o can be run later"),
              std::string::npos);
    EXPECT_EQ(m_out.str(), "");
    EXPECT_TRUE(fs::exists(path("o/job_completion_cdf.gp")));
    EXPECT_TRUE(fs::exists(path("o/job_completion_cdf.dat")));
    EXPECT_FALSE(fs::exists(path("o/job_completion_cdf.dat.partial")));
}

TEST_F(plot, a_failing_gnuplot_leaves_no_picture) {
    write_run("r", 30, {2048});
    write("bin/gnuplot", "#!/bin/sh\necho half > ${2%.gp}.png\necho 'no terminal' >&2\nexit 3\n");
    fs::permissions(path("bin/gnuplot"), fs::perms::owner_all);
    const std::string before = std::getenv("PATH");
    setenv("PATH", (path("bin") + ":" + before).c_str(), 1);
    EXPECT_EQ(run({path("r"), "--out", path("o")}), 3);
    setenv("PATH", before.c_str(), 1);
    EXPECT_NE(errors().find("job_completion_cdf.gp: no terminal\n"), std::string::npos);
    EXPECT_NE(errors().find("job_completion_cdf.gp: gnuplot failed with status 3\n"), std::string::npos);
    EXPECT_FALSE(fs::exists(path("o/job_completion_cdf.png")));
}

TEST_F(plot, gnuplot_draws_every_picture_of_two_runs_and_again_the_same_files) {
    if (run_gnuplot(m_root.string(), "none").status == 127) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    for (const std::string name : {"x/run", "y/run"}) {
        write_run(name, 1500, {2048, 8192, 32768}, name == "x/run" ? "true" : "false");
        std::string occupancy = "time_ns,node,port,side,occupancy_bytes\n";
        std::string pauses = "time_ns,tier,paused_ns,xoff_sent\n";
        for (int i = 0; i < 100; ++i) {
            for (const char* side : {"ingress", "egress"}) {
                occupancy +=
                    std::to_string(i * 1000) + ",tor0,1," + side + "," + std::to_string(i * 300) + "\n";
            }
            pauses += std::to_string(i * 1000) + ",1," + std::to_string(i) + ",2\n";
        }
        write(name + "/occupancy.csv", occupancy);
        write(name + "/pauses.csv", pauses);
    }
    const auto draw = [&](const std::string& out) {
        return run({path("x/run"), path("y/run"), "--title", "It's 100%", "--out", path(out)});
    };
    ASSERT_EQ(draw("a"), 0) << errors();
    EXPECT_EQ(errors(), "warning: @/y/run: the run was stopped before its end\n");
    ASSERT_EQ(draw("b"), 0);
    for (const std::string name : {"job_completion_cdf", "job_completion_cdf_by_size",
                                   "transfer_completion_cdf", "percentiles_by_size", "occupancy", "pauses"}) {
        for (const char* suffix : {".gp", ".dat", ".svg"}) {
            const std::string text = read("a/" + name + suffix);
            EXPECT_FALSE(text.empty()) << name << suffix;
            EXPECT_EQ(text, read("b/" + name + suffix)) << name << suffix;
        }
        EXPECT_EQ(read("a/" + name + ".png").compare(1, 3, "PNG"), 0) << name;
        EXPECT_NE(m_out.str().find(path("b/" + name + ".png") + "\n"), std::string::npos);
    }
    // Both runs have the same last name: the paths tell them apart.
    EXPECT_NE(read("a/job_completion_cdf.gp").find("'y/run (incomplete)'"), std::string::npos);
    EXPECT_NE(read("a/occupancy.svg").find("It's 100%"), std::string::npos);

    ASSERT_EQ(run({path("x/run"), path("y/run"), "--size", "8KiB", "--label", "FC", "--label", "DeTail",
                   "--format", "svg", "--out", path("c")}),
              0);
    const std::string script = read("c/job_completion_cdf.gp");
    EXPECT_NE(script.find("'Completion time of 8 KiB queries'"), std::string::npos);
    EXPECT_NE(script.find("1,500 queries per run"), std::string::npos);
    EXPECT_NE(script.find("title 'FC'"), std::string::npos);
    EXPECT_FALSE(fs::exists(path("c/job_completion_cdf.png")));
    EXPECT_FALSE(fs::exists(path("c/job_completion_cdf_by_size.gp")));
}

}  // namespace
}  // namespace weir::tb
