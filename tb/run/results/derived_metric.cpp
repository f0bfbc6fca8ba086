#include "tb/run/results/derived_metric.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "tb/run/fields/option_value.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/metric_catalogue.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

/// Exponents of ns and of bits: a rate is {-1, 1}.
using dimension = std::pair<int, int>;

struct unit_facts {
    dimension of;
    /// The unit in ns, bits and 1.
    double size;
    /// End of the name of a derived metric in this unit.
    const char* ending;
    const char* noun;
};
// The order is that of metric_unit.
constexpr unit_facts units[] = {{{1, 0}, 1, "_ns", "a time"},
                                {{-1, 1}, 1e-9, "_bps", "a rate"},
                                {{0, 1}, 8, "_bytes", "a number of bytes"},
                                {{0, 0}, 0.01, "_percent", "a number"},
                                {{0, 0}, 1, "_ratio", "a number"}};

const unit_facts& unit_facts_of(const std::string& metric) {
    return units[static_cast<std::size_t>(unit_of_metric(metric))];
}

/// Null if no metric is in this unit.
const unit_facts* find_unit(dimension d) {
    const auto found = std::find_if(std::rbegin(units), std::rend(units),
                                    [&](const unit_facts& each) { return each.of == d; });
    return found == std::rend(units) ? nullptr : &*found;
}

std::string text_of(dimension d) {
    const unit_facts* const found = find_unit(d);
    return found != nullptr ? found->noun
                            : "a value in ns^" + std::to_string(d.first) + " bit^" + std::to_string(d.second);
}

/// A part of an expression. Numbers are in ns, bits and 1.
struct term {
    dimension of{};
    /// Empty if a divisor may be 0.
    std::optional<metric_range> range{};
};

metric_range product_of(metric_range a, metric_range b) {
    const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };  // 0 times an open end
    const auto [low, high] =
        std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
    return {low, high};
}

term constant(double value, dimension of = {}) {
    return {of, metric_range{value, value}};
}

/// `+`, `-`, `*`, `/`, `<` for the smaller of both, `>` for the larger one.
std::optional<metric_range> combined(char sign, metric_range a, metric_range b) {
    switch (sign) {
        case '+':
            return metric_range{a.low + b.low, a.high + b.high};
        case '-':
            return metric_range{a.low - b.high, a.high - b.low};
        case '*':
            return product_of(a, b);
        case '/':
            return b.low > 0 || b.high < 0 ? std::optional(product_of(a, {1 / b.high, 1 / b.low}))
                                           : std::nullopt;
        case '<':
            return metric_range{std::min(a.low, b.low), std::min(a.high, b.high)};
        default:
            return metric_range{std::max(a.low, b.low), std::max(a.high, b.high)};
    }
}

/// Descends through sums, products and single operands, and computes them. The first mistake ends it.
class expression_reader {
 public:
    /// Returns nothing if no metric has the name.
    using operands = std::function<std::optional<term>(const std::string& name)>;

    expression_reader(std::string_view text, const operands& find) : m_text(text), m_find(find) {}

    term read() {
        if (m_text.size() > longest) {
            fail("is longer than " + std::to_string(longest) + " characters; expected several definitions");
        }
        const term all = sum();
        if (skip_blanks(); m_at < m_text.size()) {
            fail("has '" + std::string(m_text.substr(m_at)) + "' at its end; expected an operator before it");
        }
        return all;
    }
    const std::string& error() const { return m_error; }

 private:
    /// Longest expression, in characters. It bounds the depth of the descent, too.
    static constexpr std::size_t longest = 1000;

    void fail(const std::string& what) { m_error = m_error.empty() ? what : m_error; }

    void skip_blanks() { m_at = std::min(m_text.find_first_not_of(blanks, m_at), m_text.size()); }

    /// Returns the next character if it is one of these, else 0.
    char take(std::string_view any_of) {
        skip_blanks();
        const bool found = m_error.empty() && m_at < m_text.size() && any_of.find(m_text[m_at]) != any_of.npos;
        return found ? m_text[m_at++] : '\0';
    }
    void expect(char wanted) {
        if (take({&wanted, 1}) == '\0') {
            fail(std::string("has no '") + wanted + "' where one is expected");
        }
    }
    /// Takes the longest word from here whose characters all belong to it.
    template <class Belongs>
    std::string take_word(const Belongs& belongs) {
        const auto end = std::find_if_not(m_text.begin() + m_at, m_text.end(), belongs);
        std::string word(m_text.begin() + m_at, end);
        m_at += word.size();
        return word;
    }
    static bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

