#include "tb/reproduce/statement_table.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "tb/reproduce/statement_scope.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/csv_file.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

/// Verdicts that can be recorded.
std::optional<paper_verdict> recordable(const std::string& text) {
    const std::optional<paper_verdict> read = find_named<paper_verdict>(text);
    return read && *read <= paper_verdict::not_stated ? read : std::nullopt;
}

class statement_reader {
 public:
    statement_reader(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                     config_errors& errors)
        : m_folder(folder),
          m_experiments(experiments),
          m_file((folder / "statements.csv").string(), errors, input_kind::any,
                 "a table of what the paper states"),
          m_columns{m_file.column("figure"),        m_file.column("id"),    m_file.column("says"),
                    m_file.column("paper"),         m_file.column("kind"),  m_file.column("metric"),
                    m_file.column("experiment"),    m_file.column("at"),    m_file.column("of"),
                    m_file.column("against"),       m_file.column("take"),  m_file.column("tolerance"),
                    m_file.column("recorded"),      m_file.column("quick"), m_file.column("source"),
                    m_file.optional_column("cause")} {
        m_file.refuse_others({"figure", "id", "says", "paper", "kind", "metric", "experiment", "at", "of",
                              "against", "take", "tolerance", "recorded", "quick", "cause", "source"});
    }

    std::vector<paper_statement> read() {
        while (m_file.next()) {
            paper_statement s;
            s.line = m_file.line();
            s.figure = m_file.text(m_columns.figure);
            s.id = m_file.text(m_columns.id);
            s.says = m_file.text(m_columns.says);
            s.source = m_file.text(m_columns.source);
            for (const std::size_t column : {m_columns.figure, m_columns.id, m_columns.says}) {
                if (m_file.text(column).empty()) {
                    m_file.refuse(column, "is empty; expected a text");
                }
            }
            if (!m_ids.insert(s.id).second) {
                m_file.refuse(m_columns.id, "'" + s.id + "' is there twice; expected a name of its own");
            }
            read_measure(s);
        }
        return std::move(m_all);
    }

 private:
    void read_measure(paper_statement& s) {
        std::size_t word = 0;
        if (!m_file.word(m_columns.kind, word,
                         {"value", "ratio", "below", "difference", "share", "equivalent", "order", "closed"})) {
            return;
        }
        s.kind = static_cast<statement_kind>(word);
        s.metrics = m_file.words(m_columns.metric);
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
        const auto refuse = [&](std::size_t column, bool unused) {
            if (unused && !m_file.text(column).empty()) {
                m_file.refuse(column, "'" + m_file.text(column) + "' means nothing for the kind " +
                                          name_of(s.kind) + "; expected nothing");
            }
        };
        const bool is_order = s.kind == statement_kind::order;
        const bool is_closed = s.kind == statement_kind::closed;
        const bool is_relative = is_order && m_file.text(m_columns.take) == "mean";
        refuse(m_columns.against, (is_order && !is_relative) || is_closed || s.kind == statement_kind::share ||
                                      s.kind == statement_kind::value);
        refuse(m_columns.paper, is_order);
        refuse(m_columns.tolerance, is_order);
        for (const std::size_t column :
             {m_columns.metric, m_columns.experiment, m_columns.at, m_columns.take}) {
            refuse(column, is_closed);
        }
    }

