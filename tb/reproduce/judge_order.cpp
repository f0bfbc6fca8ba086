#include <algorithm>
#include <limits>

#include "tb/plot/gnuplot.h"
#include "tb/reproduce/judge_statement.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

using seed_values = std::vector<std::optional<double>>;

/// With `take = mean`: one cell with, by operand and seed, the mean over places of its values divided by those
/// of the last operand.
statement_cell relative_means(const std::vector<statement_cell>& cells) {
    statement_cell mean;
    const std::size_t operands = cells.front().operands.size() - 1;
    for (std::size_t k = 0; k < operands; ++k) {
        seed_values values(cells.front().operands[k].size(), 0);
        for (const statement_cell& cell : cells) {
            for (std::size_t seed = 0; seed < values.size(); ++seed) {
                const std::optional<double>& value = cell.operands[k][seed];
                const std::optional<double>& reference = cell.operands.back()[seed];
                const bool both = values[seed] && value && reference && *reference > 0;
                values[seed] =
                    both
                        ? std::optional(*values[seed] + *value / *reference / static_cast<double>(cells.size()))
                        : std::nullopt;
            }
        }
        mean.operands.push_back(std::move(values));
    }
    return mean;
}

/// The order at one place.
struct place_order {
    bool has_values = true;
    /// Seeds in which both operands of a step have a value, of the step that has fewest.
    std::size_t seeds = std::numeric_limits<std::size_t>::max();
    bool is_reversed = false;
    bool is_unresolved = false;
    bool is_equal = false;
    bool is_sure = true;
    std::vector<std::string> means;
    std::vector<judged_mean> steps;

    bool holds() const { return !is_reversed && !is_unresolved && !is_equal; }
};

judged_mean scaled(const mean_interval& m, double unit) {
    const double width = m.has_width() ? m.half_width : 0;
    return {m.n, m.mean / unit, (m.mean - width) / unit, (m.mean + width) / unit, m.has_width()};
}

place_order order_at(const paper_statement& s, const statement_cell& cell, double confidence) {
    place_order order;
    const double unit = s.is_relative ? 1 : s.paper.scale;
    for (std::size_t k = 0; k < cell.operands.size(); ++k) {
        std::vector<double> values;
        for (const std::optional<double>& value : cell.operands[k]) {
            if (value) {
                values.push_back(*value / unit);
            }
        }
        order.has_values = order.has_values && !values.empty();
        order.means.push_back(short_number(interval_of(values, confidence).mean));
        for (std::size_t other = 0; other < k; ++other) {
            if (s.ranks[k] != s.ranks[other] + 1) {
                continue;
            }
            std::vector<std::pair<double, double>> pairs;
            for (std::size_t seed = 0; seed < cell.operands[k].size(); ++seed) {
                if (cell.operands[k][seed] && cell.operands[other][seed]) {
                    pairs.emplace_back(*cell.operands[other][seed], *cell.operands[k][seed]);
                }
            }
            // One of several seeds says nothing about chance.
            order.has_values =
                order.has_values && !pairs.empty() && (pairs.size() > 1 || cell.operands[k].size() == 1);
            order.seeds = std::min(order.seeds, pairs.size());
            const judged_mean more = scaled(paired_difference(pairs, confidence), unit);
            const bool same = more.low == 0 && more.high == 0;
            order.is_reversed = order.is_reversed || more.high < 0;
            order.is_equal = order.is_equal || same;
            // An interval that includes equality is no order.
            order.is_unresolved = order.is_unresolved || (!same && more.low <= 0 && more.high >= 0);
            order.is_sure = order.is_sure && more.has_width && (more.low > 0 || more.high < 0 || same);
            order.steps.push_back(more);
        }
    }
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
    judgement j;
    std::vector<std::string> reversed;
    std::vector<std::string> unresolved;
    std::vector<std::string> equal;
    // Places of a majority at which the order has no values, and so does not hold.
    std::vector<std::string> without;
    std::vector<judged_mean> steps;
    const std::size_t all_seeds = cells.front().operands.front().size();
    std::size_t seeds = all_seeds;
    j.sure = true;
    for (const statement_cell& cell : cells) {
        const place_order order = order_at(s, cell, confidence);
        if (!order.has_values && s.take == place_take::majority) {
            without.push_back(cell.name);
            continue;
        }
        if (!order.has_values) {
            judgement none;
            none.note = "too few values" + (cell.name.empty() ? "" : " at " + cell.name);
            return none;
        }
        seeds = std::min(seeds, order.seeds);
        if (!order.holds()) {
            (order.is_reversed ? reversed : order.is_unresolved ? unresolved : equal).push_back(cell.name);
        }
        steps.insert(steps.end(), order.steps.begin(), order.steps.end());
        j.sure = j.sure && order.is_sure;
        const std::string unit = s.is_relative ? "" : s.paper.unit;
        j.ours = joined(order.means, order.holds() && s.ranks.back() + 1 == s.ranks.size() ? " < " : ", ") +
                 (unit.empty() ? "" : " ") + unit;
    }
    if (steps.empty()) {
        j.note = "too few values";
        return j;
    }
    j.least = j.greatest = *std::min_element(
        steps.begin(), steps.end(), [](const judged_mean& a, const judged_mean& b) { return a.mean < b.mean; });
    const std::size_t broken = reversed.size() + unresolved.size() + equal.size() + without.size();
    const bool one = cells.size() == 1;
    if (!one) {
        j.ours =
            "at " + std::to_string(cells.size() - broken) + " of " + std::to_string(cells.size()) + " places";
    }
    const auto add = [&](const char* what, const std::vector<std::string>& where) {
        if (!where.empty()) {
            j.note += (j.note.empty() ? "" : "; ") + std::string(what) + (one ? "" : " at " + first_of(where));
        }
    };
    add("the other way round", reversed);
    add("cannot be told from chance", unresolved);
    add("equal", equal);
    add("too few values", without);
    if (seeds < all_seeds) {
        add_note(j.note, std::to_string(seeds) + " of " + how_many(all_seeds, "seed"));
    }
    const bool holds =
        s.take == place_take::majority ? 2 * (cells.size() - broken) > cells.size() : broken == 0;
    j.verdict = holds ? paper_verdict::agrees : paper_verdict::differs;
    return j;
}

}  // namespace weir::tb
