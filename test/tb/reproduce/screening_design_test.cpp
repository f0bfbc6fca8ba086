// Main effects of two-level designs against arithmetic by hand, designs that cannot tell effects apart, what is
// drawn of them, and statements about any row.
#include "tb/study/statements/screening_design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/errors_said.h"
#include "support/scratch_directory.h"
#include "tb/run/results/summary_writer.h"
#include "tb/study/reproduce/effects_picture.h"
#include "tb/study/statements/judge_statement.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

/// Plackett and Burman, 1946: the first row of 12; the next ones are it, shifted, and the last one is all -.
constexpr const char* pb12 = "++-+++---+-";

sweep_axis plackett_burman() {
    const std::string first = pb12;
    sweep_axis axis;
    for (std::size_t k = 0; k < 11; ++k) {
        axis.keys.push_back("o" + std::to_string(k + 1));
    }
    for (std::size_t row = 0; row < 12; ++row) {
        axis.values.emplace_back();
        for (std::size_t k = 0; k < 11; ++k) {
            axis.values.back().push_back(row == 11 ? "-" : std::string(1, first[(k + 11 - row) % 11]));
        }
    }
    return axis;
}

sweep_axis design(const std::vector<std::string>& rows) {
    sweep_axis axis;
    for (std::size_t k = 0; k < rows.front().size(); ++k) {
        axis.keys.push_back(std::string(1, static_cast<char>('a' + k)));
    }
    for (const std::string& row : rows) {
        axis.values.emplace_back();
        for (const char c : row) {
            axis.values.back().emplace_back(1, c);
        }
    }
    return axis;
}

using values_by_row = std::vector<std::vector<std::optional<double>>>;

TEST(screening_design, of_plackett_and_burman_gives_known_coefficients_back) {
    const sweep_axis axis = plackett_burman();
    EXPECT_EQ(design_faults(axis), std::vector<std::string>{});
    const std::vector<double> coefficients{0, 5, -7, 1, 0.5, -3, 11, 2, -0.25, 4, 6};
    values_by_row values;
    for (const std::vector<std::string>& row : axis.values) {
        double value = 100;
        for (std::size_t k = 0; k < row.size(); ++k) {
            value += coefficients[k] * (row[k] == "+" ? 1 : 0);
        }
        // What a seed adds to all rows is no effect.
        values.push_back({value, value + 30});
    }
    const design_effects found = main_effects(axis, values, 0.95);
    ASSERT_EQ(found.effects.size(), 11U);
    double before = HUGE_VAL;
    for (const main_effect& each : found.effects) {
        const std::size_t k = std::stoul(each.option.substr(1)) - 1;
        // From the first row's value to the other.
        const double sign = pb12[k] == '+' ? -1 : 1;
        EXPECT_NEAR(each.effect.mean, sign * coefficients[k], 1e-9) << each.label();
        EXPECT_NEAR(each.effect.half_width, 0, 1e-9);
        EXPECT_EQ(each.from, std::string(1, pb12[k]));
        EXPECT_EQ(each.to, pb12[k] == '+' ? "-" : "+");
        EXPECT_LE(std::fabs(each.effect.mean), before);
        before = std::fabs(each.effect.mean);
    }
    EXPECT_EQ(found.effects.front().label(), "o7: - -> +");
    // Half of the coefficients' sum above 100, and half of 30.
    EXPECT_NEAR(found.mean.mean, 100 + 19.25 / 2 + 15, 1e-9);
}

TEST(screening_design, effects_are_means_over_seeds_with_intervals) {
    const sweep_axis axis = design({"xp", "xq", "yp", "yq"});
    // a: (y rows) - (x rows) = (30 + 40 - 10 - 20) / 2 = 20, and 26, 20 with the other seeds.
    const design_effects found =
        main_effects(axis, {{10, 10, 0}, {20, 20, 5}, {30, 36, 20}, {40, 46, 25}}, 0.95);
    ASSERT_EQ(found.effects.size(), 2U);
    EXPECT_EQ(found.effects[0].label(), "a: x -> y");
    EXPECT_DOUBLE_EQ(found.effects[0].effect.mean, 22);
    EXPECT_NEAR(found.effects[0].effect.half_width, 4.302653 * std::sqrt(12.0 / 3), 1e-5);
    // b: 10, 10, 5.
    EXPECT_NEAR(found.effects[1].effect.mean, 25.0 / 3, 1e-9);
    EXPECT_NEAR(found.mean.mean, (25 + 28 + 12.5) / 3, 1e-9);
    // A seed that lacks a row counts nowhere.
    const design_effects two =
        main_effects(axis, {{10, 10, 0}, {20, std::nullopt, 5}, {30, 36, 20}, {40, 46, 25}}, 0.95);
    EXPECT_EQ(two.effects[0].effect.n, 2U);
    EXPECT_DOUBLE_EQ(two.effects[0].effect.mean, 20);
    EXPECT_EQ(main_effects(axis, {{1}, {2}, {3}, {std::nullopt}}, 0.95).mean.n, 0U);
}

