#include "tb/reproduce/statement_table.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "tb/sweep/metrics.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/csv_file.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

struct paper_unit {
    const char* name;
    double scale;
};

/// The first is that of statements without a number.
std::vector<paper_unit> units_of(statement_kind kind, const std::string& metric) {
    if (kind == statement_kind::below) {
        return {{"%", 1}};
    }
    switch (kind == statement_kind::ratio ? metric_unit::number : unit_of_metric(metric)) {
        case metric_unit::time:
            return {{"ms", 1e6}, {"ns", 1}, {"us", 1e3}, {"s", 1e9}};
        case metric_unit::rate:
            return {{"Gbps", 1e9}, {"Mbps", 1e6}, {"bps", 1}};
        case metric_unit::bytes:
            return {{"KB", 1e3}, {"KiB", 1024}, {"MB", 1e6}, {"MiB", 1024.0 * 1024}, {"B", 1}};
        case metric_unit::percent:
            return {{"%", 1}};
        default:
            return {{"", 1}};
    }
}

/// Takes a number off the text's beginning; it may be negative.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (read.ec != std::errc{} || !std::isfinite(value)) {
        return std::nullopt;
    }
    std::size_t length = static_cast<std::size_t>(read.ptr - text.data());
    // `7..65`: its point belongs to the range.
    if (text[length - 1] == '.' && text.substr(length, 1) == ".") {
        --length;
    }
    text.remove_prefix(length);
    return value;
}

/// Words of a recorded verdict.
std::optional<paper_verdict> recordable(const std::string& text) {
    const std::optional<paper_verdict> read = find_named<paper_verdict>(text);
    return read && *read <= paper_verdict::not_stated ? read : std::nullopt;
}

class statement_reader {
 public:
    statement_reader(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                     config_errors& errors)
        : m_experiments(experiments),
          m_file((folder / "statements.csv").string(), errors, input_kind::any,
                 "a table of what the paper states") {
        for (const paper_experiment& each : experiments) {
            m_names.push_back(each.name);
        }
    }

    std::vector<paper_statement> read() {
        const auto figure = m_file.column("figure");
        const auto id = m_file.column("id");
        const auto says = m_file.column("says");
        const auto source = m_file.column("source");
        m_columns.paper = m_file.column("paper");
        m_columns.kind = m_file.column("kind");
        m_columns.metric = m_file.column("metric");
        m_columns.experiment = m_file.column("experiment");
        m_columns.at = m_file.column("at");
        m_columns.of = m_file.column("of");
        m_columns.against = m_file.column("against");
        m_columns.take = m_file.column("take");
        m_columns.tolerance = m_file.column("tolerance");
        m_columns.recorded = m_file.column("recorded");
        m_columns.quick = m_file.column("quick");
        m_file.refuse_others({"figure", "id", "says", "paper", "kind", "metric", "experiment", "at", "of",
                              "against", "take", "tolerance", "recorded", "quick", "source"});
        std::vector<paper_statement> all;
        while (m_file.next()) {
            paper_statement s;
            s.line = m_file.line();
            s.figure = m_file.text(figure);
            s.id = m_file.text(id);
            s.says = m_file.text(says);
            s.source = m_file.text(source);
            for (const auto& [column, text] : {std::pair{figure, s.figure}, {id, s.id}, {says, s.says}}) {
                if (text.empty()) {
                    m_file.refuse(column, "is empty; expected a text");
                }
            }
            if (!m_ids.insert(s.id).second) {
                m_file.refuse(id, "'" + s.id + "' is there twice; expected a name of its own");
            }
            read_measure(s);
            read_verdicts(s);
            all.push_back(std::move(s));
        }
        return all;
    }

 private:
    void read_measure(paper_statement& s) {
        std::size_t word = 0;
        const bool kind = m_file.word(m_columns.kind, word, {"value", "ratio", "below", "order"});
        s.kind = static_cast<statement_kind>(word);
        s.metrics = m_file.words(m_columns.metric);
        if (kind) {
            refuse_unused(s.kind);
        }
        read_take(s);
        for (const config_error& error : metric_filter(s.metrics).check("")) {
            m_file.refuse(m_columns.metric, error.message);
        }
        if (s.metrics.empty()) {
            m_file.refuse(m_columns.metric, "is empty; expected a number of summary.json, such as fct_ns.p99");
        } else if (kind && std::any_of(s.metrics.begin(), s.metrics.end(), [&](const std::string& m) {
                       return unit_of_metric(m) != unit_of_metric(s.metrics.front());
                   })) {
            m_file.refuse(m_columns.metric, "has metrics of several units; expected those of one");
        } else if (kind) {
            read_number(s);
        }
        if (m_file.word(m_columns.experiment, s.experiment, m_names)) {
            read_places(s, kind);
        }
    }

