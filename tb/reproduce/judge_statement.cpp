#include "tb/reproduce/judge_statement.h"

#include <algorithm>
#include <cmath>

#include "tb/plot/gnuplot.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

/// Seed by seed; without those that lack a value.
mean_interval measured(const paper_statement& s, const statement_cell& cell, double confidence) {
    std::vector<double> values;
    for (std::size_t seed = 0; seed < cell.operands.front().size(); ++seed) {
        const std::optional<double> of = cell.operands[0][seed];
        if (s.kind == statement_kind::value) {
            if (of) {
                values.push_back(*of / s.paper.scale);
            }
            continue;
        }
        const std::optional<double> against = cell.operands[1][seed];
        if (of && against && *against != 0) {
            const double ratio = *of / *against;
            values.push_back(s.kind == statement_kind::ratio ? ratio : 100 * (1 - ratio));
        }
    }
    return interval_of(values, confidence);
}

/// On which side of what would be no difference the paper's number is: 1 above, -1 below, 0 neither.
int side_of(const paper_statement& s, double low, double high) {
    if (s.kind == statement_kind::value) {
        return 0;
    }
    const double neutral = s.kind == statement_kind::ratio ? 1 : 0;
    return low >= neutral && high > neutral ? 1 : high <= neutral && low < neutral ? -1 : 0;
}

paper_verdict verdict_of(const paper_statement& s, double low, double high) {
    if (!s.paper.stated) {
        return paper_verdict::not_stated;
    }
    // `>40` and `<3` leave out the bound itself.
    const bool above = std::isinf(s.paper.high) && s.tolerance_low == 0 ? low > s.paper.low
                                                                        : low >= s.paper.low - s.tolerance_low;
    const bool below = std::isinf(s.paper.low) && s.tolerance_high == 0
                           ? high < s.paper.high
                           : high <= s.paper.high + s.tolerance_high;
    if (above && below) {
        return paper_verdict::agrees;
    }
    const int stated = side_of(s, s.paper.low, s.paper.high);
    return stated != 0 && side_of(s, low, high) == stated ? paper_verdict::in_order : paper_verdict::differs;
}

judgement judge_numbers(const paper_statement& s, const std::vector<statement_cell>& cells, double confidence) {
    judgement j;
    const auto by_mean = [](const mean_interval& a, const mean_interval& b) { return a.mean < b.mean; };
    std::vector<mean_interval> all;
    for (const statement_cell& cell : cells) {
        all.push_back(measured(s, cell, confidence));
        if (all.back().n == 0) {
            j.note = "too few values" + (cell.name.empty() ? "" : " at " + cell.name);
            return j;
        }
    }
    j.least = *std::min_element(all.begin(), all.end(), by_mean);
    j.greatest = *std::max_element(all.begin(), all.end(), by_mean);
    if (s.take == place_take::least) {
        j.greatest = j.least;
    } else if (s.take == place_take::most) {
        j.least = j.greatest;
    }
    j.ours = numbers_text(j.least.mean, j.greatest.mean, s.paper.unit);
    j.verdict = verdict_of(s, j.least.mean, j.greatest.mean);
    j.sure = j.least.has_width() && j.greatest.has_width() &&
             verdict_of(s, j.least.low(), j.greatest.low()) == j.verdict &&
             verdict_of(s, j.least.high(), j.greatest.high()) == j.verdict;
    return j;
}

judgement judge_order(const paper_statement& s, const std::vector<statement_cell>& cells, double confidence) {
    judgement j;
    std::vector<std::string> broken;
    j.sure = true;
    for (const statement_cell& cell : cells) {
        bool holds = true;
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
                return {paper_verdict::not_judged,
                        false,
                        {},
                        {},
                        {},
                        "too few values" + (cell.name.empty() ? "" : " at " + cell.name)};
            }
            means.push_back(short_number(interval_of(values, confidence).mean));
            if (k > 0) {
                const mean_interval more = paired_difference(pairs, confidence);
                // What chance can turn round is no order.
                holds = holds && (more.has_width() ? more.low() > 0 : more.mean > 0);
                j.sure = j.sure && more.has_width() && (more.low() > 0 || more.high() < 0);
            }
        }
        if (!holds) {
            broken.push_back(cell.name);
        }
        const char* const unit = s.paper.unit.c_str();
        j.ours = joined(means, holds ? " < " : ", ") + (s.paper.unit.empty() ? "" : " ") + unit;
    }
    if (cells.size() > 1) {
        j.ours = "at " + std::to_string(cells.size() - broken.size()) + " of " + std::to_string(cells.size()) +
                 " places";
        j.note = broken.empty() ? "" : "not at " + joined(broken, "; ");
    }
    j.verdict = broken.empty() ? paper_verdict::agrees : paper_verdict::differs;
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
    return j.least.n > 0 && j.least.has_width() && j.greatest.has_width()
               ? short_number(j.least.low()) + ".." + short_number(j.greatest.high())
               : std::string{};
}

}  // namespace weir::tb