    void read_take(paper_statement& s) {
        const std::string& whole = m_file.text(m_columns.take);
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
                m_file.refuse(m_columns.take, "'" + whole +
                                                  "' is unknown; expected all, min, max, mean, ends, majority, "
                                                  "change, spread, min run, max run or up to N, or one of them "
                                                  "behind any");
            }
            s.take = take.value_or(place_take::all);
            s.is_relative = is_order && s.take == place_take::mean;
            if (is_order && !s.is_relative && s.take != place_take::all && s.take != place_take::majority) {
                m_file.refuse(m_columns.take,
                              "'" + text + "' gives no order; expected all, majority, mean, or nothing");
            }
            return;
        }
        const parse_result<paper_range> bound = read_paper_range(
            text.substr(up_to.size()), statement_kind::value, s.metrics.empty() ? "" : s.metrics.front());
        if (!bound || !bound.value.stated || bound.value.low != bound.value.high) {
            return m_file.refuse(
                m_columns.take,
                bound ? "'" + text + "' has no number; expected one, such as up to 10ms" : bound.error);
        }
        s.bound = bound.value.low * bound.value.scale;
        if (is_order) {
            m_file.refuse(m_columns.take, "'" + text + "' gives no order; expected a value, ratio or below");
        }
    }

    void read_number(paper_statement& s, const std::string& metric) {
        // An order states the order. `up to` finds a value of an option, in the option's unit.
        const std::string text = s.kind == statement_kind::order ? "" : m_file.text(m_columns.paper);
        const bool is_bare = (s.bound && s.kind == statement_kind::value) || s.take == place_take::spread;
        parse_result<paper_range> number =
            read_paper_range(text, is_bare ? statement_kind::ratio : s.kind, metric);
        if (number && s.kind == statement_kind::equivalent && !number.value.stated) {
            number.value = read_paper_range("1", s.kind, metric).value;
        }
        s.paper = std::move(number.value);
        if (!number) {
            return m_file.refuse(m_columns.paper, number.error);
        }
        paper_range low = s.paper;
        paper_range high = s.paper;
        low.high = low.low;
        high.low = high.high;
        for (const auto& [range, accepted] :
             {std::pair{&s.paper, &s.accepted}, {&low, &s.accepted_low}, {&high, &s.accepted_high}}) {
            const parse_result<accepted_range> read =
                read_tolerance(m_file.text(m_columns.tolerance), s.kind, *range);
            *accepted = read.value;
            if (!read) {
                return m_file.refuse(m_columns.tolerance, read.error);
            }
        }
    }

    void read_closed(paper_statement& s) {
        read_number(s, "");
        if (const std::string& text = m_file.text(m_columns.of); !text.empty()) {
            const parse_result<paper_range> number = read_paper_range(text, statement_kind::ratio, "");
            if (!number || number.value.low != number.value.high) {
                return m_file.refuse(m_columns.of, "'" + text + "' is no number; expected one, or nothing");
            }
            s.closed = number.value.low;
        }
        add(std::move(s), {""});
    }

    /// A difference between earlier rows.
    void read_rows(paper_statement& s) {
        s.rows = {m_file.text(m_columns.of)};
        std::string sum = m_file.text(m_columns.against);
        std::replace(sum.begin(), sum.end(), '+', ' ');
        for (std::size_t from = 0; (from = sum.find_first_not_of(' ', from)) != std::string::npos;) {
            const std::size_t end = std::min(sum.find(' ', from), sum.size());
            s.rows.push_back(sum.substr(from, end - from));
            from = end;
        }
        for (std::size_t i = 0; i < s.rows.size(); ++i) {
            const std::string& id = s.rows[i];
            const auto row = std::find_if(m_all.begin(), m_all.end(),
                                          [&](const paper_statement& each) { return each.id == id; });
            if (row == m_all.end() || row->kind == statement_kind::order ||
                row->kind == statement_kind::closed || row->over_seeds || !row->column.empty() ||
                !(row->paper.unit.empty() || row->paper.unit == "%")) {
                return m_file.refuse(
                    i == 0 ? m_columns.of : m_columns.against,
                    "'" + id +
                        "' is not the id of an earlier row that has one column and a number for "
                        "each seed, in % or without unit; expected one in `of`, and one or more "
                        "with + between in `against`");
            }
            s.paper.unit = row->paper.unit;
        }
        if (s.rows.size() < 2) {
            return m_file.refuse(m_columns.against, "is empty; expected the id of an earlier row");
        }
        // Rows of `below` and `share` are in %, others have no unit here.
        read_number(s, s.paper.unit == "%" ? "rows_percent" : "rows");
        add(std::move(s), {""});
    }

    void read_points(paper_statement& s) {
        for (const std::string& metric : s.metrics) {
            for (const config_error& error : metric_filter(metric_parts(metric)).check("")) {
                m_file.refuse(m_columns.metric, error.message);
            }
        }
        if (s.metrics.empty()) {
            return m_file.refuse(m_columns.metric,
                                 "is empty; expected a number of summary.json, such as fct_ns.p99");
        }
        if (std::any_of(s.metrics.begin(), s.metrics.end(), [&](const std::string& m) {
                return unit_of_metric(m) != unit_of_metric(s.metrics.front());
            })) {
            return m_file.refuse(m_columns.metric, "has metrics of several units; expected those of one");
        }
        read_number(s, s.metrics.front());
        const std::vector<std::string> columns = split_at_bars(m_file.text(m_columns.experiment));
        std::vector<std::string> names;
        std::vector<std::vector<statement_scope>> scopes;
        for (const std::string& column : columns) {
            scopes.emplace_back();
            for (std::size_t from = 0; (from = column.find_first_not_of(' ', from)) != std::string::npos;) {
                const std::size_t end = std::min(column.find(' ', from), column.size());
                const std::string name = column.substr(from, end - from);
                from = end;
                const auto experiment = std::find_if(m_experiments.begin(), m_experiments.end(),
                                                     [&](const paper_experiment& e) { return e.name == name; });
                if (experiment == m_experiments.end()) {
                    return m_file.refuse(
                        m_columns.experiment,
                        "'" + name + "' is unknown; expected " +
                            joined(m_experiments, ", ", [](const paper_experiment& e) { return e.name; }));
                }
                statement_scope scope;
                scope.experiment = static_cast<std::size_t>(experiment - m_experiments.begin());
                if (!read_scope(m_file, {m_columns.at, m_columns.of, m_columns.against}, s, experiment->axes,
                                scope)) {
                    return;
                }
                scopes.back().push_back(std::move(scope));
            }
            if (scopes.back().empty()) {
                return m_file.refuse(m_columns.experiment, "is empty; expected the name of an experiment");
            }
            const std::string more = scopes.back().size() > 1 ? " and others" : "";
            const std::size_t first = scopes.back().front().experiment;
            names.push_back(columns.size() == 1 ? "" : m_experiments[first].name + more);
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
            m_file.refuse(m_columns.at,
                          "has no option of several values in one experiment, of which `take` "
                          "asks for any; expected KEY or KEY=VALUE,VALUE");
            return false;
        }
        s.any = static_cast<std::size_t>(option - at.begin());
        return true;
    }

    /// Where `take` looks along an option: `at` moves along one, whose values are quantities.
    void check_bound(const paper_statement& s, const statement_scope& scope) {
        sweep_plan plan;
        plan.axes = m_experiments[scope.experiment].axes;
        std::size_t moving = 0;
        bool numeric = true;
        for (std::size_t i = 0; i < scope.at.size(); ++i) {
            const bool is_averaged = std::find(scope.averaged.begin(), scope.averaged.end(), scope.at[i].key) !=
                                     scope.averaged.end();
            const bool moves = scope.at[i].values.size() != 1 && s.any != i && !is_averaged;
            moving += moves ? 1 : 0;
            numeric = numeric && (!moves || swept_axis(plan, scope.at[i].key).is_numeric());
        }
        if (s.bound && (moving != 1 || !numeric)) {
            m_file.refuse(m_columns.at,
                          "does not move along one quantity; expected one option without a value, "
                          "along which `take` looks for its bound");
        }
        if (s.take == place_take::change && moving == 0) {
            m_file.refuse(m_columns.at,
                          "has no option of several values; expected the option along which "
                          "`take` looks for a change");
        }
    }

    /// Adds the statement once for each column of the row.
    void add(paper_statement s, const std::vector<std::string>& names,
             const std::vector<std::vector<statement_scope>>& scopes = {}) {
        const std::vector<std::string> recorded = parts_of(m_columns.recorded, names.size());
        const std::vector<std::string> quick = parts_of(m_columns.quick, names.size());
        const std::vector<std::string> causes =
            m_columns.cause ? parts_of(*m_columns.cause, names.size()) : std::vector<std::string>(names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            paper_statement one = s;
            one.column = names[i];
            one.scopes = scopes.empty() ? std::vector<statement_scope>{} : scopes[i];
            one.recorded = read_verdict(m_columns.recorded, recorded[i], "not recorded yet");
            one.is_recorded = !recorded[i].empty();
            one.quick = read_verdict(m_columns.quick, quick[i], "not judged");
            read_cause(one, causes[i]);
            m_all.push_back(std::move(one));
        }
    }

    /// The parts of a field that has one for each column of the row; an empty field has empty parts.
    std::vector<std::string> parts_of(std::size_t column, std::size_t count) {
        const std::string& text = m_file.text(column);
        std::vector<std::string> parts = text.empty() ? std::vector<std::string>(count) : split_at_bars(text);
        if (parts.size() != count) {
            m_file.refuse(column, "'" + text + "' has " + std::to_string(parts.size()) + " parts; expected " +
                                      std::to_string(count) + ", as `experiment` has, with | between");
            parts.resize(count);
        }
        return parts;
    }

    paper_verdict read_verdict(std::size_t column, const std::string& text, const char* if_empty) {
        const std::optional<paper_verdict> read = recordable(text);
        if (!read && !text.empty()) {
            m_file.refuse(column, "'" + text +
                                      "' is not a verdict; expected agrees, agrees in order, differs or not "
                                      "stated, or nothing: it is " +
                                      if_empty);
        }
        return read.value_or(paper_verdict::not_judged);
    }

    /// `parameter: background`: the word, and the experiment that shows it, or `untested`.
    void read_cause(paper_statement& s, const std::string& text) {
        if (text.empty()) {
            return;
        }
        const std::size_t colon = text.find(':');
        s.cause = find_named<difference_cause>(std::string(trimmed(text.substr(0, colon))));
        s.shown_by = colon == std::string::npos ? "" : std::string(trimmed(text.substr(colon + 1)));
        const bool is_known = s.shown_by == "untested" || has_experiment_beside(m_folder, s.shown_by) ||
                              std::any_of(m_experiments.begin(), m_experiments.end(),
                                          [&](const paper_experiment& e) { return e.name == s.shown_by; });
        if (!s.cause || !is_known) {
            m_file.refuse(*m_columns.cause, "'" + text +
                                                "' is no cause; expected parameter, statistic, model, paper or "
                                                "unknown, a colon, and the experiment that shows it, as "
                                                "EXPERIMENT or PAPER/EXPERIMENT, or untested");
        }
    }

    struct columns {
        std::size_t figure, id, says, paper, kind, metric, experiment, at, of, against, take, tolerance;
        std::size_t recorded, quick, source;
        std::optional<std::size_t> cause;
    };

    const fs::path m_folder;
    const std::vector<paper_experiment>& m_experiments;
    csv_file m_file;
    const columns m_columns;
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