    template <class Next>
    term chain(std::string_view signs, const Next& next) {
        term all = next();
        while (const char sign = take(signs)) {
            all = join(sign, all, next());
        }
        return all;
    }
    term sum() {
        return chain("+-", [this] { return product(); });
    }
    term product() {
        return chain("*/", [this] { return operand(); });
    }
    term join(char sign, const term& a, const term& b) {
        term both{a.of, a.range && b.range ? combined(sign, *a.range, *b.range) : std::nullopt};
        if (sign == '*' || sign == '/') {
            const int power = sign == '*' ? 1 : -1;
            both.of = {a.of.first + power * b.of.first, a.of.second + power * b.of.second};
        } else if (a.of != b.of) {
            fail("combines " + text_of(a.of) + " with " + text_of(b.of) + "; expected equal units");
        }
        return both;
    }

    term operand() {
        if (take("-") != '\0') {
            const term negated = operand();
            return join('-', constant(0, negated.of), negated);
        }
        if (take("(") != '\0') {
            const term inner = sum();
            expect(')');
            return inner;
        }
        const bool is_quantity = m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9';
        return is_quantity ? quantity() : metric_or_function();
    }

    term quantity() {
        char last = '\0';
        const std::string word = take_word([&](char c) {
            const bool is_sign = (c == '-' || c == '+') && (last == 'e' || last == 'E');
            last = c;
            return is_alphanumeric(c) || c == '.' || c == '%' || is_sign;
        });
        const auto scaled = [](const auto& read, double unit) {
            return parse_result<double>{static_cast<double>(read.value.count()) * unit, read.error};
        };
        const std::pair<parse_result<double>, dimension> readings[] = {
            {detail::parse_number(word), {}},
            {detail::parse_share(word), {}},
            {scaled(parse_time(word), 1e-3), {1, 0}},
            {scaled(parse_bytes(word), 8), {0, 1}},
            {scaled(parse_rate(word), 1e-9), {-1, 1}}};
        for (const auto& [read, of] : readings) {
            if (read) {
                return constant(read.value, of);
            }
        }
        fail("has '" + word + "', which is no quantity; expected one such as 2, 5%, 10us, 64KiB, 100Gbps");
        return {};
    }

    term metric_or_function() {
        const std::string name = take_metric_name();
        if ((name == "max" || name == "min") && take("(") != '\0') {
            const term first = sum();
            expect(',');
            const term both = join(name == "max" ? '>' : '<', first, sum());
            expect(')');
            return both;
        }
        const std::optional<term> metric = m_find(name);
        if (!metric) {
            fail(name.empty() ? "has no operand where one is expected"
                              : "has '" + name +
                                    "', which is no number in summary.json and not defined; expected a "
                                    "name such as goodput.bps");
        }
        return metric.value_or(term{});
    }

    /// A name of letters, digits, `_`, dots and parts in quotes. A member may have `-`, as its family alone is
    /// no metric: `tags.web-search.fct_ns.p99`.
    std::string take_metric_name() {
        const bool has_member = has_members(family_of(m_text.substr(m_at)));
        bool is_quoted = false;
        std::size_t dots = 0;
        return normal_metric(take_word([&](char c) {
            is_quoted = is_quoted != (c == '"');
            dots += c == '.' && !is_quoted ? 1 : 0;
            return is_quoted || c == '"' || c == '_' || c == '.' || is_alphanumeric(c) ||
                   (c == '-' && has_member && dots == 1);
        }));
    }

    std::string_view m_text;
    const operands& m_find;
    std::size_t m_at = 0;
    std::string m_error;
};

std::string_view expression_in(const std::string& definition) {
    return std::string_view(definition).substr(definition.find('=') + 1);
}

/// Returns what is wrong with the name of a metric that `reader` has read, in units of `of`.
std::string fault_of_definition(const std::string& name, const expression_reader& reader, dimension of) {
    if (!is_free_metric_name(name)) {
        return "has the name '" + name +
               "'; expected lower-case letters, digits and _, and no word that metrics, tables or goals have";
    }
    if (!reader.error().empty()) {
        return reader.error();
    }
    const unit_facts* const right = find_unit(of);
    const std::string expected =
        right == nullptr ? "a time, a rate, a number of bytes or a number"
                         : "a name that says so, such as " + name.substr(0, name.rfind('_')) + right->ending;
    return unit_facts_of(name).of == of ? "" : "is " + text_of(of) + "; expected " + expected;
}

}  // namespace

