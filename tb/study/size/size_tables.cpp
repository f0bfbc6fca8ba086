#include "tb/study/size/size_answer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "tb/run/samples/json_values.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"
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
std::string message_at(const finished_search& all, std::size_t point) {
    if (!all.refused[point].empty()) {
        return joined(all.refused[point], "\n");
    }
    const place_judge& judge = all.search.judge(point);
    for (std::size_t i = 0; i < judge.runs(); ++i) {
        if (judge.outcome(i).end != run_end::whole) {
            return judge.outcome(i).message;
        }
    }
    return {};
}

ordered_json estimate_json(const goal_estimate& value) {
    return {{"value", number_json(value.value.end())},
            {"value_bound", value.value.bound()},
            {"value_low", number_json(value.low)},
            {"value_high", number_json(value.high)}};
}

ordered_json goal_json(const size_plan& plan, const place_judge& judge, std::size_t g) {
    const share_interval share = judge.miss_share(g);
    ordered_json j{{"goal", plan.goals[g].text},
                   {"verdict", name_of(judge.goal_state(g))},
                   {"misses", judge.misses(g)},
                   {"undecided", judge.undecided(g)},
                   {"miss_share_low", number_json(share.low)},
                   {"miss_share_high", number_json(share.high)}};
    j.update(estimate_json(judge.value(g).value_or(goal_estimate{HUGE_VAL})));
    return j;
}

/// Counts of the ways in which the runs of a point ended.
ordered_json ends_at(const place_judge& judge) {
    return {{"runs", judge.runs()},
            {"runs_with_lossless_loss", judge.ended(run_end::loss)},
            {"runs_with_deadlock", judge.ended(run_end::deadlock)},
            {"runs_with_unfinished", judge.unfinished(1)},
            {"unfinished_transfers", judge.unfinished()}};
}

ordered_json json_at(const size_plan& plan, const size_search& search, std::size_t point) {
    const place_judge& judge = search.judge(point);
    ordered_json j{{"point", point + 1}, {"options", swept_options(plan.runs, point)}};
    j["verdict"] = name_of(judge.state());
    j.update(ends_at(judge));
    j["goals"] = ordered_json::array();
    for (std::size_t g = 0; g < plan.goals.size() && judge.runs() > 0; ++g) {
        j["goals"].push_back(goal_json(plan, judge, g));
        if (const auto reference = plan.reference(g, point)) {
            j["goals"].back()["reference_point"] = *reference + 1;
        }
    }
    return j;
}

/// First columns of a row of curve.csv or runs.csv. Columns are the keys of the row.
ordered_json row_of(const size_plan& plan, std::size_t point) {
    ordered_json row{{"point", point + 1}};
    row.update(swept_options(plan.runs, point));
    return row;
}

/// Title and format of a printed column. `is_beside`: it is printed only if some row has a value but 0.
struct shown_column {
    std::string title{};
    column_format format{};
    bool is_beside = false;
};
using shown_columns = std::map<std::string, shown_column>;

/// The first printed column of a goal has its text.
shown_columns shown_of(const size_goal& goal, bool is_only_one) {
    const std::string misses = !is_only_one ? "misses" : goal.text + ": misses";
    shown_columns shown{{"verdict", {is_only_one ? "" : goal.text, to_the_left()}},
                        {"misses", {goal.counts_runs() ? misses : "misses"}},
                        {"undecided", {"undecided", {}, true}}};
    if (goal.counts_runs()) {
        shown["miss_share_high"] = {"proven share", fixed(3)};
        return shown;
    }
    const column_format format =
        goal.is_relative() ? fixed(3, "x") : column_format(unit_of_metric(goal.metric));
    shown["value"] = {is_only_one ? goal.text : "value", format};
    shown["value_bound"] = {"bound", to_the_left(), true};
    shown["value_low"] = {"low", format, true};
    shown["value_high"] = {"high", format, true};
    return shown;
}

