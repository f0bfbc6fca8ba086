#include "tb/study/points/sweep_axis.h"

#include <set>

#include "tb/run/fields/ini_file.h"
#include "tb/run/help/given_units.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

constexpr const char* forms = "KEY=VALUE,VALUE,..., KEY=LOW..HIGH:STEP or KEY,KEY=(VALUE,VALUE),...";

/// Whether one pair of brackets holds the whole text.
bool is_bracketed(const std::string& text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        return false;
    }
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            return false;
        }
    }
    return true;
}

std::string without_brackets(const std::string& text) {
    return is_bracketed(text) ? std::string(trimmed(std::string_view(text).substr(1, text.size() - 2))) : text;
}

class axis_reader {
 public:
    axis_reader(const std::string& text, const option_table& table, const char* option)
        : m_text(text), m_table(table), m_option(option) {}

    axis_result read() {
        const std::size_t equals = m_text.find('=');
        if (equals == std::string::npos) {
            fail("'" + m_text + "' has no '='; expected " + forms);
            return std::move(m_result);
        }
        read_keys(m_text.substr(0, equals));
        if (m_result.errors.empty()) {
            read_values(m_text.substr(equals + 1));
        }
        return std::move(m_result);
    }

 private:
    void fail(const std::string& message) {
        m_result.errors.push_back({"", 0, m_name.empty() ? m_option : m_option + " " + m_name, message});
    }

    void read_keys(const std::string& text) {
        for (const std::string& written : split_list(text)) {
            const auto [name, adds] = split_key(written);
            const option* const o = m_table.find(name);
            const std::string key = m_table.key_of(name) + (adds ? "+" : "");
            if (o == nullptr) {
                fail("'" + name + "' is not an option" + m_table.hint(name));
            } else if (adds && !o->value->repeatable()) {
                fail(refusal_to_add(*o));
            } else if (key == "run.seed") {
                fail("run.seed cannot be varied, because every point has the same seeds; expected --seeds");
            } else if (!o->in_results) {
                fail("results do not depend on " + key +
                     ", so all points would be equal; expected an option that is in effective.ini");
            } else if (m_result.axis.has(key)) {
                fail("'" + key + "' is given twice; expected once");
            }
            m_result.axis.keys.push_back(key);
            m_options.push_back(o);
        }
        if (m_result.axis.keys.empty()) {
            fail("'" + m_text + "' does not name an option; expected " + forms);
        }
        m_name = joined(m_result.axis.keys, ",");
    }

    void read_values(const std::string& text) {
        const auto items = split_at_commas(text);
        if (!items) {
            return fail(items.error);
        }
        for (const std::string& item : items.value) {
            if (item.empty()) {
                fail("has an empty value; expected a value between two commas, or () for an empty text");
            } else if (m_options.size() > 1) {
                read_tuple(item);
            } else if (quantity_of(*m_options[0]) != quantity_kind::none && is_range(item)) {
                range_text parts(item);
                // `100c..1000c:300c` in bytes. A part that is no number of cells stays.
                for (std::string* part : {&parts.low, &parts.high, &parts.rule, &parts.count}) {
                    *part = trimmed(*part);
                    m_table.put_in_bytes(*m_options[0], *part);
                }
                const auto range = expand_range(quantity_of(*m_options[0]), parts);
                if (!range) {
                    fail(range.error);
                }
                for (const std::string& value : range.value) {
                    keep({value});
                }
            } else {
                keep({without_brackets(item)});
            }
        }
        if (items.value.empty()) {
            fail("has no values; expected " + std::string(forms));
        }
    }

    void read_tuple(const std::string& item) {
        const std::string allowed = "; expected (" + std::to_string(m_options.size()) +
                                    " values separated by commas), one for each key";
        if (!is_bracketed(item)) {
            return fail("'" + item + "' is not in brackets" + allowed);
        }
        const auto parts = split_at_commas(without_brackets(item));
        if (!parts || parts.value.size() != m_options.size()) {
            return fail(parts ? "'" + item + "' has " + std::to_string(parts.value.size()) +
                                    (parts.value.size() == 1 ? " value" : " values") + allowed
                              : parts.error);
        }
        std::vector<std::string> values;
        for (const std::string& part : parts.value) {
            values.push_back(without_brackets(part));
        }
        keep(std::move(values));
    }

    /// One place of the axis, in the options' own words.
    void keep(std::vector<std::string> values) {
        std::vector<std::string> compared;
        for (std::size_t k = 0; k < values.size(); ++k) {
            compared.push_back(values[k]);
            std::string error = m_table.put_in_bytes(*m_options[k], compared[k]);
            error = error.empty() ? m_options[k]->value->normalize(compared[k]) : error;
            if (!error.empty()) {
                return fail(m_options.size() > 1 ? m_options[k]->key + ": " + error : error);
            }
            values[k] = m_options[k]->is_path ? values[k] : in_given_units(compared[k], values[k]);
        }
        if (!m_seen.insert(compared).second) {
            return fail("'" + joined(values, ",") + "' is given twice; expected once");
        }
        m_result.axis.values.push_back(std::move(values));
    }

    const std::string& m_text;
    const option_table& m_table;
    const std::string m_option;
    std::string m_name;
    std::vector<const option*> m_options;
    std::set<std::vector<std::string>> m_seen;
    axis_result m_result;
};

}  // namespace

parse_result<std::vector<std::string>> split_at_commas(const std::string& text) {
    parse_result<std::vector<std::string>> parts;
    if (trimmed(text).empty()) {
        return parts;
    }
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            parts.value.emplace_back(trimmed(std::string_view(text).substr(from, i - from)));
            from = i + 1;
        } else {
            depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        }
        if (depth < 0 || (i == text.size() && depth > 0)) {
            return {{}, "'" + text + "' has unbalanced brackets; expected a ')' for each '('"};
        }
    }
    return parts;
}

axis_options::axis_options(const point_arguments& given) : m_table(make_option_table(m_scratch)) {
    m_table.set_cell(load_config_files(given.overrides, given.config_files).config.device.memory_cell);
}

void check_axes(const std::vector<sweep_axis>& axes, const std::vector<std::string>& overrides,
                const std::string& how, config_errors& errors) {
    std::set<std::string> keys;
    for (const sweep_axis& axis : axes) {
        for (const std::string& key : axis.keys) {
            if (!keys.insert(key).second) {
                add_error(errors, "--" + key, "is " + how + " more than once; expected once");
            }
        }
    }
    for (const std::string& option : overrides) {
        const std::string key = key_of_option(option);
        if (keys.count(key) != 0) {
            add_error(errors, "--" + key, "is also " + how + "; expected only one of the two");
        }
    }
}

axis_result read_axis(const std::string& text, const option_table& table, const char* option) {
    return axis_reader(text, table, option).read();
}

}  // namespace weir::tb
