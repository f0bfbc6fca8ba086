#include "tb/study/size/size_goal.h"

#include <algorithm>
#include <regex>
#include <set>

#include "tb/run/fields/option_value.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/study/points/quantity.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

constexpr const char* forms =
    "; expected lossless, drops = 0, STATISTIC fct|jct [of GROUP] <= TIME, paused [TIER] <= TIME, goodput >= "
    "RATE, METRIC <= NUMBER, where METRIC is a number in summary.json, or METRIC <= FACTOR x of "
    "KEY=VALUE[,...]; "
    "optionally followed by: in SHARE of runs, or (lossless and = 0 only) proven in SHARE of runs";

/// Takes the reference point out of `METRIC <= FACTOR x of KEY=VALUE in SHARE of runs`. Returns nothing of
/// other forms.
std::string take_reference(std::string& text) {
    static const std::regex form(
        R"re(((?:[^"]|"[^"]*")*?[<>]=?\s*\S+?)\s*x\s+of\s+(.+?)((\s+proven)?\s+in\s+\S+\s+of\s+runs)?\s*)re");
    // std::regex descends once per character.
    constexpr std::size_t longest = 4000;
    std::smatch parts;
    const std::string whole = text;
    if (whole.size() > longest || !std::regex_match(whole, parts, form)) {
        return {};
    }
    text = parts[1].str() + parts[3].str();
    return parts[2].str();
}

/// Words and operators. Blanks and operators in quotes belong to their word.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        is_quoted = is_quoted != (text[i] == '"');
        const bool is_blank = !is_quoted && blanks.find(text[i]) != blanks.npos;
        const bool is_operator = !is_quoted && (text[i] == '<' || text[i] == '>' || text[i] == '=');
        const bool goes_on = i > 0 && text[i] == '=' && (text[i - 1] == '<' || text[i - 1] == '>');
        if (is_blank || (is_operator && !goes_on)) {
            words.emplace_back();
        }
        words.back() += is_blank ? "" : std::string(1, text[i]);
        if (is_operator && !(i + 1 < text.size() && text[i + 1] == '=')) {
            words.emplace_back();
        }
    }
    words.erase(std::remove(words.begin(), words.end(), ""), words.end());
    return words;
}

struct goal_operator {
    const char* text;
    bool (*holds)(double value, double bound);
};
// The order is that of size_goal::operators.
constexpr goal_operator operators[] = {{"<=", [](double value, double bound) { return value <= bound; }},
                                       {"<", [](double value, double bound) { return value < bound; }},
                                       {">=", [](double value, double bound) { return value >= bound; }},
                                       {">", [](double value, double bound) { return value > bound; }},
                                       {"=", [](double value, double bound) { return value == bound; }}};

const goal_operator& facts_of(size_goal::operators op) {
    return operators[static_cast<std::size_t>(op)];
}

/// Above all of them for a word that is none.
size_goal::operators operator_of(const std::string& word) {
    const auto* const found = std::find_if(std::begin(operators), std::end(operators),
                                           [&](const goal_operator& each) { return word == each.text; });
    return static_cast<size_goal::operators>(found - operators);
}

bool is_operator(const std::string& word) {
    return operator_of(word) <= size_goal::operators::equal;
}

/// `p99.9` is p99_9 in summary.json. Empty: none.
std::string statistic_of(const std::string& word) {
    for (const completion_value& each : completion_times{}) {
        if (word == each.key || word == each.name) {
            return each.key;
        }
    }
    return word == "median" ? "p50" : "";
}

/// What stands before the operator, as a metric's name; empty where it is nothing.
std::string metric_of(const std::vector<std::string>& words) {
    if (words.size() == 1 && words[0] == "drops") {
        return "frames.dropped";
    }
    if (words.size() == 1 && words[0] == "goodput") {
        return "goodput.bps";
    }
    if (!words.empty() && words[0] == "paused" && words.size() <= 2) {
        return "pfc.paused_ns." + (words.size() == 2 ? words[1] : "total");
    }
    const std::string statistic = words.empty() ? std::string{} : statistic_of(words[0]);
    const bool has_group = words.size() == 4 && words[2] == "of";
    if (!statistic.empty() && (words.size() == 2 || has_group) && (words[1] == "fct" || words[1] == "jct")) {
        return (has_group ? "groups." + words[3] + "." : "") + words[1] + "_ns." + statistic;
    }
    return words.size() == 1 ? words[0] : std::string{};
}

quantity_kind kind_of(metric_unit unit) {
    return unit == metric_unit::time      ? quantity_kind::time
           : unit == metric_unit::rate    ? quantity_kind::rate
           : unit == metric_unit::bytes   ? quantity_kind::bytes
           : unit == metric_unit::percent ? quantity_kind::share
                                          : quantity_kind::number;
}

