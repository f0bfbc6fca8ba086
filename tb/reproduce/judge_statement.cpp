#include "tb/reproduce/judge_statement.h"

#include <algorithm>
#include <cmath>

#include "tb/plot/gnuplot.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"
#include "weir/base/portable_math.h"

namespace weir::tb {

namespace {

judged_mean plain(const mean_interval& m, double unit = 1) {
    const double width = m.has_width() ? m.half_width : 0;
    return {m.n, m.mean / unit, (m.mean - width) / unit, (m.mean + width) / unit, m.has_width()};
}

/// Seed by seed; without those that lack a value.
judged_mean measured(const paper_statement& s, const statement_cell& cell, double confidence) {
    std::vector<double> values;
    std::vector<double> logarithms;
    for (std::size_t seed = 0; seed < cell.operands.front().size(); ++seed) {
        const std::optional<double> of = cell.operands[0][seed];
        if (s.kind == statement_kind::value) {
            if (of) {
                values.push_back(*of / s.paper.scale);
            }
            continue;
        }
        const std::optional<double> against = cell.operands[1][seed];
        if (of && against && *of > 0 && *against > 0) {
            logarithms.push_back(log_one_plus(*of / *against - 1));
        }
    }
    if (s.kind == statement_kind::value) {
        return plain(interval_of(values, confidence));
    }
    const judged_mean log = plain(interval_of(logarithms, confidence));
    if (log.n == 0) {
        return log;
    }
    const double mean = exponential(log.mean);
    const double low = exponential(log.low);
    const double high = exponential(log.high);
    return s.kind == statement_kind::ratio
               ? judged_mean{log.n, mean, low, high, log.has_width}
               : judged_mean{log.n, 100 * (1 - mean), 100 * (1 - high), 100 * (1 - low), log.has_width};
}

/// Without a ratio of 1, or a difference of 0, to be on one side of.
bool has_sides(const paper_statement& s) {
    return s.kind == statement_kind::ratio || s.kind == statement_kind::below;
}

/// On which side of what would be no difference these numbers are: 1 above, -1 below, 0 neither.
int side_of(const paper_statement& s, double low, double high) {
    if (!has_sides(s)) {
        return 0;
    }
    const double neutral = s.kind == statement_kind::ratio ? 1 : 0;
    return low >= neutral && high > neutral ? 1 : high <= neutral && low < neutral ? -1 : 0;
}

/// Whether all numbers from `low` to `high` are within the tolerance of the paper's, and win as they do.
bool is_within(const paper_statement& s, double low, double high) {
    // `>40` and `<3` leave out the bound itself.
    const bool above = std::isinf(s.paper.high) && s.tolerance_low == 0 ? low > s.paper.low
                                                                        : low >= s.paper.low - s.tolerance_low;
    const bool below = std::isinf(s.paper.low) && s.tolerance_high == 0
                           ? high < s.paper.high
                           : high <= s.paper.high + s.tolerance_high;
    const int stated = side_of(s, s.paper.low, s.paper.high);
    return above && below && (stated == 0 || side_of(s, low, high) == stated);
}

/// Whether none of them is.
bool is_outside(const paper_statement& s, double low, double high) {
    const int stated = side_of(s, s.paper.low, s.paper.high);
    return low > s.paper.high + s.tolerance_high || high < s.paper.low - s.tolerance_low ||
           (std::isinf(s.paper.high) && high <= s.paper.low - s.tolerance_low) ||
           (std::isinf(s.paper.low) && low >= s.paper.high + s.tolerance_high) ||
           (stated > 0 && side_of(s, high, high) <= 0) || (stated < 0 && side_of(s, low, low) >= 0);
}

paper_verdict verdict_of(const paper_statement& s, double low, double high) {
    if (!s.paper.stated) {
        return paper_verdict::not_stated;
    }
    if (is_within(s, low, high)) {
        return paper_verdict::agrees;
    }
    const int stated = side_of(s, s.paper.low, s.paper.high);
    return stated != 0 && side_of(s, low, high) == stated ? paper_verdict::in_order : paper_verdict::differs;
}

bool is_sure(const paper_statement& s, paper_verdict verdict, const std::vector<judged_mean>& places) {
    const auto all = [&](auto holds) { return std::all_of(places.begin(), places.end(), holds); };
    const auto any = [&](auto holds) { return std::any_of(places.begin(), places.end(), holds); };
    const int stated = s.paper.stated ? side_of(s, s.paper.low, s.paper.high) : 0;
    const auto outside = [&](const judged_mean& m) { return is_outside(s, m.low, m.high); };
    if (!all([](const judged_mean& m) { return m.has_width; })) {
        return false;
    }
    switch (verdict) {
        case paper_verdict::agrees:
            return all([&](const judged_mean& m) { return is_within(s, m.low, m.high); });
        case paper_verdict::in_order:
            return any(outside) && all([&](const judged_mean& m) {
                       return side_of(s, m.low, m.low) == stated && side_of(s, m.high, m.high) == stated;
                   });
        case paper_verdict::differs:
            return any(outside) && (stated == 0 || any([&](const judged_mean& m) {
                                        return side_of(s, m.low, m.low) != stated &&
                                               side_of(s, m.high, m.high) != stated;
                                    }));
        default:
            return true;
    }
}

/// `3 of 5 seeds` where the others have no value.
std::string seeds_note(const std::vector<judged_mean>& places, std::size_t seeds) {
    std::size_t fewest = seeds;
    for (const judged_mean& each : places) {
        fewest = std::min(fewest, each.n);
    }
    return fewest == seeds ? "" : std::to_string(fewest) + " of " + how_many(seeds, "seed");
}

/// Of places that are measured apart: the mean of the ends of their intervals is an end that is too far out
/// rather than too near.
judged_mean mean_of(const std::vector<judged_mean>& places) {
    judged_mean mean{places.front().n, 0, 0, 0, true};
    const auto count = static_cast<double>(places.size());
    for (const judged_mean& each : places) {
        mean.n = std::min(mean.n, each.n);
        mean.mean += each.mean / count;
        mean.low += each.low / count;
        mean.high += each.high / count;
        mean.has_width = mean.has_width && each.has_width;
    }
    return mean;
}

judgement judge_numbers(const paper_statement& s, const std::vector<statement_cell>& cells, double confidence) {
    judgement j;
    const auto by_mean = [](const judged_mean& a, const judged_mean& b) { return a.mean < b.mean; };
    std::vector<judged_mean> all;
    for (const statement_cell& cell : cells) {
        all.push_back(measured(s, cell, confidence));
        if (all.back().n == 0) {
            j.note = "too few values" + (cell.name.empty() ? "" : " at " + cell.name);
            return j;
        }
        j.beyond = cell.beyond == censoring::none ? j.beyond : cell.beyond;
    }
    const auto least = std::min_element(all.begin(), all.end(), by_mean);
    const auto greatest = std::max_element(all.begin(), all.end(), by_mean);
    if (s.take != place_take::all) {
        all = {s.take == place_take::mean ? mean_of(all) : s.take == place_take::least ? *least : *greatest};
        j.least = j.greatest = all.front();
    } else {
        j.least = *least;
        j.greatest = *greatest;
    }
    j.ours = numbers_text(j.least.mean, j.greatest.mean, s.paper.unit);
    if (j.beyond != censoring::none) {
        // How far beyond cannot be said, so nothing is compared with it.
        j.ours = (j.beyond == censoring::above ? ">" : "<") + j.ours;
        j.verdict = s.paper.stated ? paper_verdict::not_judged : paper_verdict::not_stated;
        j.note = j.beyond == censoring::above ? "within the bound at every place"
                                              : "beyond the bound at every place";
        return j;
    }
    j.verdict = verdict_of(s, j.least.mean, j.greatest.mean);
    j.sure = is_sure(s, j.verdict, all);
    j.note = seeds_note(all, cells.front().operands.front().size());
    return j;
}

judgement judge_order(const paper_statement& s, const std::vector<statement_cell>& cells, double confidence) {
    judgement j;
    std::vector<std::string> reversed;
    std::vector<std::string> unresolved;
    std::vector<std::string> equal;
    std::vector<judged_mean> steps;
    j.sure = true;
    for (const statement_cell& cell : cells) {
        bool is_reversed = false;
        bool is_unresolved = false;
        bool is_equal = false;
        std::vector<std::string> means;
        for (std::size_t k = 0; k < cell.operands.size(); ++k) {
            std::vector<double> values;
            std::vector<std::pair<double, double>> pairs;
            for (std::size_t seed = 0; seed < cell.operands[k].size(); ++seed) {
                const std::optional<double> value = cell.operands[k][seed];
                if (value) {
                    values.push_back(*value / s.paper.scale);
                }
                if (k > 0 && value && cell.operands[k - 1][seed]) {
                    pairs.emplace_back(*cell.operands[k - 1][seed], *value);
                }
            }
            if (values.empty() || (k > 0 && pairs.empty())) {
                judgement none;
                none.note = "too few values" + (cell.name.empty() ? "" : " at " + cell.name);
                return none;
            }
            means.push_back(short_number(interval_of(values, confidence).mean));
            if (k > 0) {
                const judged_mean more = plain(paired_difference(pairs, confidence), s.paper.scale);
                // What chance can turn round is no order.
                is_reversed = is_reversed || more.high < 0;
                const bool same = more.low == 0 && more.high == 0;
                is_equal = is_equal || same;
                is_unresolved = is_unresolved || (!same && more.low <= 0 && more.high >= 0);
                j.sure = j.sure && more.has_width && (more.low > 0 || more.high < 0 || same);
                steps.push_back(more);
            }
        }
        const bool holds = !is_reversed && !is_unresolved && !is_equal;
        if (!holds) {
            (is_reversed ? reversed : is_unresolved ? unresolved : equal).push_back(cell.name);
        }
        const char* const unit = s.paper.unit.c_str();
        j.ours = joined(means, holds ? " < " : ", ") + (s.paper.unit.empty() ? "" : " ") + unit;
    }
    j.least = j.greatest = *std::min_element(
        steps.begin(), steps.end(), [](const judged_mean& a, const judged_mean& b) { return a.mean < b.mean; });
    const std::size_t broken = reversed.size() + unresolved.size() + equal.size();
    const bool one = cells.size() == 1;
    if (!one) {
        j.ours =
            "at " + std::to_string(cells.size() - broken) + " of " + std::to_string(cells.size()) + " places";
    }
    const auto add = [&](const char* what, const std::vector<std::string>& where) {
        if (!where.empty()) {
            j.note +=
                (j.note.empty() ? "" : "; ") + std::string(what) + (one ? "" : " at " + joined(where, ", "));
        }
    };
    add("the other way round", reversed);
    add("cannot be told from chance", unresolved);
    add("equal", equal);
    j.verdict = broken == 0 ? paper_verdict::agrees : paper_verdict::differs;
    return j;
}

}  // namespace

judgement judge_statement(const paper_statement& s, const std::vector<statement_cell>& cells,
                          double confidence) {
    if (cells.empty()) {
        judgement j;
        j.note = "no run has " + joined(s.metrics, ", ");
        return j;
    }
    return s.kind == statement_kind::order ? judge_order(s, cells, confidence)
                                           : judge_numbers(s, cells, confidence);
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

}  // namespace weir::tb
