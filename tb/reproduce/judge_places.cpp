#include "tb/reproduce/judge_places.h"

#include <algorithm>

#include "tb/sweep/swept_axis.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

judgement judge_together(const paper_statement& s, const std::vector<const sweep_results*>& results,
                         double confidence) {
    std::vector<statement_cell> cells;
    for (std::size_t i = 0; i < s.scopes.size(); ++i) {
        if (const std::vector<std::string> missing = missing_metrics(s, *results[i]); !missing.empty()) {
            judgement none;
            none.note = "no run has " + joined(missing, ", ");
            return none;
        }
        for (statement_cell cell :
             cells_of(s, s.scopes[i], places_of(s.scopes[i], results[i]->plan(), s.take == place_take::change),
                      *results[i])) {
            // A change or a spread is that of one experiment.
            cell.others += s.scopes.size() > 1 ? ", experiment " + std::to_string(i + 1) : "";
            cells.push_back(std::move(cell));
        }
    }
    return judge_statement(s, cells, confidence);
}

/// The best of the places' verdicts; `not judged` if a place that is not judged might have a better one.
paper_verdict best_of(const std::vector<judgement>& all) {
    paper_verdict best = paper_verdict::not_judged;
    bool complete = true;
    for (const judgement& each : all) {
        best = std::min(best, each.verdict);
        complete = complete && each.verdict != paper_verdict::not_judged;
    }
    return complete || best == paper_verdict::agrees ? best : paper_verdict::not_judged;
}

}  // namespace

judgement judge_places(const paper_statement& s, const std::vector<const sweep_results*>& results,
                       double confidence) {
    if (!s.any) {
        return judge_together(s, results, confidence);
    }
    const sweep_plan& plan = results.front()->plan();
    const choice& at = s.scopes.front().at;
    const swept_axis option(plan, at[*s.any].key);
    const std::vector<std::size_t> places = chosen_places(plan, at)->at(option.index());
    std::vector<judgement> all;
    paper_statement there = s;
    for (const std::size_t place : places) {
        there.scopes.front().at[*s.any] = {at[*s.any].key, {option.raw_text(place)}, place};
        all.push_back(judge_together(there, results, confidence));
    }
    judgement j;
    j.verdict = best_of(all);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].verdict == paper_verdict::agrees) {
            j.agreeing.push_back(places[i]);
            names.push_back(place_name(plan.axes[option.index()], places[i]));
        }
        if (all[i].least.n > 0 && (j.least.n == 0 || all[i].least.mean < j.least.mean)) {
            j.least = all[i].least;
        }
        if (all[i].greatest.n > 0 && (j.greatest.n == 0 || all[i].greatest.mean > j.greatest.mean)) {
            j.greatest = all[i].greatest;
        }
    }
    const bool is_order = s.kind == statement_kind::order;
    j.ours = j.least.n > 0 && !is_order ? numbers_text(j.least.mean, j.greatest.mean, s.paper.unit) : "";
    const auto sure = [](const judgement& each) { return each.sure; };
    j.sure = j.verdict == paper_verdict::agrees
                 ? std::any_of(all.begin(), all.end(),
                               [&](const judgement& each) { return each.verdict == j.verdict && each.sure; })
                 : std::all_of(all.begin(), all.end(), sure);
    for (const judgement& each : all) {
        j.tail = std::min(j.tail, each.tail);
    }
    const auto unjudged = std::find_if(all.begin(), all.end(), [](const judgement& each) {
        return each.verdict == paper_verdict::not_judged;
    });
    if (s.paper.stated || is_order) {
        j.note = "at " + (names.empty() ? std::string("none") : std::to_string(names.size())) + " of " +
                 std::to_string(all.size()) + " places" + (names.empty() ? "" : ": " + joined(names, "; "));
    }
    add_note(j.note, tail_note(j.tail));
    if (unjudged != all.end()) {
        const std::string where =
            place_name(plan.axes[option.index()], places[static_cast<std::size_t>(unjudged - all.begin())]);
        add_note(j.note, where + ": " + unjudged->note);
    }
    return j;
}

}  // namespace weir::tb