    /// A field that a kind does not look at has to be empty.
    void refuse_unused(statement_kind kind) {
        const auto refuse = [&](std::size_t column, bool unused) {
            if (unused && !m_file.text(column).empty()) {
                m_file.refuse(column, "'" + m_file.text(column) + "' means nothing for the kind " +
                                          name_of(kind) + "; expected nothing");
            }
        };
        const bool is_order = kind == statement_kind::order;
        refuse(m_columns.against, is_order || kind == statement_kind::value);
        refuse(m_columns.paper, is_order);
        refuse(m_columns.tolerance, is_order);
    }

    void read_take(paper_statement& s) {
        const std::string& whole = m_file.text(m_columns.take);
        const std::string any = "any ";
        const std::string up_to = "up to ";
        const bool is_any = (whole + " ").compare(0, any.size(), any) == 0;
        s.any = is_any ? std::optional<std::size_t>(0) : std::nullopt;
        const std::string text(trimmed(is_any ? std::string_view(whole).substr(any.size() - 1) : whole));
        if (text.compare(0, up_to.size(), up_to) != 0) {
            const std::optional<place_take> take =
                text.empty() ? place_take::all : find_named<place_take>(text);
            if (!take) {
                m_file.refuse(m_columns.take, "'" + whole +
                                                  "' is unknown; expected all, min, max, mean or up to N, "
                                                  "or one of them behind any");
            }
            s.take = take.value_or(place_take::all);
            if (s.kind == statement_kind::order && s.take != place_take::all) {
                m_file.refuse(m_columns.take, "'" + text + "' gives no order; expected all, or nothing");
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
        if (s.kind == statement_kind::order) {
            m_file.refuse(m_columns.take, "'" + text + "' gives no order; expected a value, ratio or below");
        }
    }

    /// Where `take` looks along an option: `at` moves along one, whose values are quantities.
    void check_bound(const paper_statement& s, const sweep_plan& plan) {
        std::size_t moving = 0;
        bool numeric = true;
        for (std::size_t i = 0; i < s.at.size(); ++i) {
            const bool moves = s.at[i].values.size() != 1 && s.any != i;
            moving += moves ? 1 : 0;
            numeric = numeric && (!moves || swept_axis(plan, s.at[i].key).is_numeric());
        }
        if (s.bound && (moving != 1 || !numeric)) {
            m_file.refuse(m_columns.at,
                          "does not move along one quantity; expected one option without a value, "
                          "along which `take` looks for its bound");
        }
    }

    void read_number(paper_statement& s) {
        // What an order states is the order.
        const std::string text = s.kind == statement_kind::order ? "" : m_file.text(m_columns.paper);
        // What `up to` finds is a value of an option, in the option's unit.
        const bool is_bare = s.bound && s.kind == statement_kind::value;
        parse_result<paper_range> read =
            read_paper_range(text, is_bare ? statement_kind::ratio : s.kind, s.metrics.front());
        s.paper = std::move(read.value);
        if (!read) {
            return m_file.refuse(m_columns.paper, read.error);
        }
        std::string_view rest = m_file.text(m_columns.tolerance);
        if (rest.empty()) {
            return;
        }
        const std::optional<double> value = take_number(rest);
        const bool relative = rest == "%" && s.kind != statement_kind::below;
        if (!value || *value < 0 || !(rest.empty() || rest == "%")) {
            m_file.refuse(
                m_columns.tolerance,
                "'" + m_file.text(m_columns.tolerance) +
                    "' is no tolerance; expected a share such as 20%, or a number in the unit of `paper`");
        } else {
            s.tolerance_low = relative ? std::fabs(s.paper.low) * *value / 100 : *value;
            s.tolerance_high = relative ? std::fabs(s.paper.high) * *value / 100 : *value;
        }
    }

    void read_places(paper_statement& s, bool kind_known) {
        sweep_plan plan;
        plan.axes = m_experiments[s.experiment].axes;
        const auto at = read_choice(m_file, m_columns.at, m_file.text(m_columns.at), plan.axes);
        std::vector<std::string> texts{m_file.text(m_columns.of)};
        if (s.kind == statement_kind::order) {
            texts = parts_of_order(texts.front());
        } else if (s.kind != statement_kind::value) {
            texts.push_back(m_file.text(m_columns.against));
        }
        const std::size_t least = s.kind == statement_kind::value ? 1 : 2;
        if (kind_known && least == 2 && texts.size() < 2) {
            return m_file.refuse(m_columns.of, "has one point; expected two or more with < between");
        }
        for (std::size_t i = 0; at && i < texts.size(); ++i) {
            const std::size_t column =
                i == 1 && least == 2 && s.kind != statement_kind::order ? m_columns.against : m_columns.of;
            const auto part = read_choice(m_file, column, texts[i], plan.axes);
            if (!part) {
                return;
            }
            for (const axis_choice& one : *part) {
                const std::size_t axis = swept_axis(plan, one.key).index();
                if (std::any_of(at->begin(), at->end(), [&](const axis_choice& other) {
                        return swept_axis(plan, other.key).index() == axis;
                    })) {
                    return m_file.refuse(
                        column, "'" + one.key + "' is chosen in `at` already; expected it in one of both");
                }
            }
            choice whole = *at;
            whole.insert(whole.end(), part->begin(), part->end());
            const auto places = chosen_places(plan, whole);
            if (const std::string open = open_option(plan, *places); !open.empty()) {
                return m_file.refuse(column, "leaves open " + open + ", which is varied; expected " + open +
                                                 "=VALUE here or in `at`, or " + open + " in `at`");
            }
            for (const axis_choice& one : *part) {
                if (one.values.size() != 1) {
                    return m_file.refuse(column, "'" + one.key + "' needs one value; expected several in `at`");
                }
            }
            if (i > 0 && chosen_places(plan, *part) == chosen_places(plan, s.operands.back())) {
                return m_file.refuse(column,
                                     "'" + texts[i] + "' is what it is compared with; expected another point");
            }
            s.operands.push_back(*part);
        }
        s.at = at.value_or(choice{});
        if (s.any) {
            const auto option = std::find_if(s.at.begin(), s.at.end(),
                                             [](const axis_choice& one) { return one.values.size() != 1; });
            if (option == s.at.end()) {
                return m_file.refuse(m_columns.at,
                                     "has no option of several values, of which `take` asks for any; "
                                     "expected KEY or KEY=VALUE,VALUE");
            }
            s.any = static_cast<std::size_t>(option - s.at.begin());
        }
        check_bound(s, plan);
    }

    static std::vector<std::string> parts_of_order(const std::string& text) {
        std::vector<std::string> parts;
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t end = std::min(text.find('<', from), text.size());
            parts.emplace_back(trimmed(std::string_view(text).substr(from, end - from)));
            from = end + 1;
        }
        return parts;
    }

    void read_verdicts(paper_statement& s) {
        const std::string allowed = "; expected agrees, agrees in order, differs or not stated";
        const auto recorded = recordable(m_file.text(m_columns.recorded));
        if (!recorded) {
            m_file.refuse(m_columns.recorded,
                          "'" + m_file.text(m_columns.recorded) + "' is not a verdict" + allowed);
        }
        const std::string& quick = m_file.text(m_columns.quick);
        if (!quick.empty() && !recordable(quick)) {
            m_file.refuse(m_columns.quick,
                          "'" + quick + "' is not a verdict" + allowed + ", or nothing: it is not judged");
        }
        s.recorded = recorded.value_or(paper_verdict::not_judged);
        s.quick = recordable(quick).value_or(paper_verdict::not_judged);
    }

    const std::vector<paper_experiment>& m_experiments;
    csv_file m_file;
    std::vector<std::string> m_names;
    std::set<std::string> m_ids;
    struct {
        std::size_t paper, kind, metric, experiment, at, of, against, take, tolerance, recorded, quick;
    } m_columns{};
};

}  // namespace

