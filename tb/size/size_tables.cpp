#include "tb/size/size_answer.h"

#include <algorithm>
#include <cmath>

#include "tb/files/run_directory.h"
#include "tb/plot/gnuplot.h"
#include "tb/record/record_table.h"
#include "tb/results/summary_writer.h"
#include "tb/sweep/point_rows.h"
#include "tb/sweep/quantity.h"
#include "tb/sweep/sweep_statistics.h"
#include "tb/text/joined.h"
#include "tb/text/text_table.h"
#include "weir/base/how_many.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Digits: more than any value deserves, fewer than different machines may differ in.
constexpr int digits = 10;

ordered_json number_json(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? ordered_json(rounded(*value, digits)) : ordered_json();
}

/// The first message of a run that lost a frame or ended in a deadlock, or why the place is not possible.
std::string message_at(const size_search& search, const refusals& refused, std::size_t point) {
    if (!refused[point].empty()) {
        return joined(refused[point], "\n");
    }
    const place_judge& judge = search.judge(point);
    for (std::size_t i = 0; i < judge.runs(); ++i) {
        if (judge.outcome(i).end != run_end::whole) {
            return judge.outcome(i).message;
        }
    }
    return {};
}

/// A line of curve.csv or runs.csv.
struct size_row {
    std::uint64_t point = 0;
    option_cells options{};
    named_cells more{};

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("point", &self::point));
        columns(shared_columns(&self::options));
        columns(shared_columns(&self::more));
    }
};

ordered_json goal_json(const size_plan& plan, const place_judge& judge, std::size_t g) {
    const share_interval share = judge.miss_share(g);
    const quantile_interval value = judge.value(g).value_or(quantile_interval{HUGE_VAL, {}, {}});
    return {{"goal", plan.goals[g].text},
            {"verdict", name_of(judge.goal_state(g))},
            {"misses", judge.misses(g)},
            {"miss_share_low", number_json(share.low)},
            {"miss_share_high", number_json(share.high)},
            {"value", number_json(value.value)},
            {"value_low", number_json(value.low)},
            {"value_high", number_json(value.high)}};
}

ordered_json json_at(const size_plan& plan, const size_search& search, std::size_t point) {
    const place_judge& judge = search.judge(point);
    ordered_json j{{"point", point + 1}, {"options", swept_options(plan.runs, point)}};
    j["verdict"] = name_of(judge.state());
    j["runs"] = judge.runs();
    j["runs_with_lossless_loss"] = judge.ended(run_end::loss);
    j["runs_with_deadlock"] = judge.ended(run_end::deadlock);
    j["goals"] = ordered_json::array();
    for (std::size_t g = 0; g < plan.goals.size() && judge.runs() > 0; ++g) {
        j["goals"].push_back(goal_json(plan, judge, g));
    }
    return j;
}

void write_curve(const size_plan& plan, const size_search& search, const size_answer& answer,
                 const refusals& refused, const std::filesystem::path& directory) {
    std::vector<std::string> columns{"verdict", "answer", "runs", "runs_with_lossless_loss",
                                     "runs_with_deadlock"};
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        for (const char* name : {"", "_verdict", "_misses", "_miss_share_low", "_miss_share_high", "_value",
                                 "_value_low", "_value_high"}) {
            columns.push_back("goal_" + std::to_string(g + 1) + name);
        }
    }
    columns.emplace_back("message");
    record_table<size_row> csv(output_file(directory / "curve.csv"), {0, {plan.runs, 0}, {columns}});
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        const place_judge& judge = search.judge(point);
        std::vector<std::string> cells{
            is_shown(search, refused, point) ? name_of(verdict_at(search, refused, point)) : "not looked at",
            role_of(plan, answer, point), std::to_string(judge.runs()),
            std::to_string(judge.ended(run_end::loss)), std::to_string(judge.ended(run_end::deadlock))};
        for (std::size_t g = 0; g < plan.goals.size(); ++g) {
            std::vector<std::string> goal{plan.goals[g].text};
            goal.resize(8);
            goal = judge.runs() > 0 ? plain_texts(goal_json(plan, judge, g)) : goal;
            cells.insert(cells.end(), goal.begin(), goal.end());
        }
        cells.push_back(message_at(search, refused, point));
        csv.write({point + 1, {plan.runs, point}, {{}, cells}});
    }
    csv.finish();
}

void write_runs(const size_plan& plan, const size_search& search, const std::filesystem::path& directory) {
    std::vector<std::string> columns{"seed", "lossless_loss", "deadlock"};
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        columns.push_back("goal_" + std::to_string(g + 1));
    }
    columns.emplace_back("message");
    record_table<size_row> csv(output_file(directory / "runs.csv"), {0, {plan.runs, 0}, {columns}});
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        const place_judge& judge = search.judge(point);
        for (std::size_t i = 0; i < judge.runs(); ++i) {
            const run_outcome& outcome = judge.outcome(i);
            std::vector<std::string> cells{std::to_string(plan.seed(i)),
                                           outcome.end == run_end::loss ? "1" : "0",
                                           outcome.end == run_end::deadlock ? "1" : "0"};
            for (const std::optional<double>& value : outcome.values) {
                cells.push_back(plain_text(number_json(value)));
            }
            cells.push_back(outcome.message);
            csv.write({point + 1, {plan.runs, point}, {{}, cells}});
        }
    }
    csv.finish();
}

