#include "tb/study/statements/statement_scope.h"

#include <algorithm>
#include <string_view>

#include "tb/study/sweep/swept_axis.h"

namespace weir::tb {

std::vector<std::string> split_at(const std::string& text, char mark) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(mark, from), text.size());
        parts.emplace_back(trimmed(std::string_view(text).substr(from, end - from)));
        from = end + 1;
    }
    return parts;
}

namespace {

bool chooses(const sweep_plan& plan, const choice& chosen, std::size_t axis) {
    return std::any_of(chosen.begin(), chosen.end(),
                       [&](const axis_choice& one) { return swept_axis(plan, one.key).index() == axis; });
}

class scope_reader {
 public:
    scope_reader(paper_table& table, paper_statement& s, const sweep_plan& plan, statement_scope& scope)
        : m_table(table), m_statement(s), m_scope(scope), m_plan(plan) {}

    bool read() {
        if (!read_at() || !read_operands()) {
            return false;
        }
        if (m_takes_rest) {
            for (const sweep_axis& axis : m_plan.axes) {
                const std::size_t index = swept_axis(m_plan, axis.keys.front()).index();
                const bool is_open = axis.values.size() > 1 && !chooses(m_plan, m_scope.at, index) &&
                                     !chooses(m_plan, m_scope.operands.front(), index);
                if (is_open) {
                    m_scope.at.push_back({axis.keys.front(), {}});
                }
            }
        }
        return std::all_of(m_scope.operands.begin(), m_scope.operands.end(),
                           [&](const choice& operand) { return check(operand); });
    }

 private:
    bool read_at() {
        const std::string mean = "mean(";
        std::string rest;
        for (const std::string& word : m_table.words("at")) {
            const bool is_mean = word.compare(0, mean.size(), mean) == 0 && word.back() == ')';
            const std::string key = is_mean ? word.substr(mean.size(), word.size() - mean.size() - 1) : "";
            if (word == "*") {
                m_takes_rest = true;
            } else if (key == "seeds") {
                m_statement.over_seeds = true;
                if (m_statement.kind == statement_kind::order) {
                    m_table.refuse("at",
                                   "'mean(seeds)' has no effect on an order; expected a value, ratio, "
                                   "below or difference");
                    return false;
                }
            } else {
                rest += (rest.empty() ? "" : " ") + (is_mean ? key : word);
                if (is_mean) {
                    m_scope.averaged.push_back(key);
                }
            }
        }
        const auto at = m_table.points("at", rest, m_plan);
        m_scope.at = at.value_or(choice{});
        return at.has_value();
    }

    bool read_operands() {
        const std::string& of = m_table.text("of");
        const std::string& against = m_table.text("against");
        switch (m_statement.kind) {
            case statement_kind::value:
                return add("of", of);
            case statement_kind::order:
                m_statement.ranks.clear();
                if (!add_order(of)) {
                    return false;
                }
                return !m_statement.is_relative || add("against", against);
            case statement_kind::share: {
                const std::vector<std::string> parts = split_at(of, '>');
                if (parts.size() != 3) {
                    m_table.refuse_text("of",
                                        "does not name three points; expected A > B > C: the share of "
                                        "the way from A to C that B has gone");
                    return false;
                }
                return std::all_of(parts.begin(), parts.end(),
                                   [&](const std::string& part) { return add("of", part); });
            }
            default:
                return add("of", of) && add("against", against);
        }
    }

    /// `A < B | C < D`: A has rank 0, B and C have rank 1, D has rank 2.
    bool add_order(const std::string& text) {
        const std::vector<std::string> ranks = split_at(text, '<');
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            for (const std::string& part : split_at(ranks[rank], '|')) {
                if (!add("of", part)) {
                    return false;
                }
                m_statement.ranks.push_back(rank);
            }
        }
        if (ranks.size() < 2) {
            m_table.refuse("of", "has one point; expected two or more with < between");
        }
        return ranks.size() > 1;
    }

    bool add(const std::string& column, const std::string& text) {
        const auto part = m_table.points(column, text, m_plan);
        if (!part) {
            return false;
        }
        for (const axis_choice& one : *part) {
            if (chooses(m_plan, m_scope.at, swept_axis(m_plan, one.key).index())) {
                m_table.refuse(column,
                               "'" + one.key + "' is chosen in `at` already; expected it in one of both");
                return false;
            }
            if (one.values.size() != 1) {
                m_table.refuse(column, "'" + one.key + "' needs one value; expected several in `at`");
                return false;
            }
        }
        const auto same = [&](const choice& other) {
            return chosen_places(m_plan, *part) == chosen_places(m_plan, other);
        };
        if (!(m_statement.is_relative && column == "against") &&
            std::any_of(m_scope.operands.begin(), m_scope.operands.end(), same)) {
            m_table.refuse(column, "'" + text + "' is what it is compared with; expected another point");
            return false;
        }
        m_scope.operands.push_back(*part);
        return true;
    }

    /// Every option that is varied is chosen, in `at` or by the operand.
    bool check(const choice& operand) {
        choice whole = m_scope.at;
        whole.insert(whole.end(), operand.begin(), operand.end());
        const auto places = chosen_places(m_plan, whole);
        const std::string open = places ? open_option(m_plan, *places) : "";
        const bool is_against = m_scope.operands.size() == 2 && &operand == &m_scope.operands.back() &&
                                m_statement.kind != statement_kind::order;
        const char* const column = is_against ? "against" : "of";
        if (!places) {
            m_table.refuse(column,
                           "chooses no point together with `at`; expected values that options of one --vary "
                           "have together");
            return false;
        }
        if (!open.empty()) {
            m_table.refuse(column, "leaves open " + open + ", which is varied; expected " + open +
                                       "=VALUE here or in `at`, or " + open + " in `at`");
        }
        return open.empty();
    }

    paper_table& m_table;
    paper_statement& m_statement;
    statement_scope& m_scope;
    const sweep_plan& m_plan;
    bool m_takes_rest = false;
};

}  // namespace

bool read_scope(paper_table& table, paper_statement& s, const sweep_plan& plan, statement_scope& scope) {
    return scope_reader(table, s, plan, scope).read();
}

}  // namespace weir::tb