TEST(screening_design, that_cannot_tell_effects_apart_is_refused) {
    const auto fault = [](const std::vector<std::string>& rows) {
        const std::vector<std::string> all = design_faults(design(rows));
        return all.empty() ? "" : all.front();
    };
    EXPECT_EQ(fault({"xp", "xq", "yp", "yq"}), "");
    EXPECT_TRUE(errors_are(fault({"xp", "xq"}), {"a, 1 value, x, two"}));
    EXPECT_TRUE(errors_are(fault({"xp", "yq", "zp", "xq"}), {"a, 3 values, x, y, z, two"}));
    EXPECT_TRUE(errors_are(fault({"xp", "xq", "xp", "yq"}), {"a, x in 3, y in 1"}));
    const std::string aliased = "a, b, together";
    EXPECT_TRUE(errors_are(fault({"xpr", "yqr", "xps", "yqs"}), {aliased}));
    EXPECT_TRUE(errors_are(fault({"xpr", "yqr", "ypr", "xqr"}), {"c, 1 value, r, two"}));
    // Opposite: the second is p where the first is y; from the first row on they still move together.
    EXPECT_TRUE(errors_are(fault({"xq", "yp", "xq", "yp"}), {aliased}));
    EXPECT_EQ(
        fault({"xp", "xp", "xq", "yq", "yq", "yp"}).find("'a' and 'b' change together more often than not"),
        0U);
}

// --- from runs -------------------------------------------------------------------------------------------