void write_answer(const size_plan& plan, const size_search& search, const size_answer& answer,
                  const std::filesystem::path& directory) {
    const auto place = [&](const std::optional<std::size_t>& point) {
        return point ? json_at(plan, search, *point) : ordered_json();
    };
    ordered_json j;
    j["version"] = plan.runs.version;
    j["configuration"] = plan.runs.configuration;
    j["wishes"] = ordered_json::array();
    for (std::size_t a = 0; a < plan.wishes.size(); ++a) {
        j["wishes"].push_back({{"wish", name_of(plan.wishes[a])}, {"keys", plan.runs.axes[a].keys}});
    }
    j["goals"] = to_json(plan)["goals"];
    j["confidence"] = plan.limits.confidence;
    j["error_of_a_verdict"] = rounded(search.error(), digits);
    j["verdict"] = name_of(answer.state);
    j["answers_met"] = answer.met;
    j["runs"] = answer.runs;
    j["places_looked_at"] = answer.looked_at;
    j["answers"] = ordered_json::array();
    for (const size_line& line : answer.lines) {
        ordered_json each;
        each["of"] = line.of.empty() ? ordered_json() : ordered_json(line.of);
        each["verdict"] = name_of(line.state);
        each["answer"] = place(line.place);
        each["next_not_met"] = place(line.refuted);
        each["sharp"] = line.sharp;
        each["monotone"] = !line.early_met;
        each["early_met"] = place(line.early_met);
        each["best"] = line.best;
        each["places"] = line.places;
        each["places_looked_at"] = line.looked_at;
        j["answers"].push_back(std::move(each));
    }
    write_file(directory / "answer.json", to_text(j));
}

/// `no misses; proven: below 10 %`, or `3 of 40 missed (2.1 % to 19.3 %)`.
std::string misses_text(const size_goal& goal, const place_judge& judge, std::size_t g) {
    const share_interval share = judge.miss_share(g);
    if (judge.misses(g) == 0) {
        return "no misses; proven: below " + number_text(percent_upwards(share.high)) + " %";
    }
    const std::string missed = std::to_string(judge.misses(g));
    return goal.rule.strict ? missed + " missed"
                            : missed + " of " + std::to_string(judge.runs()) + " missed (" +
                                  number_text(std::floor(1000 * share.low) / 10) + " % to " +
                                  number_text(percent_upwards(share.high)) + " %)";
}

/// An end that is proven, and is a number.
bool is_known(const std::optional<double>& end) {
    return end && std::isfinite(*end);
}

/// `12.3 ms (10.1 ms to 15 ms)`, with one end where no more is proven, or for goals that count runs how many
/// miss.
std::string cell_of(const size_goal& goal, const place_judge& judge, std::size_t g) {
    if (goal.counts_runs()) {
        return misses_text(goal, judge, g);
    }
    const auto text_of = [&](double value) { return goal_value_text(goal.metric, value); };
    const quantile_interval value = *judge.value(g);
    const std::string text = std::isfinite(value.value) ? text_of(value.value) : "none";
    const bool has_low = is_known(value.low);
    const bool has_high = is_known(value.high);
    if (has_low && has_high) {
        return text + " (" + text_of(*value.low) + " to " + text_of(*value.high) + ")";
    }
    return has_low    ? text + " (at least " + text_of(*value.low) + ")"
           : has_high ? text + " (at most " + text_of(*value.high) + ")"
                      : text;
}

}  // namespace

verdict verdict_at(const size_search& search, const refusals& refused, std::size_t point) {
    return refused[point].empty() ? search.judge(point).state() : verdict::not_possible;
}

bool is_shown(const size_search& search, const refusals& refused, std::size_t point) {
    return !refused[point].empty() || search.judge(point).runs() > 0;
}

void write_size_tables(const size_plan& plan, const size_search& search, const size_answer& answer,
                       const refusals& refused, const std::filesystem::path& directory) {
    write_curve(plan, search, answer, refused, directory);
    write_runs(plan, search, directory);
    write_answer(plan, search, answer, directory);
}

void print_places(std::ostream& out, const size_plan& plan, const size_search& search,
                  const size_answer& answer, const refusals& refused, std::size_t most_rows) {
    text_table::row head = plan.runs.keys();
    head.insert(head.end(), {"verdict", "runs"});
    for (const size_goal& goal : plan.goals) {
        head.push_back(goal.text);
    }
    text_table table(head);
    std::size_t rows = 0;
    std::string first_refusal;
    bool any_bare = false;
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        if (!is_shown(search, refused, point) || ++rows > most_rows) {
            continue;
        }
        text_table::row cells;
        const std::size_t stuck = search.judge(point).ended(run_end::deadlock);
        const std::string deadlocks = stuck == 0 ? "" : ", " + how_many(stuck, "deadlock");
        for (const auto& setting : plan.runs.settings(point)) {
            cells.push_back(setting.second);
        }
        const place_judge& judge = search.judge(point);
        const std::string role = role_of(plan, answer, point);
        cells.push_back(name_of(verdict_at(search, refused, point)) +
                        (role.empty() || role == "met" ? "" : ", " + role));
        cells.push_back(std::to_string(judge.runs()));
        for (std::size_t g = 0; g < plan.goals.size() && judge.runs() > 0; ++g) {
            cells.push_back(cell_of(plan.goals[g], judge, g) + deadlocks);
            const bool has_value = !plan.goals[g].counts_runs();
            any_bare =
                any_bare || (has_value && !is_known(judge.value(g)->low) && !is_known(judge.value(g)->high));
        }
        if (!refused[point].empty() && first_refusal.empty()) {
            first_refusal = refused[point].front();
        }
        table.add(cells);
    }
    table.print(out);
    if (any_bare) {
        out << "values without an interval have too few runs for one\n";
    }
    if (rows > most_rows) {
        out << "... and " << rows - most_rows << " more points: see curve.csv\n";
    }
    if (!first_refusal.empty()) {
        out << "not possible: " << first_refusal << '\n';
    }
}

}  // namespace weir::tb
