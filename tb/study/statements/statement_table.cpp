#include "tb/study/statements/statement_table.h"

#include <algorithm>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <set>
#include <string_view>

#include "tb/study/statements/paper_table.h"
#include "tb/study/statements/statement_scope.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;

namespace fs = std::filesystem;

namespace {

/// Texts between blanks.
std::vector<std::string> split_at_blanks(const std::string& text) {
    std::vector<std::string> words = split_at(text, ' ');
    words.erase(std::remove(words.begin(), words.end(), ""), words.end());
    return words;
}

class statement_reader {
 public:
    statement_reader(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                     config_errors& errors)
        : m_folder(folder),
          m_experiments(experiments),
          m_table(folder / "statements.csv", errors, "a table of what the paper states",
                  {"figure", "id", "says", "paper", "kind", "metric", "experiment", "at", "of", "against",
                   "take", "tolerance", "recorded", "quick", "cause?", "source"}) {
        for (const paper_experiment& each : experiments) {
            m_names.push_back(each.name);
        }
    }

    std::vector<paper_statement> read() {
        while (m_table.next()) {
            paper_statement s;
            s.figure = m_table.text("figure");
            s.id = m_table.text("id");
            s.says = m_table.text("says");
            s.source = m_table.text("source");
            for (const char* const column : {"figure", "id", "says"}) {
                if (m_table.text(column).empty()) {
                    m_table.refuse(column, "is empty; expected a text");
                }
            }
            if (!m_ids.insert(s.id).second) {
                m_table.refuse_text("id", "is there twice; expected a name of its own");
            }
            if (const auto kind = m_table.word("kind", words_of<statement_kind>())) {
                s.kind = static_cast<statement_kind>(*kind);
                read_measure(s);
            }
        }
        return std::move(m_all);
    }

 private:
    void read_measure(paper_statement& s) {
        s.metrics = m_table.words("metric");
        refuse_unused(s);
        read_take(s);
        if (s.kind == statement_kind::closed) {
            read_closed(s);
        } else if (s.kind == statement_kind::difference && s.metrics.empty()) {
            read_rows(s);
        } else {
            read_points(s);
        }
    }

    /// Refuses a field that the kind does not read.
    void refuse_unused(const paper_statement& s) {
        const auto refuse = [&](const char* column, bool unused) {
            if (unused && !m_table.text(column).empty()) {
                m_table.refuse_text(column, std::string("means nothing for the kind ") + name_of(s.kind) +
                                                "; expected nothing");
            }
        };
        const bool is_order = s.kind == statement_kind::order;
        const bool is_closed = s.kind == statement_kind::closed;
        const bool is_relative = is_order && m_table.text("take") == "mean";
        refuse("against", (is_order && !is_relative) || is_closed || s.kind == statement_kind::share ||
                              s.kind == statement_kind::value);
        refuse("paper", is_order);
        refuse("tolerance", is_order);
        for (const char* const column : {"metric", "experiment", "at", "take"}) {
            refuse(column, is_closed);
        }
    }

    void read_take(paper_statement& s) {
        const std::string& whole = m_table.text("take");
        const std::string any = "any ";
        const std::string up_to = "up to ";
        const bool is_any = (whole + " ").compare(0, any.size(), any) == 0;
        s.any = is_any ? std::optional<std::size_t>(0) : std::nullopt;
        const std::string text(trimmed(is_any ? std::string_view(whole).substr(any.size() - 1) : whole));
        const bool is_order = s.kind == statement_kind::order;
        if (text.compare(0, up_to.size(), up_to) != 0) {
            const std::optional<place_take> take =
                text.empty() ? place_take::all : find_named<place_take>(text);
            if (!take) {
                m_table.refuse_text("take", "is unknown; expected " + joined(words_of<place_take>(), ", ") +
                                                " or up to N, or one of them behind any");
            }
            s.take = take.value_or(place_take::all);
            s.is_relative = is_order && s.take == place_take::mean;
            if (is_order && !s.is_relative && s.take != place_take::all && s.take != place_take::majority) {
                m_table.refuse("take",
                               "'" + text + "' gives no order; expected all, majority, mean, or nothing");
            }
            return;
        }
        const parse_result<paper_range> bound = read_paper_range(
            text.substr(up_to.size()), statement_kind::value, s.metrics.empty() ? "" : s.metrics.front());
        if (!bound || !bound.value.stated || bound.value.low != bound.value.high) {
            return m_table.refuse(
                "take", bound ? "'" + text + "' has no number; expected one, such as up to 10ms" : bound.error);
        }
        s.bound = bound.value.low * bound.value.scale;
        if (is_order) {
            m_table.refuse("take", "'" + text + "' gives no order; expected a value, ratio or below");
        }
    }

