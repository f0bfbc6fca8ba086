#include "tb/study/reproduce/paper_results.h"

#include <algorithm>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <iterator>
#include <utility>

#include "tb/study/sweep/swept_axis.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;
using nlohmann::ordered_json;

namespace {

ordered_json number_json(double value) {
    return std::isfinite(value) ? ordered_json(rounded(value, 6)) : ordered_json();
}

/// Null where there is no value.
ordered_json json_if(bool is_there, const ordered_json& value) {
    return is_there ? value : ordered_json();
}

/// A number, or both ends of a range; null where there is none.
ordered_json range_json(double low, double high) {
    return low == high ? number_json(low) : ordered_json::array({number_json(low), number_json(high)});
}

/// Beyond what was measured one end is open, as in `>40`.
ordered_json measured_json(const judgement& j) {
    switch (j.beyond) {
        case censoring::above:
            return ordered_json::array({number_json(j.least.mean), nullptr});
        case censoring::below:
            return ordered_json::array({nullptr, number_json(j.greatest.mean)});
        default:
            return range_json(j.least.mean, j.greatest.mean);
    }
}

std::string accepted_text(const accepted_range& accepted) {
    const auto end = [](double number) { return std::isinf(number) ? std::string{} : short_number(number); };
    return end(accepted.low) + ".." + end(accepted.high);
}

/// ` (68..102)`: the numbers that agree, where they are others than the paper's; of both ends of a range, if
/// these are compared each by itself.
std::string tolerance_text(const paper_statement& s) {
    const double low = s.paper.low;
    const double high = s.paper.high;
    const accepted_range all = s.tolerance.accepted(low, high);
    if (!s.paper.stated || (all.low == low && all.high == high)) {
        return {};
    }
    return " (" +
           (s.take == place_take::ends ? accepted_text(s.tolerance.accepted(low, low)) + "; " +
                                             accepted_text(s.tolerance.accepted(high, high))
                                       : accepted_text(all)) +
           ")";
}

std::string point_text(const choice& point) {
    return joined(point, " ", [](const axis_choice& one) { return joined(one.values); });
}

/// The order in the words of the table: `detail < fc, baseline`.
std::string order_text(const paper_statement& s) {
    const std::vector<choice>& operands = s.scopes.front().operands;
    std::string text;
    for (std::size_t k = 0; k < s.ranks.size(); ++k) {
        text += k == 0 ? "" : s.ranks[k] == s.ranks[k - 1] ? ", " : " < ";
        text += point_text(operands[k]);
    }
    return text;
}

std::string paper_text(const paper_statement& s) {
    const std::string& unit = s.paper.unit;
    const std::string& text = s.paper.text;
    return s.kind == statement_kind::order ? order_text(s)
           : !s.paper.stated               ? "-"
           : unit.empty() || unit == "%"   ? text
                                           : text.substr(0, text.size() - unit.size()) + " " + unit;
}

/// `cause: parameter (experiment background)`
std::string cause_text(const judged_statement& each) {
    const paper_statement& s = *each.statement;
    if (each.ours.verdict != paper_verdict::differs) {
        return {};
    }
    if (!s.cause) {
        return "no cause is given";
    }
    const std::string shown = s.shown_by == "untested" ? " (untested)" : " (experiment " + s.shown_by + ")";
    return std::string("cause: ") + name_of(*s.cause) + shown;
}

/// `52 statements; agrees: 21, differs: 31`
std::string counted_statements(const paper_results& results) {
    std::map<paper_verdict, std::size_t> counts;
    for (const judged_statement& each : results.statements) {
        ++counts[each.ours.verdict];
    }
    return how_many(results.statements.size(), "statement") + (counts.empty() ? "" : "; ") +
           joined(counts, ", ", [](const auto& each) {
               return std::string(name_of(each.first)) + ": " + std::to_string(each.second);
           });
}

std::string seeds_text(const paper_results& results) {
    return how_many(results.seeds.size(), "seed") + " (" +
           joined(results.seeds, ", ", [](std::uint64_t seed) { return std::to_string(seed); }) + ")";
}

std::string verdict_text(const judged_statement& each) {
    std::string text = std::string("**") + name_of(each.ours.verdict) + "**";
    const bool by_chance = each.ours.verdict == paper_verdict::agrees ||
                           each.ours.verdict == paper_verdict::in_order ||
                           each.ours.verdict == paper_verdict::differs;
    text += by_chance && !each.ours.sure ? " (chance could turn it)" : "";
    if (!each.as_recorded) {
        text += std::string("; recorded: ") + name_of(each.recorded);
    }
    const std::string cause = cause_text(each);
    return text + (each.ours.note.empty() ? "" : "; " + each.ours.note) + (cause.empty() ? "" : "; " + cause);
}

/// The table of a figure. A statement with several columns has a line in each cell for each of them.
data_table table_of_figure(const paper_results& results, const std::string& figure) {
    data_table table = data_table::of({"the paper says", "paper", "here", "interval", "verdict"});
    std::string last;
    for (const judged_statement& each : results.statements) {
        const paper_statement& s = *each.statement;
        if (s.figure != figure) {
            continue;
        }
        const std::string interval = interval_text(each.ours);
        const std::string label = s.column.empty() ? "" : s.column + ": ";
        const std::string values[] = {label + (each.ours.ours.empty() ? "-" : each.ours.ours),
                                      label + (interval.empty() ? "-" : interval), label + verdict_text(each)};
        const bool is_new = std::exchange(last, s.id) != s.id;
        if (is_new) {
            table.add_row(
                {s.says + (s.source.empty() ? "" : " (" + s.source + ")"), paper_text(s) + tolerance_text(s)});
        }
        for (std::size_t k = 0; k < std::size(values); ++k) {
            ordered_json& cell = table.rows.back().cells[2 + k].value;
            cell = cell.get<std::string>() + (is_new ? "" : "<br>") + values[k];
        }
    }
    return table;
}

/// Statements of one figure about any place of the same option, whose numbers the paper gives.
struct numbers_at_once {
    std::string figure;
    const sweep_axis* axis = nullptr;
    std::vector<std::string> ids;
    std::vector<std::string> not_judged;
    /// At which all that are judged agree.
    std::vector<std::size_t> places;
};

std::vector<numbers_at_once> all_at_once(const paper_results& results) {
    std::vector<numbers_at_once> all;
    for (const judged_statement& each : results.statements) {
        const paper_statement& s = *each.statement;
        if (!s.any || s.kind == statement_kind::order || !s.paper.stated) {
            continue;
        }
        const statement_scope& scope = s.scopes.front();
        const paper_experiment& e = results.about->experiments[scope.experiment];
        const sweep_plan& plan = results.quick ? e.quick : e.plan;
        const sweep_axis& axis = plan.axes[swept_axis(plan, scope.at[*s.any].key).index()];
        auto same = std::find_if(all.begin(), all.end(), [&](const numbers_at_once& group) {
            return group.figure == s.figure && *group.axis == axis;
        });
        if (same == all.end()) {
            same = all.insert(all.end(), {s.figure, &axis, {}, {}, {}});
        }
        const paper_verdict verdict = each.ours.verdict;
        if (verdict == paper_verdict::not_judged || verdict == paper_verdict::failed) {
            same->not_judged.push_back(s.id);
            continue;
        }
        const std::vector<std::size_t>& agreeing = each.ours.agreeing;
        std::vector<std::size_t>& places = same->places;
        places = same->ids.empty() ? agreeing : places;
        const auto differs = [&](std::size_t place) { return !any_of_equal(agreeing, place); };
        places.erase(std::remove_if(places.begin(), places.end(), differs), places.end());
        same->ids.push_back(s.id);
    }
    return all;
}

/// `row 3 (tcp.handshake=on, tcp.min_rto=10ms)`
std::string place_text(const sweep_axis& axis, std::size_t place) {
    std::vector<std::string> settings;
    for (std::size_t k = 0; k < axis.keys.size(); ++k) {
        settings.push_back(axis.keys[k] + "=" + axis.values[place][k]);
    }
    return place_name(axis, place) + (settings.size() > 1 ? " (" + joined(settings, ", ") + ")" : "");
}

std::string at_once_text(const paper_results& results, const std::string& figure) {
    std::string text;
    for (const numbers_at_once& group : all_at_once(results)) {
        if (group.figure != figure) {
            continue;
        }
        const char* const none = group.axis->keys.size() > 1 ? "no row" : "no place";
        text += "Where all of the paper's numbers agree at once (" + joined(group.ids, ", ") + "): **" +
                (group.ids.empty() ? "none is judged"
                 : group.places.empty()
                     ? none
                     : joined(group.places, "; ", [&](std::size_t p) { return place_text(*group.axis, p); })) +
                "**" + (group.not_judged.empty() ? "" : "; not judged is " + joined(group.not_judged, ", ")) +
                ".\n\n";
    }
    return text;
}

void add_figure(std::string& text, const paper_results& results, const std::string& figure) {
    std::string pictures;
    std::string numbers;
    std::vector<std::string> titles;
    for (const drawn_figure& each : results.figures) {
        const paper_figure& f = *each.figure;
        if (f.figure != figure) {
            continue;
        }
        titles.push_back(f.title);
        numbers += each.numbers.empty() ? "" : "**" + f.title + "**\n\n" + each.numbers;
        pictures += each.is_drawn ? "![" + f.title + "](plots/" + f.name + ".png)\n\n"
                                  : "*" + f.title + ": " + each.why_not + ".*\n\n";
    }
    const data_table table = table_of_figure(results, figure);
    if (pictures.empty() && table.rows.empty()) {
        return;
    }
    text += "## " + figure_text(figure) + (titles.empty() ? "" : ": " + titles.front()) + "\n\n";
    if (const auto told = results.about->about.figures.find(figure);
        told != results.about->about.figures.end()) {
        text += told->second;
    }
    text += pictures;
    text += table.rows.empty() ? "" : markdown_of(table) + "\n";
    text += at_once_text(results, figure) + numbers;
}

}  // namespace

