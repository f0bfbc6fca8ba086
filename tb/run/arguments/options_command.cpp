#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "tb/run/arguments/argument_help.h"
#include "tb/run/arguments/argument_list.h"
#include "tb/run/fields/plugin_arguments.h"
#include "tb/run/help/given_units.h"
#include "tb/run/help/option_help.h"
#include "tb/run/help/option_topic.h"
#include "tb/run/options/load_config.h"
#include "tb/run/options/run_options.h"
#include "tb/support/process/error_text.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

enum class option_format : std::uint8_t { text, ini, md };
constexpr auto names_of(option_format) {
    return enum_names<option_format>(
        {{option_format::text, "text"}, {option_format::ini, "ini"}, {option_format::md, "md"}});
}

struct options_arguments {
    static constexpr command_text command{
        "weir options [WORD ...] [--format=text|ini|md]\n"
        "weir options --diff A B [--format=text|md]\n\n"
        "Prints options with unit, range, default and source: as text, as an INI file with all defaults, or\n"
        "as tables in Markdown. A WORD is a key, a block, an option's name, a scheme, a term such as DWRR, or "
        "any\n"
        "word to look for; without one, all options are printed. --diff prints the options in which two "
        "configurations\n"
        "differ, with all that follows from their schemes: A and B are INI files or directories of runs.\n"};

    std::vector<std::string> words;
    option_format format = option_format::text;
    bool diff = false;

    void describe(argument_list& arguments) {
        arguments.files(words, 0, SIZE_MAX, "word", "words");
        arguments("format", format, "FORMAT");
        arguments("diff", diff);
    }
    void complete(config_errors& errors) const {
        if (diff && words.size() != 2) {
            add_error(errors, "--diff",
                      how_many(words.size(), "configuration") +
                          " given; expected two, each an INI file or a run's directory");
        }
        if (diff && format == option_format::ini) {
            add_error(errors, "--format", "'ini' does not go with --diff; expected text, md");
        }
    }
};

/// The words as one, if together they name something: `headroom pool`.
std::vector<std::string> phrases_of(const std::vector<std::string>& words, const option_table& table) {
    const std::string phrase = joined(words, " ");
    const option_topic topic = words.size() > 1 ? find_topic(table, phrase) : option_topic{};
    return topic.term != nullptr || (!topic.empty() && !topic.searched) ? std::vector<std::string>{phrase}
                                                                        : words;
}

