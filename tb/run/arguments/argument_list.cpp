#include "tb/run/arguments/argument_list.h"

#include <algorithm>
#include <iterator>

#include "tb/run/options/run_options.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

void argument_list::files(std::vector<std::string>& field, std::size_t least, std::size_t most, const char* one,
                          const char* several) {
    m_files = &field;
    m_syntax.min_files = least;
    m_syntax.max_files = most;
    m_syntax.file = one;
    m_syntax.files = several;
}

void argument_list::options_of_run(std::vector<std::string>& field, const char* help) {
    m_options = &field;
    form("key=value", nullptr, help);
}

std::string argument_list::help(const command_text& text) const {
    std::string all = text.usage;
    for (const auto& each : m_arguments) {
        if (each->help == nullptr) {
            continue;
        }
        std::string line = std::string("  --") + each->name;
        line += each->value == nullptr ? "" : std::string(" ") + each->value;
        line.resize(line.size() < text.column ? text.column : line.size() + 2, ' ');
        for (const char* c = each->help; *c != '\0'; ++c) {
            line += *c;
            line += *c == '\n' ? std::string(text.column, ' ') : "";
        }
        all += line + '\n';
    }
    return all;
}

config_errors argument_list::read(const std::vector<std::string>& args) {
    static const option_table none;
    return read(args, m_options == nullptr ? none : known_options());
}

config_errors argument_list::read(const std::vector<std::string>& args, const option_table& table) {
    for (const auto& each : m_arguments) {
        if (each->has_field()) {
            (each->value == nullptr ? m_syntax.flags : m_syntax.values).emplace_back(each->name);
        }
    }
    m_syntax.flags.emplace_back("help");
    command_arguments given = split_arguments(args, m_syntax, table);
    m_given = given.flags;
    std::transform(given.values.begin(), given.values.end(), std::inserter(m_given, m_given.end()),
                   [](const auto& each) { return each.first; });
    if (wants_help()) {
        return {};
    }
    if (m_files != nullptr) {
        *m_files = std::move(given.files);
    }
    if (m_options != nullptr) {
        *m_options = std::move(given.options);
    }
    config_errors errors = std::move(given.errors);
    for (const auto& each : m_arguments) {
        std::vector<std::string>& texts = given.values[each->name];
        if (given.flags.count(each->name) != 0) {
            texts = {"on"};
        }
        if (each->has_field()) {
            check(*each, texts, errors);
        }
        for (std::size_t i = 0; i < texts.size() && (i == 0 || each->may_repeat) && each->has_field(); ++i) {
            if (const std::string error = each->assign(texts[i]); !error.empty()) {
                add_error(errors, std::string("--") + each->name, error);
            }
        }
    }
    return errors;
}

std::vector<std::string> argument_list::read_words(std::istream& words) {
    std::vector<std::string> errors;
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        const bool is_flag = equals == std::string::npos;
        const std::string name = word.substr(0, equals);
        const auto found = std::find_if(m_arguments.begin(), m_arguments.end(), [&](const auto& each) {
            return each->name == name && (each->value == nullptr) == is_flag;
        });
        if (found == m_arguments.end()) {
            errors.push_back("'" + word + "' is unknown; expected " +
                             joined(m_arguments, ", ", [](const auto& each) {
                                 return std::string(each->name) + (each->value == nullptr ? "" : "=");
                             }));
        } else if (!m_given.insert(name).second) {
            errors.push_back((is_flag ? "'" + word + "'" : word + ": " + name + "=") +
                             " is given twice; expected once");
        } else if (const std::string error = (*found)->assign(is_flag ? "" : word.substr(equals + 1));
                   !error.empty()) {
            errors.push_back(word + ": " + error);
        }
    }
    return errors;
}

void argument_list::check(const argument& one, const std::vector<std::string>& texts,
                          config_errors& errors) const {
    const auto is_given = [&](const char* name) { return name != nullptr && m_given.count(name) != 0; };
    const auto refuse = [&](const std::string& message) {
        add_error(errors, std::string("--") + one.name, message);
    };
    const bool is_empty =
        std::all_of(texts.begin(), texts.end(), [](const auto& text) { return text.empty(); });
    const bool is_wanted = is_given(one.name) || (!one.may_be_missing && !is_given(one.substitute));
    if (one.expected != nullptr && is_wanted && is_empty && !is_given(one.substitute)) {
        refuse((is_given(one.name) ? "is empty" : "is missing") + std::string("; expected ") + one.expected);
    }
    if (texts.size() > 1 && !one.may_repeat) {
        refuse("is given more than once; expected once");
    }
    if (is_given(one.name) && one.needed != nullptr && !is_given(one.needed)) {
        const std::string other = std::string("--") + one.needed;
        refuse("has no effect without " + other + "; expected " + other + " too");
    }
    if (is_given(one.name) && is_given(one.excluded)) {
        const std::string why = one.why_excluded == nullptr ? "" : std::string(", ") + one.why_excluded;
        refuse("is given with --" + std::string(one.excluded) + why + "; expected one of the two");
    }
}

std::string key_of_option(const std::string& option) {
    return split_key(std::string_view(option).substr(2, option.find('=') - 2)).key;
}

}  // namespace weir::tb