judged_statement compare_with_record(const paper_statement& s, judgement ours, bool quick,
                                     bool recorded_seeds) {
    judged_statement judged{&s, std::move(ours), quick ? s.quick : s.recorded, true};
    judgement& j = judged.ours;
    if (j.verdict == judged.recorded || (!quick && !s.is_recorded && j.verdict != paper_verdict::failed)) {
        return judged;
    }
    if (j.verdict == paper_verdict::failed) {
        judged.as_recorded = false;
    } else if (judged.recorded == paper_verdict::not_judged) {
        j.verdict = paper_verdict::not_judged;
        j.note = "not with --quick";
    } else if (!recorded_seeds && !j.sure) {
        j.note = j.verdict == paper_verdict::not_judged
                     ? j.note
                     : std::string(name_of(j.verdict)) + " with these seeds, which are too few to be sure";
        j.verdict = paper_verdict::not_judged;
    } else {
        judged.as_recorded = false;
    }
    return judged;
}

ordered_json to_json(const paper_results& results) {
    ordered_json j;
    j["paper"] = results.about->name;
    j["title"] = results.about->facts.title;
    j["quick"] = results.quick;
    j["seeds"] = results.seeds;
    j["confidence"] = results.about->facts.confidence;
    j["statements"] = ordered_json::array();
    for (const judged_statement& each : results.statements) {
        const paper_statement& s = *each.statement;
        const judgement& ours = each.ours;
        ordered_json row;
        row["where"] = figure_text(s.figure);
        row["id"] = s.id;
        if (!s.column.empty()) {
            row["column"] = s.column;
        }
        row["says"] = s.says;
        const bool is_order = s.kind == statement_kind::order;
        row["paper"] = is_order ? ordered_json(paper_text(s))
                                : json_if(s.paper.stated, range_json(s.paper.low, s.paper.high));
        const accepted_range accepted = s.tolerance.accepted(s.paper.low, s.paper.high);
        row["accepted"] = json_if(s.paper.stated, range_json(accepted.low, accepted.high));
        row["ours"] = json_if(!ours.ours.empty(), is_order ? ordered_json(ours.ours) : measured_json(ours));
        const bool has_interval = !interval_text(ours).empty();
        row["low"] = json_if(has_interval, number_json(ours.least.low));
        row["high"] = json_if(has_interval, number_json(ours.greatest.high));
        row["unit"] = s.paper.unit;
        row["verdict"] = name_of(ours.verdict);
        row["sure"] = ours.sure;
        row["recorded"] = json_if(s.is_recorded || results.quick, name_of(each.recorded));
        if (ours.verdict == paper_verdict::differs) {
            row["cause"] = s.cause ? ordered_json(name_of(*s.cause)) : ordered_json();
            row["shown_by"] = json_if(!s.shown_by.empty(), s.shown_by);
        }
        if (!ours.note.empty()) {
            row["note"] = ours.note;
        }
        row["source"] = s.source;
        j["statements"].push_back(std::move(row));
    }
    for (const numbers_at_once& group : all_at_once(results)) {
        j["at_once"].push_back({{"where", figure_text(group.figure)},
                                {"statements", group.ids},
                                {"not_judged", group.not_judged},
                                {"option", group.axis->keys.front()},
                                {"places", ordered_json::array()}});
        for (const std::size_t place : group.places) {
            j["at_once"].back()["places"].push_back(place_text(*group.axis, place));
        }
    }
    return j;
}