/// True if a bound without a unit is in the unit of the metric, and is printed so.
bool may_be_bare(metric_unit unit) {
    return unit != metric_unit::time && unit != metric_unit::rate;
}

parse_result<double> read_bound(metric_unit unit, const std::string& text) {
    const parse_result<double> bare = read_quantity(quantity_kind::number, text);
    if (bare && may_be_bare(unit)) {
        return bare;
    }
    const quantity_kind kind = kind_of(unit);
    const parse_result<double> read = read_quantity(kind, text);
    return {unit == metric_unit::percent ? rounded(100 * read.value, 12) : column_value(kind, read.value),
            read.error};
}

std::string bound_text(metric_unit unit, double bound) {
    return may_be_bare(unit) ? decimal_text(bound)
                             : print_quantity(kind_of(unit), unit == metric_unit::time ? bound * 1000 : bound);
}

/// Between the factor and the reference point.
const std::string reference_mark = " x of ";

class goal_reader {
 public:
    explicit goal_reader(const std::string& text) : m_text(text) {
        std::string absolute = text;
        m_goal.reference = take_reference(absolute);
        m_words = words_of(absolute);
    }

    parse_result<size_goal> read() {
        read_share();
        if (m_error.empty()) {
            m_words == std::vector<std::string>{"lossless"} ? read_lossless() : read_comparison();
        }
        m_goal.text += std::string(m_goal.rule.strict ? " proven in " : " in ") +
                       print_quantity(quantity_kind::share, 1 - m_goal.rule.allowed_misses) + " of runs";
        return {m_goal, m_error};
    }

 private:
    void fail(const std::string& what) {
        if (m_error.empty()) {
            m_error = "'" + m_text + "' " + what;
        }
    }

    /// `in 90% of runs`, or `proven in 90% of runs`, at the end.
    void read_share() {
        const std::size_t n = m_words.size();
        if (n < 4 || m_words[n - 4] != "in" || m_words[n - 2] != "of" || m_words[n - 1] != "runs") {
            return;
        }
        const auto share = detail::parse_share(m_words[n - 3]);
        if (!share || !(share.value > 0 && share.value < 1)) {
            const std::string percent = detail::share_in_percent(m_words[n - 3]);
            const auto meant = detail::parse_share(percent);
            fail(
                "has a share of runs that is out of range; expected in SHARE of runs, above 0% and below 100% "
                "(no number of runs can prove 100%)" +
                (meant && meant.value > 0 && meant.value < 1 && share ? detail::percent_advice(percent)
                                                                      : std::string()));
        }
        m_share = share.value;
        m_proven = n > 4 && m_words[n - 5] == "proven";
        m_words.resize(m_proven ? n - 5 : n - 4);
    }

    void read_lossless() {
        m_goal.text = "lossless";
        m_goal.rule = {1 - m_share.value_or(0.9), m_proven || !m_share};
    }

    void read_comparison() {
        const auto op = std::find_if(m_words.begin(), m_words.end(), is_operator);
        if (op == m_words.end() || std::distance(op, m_words.end()) != 2) {
            return fail(std::string("is not a goal") + forms);
        }
        m_goal.metric = normal_metric(metric_of({m_words.begin(), op}));
        if (m_goal.metric.empty()) {
            return fail(std::string("is not a goal") + forms);
        }
        // Tag, bytes and priority have two dots between them.
        const std::string group = group_of(m_goal.metric);
        if (!group.empty() && std::count(group.begin(), group.end(), '.') < 3) {
            return fail(
                "names no group; expected one as TAG.BYTES.PRIORITY, such as query.8192.7 (the summary.json of "
                "a run lists its groups)");
        }
        if (!is_possible_metric(m_goal.metric) && !is_free_metric_name(m_goal.metric)) {
            return fail("is about '" + m_goal.metric + "', which is not a number in summary.json" + forms);
        }
        // Only a derived metric may be below 0.
        const bool is_negative = !is_possible_metric(m_goal.metric) && op[1][0] == '-';
        const metric_unit unit = m_goal.is_relative() ? metric_unit::number : unit_of_metric(m_goal.metric);
        const auto bound = read_bound(unit, op[1].substr(is_negative ? 1 : 0));
        if (!bound) {
            return fail("has no valid bound: " + bound.error);
        }
        if (m_goal.is_relative() && (is_negative || !(bound.value > 0))) {
            return fail("has a factor that is not above 0; expected such as 1.1 x of KEY=VALUE");
        }
        m_goal.bound = is_negative ? -bound.value : bound.value;
        m_goal.op = operator_of(*op);
        const bool none = m_goal.op == size_goal::operators::equal;
        if (none && bound.value != 0) {
            return fail("asks for an exact value; expected = 0, or <=, <, >=, >");
        }
        if (m_proven && !none) {
            return fail(
                "asks for a proof, which is available only for lossless and = 0; expected in SHARE of runs");
        }
        m_goal.rule = {1 - m_share.value_or(none ? 0.9 : 0.5), none && (m_proven || !m_share)};
        m_goal.text = m_goal.metric + " " + facts_of(m_goal.op).text + " " + (is_negative ? "-" : "") +
                      bound_text(unit, bound.value) +
                      (m_goal.is_relative() ? reference_mark + m_goal.reference : "");
    }