int print_topics(const std::vector<std::string>& given, option_format format, std::ostream& out,
                 std::ostream& err) {
    const option_table& table = known_options();
    const std::vector<std::string> words = phrases_of(given, table);
    std::vector<option_topic> topics;
    config_errors errors;
    for (const std::string& word : words) {
        topics.push_back(find_topic(table, word));
        if (topics.back().empty()) {
            errors.push_back({"", 0, "", no_topic(table, word)});
        } else if (format != option_format::text && topics.back().is_only_not_modelled()) {
            errors.push_back({"", 0, "", not_modelled_text(word, *topics.back().term)});
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (format == option_format::text && !topics.empty()) {
        for (std::size_t i = 0; i < topics.size(); ++i) {
            out << (i == 0 ? "" : "\n");
            write_topic(out, table, words[i], topics[i]);
        }
        return 0;
    }
    option_choice chosen;
    for (const option_topic& topic : topics) {
        chosen.insert(topic.options.begin(), topic.options.end());
    }
    if (format == option_format::text) {
        write_help(out, table);
    } else {
        (format == option_format::ini ? write_ini : write_reference)(out, table, chosen);
    }
    return 0;
}

std::string file_of(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored)
               ? (std::filesystem::path(path) / "effective.ini").string()
               : path;
}

/// Sizes as they were given, by option: in an INI file, or in a run, whose run.json has their notation.
std::map<std::string, std::string> given_texts(const std::string& path) {
    return file_of(path) == path ? given_units({}, {path}).by_option()
                                 : given_in_run(std::filesystem::path(path) / "run.json");
}

/// An empty cell would look like a fault of the table.
std::string text_of(const option& each, const std::map<std::string, std::string>& given) {
    const auto found = given.find(each.key);
    const std::string text = found != given.end() ? found->second : each.value->text();
    return text.empty() ? "(empty)" : text;
}

/// `a` and `b`: INI files, or directories that hold an effective.ini. Values are those that a run would use,
/// with what schemes set and what is worked out. Returns the exit status: 2, and nothing on `out`, where one of
/// them has mistakes.
int print_option_diff(const std::string& a, const std::string& b, bool as_markdown, std::ostream& out,
                      std::ostream& err) {
    // Both know the plugins of both, so each is given its own.
    config_errors not_loaded;
    const std::vector<std::string> plugins_of_first = load_plugins_to_compare(file_of(a), not_loaded);
    const std::vector<std::string> plugins_of_second = load_plugins_to_compare(file_of(b), not_loaded);
    loaded_config first = load_config_files({}, {file_of(a)});
    loaded_config second = load_config_files({}, {file_of(b)});
    config_errors errors = first.errors;
    errors.insert(errors.end(), second.errors.begin(), second.errors.end());
    if (!errors.empty()) {
        errors.insert(errors.begin(), not_loaded.begin(), not_loaded.end());
        return print_errors(errors, err);
    }
    first.config.plugins.plugins = plugins_of_first;
    second.config.plugins.plugins = plugins_of_second;
    const option_table of_first = make_option_table(first.config);
    const option_table of_second = make_option_table(second.config);
    const std::map<std::string, std::string> given_in_first = given_texts(a);
    const std::map<std::string, std::string> given_in_second = given_texts(b);
    data_table table = data_table::of({"option", a, b});
    for (const auto& each : of_first.options()) {
        const option& other = *of_second.find(each->key);
        if (each->value->texts() != other.value->texts()) {
            table.add_row({each->key, text_of(*each, given_in_first), text_of(other, given_in_second)});
        }
    }
    if (table.rows.empty()) {
        out << "no option differs\n";
    } else if (as_markdown) {
        out << markdown_of(table);
    } else {
        print_table(out, table);
    }
    return 0;
}

}  // namespace

int help_on(const std::vector<std::string>& words, const std::vector<command_help>& commands,
            std::vector<std::string> names, std::ostream& out, std::ostream& err) {
    const option_table& table = known_options();
    for (const command_help& command : commands) {
        const std::vector<std::string> more = arguments_of(command.text);
        names.insert(names.end(), more.begin(), more.end());
    }
    std::vector<std::string> parts;
    config_errors errors;
    for (const std::string& word : phrases_of(words, table)) {
        const std::string name = word.substr(word.compare(0, 2, "--") == 0 ? 2 : 0);
        const std::size_t before = parts.size();
        for (const command_help& command : commands) {
            const std::string lines = lines_about(command.text, name, table);
            if (!lines.empty()) {
                parts.push_back("weir " + command.command + "\n" + lines);
            }
        }
        const option_topic topic = find_topic(table, name);
        // A word with dashes is a name: where it is one, it is not looked for in texts.
        if (!topic.empty() && (parts.size() == before || name == word || !topic.searched)) {
            std::ostringstream text;
            write_topic(text, table, name, topic);
            parts.push_back(text.str());
        }
        if (parts.size() == before) {
            errors.push_back({"", 0, "", no_topic(table, name, names)});
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << joined(parts, "\n");
    return 0;
}

int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    options_arguments given;
    if (const std::optional<int> status = read_or_end(given, args, out, err)) {
        return *status;
    }
    return given.diff
               ? print_option_diff(given.words[0], given.words[1], given.format == option_format::md, out, err)
               : print_topics(given.words, given.format, out, err);
}

}  // namespace weir::tb
