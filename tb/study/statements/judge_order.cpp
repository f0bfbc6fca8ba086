#include <algorithm>
#include <limits>
#include <map>

#include "tb/study/statements/judge_statement.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/gnuplot.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// With `take = mean`: one cell with, by operand and seed, the mean over places of its values divided by those
/// of the last operand.
statement_cell relative_means(const std::vector<statement_cell>& cells) {
    const auto ratio = [](const std::vector<double>& v) {
        return v[1] > 0 ? std::optional(v[0] / v[1]) : std::nullopt;
    };
    statement_cell mean;
    for (std::size_t k = 0; k + 1 < cells.front().operands.size(); ++k) {
        std::vector<seed_values> ratios;
        for (const statement_cell& cell : cells) {
            ratios.push_back(by_seed({cell.operands[k], cell.operands.back()}, ratio));
        }
        mean.operands.push_back(by_seed(ratios, mean_of_shares));
    }
    return mean;
}

/// Why an order does not hold at a place: the first of several that apply.
enum class order_fault : std::uint8_t { reversed, unresolved, equal, without_values, none };

/// The order at one place.
struct place_order {
    order_fault fault = order_fault::none;
    /// Seeds in which both operands of a step have a value, of the step that has fewest.
    std::size_t seeds = std::numeric_limits<std::size_t>::max();
    bool is_sure = true;
    std::vector<std::string> means;
    std::vector<judged_mean> steps;
};

judged_mean scaled(const mean_interval& m, double unit) {
    const double width = m.has_width() ? m.half_width : 0;
    return {m.n, m.mean / unit, (m.mean - width) / unit, (m.mean + width) / unit, m.has_width()};
}

place_order order_at(const paper_statement& s, const statement_cell& cell, double confidence) {
    place_order order;
    bool has_values = true;
    const double unit = s.is_relative ? 1 : s.paper.scale;
    for (std::size_t k = 0; k < cell.operands.size(); ++k) {
        std::vector<double> values;
        for_each_seed({cell.operands[k]}, [&](std::size_t, const auto& v) { values.push_back(v[0] / unit); });
        has_values = has_values && !values.empty();
        order.means.push_back(short_number(interval_of(values, confidence).mean));
        for (std::size_t other = 0; other < k; ++other) {
            if (s.ranks[k] != s.ranks[other] + 1) {
                continue;
            }
            std::vector<std::pair<double, double>> pairs;
            for_each_seed({cell.operands[other], cell.operands[k]},
                          [&](std::size_t, const auto& v) { pairs.emplace_back(v[0], v[1]); });
            // One of several seeds says nothing about chance.
            has_values = has_values && !pairs.empty() && (pairs.size() > 1 || cell.operands[k].size() == 1);
            order.seeds = std::min(order.seeds, pairs.size());
            const judged_mean more = scaled(paired_difference(pairs, confidence), unit);
            // An interval that includes equality is no order.
            const order_fault fault = more.high < 0                     ? order_fault::reversed
                                      : more.low == 0 && more.high == 0 ? order_fault::equal
                                      : more.low <= 0                   ? order_fault::unresolved
                                                                        : order_fault::none;
            order.fault = std::min(order.fault, fault);
            order.is_sure = order.is_sure && more.has_width && fault != order_fault::unresolved;
            order.steps.push_back(more);
        }
    }
    order.fault = has_values ? order.fault : order_fault::without_values;
    return order;
}

/// The first three names and the number of the others, `a, b, c and 9 more`; all names if there are four.
std::string first_of(std::vector<std::string> names) {
    constexpr std::size_t most = 3;
    const std::size_t left = names.size() > most + 1 ? names.size() - most : 0;
    names.resize(names.size() - left);
    return joined(names, ", ") + (left > 0 ? " and " + std::to_string(left) + " more" : "");
}

}  // namespace

judgement judge_order(const paper_statement& s, const std::vector<statement_cell>& all, double confidence) {
    const std::vector<statement_cell> cells =
        s.is_relative ? std::vector<statement_cell>{relative_means(all)} : all;
    constexpr const char* names[] = {"the other way round", "cannot be told from chance", "equal",
                                     "too few values"};
    judgement j;
    std::map<order_fault, std::vector<std::string>> faults;
    std::size_t broken = 0;
    std::vector<judged_mean> steps;
    const std::size_t all_seeds = cells.front().operands.front().size();
    std::size_t seeds = all_seeds;
    j.sure = true;
    for (const statement_cell& cell : cells) {
        const place_order order = order_at(s, cell, confidence);
        const bool holds = order.fault == order_fault::none;
        if (!holds) {
            faults[order.fault].push_back(cell.name);
            ++broken;
        }
        if (order.fault == order_fault::without_values) {
            if (s.take != place_take::majority) {
                return judgement::too_few(cell.name);
            }
            continue;  // the order does not hold there
        }
        seeds = std::min(seeds, order.seeds);
        steps.insert(steps.end(), order.steps.begin(), order.steps.end());
        j.sure = j.sure && order.is_sure;
        const std::string unit = s.is_relative ? "" : s.paper.unit;
        j.ours = joined(order.means, holds && s.ranks.back() + 1 == s.ranks.size() ? " < " : ", ") +
                 (unit.empty() ? "" : " ") + unit;
    }
    if (steps.empty()) {
        return judgement::too_few("");
    }
    j.least = j.greatest = *std::min_element(
        steps.begin(), steps.end(), [](const judged_mean& a, const judged_mean& b) { return a.mean < b.mean; });
    const bool one = cells.size() == 1;
    if (!one) {
        j.ours =
            "at " + std::to_string(cells.size() - broken) + " of " + std::to_string(cells.size()) + " places";
    }
    for (const auto& [fault, where] : faults) {
        add_note(j.note, names[static_cast<std::size_t>(fault)] + (one ? "" : " at " + first_of(where)));
    }
    if (seeds < all_seeds) {
        add_note(j.note, std::to_string(seeds) + " of " + how_many(all_seeds, "seed"));
    }
    const bool holds =
        s.take == place_take::majority ? 2 * (cells.size() - broken) > cells.size() : broken == 0;
    j.verdict = holds ? paper_verdict::agrees : paper_verdict::differs;
    return j;
}

}  // namespace weir::tb