std::optional<metric_range> derived_metric::evaluate(const std::vector<metric_range>& of_operands) const {
    const expression_reader::operands find = [&](const std::string& name) {
        const auto place = std::find(operands.begin(), operands.end(), name) - operands.begin();
        const unit_facts& unit = unit_facts_of(name);
        return term{unit.of, product_of(of_operands[static_cast<std::size_t>(place)], {unit.size, unit.size})};
    };
    const std::optional<metric_range> found = expression_reader(expression_in(text), find).read().range;
    const double unit = unit_facts_of(name).size;
    return found ? std::optional(metric_range{found->low / unit, found->high / unit}) : std::nullopt;
}

parse_result<derived_metric> read_definition(const std::string& text, const derived_metrics& known) {
    derived_metric metric;
    metric.text = trimmed(text);
    std::replace_if(
        metric.text.begin(), metric.text.end(), [](char c) { return blanks.find(c) != blanks.npos; }, ' ');
    metric.name = name_of_definition(metric.text);
    const expression_reader::operands find = [&](const std::string& name) -> std::optional<term> {
        if (find_derived(known, name) == nullptr && !is_possible_metric(name)) {
            return std::nullopt;
        }
        if (std::find(metric.operands.begin(), metric.operands.end(), name) == metric.operands.end()) {
            metric.operands.push_back(name);
        }
        return term{unit_facts_of(name).of};
    };
    expression_reader reader(expression_in(metric.text), find);
    const dimension of = reader.read().of;
    const std::string fault = fault_of_definition(metric.name, reader, of);
    const std::string error = fault.empty() ? "" : "'" + metric.text + "' " + fault;
    return {std::move(metric), error};
}

derived_metrics read_definitions(const std::vector<std::string>& texts, config_errors& errors) {
    std::map<std::string, std::size_t> last;
    for (std::size_t n = 0; n < texts.size(); ++n) {
        if (is_definition(texts[n])) {
            last[name_of_definition(texts[n])] = n;
        }
    }
    derived_metrics all;
    config_errors wrong;
    // Each round reads those that use nothing but metrics that are known by then.
    for (std::size_t known = texts.size(); known != all.size();) {
        known = all.size();
        wrong.clear();
        for (const auto& [name, n] : last) {
            if (find_derived(all, name) != nullptr) {
                continue;
            }
            if (parse_result<derived_metric> read = read_definition(texts[n], all)) {
                all.push_back(std::move(read.value));
            } else {
                wrong.push_back({"", 0, "output.metrics[" + std::to_string(n) + "]", read.error});
            }
        }
    }
    errors.add(std::move(wrong));
    return all;
}

void add_definitions(const std::vector<std::string>& metrics, derived_metrics& all, config_errors& errors) {
    std::vector<std::string> texts;
    for (const derived_metric& each : all) {
        texts.push_back(each.text);
    }
    texts.insert(texts.end(), metrics.begin(), metrics.end());
    config_errors found;
    all = read_definitions(texts, found);
    for (const config_error& error : found) {
        errors.push_back({"", 0, "--metric", error.message});
    }
}

bool is_free_metric_name(const std::string& name) {
    // Columns of tables, words of goals, and functions.
    static constexpr std::string_view taken[] = {
        "point", "seed",      "state",       "status",       "error",    "run",    "directory", "verdict",
        "sweep", "runs_done", "runs_failed", "runs_missing", "lossless", "paused", "min",       "max"};
    const auto& all = metric_catalogue();
    return is_lower_word(name) && std::find(std::begin(taken), std::end(taken), name) == std::end(taken) &&
           std::none_of(all.begin(), all.end(),
                        [&](const metric_entry& each) { return family_of(each.key) == name; });
}

const derived_metric* find_derived(const derived_metrics& all, const std::string& name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const derived_metric& each) { return each.name == name; });
    return found != all.end() ? &*found : nullptr;
}

std::vector<std::string> with_operands(const std::vector<std::string>& texts) {
    std::vector<std::string> names;
    const std::vector<std::string> all = metrics_in(texts);
    std::remove_copy_if(all.begin(), all.end(), std::back_inserter(names), is_definition);
    config_errors reported_before;
    for (const derived_metric& each : read_definitions(texts, reported_before)) {
        std::copy_if(each.operands.begin(), each.operands.end(), std::back_inserter(names), is_on_request);
    }
    return names;
}

}  // namespace weir::tb
