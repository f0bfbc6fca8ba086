#include "tb/study/statements/judge_statement.h"

#include <algorithm>

#include "tb/study/sweep/swept_axis.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/gnuplot.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// An effect agrees in order if it is at most so many times the paper's, and at least the inverse share of it.
constexpr double most_of_effect = 3;
/// A percentile rests on few values if fewer than these lie beyond it.
constexpr double few_in_tail = 1000;

/// Where there is no effect: a ratio of 1, a difference of 0. Values have no such place.
bool has_sides(statement_kind scale) {
    return scale == statement_kind::ratio || scale == statement_kind::below ||
           scale == statement_kind::difference;
}

/// On which side of no effect the numbers from `low` to `high` are: 1 above, -1 below, 0 neither.
int side_of(statement_kind scale, double low, double high) {
    if (!has_sides(scale)) {
        return 0;
    }
    const double neutral = scale == statement_kind::ratio ? 1 : 0;
    return low >= neutral && high > neutral ? 1 : high <= neutral && low < neutral ? -1 : 0;
}

/// Compares the number at one place with a range of the paper's.
class number_judge {
 public:
    number_judge(const paper_statement& s, statement_kind scale, double low, double high)
        : m_statement(s),
          m_scale(scale),
          m_low(low),
          m_high(high),
          m_accepted(s.tolerance.accepted(low, high)) {
        // `>40` and `<3` leave out the bound itself.
        if (std::isinf(high) && m_accepted.low == low) {
            m_accepted.low = std::nextafter(low, HUGE_VAL);
        }
        if (std::isinf(low) && m_accepted.high == high) {
            m_accepted.high = std::nextafter(high, -HUGE_VAL);
        }
    }

    paper_verdict verdict(const judged_mean& m) const {
        if (is_within(m.mean, m.mean) && holds_throughout(m)) {
            return paper_verdict::agrees;
        }
        const bool in_order =
            stated_side() != 0 && side_of(m_scale, m.low, m.high) == stated_side() && is_of_the_order(m.mean);
        return in_order ? paper_verdict::in_order : paper_verdict::differs;
    }

    bool is_sure(const judged_mean& m, paper_verdict verdict) const {
        if (!m.has_width) {
            return false;
        }
        switch (verdict) {
            case paper_verdict::agrees:
                return is_within(m.low, m.high);
            case paper_verdict::in_order:
                return is_outside(m.low, m.high) && is_of_the_order(m.low) && is_of_the_order(m.high);
            case paper_verdict::differs:
                return is_outside(m.low, m.high) && (stated_side() == 0 ||
                                                     (side_of(m_scale, m.low, m.low) != stated_side() &&
                                                      side_of(m_scale, m.high, m.high) != stated_side()) ||
                                                     (!is_of_the_order(m.low) && !is_of_the_order(m.high)));
            default:
                return true;
        }
    }

    /// Why a number within the tolerance does not agree; else empty.
    std::string why_not(const judged_mean& m) const {
        return !is_within(m.mean, m.mean) || holds_throughout(m) ? ""
               : stated_side() != 0 && !std::isinf(m_low) && !std::isinf(m_high)
                   ? "the interval includes no effect"
                   : "the interval reaches beyond the bound";
    }

 private:
    int stated_side() const { return side_of(m_scale, m_low, m_high); }

    bool is_within(double low, double high) const {
        if (m_statement.paper.is_excluded) {
            return low > m_high || high < m_low;
        }
        return low >= m_accepted.low && high <= m_accepted.high &&
               (stated_side() == 0 || side_of(m_scale, low, high) == stated_side());
    }

    /// Whether no number from `low` to `high` agrees.
    bool is_outside(double low, double high) const {
        if (m_statement.paper.is_excluded) {
            return low == m_low && high == m_high;
        }
        const int stated = stated_side();
        return low > m_accepted.high || high < m_accepted.low ||
               (stated > 0 && side_of(m_scale, high, high) <= 0) ||
               (stated < 0 && side_of(m_scale, low, low) >= 0);
    }

    /// Whether what has to hold for the whole interval does.
    bool holds_throughout(const judged_mean& m) const {
        const bool allows_no_effect = has_sides(m_scale) && stated_side() == 0;
        const bool whole = m_statement.paper.is_excluded || std::isinf(m_low) || std::isinf(m_high) ||
                           m_statement.kind == statement_kind::equivalent || allows_no_effect;
        return whole ? is_within(m.low, m.high)
                     : stated_side() == 0 || side_of(m_scale, m.low, m.high) == stated_side();
    }