    void read_number(paper_statement& s, const std::string& metric) {
        // An order states the order. `up to` finds a value of an option, in the option's unit.
        const std::string text = s.kind == statement_kind::order ? "" : m_table.text("paper");
        const bool is_bare = (s.bound && s.kind == statement_kind::value) || s.take == place_take::spread;
        parse_result<paper_range> number =
            read_paper_range(text, is_bare ? statement_kind::ratio : s.kind, metric);
        if (number && s.kind == statement_kind::equivalent && !number.value.stated) {
            number.value = read_paper_range("1", s.kind, metric).value;
        }
        s.paper = std::move(number.value);
        if (!number) {
            return m_table.refuse("paper", number.error);
        }
        const parse_result<paper_tolerance> tolerance = read_tolerance(m_table.text("tolerance"), s.kind);
        s.tolerance = tolerance.value;
        if (!tolerance) {
            m_table.refuse("tolerance", tolerance.error);
        }
    }

    void read_closed(paper_statement& s) {
        read_number(s, "");
        if (const std::string& text = m_table.text("of"); !text.empty()) {
            const parse_result<paper_range> number = read_paper_range(text, statement_kind::ratio, "");
            if (!number || number.value.low != number.value.high) {
                return m_table.refuse_text("of", "is no number; expected one, or nothing");
            }
            s.closed = number.value.low;
        }
        add(std::move(s), {""});
    }

    /// A difference between earlier rows.
    void read_rows(paper_statement& s) {
        std::string sum = m_table.text("against");
        std::replace(sum.begin(), sum.end(), '+', ' ');
        s.rows = split_at_blanks(sum);
        s.rows.insert(s.rows.begin(), m_table.text("of"));
        for (std::size_t i = 0; i < s.rows.size(); ++i) {
            const std::string& id = s.rows[i];
            const auto row = std::find_if(m_all.begin(), m_all.end(),
                                          [&](const paper_statement& each) { return each.id == id; });
            if (row == m_all.end() || row->kind == statement_kind::order ||
                row->kind == statement_kind::closed || row->over_seeds || !row->column.empty() ||
                !(row->paper.unit.empty() || row->paper.unit == "%")) {
                return m_table.refuse(
                    i == 0 ? "of" : "against",
                    "'" + id +
                        "' is not the id of an earlier row that has one column and a number for "
                        "each seed, in % or without unit; expected one in `of`, and one or more "
                        "with + between in `against`");
            }
            s.paper.unit = row->paper.unit;
        }
        if (s.rows.size() < 2) {
            return m_table.refuse("against", "is empty; expected the id of an earlier row");
        }
        // Rows of `below` and `share` are in %, others have no unit here.
        read_number(s, s.paper.unit == "%" ? "rows_percent" : "rows");
        add(std::move(s), {""});
    }

    void read_points(paper_statement& s) {
        for (const std::string& metric : s.metrics) {
            for (const config_error& error : metric_filter(split_at(metric, '/')).check("")) {
                m_table.refuse("metric", error.message);
            }
        }
        if (s.metrics.empty()) {
            return m_table.refuse("metric", "is empty; expected a number of summary.json, such as fct_ns.p99");
        }
        if (std::any_of(s.metrics.begin(), s.metrics.end(), [&](const std::string& m) {
                return unit_of_metric(m) != unit_of_metric(s.metrics.front());
            })) {
            return m_table.refuse("metric", "has metrics of several units; expected those of one");
        }
        read_number(s, s.metrics.front());
        const std::vector<std::string> columns = split_at(m_table.text("experiment"), '|');
        std::vector<std::string> names;
        std::vector<std::vector<statement_scope>> scopes;
        for (const std::string& column : columns) {
            scopes.emplace_back();
            for (const std::string& name : split_at_blanks(column)) {
                statement_scope scope;
                const auto found = std::find(m_names.begin(), m_names.end(), name);
                if (found == m_names.end()) {
                    return m_table.refuse("experiment",
                                          "'" + name + "' is unknown; expected " + joined(m_names, ", "));
                }
                scope.experiment = static_cast<std::size_t>(found - m_names.begin());
                if (!read_scope(m_table, s, m_experiments[scope.experiment].plan, scope)) {
                    return;
                }
                scopes.back().push_back(std::move(scope));
            }
            if (scopes.back().empty()) {
                return m_table.refuse("experiment", "is empty; expected the name of an experiment");
            }
            const std::string more = scopes.back().size() > 1 ? " and others" : "";
            names.push_back(columns.size() == 1 ? "" : m_names[scopes.back().front().experiment] + more);
        }
        if (s.any && !find_any(s, scopes)) {
            return;
        }
        for (const std::vector<statement_scope>& column : scopes) {
            std::for_each(column.begin(), column.end(), [&](const auto& scope) { check_bound(s, scope); });
        }
        add(std::move(s), names, scopes);
    }

