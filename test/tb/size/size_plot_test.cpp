// The picture and the table of a search: what legends list, where bounds are, what is said of unknown
// intervals.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <sstream>

#include "tb/study/size/size_plot.h"

namespace weir::tb {
namespace {

struct asked {
    std::vector<std::string> goals;
    std::size_t runs = 40;
    std::size_t places = 5;
    /// Places that cannot be.
    std::vector<std::size_t> refused{};
};

/// A whole search over some sizes of a memory, with a formula for what a run at a place gives.
class searched {
 public:
    searched(const asked& a, const std::function<run_outcome(std::size_t)>& run_at) {
        m_plan.runs.version = "0.1.0";
        m_plan.runs.configuration = "burst.ini";
        m_plan.runs.axes.push_back({{"switch.ingress_buffer"}, {}});
        for (std::size_t i = 1; i <= a.places; ++i) {
            m_plan.runs.axes[0].values.push_back({std::to_string(32 * i) + "KiB"});
        }
        m_plan.runs.seeds = {1};
        m_plan.wishes = {axis_wish::smallest};
        for (const std::string& goal : a.goals) {
            m_plan.goals.push_back(read_goal(goal).value);
        }
        m_refused.resize(a.places);
        std::vector<bool> refused(a.places, false);
        for (const std::size_t place : a.refused) {
            m_refused[place].push_back("it is refused");
            refused[place] = true;
        }
        m_plan.limits.runs = a.runs;
        m_plan.limits.curve_runs = a.runs;
        m_search = std::make_unique<size_search>(m_plan.lines(refused), a.places, m_plan.goals, m_plan.limits);
        while (!m_search->finished()) {
            for (const wanted_run& run : m_search->wanted()) {
                m_search->add(run.point, run.index, run_at(run.point));
            }
        }
    }

    picture drawn() const {
        const auto p = size_picture({m_plan, *m_search, answer_of(m_plan, *m_search), m_refused});
        EXPECT_TRUE(p);
        return p.value_or(picture{});
    }
    std::string table() const {
        std::ostringstream out;
        print_places(out, {m_plan, *m_search, answer_of(m_plan, *m_search), m_refused});
        return out.str();
    }

