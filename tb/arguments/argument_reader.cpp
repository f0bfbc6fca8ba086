#include "tb/arguments/argument_reader.h"

#include <algorithm>
#include <cstring>

#include "tb/options/option_value.h"
#include "tb/text/joined.h"
#include "weir/base/field_range.h"

namespace weir::tb {

namespace {

command_syntax syntax_of(const command_declaration& command) {
    command_syntax syntax;
    for (const declared_argument& each : command.arguments) {
        std::vector<std::string>& names = each.value == nullptr ? syntax.flags : syntax.values;
        if (std::strchr(each.name, '=') == nullptr &&
            std::find(names.begin(), names.end(), each.name) == names.end()) {
            names.emplace_back(each.name);
        }
    }
    syntax.flags.emplace_back("help");
    syntax.min_files = command.min_files;
    syntax.max_files = command.max_files;
    syntax.file = command.file;
    syntax.files = command.files;
    return syntax;
}

}  // namespace

std::string help_of(const command_declaration& command) {
    std::string text = command.usage;
    for (const declared_argument& each : command.arguments) {
        if (each.help == nullptr) {
            continue;
        }
        std::string line = std::string("  --") + each.name + (each.value == nullptr ? "" : " ") +
                           (each.value == nullptr ? "" : each.value);
        line.resize(line.size() < command.column ? command.column : line.size() + 2, ' ');
        for (const char* c = each.help; *c != '\0'; ++c) {
            line += *c;
            line += *c == '\n' ? std::string(command.column, ' ') : "";
        }
        text += line + '\n';
    }
    return text;
}

argument_reader::argument_reader(const command_declaration& command, const std::vector<std::string>& args,
                                 const option_table& table)
    : m_given(split_arguments(args, syntax_of(command), table)) {
    errors = m_given.errors;
}

std::vector<std::string> argument_reader::all(const std::string& name) const {
    const auto found = m_given.values.find(name);
    return found == m_given.values.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::string> argument_reader::list(const std::string& name) const {
    std::vector<std::string> parts;
    for (const std::string& each : all(name)) {
        for (std::string& part : split_list(each)) {
            parts.push_back(std::move(part));
        }
    }
    return parts;
}

std::uint64_t argument_reader::count(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                                     std::uint64_t most) {
    const std::optional<std::string> text = once(name);
    return text ? read_count("--" + name, *text, least, most, errors) : otherwise;
}

double argument_reader::share(const std::string& name, double otherwise) {
    const std::optional<std::string> text = once(name);
    if (!text) {
        return otherwise;
    }
    double value = otherwise;
    field_limits<double> limits;
    limits.set_range({0.0, 1.0, range_ends::both_excluded});
    const std::string error = typed_value<double, share_form>(value, limits, [](const double& share) {
                                  return share_text(share);
                              }).assign(*text);
    if (!error.empty()) {
        fail("--" + name, error);
    }
    return value;
}

std::size_t argument_reader::one_of(const std::string& name, const std::vector<std::string>& words,
                                    std::size_t otherwise) {
    const std::optional<std::string> text = once(name);
    if (!text) {
        return otherwise;
    }
    const auto word = std::find(words.begin(), words.end(), *text);
    if (word == words.end()) {
        fail("--" + name, "'" + *text + "' is unknown; expected " + joined(words, ", "));
        return otherwise;
    }
    return static_cast<std::size_t>(word - words.begin());
}

std::uint64_t read_count(const std::string& key, const std::string& text, std::uint64_t least,
                         std::uint64_t most, config_errors& errors) {
    const parse_result<std::uint64_t> read = detail::parse_count(text, UINT64_MAX);
    if (!read || read.value < least || read.value > most) {
        errors.push_back(
            {"", 0, key,
             read ? out_of_range(text, std::to_string(least) + " to " + std::to_string(most)) : read.error});
    }
    return read.value;
}

std::string key_of_option(const std::string& option) {
    return split_key(std::string_view(option).substr(2, option.find('=') - 2)).key;
}

}  // namespace weir::tb