std::string to_markdown(const paper_results& results) {
    const paper& p = *results.about;
    std::string text = "# " + p.facts.title + "\n\n";
    text += p.facts.reference.empty() ? "" : p.facts.reference + "\n\n";
    text += p.about.introduction;
    text += results.quick ? "**Quick**: fewer points, shorter runs and fewer seeds than the paper's, as the "
                            "column `quick` of experiments.csv says.\n\n"
                          : "";
    text += "Made by `weir reproduce " + p.name + (results.quick ? " --quick" : "") + "` with " +
            seeds_text(results) + ": means over the seeds, with their " +
            decimal_text(100 * p.facts.confidence) +
            " % confidence intervals; ratios and differences are taken seed by seed. A range goes from the "
            "least to the greatest mean. Numbers in brackets agree with the paper's.\n\n" +
            counted_statements(results) + ".\n\n";
    for (const std::string& figure : p.figure_names()) {
        add_figure(text, results, figure);
    }
    text.pop_back();
    return text;
}

void print_results(std::ostream& out, const paper_results& results) {
    data_table table = data_table::of({"statement", "paper", "here", "interval", "verdict"});
    for (const judged_statement& each : results.statements) {
        const paper_statement& s = *each.statement;
        table.add_row({figure_text(s.figure) + " " + s.id + (s.column.empty() ? "" : " " + s.column),
                       paper_text(s), each.ours.ours, interval_text(each.ours), name_of(each.ours.verdict)});
    }
    print_table(out, table);
    out << '\n' << counted_statements(results) << '\n';
}

}  // namespace weir::tb