    /// Whether the effect of `number` is of the order of the paper's.
    bool is_of_the_order(double number) const {
        const auto size = [&](double of) { return std::fabs(effect_of(m_scale, of)); };
        const double least = std::isinf(m_low)    ? size(m_high)
                             : std::isinf(m_high) ? size(m_low)
                                                  : std::min(size(m_low), size(m_high));
        const double most =
            std::isinf(m_low) || std::isinf(m_high) ? HUGE_VAL : std::max(size(m_low), size(m_high));
        // A range that begins at no effect has no order.
        const bool has_order = least > 0 || most == HUGE_VAL;
        return has_order && side_of(m_scale, number, number) == stated_side() &&
               size(number) >= least / most_of_effect && size(number) <= most * most_of_effect;
    }

    const paper_statement& m_statement;
    statement_kind m_scale;
    double m_low;
    double m_high;
    accepted_range m_accepted;
};

/// `3 of 5 seeds` where the others have no value.
std::string seeds_note(const std::vector<judged_mean>& places, std::size_t seeds) {
    std::size_t fewest = seeds;
    for (const judged_mean& each : places) {
        fewest = std::min(fewest, each.n);
    }
    return fewest == seeds ? "" : std::to_string(fewest) + " of " + how_many(seeds, "seed");
}

void judge_means(const paper_statement& s, const std::vector<number_series>& series,
                 const std::vector<judged_mean>& means, std::size_t without, judgement& j) {
    std::vector<paper_verdict> verdicts;
    bool all_sure = true;
    // One place that surely differs is enough.
    bool surely_differs = false;
    std::string why_not;
    std::size_t agreeing = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        // Both ends of the paper's range, each by itself.
        const bool ends = s.take == place_take::ends;
        const double low = ends && i > 0 ? s.paper.high : s.paper.low;
        const double high = ends && i == 0 ? s.paper.low : s.paper.high;
        const number_judge judge(s, series[i].scale, low, high);
        verdicts.push_back(judge.verdict(means[i]));
        const bool is_sure = judge.is_sure(means[i], verdicts.back());
        agreeing += verdicts.back() == paper_verdict::agrees ? 1 : 0;
        all_sure = all_sure && is_sure;
        surely_differs = surely_differs || (!ends && is_sure && verdicts.back() == paper_verdict::differs);
        why_not = why_not.empty() ? judge.why_not(means[i]) : why_not;
    }
    j.sure = all_sure;
    if (s.take == place_take::majority) {
        const std::size_t places = means.size() + without;
        j.verdict = 2 * agreeing > places ? paper_verdict::agrees : paper_verdict::differs;
        add_note(j.note, "at " + std::to_string(agreeing) + " of " + std::to_string(places) + " places");
        return;
    }
    j.verdict = *std::max_element(verdicts.begin(), verdicts.end());
    j.sure = all_sure || (j.verdict == paper_verdict::differs && surely_differs);
    add_note(j.note, why_not);
}

}  // namespace

void add_note(std::string& notes, const std::string& note) {
    notes += (notes.empty() || note.empty() ? "" : "; ") + note;
}

judgement judge_series(const paper_statement& s, const std::vector<number_series>& series, double confidence) {
    const auto by_mean = [](const judged_mean& a, const judged_mean& b) { return a.mean < b.mean; };
    std::vector<judged_mean> means;
    // Places of a majority at which the statement has no number, and so does not hold.
    std::size_t without = 0;
    for (const number_series& each : series) {
        means.push_back(measured(each, confidence));
        if (means.back().n == 0 && s.take == place_take::majority) {
            means.pop_back();
            ++without;
        } else if (means.back().n == 0) {
            return judgement::too_few(each.name);
        }
    }
    if (means.empty()) {
        return judgement::too_few("");
    }
    judgement j;
    j.least = *std::min_element(means.begin(), means.end(), by_mean);
    j.greatest = *std::max_element(means.begin(), means.end(), by_mean);
    j.ours = numbers_text(j.least.mean, j.greatest.mean, s.paper.unit);
    if (series.size() == 1) {
        j.by_seed = series.front().values;
    }
    j.note = seeds_note(means, series.front().values.size());
    const auto rests_on_one = [](const judged_mean& m) { return m.n == 1; };
    if (!j.note.empty() && std::any_of(means.begin(), means.end(), rests_on_one)) {
        // One of several seeds says nothing about chance.
        return j;
    }
    if (!s.paper.stated) {
        j.verdict = paper_verdict::not_stated;
        j.sure = true;
        return j;
    }
    judge_means(s, series, means, without, j);
    return j;
}

/// `up to 1.5 % did not complete`; empty if all did.
static std::string unfinished_note(double share) {
    return share > 0 ? "up to " + short_number(100 * share) + " % did not complete" : "";
}