/// A row for each point.
data_table curve_table(const finished_search& all) {
    const size_plan& plan = all.plan;
    data_table table;
    table.rows.resize(plan.runs.points());
    const auto add = [&](const std::string& key, shown_column shown, const auto& value_at) {
        table.add({key, shown.format}, [&](std::size_t point) -> table_cell { return value_at(point); });
        table.columns.back().words = {shown.title};
        table.columns.back().is_printed =
            !shown.title.empty() &&
            (!shown.is_beside || std::any_of(table.rows.begin(), table.rows.end(), [](const table_row& row) {
                const ordered_json& value = row.cells.back().value;
                return !value.is_null() && value != "" && value != 0;
            }));
    };
    /// Adds a column for each member of the points' objects.
    const auto add_all = [&](const std::string& prefix, shown_columns shown, const auto& object_at) {
        std::vector<ordered_json> objects;
        for (std::size_t point = 0; point < table.rows.size(); ++point) {
            objects.push_back(object_at(point));
        }
        for (const std::string& name : names_in(objects.front())) {
            add(prefix + name, shown[name], [&](std::size_t point) { return objects[point][name]; });
        }
    };
    shown_columns options;
    for (const std::string& key : plan.runs.keys()) {
        options[key] = {key, to_the_left()};
    }
    add_all("", options, [&](std::size_t point) { return row_of(plan, point); });
    add("verdict", {"verdict", to_the_left()}, [&](std::size_t point) -> std::string {
        return all.is_shown(point) ? name_of(all.verdict_at(point)) : "not looked at";
    });
    add("answer", {"answer", to_the_left(), true},
        [&](std::size_t point) { return role_of(plan, all.answer, point); });
    add_all("",
            {{"runs", {"runs"}},
             {"runs_with_deadlock", {"deadlocks", {}, true}},
             {"unfinished_transfers", {"unfinished", {}, true}}},
            [&](std::size_t point) { return ends_at(all.search.judge(point)); });
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        const std::string goal = "goal_" + std::to_string(g + 1);
        add(goal, {}, [&](std::size_t) { return plan.goals[g].text; });
        add_all(goal + "_", shown_of(plan.goals[g], plan.goals.size() == 1), [&](std::size_t point) {
            const place_judge& judge = all.search.judge(point);
            ordered_json j = goal_json(plan, judge, g);
            j.erase("goal");
            for (auto& value : j) {
                value = judge.runs() > 0 ? value : ordered_json();
            }
            return j;
        });
    }
    add("message", {}, [&](std::size_t point) { return message_at(all, point); });
    return table;
}

ordered_json run_row(const size_plan& plan, std::size_t point, std::size_t index, const run_outcome& outcome) {
    ordered_json row = row_of(plan, point);
    row["seed"] = plan.seed(index);
    row["lossless_loss"] = outcome.end == run_end::loss ? 1 : 0;
    row["deadlock"] = outcome.end == run_end::deadlock ? 1 : 0;
    row["unfinished_transfers"] = outcome.unfinished;
    const auto end_of = [](const std::vector<std::optional<value_range>>& values, std::size_t g) {
        return number_json(g < values.size() && values[g] ? std::optional(values[g]->end()) : std::nullopt);
    };
    for (std::size_t g = 0; g < plan.goals.size(); ++g) {
        const std::string goal = "goal_" + std::to_string(g + 1);
        row[goal] = end_of(outcome.values, g);
        row[goal + "_bound"] = outcome.values[g].value_or(0).bound();
        if (plan.goals[g].is_relative()) {
            row[goal + "_metric"] = end_of(outcome.measured, g);
            row[goal + "_reference"] = end_of(outcome.references, g);
        }
    }
    row["message"] = outcome.message;
    return row;
}

