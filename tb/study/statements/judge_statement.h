// The verdict on a statement.
//
//   const judgement j = judge_statement(statement, cells, 0.95);
//   j.verdict == paper_verdict::agrees;
//
// A number is the mean over the seeds with its interval of Student's t. A ratio (or `below`) is taken seed by
// seed, of runs that met the same chance. Its mean and interval are those of the ratios' logarithms, so that a
// ratio and its inverse say the same, and none is below 0. The interval of an order is that of its smallest
// step.
//
// A number agrees if it is within the tolerance. A bound, an equivalence and the side on which the paper sees
// an effect have to hold for the whole interval: an effect of zero agrees with no effect that the paper states.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tb/study/statements/number_series.h"
#include "tb/study/statements/statement_cells.h"
#include "tb/study/statements/statement_table.h"

namespace weir::tb {

struct judgement {
    paper_verdict verdict = paper_verdict::not_judged;
    /// No values within the intervals would come to another verdict.
    bool sure = false;
    /// The places with the least and with the greatest mean, in the paper's unit; the same where there is one,
    /// or one is taken. Of an order: its smallest step, both.
    judged_mean least;
    judged_mean greatest;
    /// With `up to`: the true number is above, or below, what could be measured.
    censoring beyond = censoring::none;
    /// For people: `1.52 ms`, `17..88%`, `1.52 < 8.46 < 12.7 ms`.
    std::string ours;
    /// Why it is not judged, where an order does not hold, or which places agree.
    std::string note;
    /// With `take = any`: places of its option at which the statement agrees.
    std::vector<std::size_t> agreeing = {};
    /// Values beyond the statement's percentile, over all seeds, at the place that has fewest; infinite without
    /// a percentile.
    double tail = HUGE_VAL;
    /// The numbers seed by seed, if they are those of one place; else empty. Rows that compare rows read them.
    seed_values by_seed = {};

    /// Without numbers: `why` is the note.
    static judgement without(std::string why, paper_verdict verdict = paper_verdict::not_judged) {
        judgement none;
        none.verdict = verdict;
        none.note = std::move(why);
        return none;
    }
    /// `too few values at load=2`: nothing is judged because of this place.
    static judgement too_few(const std::string& place) { return without("too few values" + at_place(place)); }
    /// ` at load=2`; empty for a place without a name.
    static std::string at_place(const std::string& name) { return name.empty() ? "" : " at " + name; }
};

judgement judge_statement(const paper_statement& s, const std::vector<statement_cell>& cells,
                          double confidence);

/// The verdict on numbers that `cells` do not have: of rows that compare rows, and of closed forms.
judgement judge_series(const paper_statement& s, const std::vector<number_series>& series, double confidence);

/// An order: each operand of a rank below each of the next rank, at every place.
judgement judge_order(const paper_statement& s, const std::vector<statement_cell>& cells, double confidence);

/// The judgement from the runs of the statement's experiments (`results`, in the order of the scopes): at all
/// of its places together, or with `take = any` at each place of one option by itself. With `any` a statement
/// agrees if it agrees at some place of its option; it differs if every place is judged and none agrees. `ours`
/// then goes from the least to the greatest of all places.
judgement judge_places(const paper_statement& s, const std::vector<const sweep_results*>& results,
                       double confidence);

/// Appends a note, if there is one, behind a semicolon.
void add_note(std::string& notes, const std::string& note);

/// `12 values in the tail` where these are few; else empty.
std::string tail_note(double values);

/// `17..88%`, `40 ms`
std::string numbers_text(double low, double high, const std::string& unit);

/// `1.48..1.56`; empty without an interval.
std::string interval_text(const judgement& j);

}  // namespace weir::tb