 private:
    size_plan m_plan;
    refusals m_refused;
    std::unique_ptr<size_search> m_search;
};

run_outcome values(std::vector<std::optional<value_range>> of_goals) {
    return {run_end::whole, "", std::move(of_goals)};
}

std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(size_plot, the_legend_lists_the_verdicts_that_are_there) {
    const searched met({{"frames.sent <= 100"}}, [](std::size_t) { return values({50}); });
    EXPECT_TRUE(holds(met.drawn().commands, "title 'met'"));
    for (const char* absent : {"title 'not met'", "title 'not decided'", "title 'not possible'"}) {
        EXPECT_FALSE(holds(met.drawn().commands, absent)) << absent;
    }
    const searched mixed({{"frames.sent <= 100"}},
                         [](std::size_t place) { return values({place < 2 ? 500 : 50}); });
    EXPECT_TRUE(holds(mixed.drawn().commands, "title 'met'"));
    EXPECT_TRUE(holds(mixed.drawn().commands, "title 'not met'"));
    EXPECT_FALSE(holds(mixed.drawn().commands, "title 'not possible'"));
}

TEST(size_plot, a_panel_is_drawn_from_its_own_blocks_of_the_data) {
    const searched s({{"frames.sent <= 100", "jct_ns.p50 <= 30us"}}, [](std::size_t place) {
        return place < 2 ? values({500, 5e6}) : values({50, 1e3});
    });
    const picture p = s.drawn();
    std::vector<std::string> blocks;
    std::istringstream lines(p.data);
    std::string name;
    for (std::string line; std::getline(lines, line); name = line) {
        const std::string block = name.substr(name.rfind(':') + 1);
        // The line that joins the points has no name beside the panel's.
        if (line.rfind("# x_KiB y", 0) == 0 && !holds(block, "<=")) {
            blocks.push_back(block);
        }
    }
    std::vector<std::string> expected;
    for (int panel = 0; panel < 2; ++panel) {
        for (const char* each : {" answer", " bound", " met", " not met"}) {
            expected.emplace_back(each);
        }
    }
    EXPECT_EQ(blocks, expected);
    for (const char* each :
         {"index 0 using 1:2 with lines", "index 2 using 1:2 with lines", "index 3 using 1:2 with points",
          "index 5 using 1:2 with lines", "index 7 using 1:2 with lines", "index 8 using 1:2 with points"}) {
        EXPECT_TRUE(holds(p.commands, each)) << each << "\n" << p.commands;
    }
}

TEST(size_plot, a_value_that_is_not_possible_is_marked_at_the_lower_end_of_a_curve) {
    const searched s({{"frames.sent <= 100"}, 40, 5, {0}}, [](std::size_t) { return values({50}); });
    const picture p = s.drawn();
    EXPECT_TRUE(holds(p.commands, "title 'not possible'"));
    EXPECT_TRUE(holds(p.data, ": not possible\n# x_KiB y low high\n32 -4 ? ?\n")) << p.data;
    // No line leads there.
    EXPECT_FALSE(holds(p.data, " in 50% of runs\n# x_KiB y\n32 ")) << p.data;
}

TEST(size_plot, two_goals_have_a_panel_each_with_its_words_above_and_its_own_verdicts) {
    const searched s({{"lossless in 80% of runs", "jct_ns.p99_9 <= 3ms"}}, [](std::size_t) {
        return values({std::nullopt, 17e6});
    });
    const picture p = s.drawn();
    EXPECT_TRUE(holds(p.commands, "set title 'Goal: lossless in 80% of runs'")) << p.commands;
    EXPECT_TRUE(
        holds(p.commands, "set title 'Goal: 99.9th percentile of job completion time <= 3ms in 50% of runs'"));
    EXPECT_FALSE(holds(p.commands, "jct_ns.p99_9"));
    // Too long for the panel's height: in two lines.
    EXPECT_TRUE(holds(p.commands, R"(set ylabel '99.9th percentile of job'."\n".'completion time [ms]')"));
    // Every run is lossless, so there nothing is missed, whatever the other goal says of the place.
    EXPECT_FALSE(holds(p.data, "# Goal: lossless in 80% of runs: not met\n")) << p.data;
    EXPECT_FALSE(holds(p.data, "completion time <= 3ms in 50% of runs: met\n")) << p.data;
}

TEST(size_plot, a_bound_is_labelled_and_never_lies_on_the_frame) {
    const searched far({{"jct_ns.p50 <= 30us"}}, [](std::size_t) { return values({3.6e6}); });
    const picture p = far.drawn();
    EXPECT_TRUE(holds(p.commands, "'bound: 30 µs'")) << p.commands;
    EXPECT_TRUE(holds(p.commands, "set logscale y")) << "3.6 ms would hide 30 us";
    const searched zero({{"frames.dropped <= 0"}},
                        [](std::size_t place) { return values({place < 2 ? 10 : 0}); });
    EXPECT_TRUE(holds(zero.drawn().commands, "set yrange [-0.4:10.4]")) << zero.drawn().commands;
    const searched strict({{"drops = 0"}}, [](std::size_t place) { return values({place < 2 ? 10 : 0}); });
    EXPECT_TRUE(holds(strict.drawn().commands, "set yrange [-4:104]"));
    EXPECT_TRUE(holds(strict.drawn().commands, "'bound: 10 %'"));
}

TEST(size_plot, without_any_value_says_so) {
    const searched s({{"p99 jct of query.8192.7 <= 3ms"}}, [](std::size_t) { return values({std::nullopt}); });
    const picture p = s.drawn();
    EXPECT_TRUE(holds(p.commands, "no run had a value"));
    EXPECT_FALSE(holds(p.data, "?")) << "gnuplot warns of blocks without a point";
}

TEST(size_table, has_columns_for_what_some_point_has) {
    const searched few({{"jct_ns.p50 <= 3ms"}, 2}, [](std::size_t) { return values({408'572}); });
    EXPECT_TRUE(holds(few.table(), " 408.572 us\n")) << few.table();
    EXPECT_TRUE(holds(few.table(), "  misses  ")) << few.table();
    for (const char* absent : {" low", " high", "answer", "bound", "undecided", "deadlocks", "unfinished"}) {
        EXPECT_FALSE(holds(few.table(), absent)) << absent << "\n" << few.table();
    }
    const searched many({{"jct_ns.p50 <= 3ms"}}, [](std::size_t) { return values({408'572}); });
    EXPECT_TRUE(holds(many.table(), "smallest")) << many.table();
    EXPECT_EQ(count_of("408.572 us", many.table()), 3 * count_of("KiB", many.table())) << many.table();
    // Of a share of 95 % of runs one end is proven long before the other.
    const searched one({{"jct_ns.p50 <= 3ms in 95% of runs"}, 12},
                       [](std::size_t) { return values({408'572}); });
    EXPECT_TRUE(holds(one.table(), " low\n")) << one.table();
    const searched late({{"jct_ns.p99 <= 3ms", "drops = 0 proven in 90% of runs"}, 12}, [](std::size_t) {
        run_outcome outcome = values({value_range(408'572, HUGE_VAL), 1});
        outcome.unfinished = 5;
        return outcome;
    });
    for (const char* part :
         {"at least", "undecided", "unfinished", "jct_ns.p99 <= 3ms in 50% of runs  misses  undecided",
          "frames.dropped = 0 proven in 90% of runs  misses  proven share", "1.000\n"}) {
        EXPECT_TRUE(holds(late.table(), part)) << part << "\n" << late.table();
    }
    EXPECT_EQ(count_of("not met ", late.table()), 2 * count_of("KiB", late.table())) << "of a point and a goal";
    EXPECT_EQ(count_of("not decided ", late.table()), count_of("KiB", late.table()));
}

}  // namespace
}  // namespace weir::tb