judgement judge_statement(const paper_statement& s, const std::vector<statement_cell>& cells,
                          double confidence) {
    if (cells.empty()) {
        return judgement::without("no run has " + joined(s.metrics, ", "));
    }
    if (s.take == place_take::ends && cells.size() < 2) {
        return judgement::without("there is one place only");
    }
    double tail = HUGE_VAL;
    double unfinished = 0;
    censoring beyond = censoring::none;
    for (const statement_cell& cell : cells) {
        tail = std::min(tail, cell.tail);
        unfinished = std::max(unfinished, cell.unfinished);
        if (cell.is_lower_bound) {
            judgement j = judgement::without("only a lower bound is known" + judgement::at_place(cell.name));
            add_note(j.note, unfinished_note(cell.unfinished));
            return j;
        }
        if (s.kind != statement_kind::order && s.take != place_take::majority &&
            measured(series_of(s, cell), confidence).n == 0) {
            return judgement::too_few(cell.name);
        }
        beyond = cell.beyond == censoring::none ? beyond : cell.beyond;
    }
    judgement j = s.kind == statement_kind::order
                      ? judge_order(s, cells, confidence)
                      : judge_series(s, taken_series(s, cells, confidence), confidence);
    j.beyond = beyond;
    if (beyond != censoring::none) {
        // How far beyond is unknown, so the number is compared with nothing.
        j.ours = (beyond == censoring::above ? ">" : "<") + j.ours;
        j.verdict = s.paper.stated ? paper_verdict::not_judged : paper_verdict::not_stated;
        j.sure = false;
        j.note =
            beyond == censoring::above ? "within the bound at every place" : "beyond the bound at every place";
    }
    j.tail = tail;
    add_note(j.note, tail_note(tail));
    add_note(j.note, unfinished_note(unfinished));
    return j;
}

std::string tail_note(double values) {
    const double whole = std::floor(values);
    return values < few_in_tail ? short_number(whole) + (whole == 1 ? " value" : " values") + " in the tail"
                                : "";
}

std::string numbers_text(double low, double high, const std::string& unit) {
    const std::string text = low == high ? short_number(low) : short_number(low) + ".." + short_number(high);
    return text + (unit == "%" || unit.empty() ? "" : " ") + unit;
}

std::string interval_text(const judgement& j) {
    return j.beyond == censoring::none && j.least.has_width && j.greatest.has_width
               ? short_number(j.least.low) + ".." + short_number(j.greatest.high)
               : std::string{};
}

// --- places -----------------------------------------------------------------------------------------

namespace {

judgement judge_together(const paper_statement& s, const std::vector<const sweep_results*>& results,
                         double confidence) {
    std::vector<statement_cell> cells;
    for (std::size_t i = 0; i < s.scopes.size(); ++i) {
        if (const std::vector<std::string> missing = missing_metrics(s, *results[i]); !missing.empty()) {
            return judgement::without("no run has " + joined(missing, ", "));
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
    const auto name = [&](std::size_t i) { return place_name(plan.axes[option.index()], places[i]); };
    judgement j;
    std::vector<std::string> names;
    paper_verdict best = paper_verdict::not_judged;
    std::string unjudged;
    bool one_is_sure = false;
    bool all_are_sure = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const judgement& each = all[i];
        best = std::min(best, each.verdict);
        if (each.verdict == paper_verdict::not_judged && unjudged.empty()) {
            unjudged = name(i) + ": " + each.note;
        }
        if (each.verdict == paper_verdict::agrees) {
            j.agreeing.push_back(places[i]);
            names.push_back(name(i));
            one_is_sure = one_is_sure || each.sure;
        }
        if (each.least.n > 0 && (j.least.n == 0 || each.least.mean < j.least.mean)) {
            j.least = each.least;
        }
        if (each.greatest.n > 0 && (j.greatest.n == 0 || each.greatest.mean > j.greatest.mean)) {
            j.greatest = each.greatest;
        }
        all_are_sure = all_are_sure && each.sure;
        j.tail = std::min(j.tail, each.tail);
    }
    // A place that is not judged might have a better verdict than the others.
    j.verdict = unjudged.empty() || best == paper_verdict::agrees ? best : paper_verdict::not_judged;
    j.sure = best == paper_verdict::agrees ? one_is_sure : all_are_sure;
    const bool is_order = s.kind == statement_kind::order;
    j.ours = j.least.n > 0 && !is_order ? numbers_text(j.least.mean, j.greatest.mean, s.paper.unit) : "";
    if (s.paper.stated || is_order) {
        j.note = "at " + (names.empty() ? std::string("none") : std::to_string(names.size())) + " of " +
                 std::to_string(all.size()) + " places" + (names.empty() ? "" : ": " + joined(names, "; "));
    }
    add_note(j.note, tail_note(j.tail));
    add_note(j.note, unjudged);
    return j;
}

}  // namespace weir::tb