    const std::string m_text;
    std::vector<std::string> m_words;
    std::optional<double> m_share;
    bool m_proven = false;
    size_goal m_goal;
    std::string m_error;
};

}  // namespace

std::string size_goal::claim() const {
    return text.substr(0, text.rfind(rule.strict ? " proven in " : " in "));
}

bool size_goal::holds(double value) const {
    return facts_of(op).holds(value, bound);
}

std::optional<bool> size_goal::holds(const value_range& value) const {
    // A range around 0 has one number that meets `= 0`, between others that miss it.
    const bool hides_zero = op == operators::equal && value.low < bound && value.high > bound;
    return !hides_zero && holds(value.low) == holds(value.high) ? std::optional(holds(value.low))
                                                                : std::nullopt;
}

std::string measured_text(const std::string& metric, const value_range& value) {
    const std::string bound = value.bound();
    return !std::isfinite(value.end()) ? "none"
                                       : bound + (bound.empty() ? "" : " ") + metric_text(metric, value.end());
}

value_range value_range::ratio_to(const value_range& other) const {
    return {std::isfinite(other.high) ? low / other.high : 0, other.low > 0 ? high / other.low : HUGE_VAL};
}

parse_result<size_goal> read_goal(const std::string& text) {
    return goal_reader(text).read();
}

config_errors read_reference(size_goal& goal, const option_table& table) {
    const std::string option = "--goal '" + goal.claim() + "'";
    const auto parts = split_at_commas(goal.reference);
    if (!parts) {
        return {{"", 0, option, parts.error}};
    }
    config_errors errors;
    std::set<std::string> keys;
    std::string settings;
    for (const std::string& part : parts.value) {
        axis_result read = read_axis(part, table, option.c_str());
        errors.insert(errors.end(), read.errors.begin(), read.errors.end());
        if (!read.errors.empty()) {
            continue;
        }
        const std::string& key = read.axis.keys.front();
        if (read.axis.keys.size() > 1 || read.axis.values.size() > 1) {
            errors.push_back({"", 0, option, "'" + part + "' has several values; expected KEY=VALUE"});
        } else if (!keys.insert(key).second) {
            errors.push_back({"", 0, option, "'" + key + "' is given twice; expected once"});
        }
        const std::string& value = read.axis.values.front().front();
        const bool is_plain = !value.empty() && value.find(',') == std::string::npos;
        settings += (settings.empty() ? "" : ",") + key + "=" + (is_plain ? value : "(" + value + ")");
        goal.reference_axes.push_back(std::move(read.axis));
    }
    if (errors.empty()) {
        goal.text.replace(goal.text.find(reference_mark) + reference_mark.size(), goal.reference.size(),
                          settings);
        goal.reference = settings;
    }
    return errors;
}

config_errors unknown_metrics(const std::vector<size_goal>& goals, const derived_metrics& definitions) {
    config_errors errors;
    for (const size_goal& goal : goals) {
        if (!goal.is_lossless() && !is_possible_metric(goal.metric) &&
            find_derived(definitions, goal.metric) == nullptr) {
            errors.push_back({"", 0, "--goal",
                              "'" + goal.text + "' is about '" + goal.metric +
                                  "', which is neither a number in summary.json nor defined by --metric" +
                                  forms});
        }
    }
    return errors;
}

bool may_lack(const std::string& metric) {
    return family_of(metric) == "groups" || is_on_request(metric) || !is_possible_metric(metric);
}

const metric_value* judged_metric(const std::string& metric, const std::vector<metric_value>& metrics) {
    const metric_value* const found = find_metric(metric, metrics);
    if (found == nullptr && is_zero_if_absent(metric)) {
        static const metric_value zero{"", 0};
        return &zero;
    }
    if (found == nullptr && !may_lack(metric)) {
        throw command_error(
            "--goal: a run has no '" + metric + "' in its summary.json; expected a metric that every run has",
            exit_status::verdict);
    }
    return found;
}

}  // namespace weir::tb
