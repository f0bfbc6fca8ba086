#include "tb/run/fields/command_line.h"

#include <algorithm>
#include <iterator>

#include "tb/support/text/nearest_name.h"

namespace weir::tb {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool contains_own(const command_syntax& syntax, const std::string& name) {
    return contains(syntax.values, name) || contains(syntax.flags, name);
}

/// `dry_run` is `dry-run`: options of commands have dashes, those of the table underscores.
std::string with_dashes(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

bool is_option(const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
}

/// The command's own option that was meant, or an empty text. Asking for help by mistake would hide the
/// mistake.
std::string meant_name(const std::string& name, const command_syntax& syntax) {
    std::vector<std::string> own = syntax.values;
    std::copy_if(syntax.flags.begin(), syntax.flags.end(), std::back_inserter(own),
                 [](const std::string& flag) { return flag != "help"; });
    if (name.find('.') != std::string::npos) {
        return {};
    }
    for (const std::string& each : own) {
        if (name.size() > 1 && each.compare(0, name.size(), name) == 0) {
            return each;
        }
    }
    return nearest_name(name, own);
}

std::string hint(const std::string& name, const std::string& meant, const command_syntax& syntax,
                 const option_table& table) {
    if (!meant.empty()) {
        return "; did you mean --" + meant + "?";
    }
    if (!table.options().empty()) {
        return table.hint(name);
    }
    std::string all = "; expected";
    for (const auto* names : {&syntax.values, &syntax.flags}) {
        for (const std::string& own : *names) {
            all += " --" + own;
        }
    }
    return all;
}

}  // namespace

command_arguments split_arguments(const std::vector<std::string>& args, const command_syntax& syntax,
                                  const option_table& table) {
    command_arguments result;
    const auto fail = [&](const std::string& key, const std::string& message) {
        result.errors.push_back({"", 0, key, message});
    };
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string& argument = args[i];
        if (!is_option(argument)) {
            if (result.files.size() == syntax.max_files) {
                fail(argument, syntax.max_files == 0
                                   ? "is not an option; expected --key=value"
                                   : std::string("one ") + syntax.file + " too many; expected at most " +
                                         std::to_string(syntax.max_files));
            } else {
                result.files.push_back(argument);
            }
            continue;
        }
        const std::size_t equals = argument.find('=');
        const bool long_option = argument.compare(0, 2, "--") == 0;
        std::string name = argument == "-h" ? "help" : long_option ? argument.substr(2, equals - 2) : argument;
        if (long_option) {
            name = name.find('.') == std::string::npos && contains_own(syntax, with_dashes(name))
                       ? with_dashes(name)
                   : table.find(split_key(name).key) != nullptr ? with_underscores(name)
                                                                : name;
        }
        const bool is_known =
            contains_own(syntax, name) || (long_option && table.find(split_key(name).key) != nullptr);
        if (!is_known) {
            const std::string meant = meant_name(name, syntax);
            fail(long_option ? "--" + name : argument, "unknown option" + hint(name, meant, syntax, table));
            // What follows an unknown option without '=' may be its value: one mistake, not two.
            const bool files_wanted = result.files.size() < syntax.max_files;
            const bool next = equals == std::string::npos && i + 1 < args.size() && !is_option(args[i + 1]);
            if (meant.empty()) {
                i += next && !files_wanted ? 1 : 0;
            } else if (contains(syntax.flags, meant)) {
                result.flags.insert(meant);
            } else {
                const std::string joined_value = equals == std::string::npos ? "" : argument.substr(equals + 1);
                result.values[meant].push_back(next ? args[++i] : joined_value);
            }
            continue;
        }
        if (contains(syntax.flags, name)) {
            if (equals != std::string::npos) {
                fail("--" + name, "takes no value; expected --" + name);
            }
            result.flags.insert(name);
            continue;
        }
        const bool own = contains(syntax.values, name);
        std::string value;
        if (equals != std::string::npos) {
            value = argument.substr(equals + 1);
        } else if (i + 1 < args.size() && args[i + 1].compare(0, 2, "--") != 0) {
            value = args[++i];
        } else {
            fail((own ? "--" : "") + name, "has no value; expected --" + name + "=value");
            continue;
        }
        if (own) {
            result.values[name].push_back(value);
        } else {
            result.options.push_back("--" + name + "=" + value);
        }
    }
    if (result.files.size() < syntax.min_files) {
        const std::size_t given = result.files.size();
        fail("", (given == 0 ? std::string("no ") + syntax.file
                             : std::to_string(given) + " " + (given == 1 ? syntax.file : syntax.files)) +
                     " given; expected at least " + std::to_string(syntax.min_files));
    }
    return result;
}

settings read_command_line(const std::vector<std::string>& args, const option_table& table) {
    settings found;
    command_arguments sorted = split_arguments(args, command_syntax{}, table);
    found.errors = std::move(sorted.errors);
    std::set<std::string> seen;
    for (const std::string& argument : sorted.options) {
        const std::size_t equals = argument.find('=');
        const auto [name, adds] = split_key(std::string_view(argument).substr(2, equals - 2));
        const option& target = *table.find(name);
        setting read{target.key, argument.substr(equals + 1), 0, "", adds};
        if (read.key != name) {
            found.warnings.push_back({"", 0, name, renamed(target)});
        }
        if (adds && !target.value->repeatable()) {
            found.errors.push_back({"", 0, read.key, refusal_to_add(target)});
            continue;
        }
        if (!seen.insert(read.key).second && !target.value->repeatable()) {
            found.errors.push_back({"", 0, read.key, "given twice; expected once"});
            continue;
        }
        found.values.push_back(std::move(read));
    }
    return found;
}

}  // namespace weir::tb