/// Runs that were not made: twelve rows beside two schemes, 1 ms and 0.1 ms for each `+` in the third column,
/// -0.4 ms in the second with detail, and 10 us times the seed.
class screening_runs : public testing::Test {
 protected:
    screening_runs() {
        m_plan.version = "0.1.0";
        m_plan.configuration = "bursty.ini";
        m_plan.axes = {plackett_burman(), {{"switch.scheme"}, {{"fc"}, {"detail"}}}};
        m_plan.seeds = {1, 2, 3};
        for (std::size_t point = 0; point < m_plan.points(); ++point) {
            const std::vector<std::size_t> at = m_plan.places(point);
            const std::vector<std::string>& row = m_plan.axes[0].values[at[0]];
            for (const std::uint64_t seed : m_plan.seeds) {
                const fs::path run = layout().run(point, seed);
                fs::create_directories(run);
                run_summary made;
                made.complete = true;
                made.fct.count = 100'000;
                made.fct.p99 = std::chrono::nanoseconds(1'000'000 + (row[2] == "+" ? 100'000 : 0) -
                                                        (at[1] == 1 && row[1] == "+" ? 400'000 : 0) +
                                                        10'000 * static_cast<int>(seed));
                std::ofstream(run / "summary.json") << to_text(to_json(made));
            }
        }
        m_figure.title = "Which choice decides it";
        m_figure.draw = paper_figure::drawings::effects;
        m_figure.metrics = {"fct_ns.p99"};
        m_figure.x = "o4";
        m_figure.name = "figure_5";
    }
    campaign_layout layout() const { return {m_where.path(), m_plan.points()}; }
    sweep_results results() const { return {m_plan, layout(), metric_filter({"fct_ns.p99"})}; }

    test::scratch_directory m_where;
    sweep_plan m_plan;
    paper_figure m_figure;
};

TEST_F(screening_runs, are_drawn_as_bars_the_largest_on_top) {
    m_figure.curves = {{"switch.scheme", {"detail"}}};
    const auto drawn = effects_picture(m_figure, results(), 0.95);
    ASSERT_TRUE(drawn);
    const std::string head =
        "# 99th percentile of transfer completion time, scheme = detail\n# x_us y low high\n"
        "400 0 400 400\n100 1 100 100\n0 2 0 0\n";
    EXPECT_EQ(drawn->data.substr(0, head.size()), head);
    for (const char* part :
         {"'Which choice decides it'", "with boxxyerror", "with xerrorbars",
          "'o2: + -> -' 0, 'o3: - -> +' 1, 'o1: + -> -' 2", "'Main effect: second value less the first [µs]'",
          "main effects of 11 options from 12 rows"}) {
        EXPECT_NE(drawn->commands.find(part), std::string::npos) << part << " is not in\n" << drawn->commands;
    }
    // Drawn again, and one panel for each scheme.
    EXPECT_EQ(effects_picture(m_figure, results(), 0.95)->data, drawn->data);
    m_figure.curves = {{"switch.scheme", {}}};
    const auto both = effects_picture(m_figure, results(), 0.95);
    EXPECT_EQ(both->data.find("# 99th percentile of transfer completion time, scheme = fc"), 0U);
    EXPECT_NE(both->data.find(drawn->data), std::string::npos);
}

TEST_F(screening_runs, are_a_table_in_the_same_order) {
    m_figure.at = {{"switch.scheme", {"detail"}}};
    const std::string text = effects_numbers(m_figure, results(), 0.95);
    // 1,000 + 50 - 200 + 20 us; 400 / 870 is 46 %.
    for (const char* part :
         {"Mean over all rows: 870 µs", "| option | from | to | effect [µs] | interval |",
          "| o2 | + | - | 400 | 400..400 | 46 % |\n| o3 | - | + | 100 | 100..100 | 11.5 % |\n"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    }
    for (const std::uint64_t seed : m_plan.seeds) {
        fs::remove(layout().run(m_plan.point({3, 1}), seed) / "summary.json");
    }
    EXPECT_FALSE(effects_picture(m_figure, results(), 0.95));
    EXPECT_EQ(effects_numbers(m_figure, results(), 0.95),
              "Main effects on: 99th percentile of transfer completion time. No seed has a value, of enough "
              "values, in every row.\n\n");
}

TEST_F(screening_runs, have_rows_at_which_a_statement_agrees_or_none) {
    paper_statement s;
    s.metrics = {"fct_ns.p99"};
    s.scopes = {{0, {{"o1", {}}}, {}, {{{"switch.scheme", {"detail"}}}}}};
    s.any = 0;
    const auto judged = [&](statement_kind kind, const std::string& number) {
        s.kind = kind;
        s.paper = read_paper_range(number, kind, "fct_ns.p99").value;
        const sweep_results found = results();
        return judge_places(s, {&found}, 0.95);
    };
    // The second option is + and the third is -: rows 1, 8 and 10 with 620 us.
    judgement j = judged(statement_kind::value, "<0.7ms");
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_TRUE(j.sure);
    std::vector<std::size_t> wanted;
    const sweep_axis rows = plackett_burman();
    for (std::size_t row = 0; row < 12; ++row) {
        if (rows.values[row][1] == "+" && rows.values[row][2] == "-") {
            wanted.push_back(row);
        }
    }
    EXPECT_EQ(j.agreeing, wanted);
    EXPECT_EQ(j.agreeing.size(), 3U);
    EXPECT_EQ(j.note.find("at 3 of 12 places: row 1; row "), 0U) << j.note;
    EXPECT_EQ(j.ours, "0.62..1.12 ms");
    j = judged(statement_kind::value, ">2ms");
    EXPECT_EQ(j.verdict, paper_verdict::differs);
    EXPECT_TRUE(j.sure);
    EXPECT_EQ(j.note, "at none of 12 places");
    EXPECT_TRUE(j.agreeing.empty());
    EXPECT_EQ(judged(statement_kind::value, "").verdict, paper_verdict::not_stated);
    // A metric that no run has is named, even beside one that all have.
    s.metrics = {"fct_ns.p99", "segments.*.timeouts"};
    EXPECT_EQ(judged(statement_kind::value, "<0.7ms").note,
              "at none of 12 places; row 1: no run has segments.*.timeouts");
    s.metrics = {"fct_ns.p99"};
    s.scopes[0].operands.push_back({{"switch.scheme", {"fc"}}});
    j = judged(statement_kind::below, ">30%");
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.agreeing.size(), 6U) << "wherever the second option is +";
    // Both schemes have to agree at a row.
    s.scopes[0].at.push_back({"switch.scheme", {}});
    s.scopes[0].operands = {{}};
    EXPECT_EQ(judged(statement_kind::value, "<1.05ms").agreeing.size(), 6U);
    EXPECT_EQ(judged(statement_kind::value, "<0.7ms").verdict, paper_verdict::differs);
    // A row without a value may be the one that agrees.
    fs::remove(layout().run(0, 1) / "summary.json");
    fs::remove(layout().run(0, 2) / "summary.json");
    fs::remove(layout().run(0, 3) / "summary.json");
    EXPECT_EQ(judged(statement_kind::value, "<0.7ms").verdict, paper_verdict::not_judged);
    EXPECT_EQ(judged(statement_kind::value, "<1.05ms").verdict, paper_verdict::agrees);
}

}  // namespace
}  // namespace weir::tb