void write_runs(const size_plan& plan, const size_search& search, const std::filesystem::path& directory) {
    output_file csv(directory / "runs.csv");
    const run_outcome sample{run_end::whole, "", decltype(run_outcome::values)(plan.goals.size())};
    csv.write(csv_line(names_in(run_row(plan, 0, 0, sample))));
    for (std::size_t point = 0; point < plan.runs.points(); ++point) {
        const place_judge& judge = search.judge(point);
        for (std::size_t i = 0; i < judge.runs(); ++i) {
            csv.write(csv_line(plain_texts(run_row(plan, point, i, judge.outcome(i)))));
        }
    }
    csv.finish();
}

/// Table for people: the points that were looked at or refused, at most `most_rows`; `notes` gets the lines
/// below it.
data_table shown_places(const finished_search& all, std::vector<std::string>& notes, std::size_t most_rows) {
    data_table table = curve_table(all);
    std::vector<table_row> rows;
    std::string first_refusal;
    for (std::size_t point = 0; point < all.plan.runs.points(); ++point) {
        if (all.is_shown(point)) {
            rows.push_back(std::move(table.rows[point]));
        }
        if (!all.refused[point].empty() && first_refusal.empty()) {
            first_refusal = "not possible: " + all.refused[point].front();
        }
    }
    const std::size_t more = rows.size() - std::min(rows.size(), most_rows);
    rows.resize(rows.size() - more);
    table.rows = std::move(rows);
    if (more > 0) {
        notes.push_back("... and " + std::to_string(more) + " more points: see curve.csv");
    }
    if (!first_refusal.empty()) {
        notes.push_back(first_refusal);
    }
    return table;
}

void write_answer(const finished_search& all, const std::vector<std::string>& lines,
                  const std::filesystem::path& directory) {
    const size_plan& plan = all.plan;
    const size_answer& answer = all.answer;
    const auto place = [&](const std::optional<std::size_t>& point) {
        return point ? json_at(plan, all.search, *point) : ordered_json();
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
    j["error_of_a_verdict"] = rounded(all.search.error(), digits);
    j["verdict"] = name_of(answer.state);
    j["answers_met"] = answer.met;
    j["runs"] = answer.runs;
    j["places_looked_at"] = answer.looked_at;
    j["answers"] = ordered_json::array();
    for (const size_line& line : answer.lines) {
        j["answers"].push_back(ordered_json{{"of", line.of.empty() ? ordered_json() : ordered_json(line.of)},
                                            {"verdict", name_of(line.state)},
                                            {"answer", place(line.place)},
                                            {"next_not_met", place(line.refuted)},
                                            {"sharp", line.sharp},
                                            {"monotone", !line.early_met},
                                            {"early_met", place(line.early_met)},
                                            {"best", line.best},
                                            {"places", line.places},
                                            {"places_looked_at", line.looked_at}});
    }
    j["text"] = lines;
    std::vector<std::string> notes;
    j["tested"] = plain_block(shown_places(all, notes, SIZE_MAX)).lines;
    j["notes"] = notes;
    j["references"] = ordered_json::array();
    for (const reference_answer& each : answer.references) {
        const auto [runs, point] = plan.at(each.point);
        ordered_json reference{{"point", each.point + 1},
                               {"options", swept_options(runs, point)},
                               {"goal", plan.goals[each.goal].text},
                               {"metric", plan.goals[each.goal].metric},
                               {"runs", each.runs}};
        reference.update(estimate_json(each.value));
        j["references"].push_back(std::move(reference));
    }
    write_file(directory / "answer.json", to_text(j));
}

}  // namespace

void write_size_tables(const finished_search& all, const std::vector<std::string>& lines,
                       const std::filesystem::path& directory) {
    std::ostringstream curve;
    write_csv(curve, curve_table(all));
    write_file(directory / "curve.csv", curve.str());
    write_runs(all.plan, all.search, directory);
    write_answer(all, lines, directory);
}

void print_places(std::ostream& out, const finished_search& all, std::size_t most_rows) {
    std::vector<std::string> notes;
    print_table(out, shown_places(all, notes, most_rows));
    for (const std::string& note : notes) {
        out << note << '\n';
    }
}

}  // namespace weir::tb