    /// Where `take` is `any`: the first option in `at` that has several values.
    bool find_any(paper_statement& s, const std::vector<std::vector<statement_scope>>& scopes) {
        const choice& at = scopes.front().front().at;
        const auto option =
            std::find_if(at.begin(), at.end(), [](const axis_choice& one) { return one.values.size() != 1; });
        const bool one_each =
            std::all_of(scopes.begin(), scopes.end(), [](const auto& column) { return column.size() == 1; });
        if (option == at.end() || !one_each) {
            m_table.refuse("at",
                           "has no option of several values in one experiment, of which `take` "
                           "asks for any; expected KEY or KEY=VALUE,VALUE");
            return false;
        }
        s.any = static_cast<std::size_t>(option - at.begin());
        return true;
    }

    /// Where `take` looks along an option: `at` moves along one, whose values are quantities.
    void check_bound(const paper_statement& s, const statement_scope& scope) {
        const sweep_plan& plan = m_experiments[scope.experiment].plan;
        std::size_t moving = 0;
        bool numeric = true;
        for (std::size_t i = 0; i < scope.at.size(); ++i) {
            const axis_choice& one = scope.at[i];
            if (one.values.size() != 1 && s.any != i && !any_of_equal(scope.averaged, one.key)) {
                ++moving;
                numeric = numeric && swept_axis(plan, one.key).is_numeric();
            }
        }
        if (s.bound && (moving != 1 || !numeric)) {
            m_table.refuse("at",
                           "does not move along one quantity; expected one option without a value, "
                           "along which `take` looks for its bound");
        }
        if (s.take == place_take::change && moving == 0) {
            m_table.refuse("at",
                           "has no option of several values; expected the option along which "
                           "`take` looks for a change");
        }
    }

    /// Adds the statement once for each column of the row.
    void add(paper_statement s, const std::vector<std::string>& names,
             const std::vector<std::vector<statement_scope>>& scopes = {}) {
        const std::vector<std::string> recorded = parts_of("recorded", names.size());
        const std::vector<std::string> quick = parts_of("quick", names.size());
        const std::vector<std::string> causes = parts_of("cause", names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            s.column = names[i];
            s.scopes = scopes.empty() ? std::vector<statement_scope>{} : scopes[i];
            s.recorded = read_verdict("recorded", recorded[i], "not recorded yet");
            s.is_recorded = !recorded[i].empty();
            s.quick = read_verdict("quick", quick[i], "not judged");
            read_cause(s, causes[i]);
            m_all.push_back(s);
        }
    }

    /// The parts of a field that has one for each column of the row; an empty field has empty parts.
    std::vector<std::string> parts_of(const char* column, std::size_t count) {
        const std::string& text = m_table.text(column);
        std::vector<std::string> parts = text.empty() ? std::vector<std::string>(count) : split_at(text, '|');
        if (parts.size() != count) {
            m_table.refuse_text(column, "has " + std::to_string(parts.size()) + " parts; expected " +
                                            std::to_string(count) + ", as `experiment` has, with | between");
            parts.resize(count);
        }
        return parts;
    }

    paper_verdict read_verdict(const char* column, const std::string& text, const char* if_empty) {
        const paper_verdict read = find_named<paper_verdict>(text).value_or(paper_verdict::not_judged);
        if (read <= paper_verdict::not_stated || text.empty()) {
            return read;
        }
        m_table.refuse(column, "'" + text +
                                   "' is not a verdict; expected agrees, agrees in order, differs or not "
                                   "stated, or nothing: it is " +
                                   if_empty);
        return paper_verdict::not_judged;
    }

    /// `parameter: background`: the word, and the experiment that shows it, or `untested`.
    void read_cause(paper_statement& s, const std::string& text) {
        const std::size_t colon = text.find(':');
        s.cause = find_named<difference_cause>(std::string(trimmed(text.substr(0, colon))));
        s.shown_by = colon == std::string::npos ? "" : std::string(trimmed(text.substr(colon + 1)));
        const bool is_known = s.shown_by == "untested" || any_of_equal(m_names, s.shown_by) ||
                              has_experiment_beside(m_folder, s.shown_by);
        if (!text.empty() && !(s.cause && is_known)) {
            m_table.refuse("cause", "'" + text +
                                        "' is no cause; expected parameter, statistic, model, paper or "
                                        "unknown, a colon, and the experiment that shows it, as "
                                        "EXPERIMENT or PAPER/EXPERIMENT, or untested");
        }
    }

    const fs::path m_folder;
    const std::vector<paper_experiment>& m_experiments;
    std::vector<std::string> m_names;
    paper_table m_table;
    std::set<std::string> m_ids;
    std::vector<paper_statement> m_all;
};

}  // namespace

std::vector<paper_statement> read_statements(const fs::path& folder,
                                             const std::vector<paper_experiment>& experiments,
                                             config_errors& errors) {
    return statement_reader(folder, experiments, errors).read();
}

}  // namespace weir::tb