parse_result<paper_range> read_paper_range(const std::string& text, statement_kind kind,
                                           const std::string& metric) {
    const std::vector<paper_unit> units = units_of(kind, metric);
    paper_range range;
    range.text = text;
    range.unit = units.front().name;
    range.scale = units.front().scale;
    if (text.empty()) {
        return {range, {}};
    }
    range.stated = true;
    const bool is_bare = units.size() == 1 && std::string_view(units.front().name).empty();
    const std::string shown =
        is_bare ? "without a unit" : "and a unit of " + joined(units, ", ", [](const paper_unit& u) {
                                         return "'" + std::string(u.name) + "'";
                                     });
    const parse_result<paper_range> refused{
        {}, "'" + text + "' is not a number; expected N, LOW..HIGH, >N or <N " + shown};
    std::string_view rest = text;
    const char bound = rest.front();
    const bool is_bound = bound == '<' || bound == '>';
    if (is_bound) {
        rest.remove_prefix(1);
    }
    const std::optional<double> first = take_number(rest);
    std::optional<double> second = first;
    if (first && rest.substr(0, 2) == "..") {
        rest.remove_prefix(2);
        second = take_number(rest);
    }
    const auto unit =
        std::find_if(units.begin(), units.end(), [&](const paper_unit& u) { return rest == u.name; });
    if (!first || !second || *second < *first || unit == units.end() || (is_bound && second != first)) {
        return refused;
    }
    range.low = bound == '<' ? -HUGE_VAL : *first;
    range.high = bound == '>' ? HUGE_VAL : *second;
    range.unit = unit->name;
    range.scale = unit->scale;
    return {range, {}};
}

std::vector<paper_statement> read_statements(const fs::path& folder,
                                             const std::vector<paper_experiment>& experiments,
                                             config_errors& errors) {
    return statement_reader(folder, experiments, errors).read();
}

}  // namespace weir::tb
