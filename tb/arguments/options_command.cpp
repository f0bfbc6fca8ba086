#include "tb/arguments/options_command.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>

#include "tb/arguments/argument_reader.h"
#include "tb/arguments/option_diff.h"
#include "tb/options/option_help.h"
#include "tb/options/option_topic.h"
#include "tb/options/run_options.h"
#include "tb/process/error_text.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

static const command_declaration declared{
    "weir options [WORD ...] [--format=text|ini|md]\n"
    "weir options --diff A B [--format=text|md]\n\n"
    "Prints options with unit, range, default and source: as text, as an INI file with all defaults, or\n"
    "as tables in Markdown. A WORD is a key, a block, an option's name, a scheme, a term such as DWRR, or any\n"
    "word to look for; without one, all options are printed. --diff prints the options in which two "
    "configurations\n"
    "differ, with all that follows from their schemes: A and B are INI files or directories of runs.\n",
    0,
    {{"format", "FORMAT", nullptr}, {"diff", nullptr, nullptr}},
    0,
    SIZE_MAX,
    "word",
    "words",
};

namespace {

enum option_format { as_text, as_ini, as_markdown };

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
        } else if (format != as_text && topics.back().is_only_not_modelled()) {
            errors.push_back({"", 0, "", not_modelled_text(word, *topics.back().term)});
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (format == as_text && !topics.empty()) {
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
    if (format == as_text) {
        write_help(out, table);
    } else {
        (format == as_ini ? write_ini : write_reference)(out, table, chosen);
    }
    return 0;
}

}  // namespace

int help_on(const std::vector<std::string>& words, const std::vector<command_help>& commands, std::ostream& out,
            std::ostream& err) {
    const option_table& table = known_options();
    std::vector<std::string> arguments;
    for (const command_help& command : commands) {
        const std::vector<std::string> more = arguments_of(command.text);
        arguments.insert(arguments.end(), more.begin(), more.end());
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
            errors.push_back({"", 0, "", no_topic(table, name, arguments)});
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << joined(parts, "\n");
    return 0;
}

int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    const auto format = static_cast<option_format>(given.one_of("format", {"text", "ini", "md"}));
    const bool diff = given.has("diff");
    if (diff && given.files().size() != 2) {
        given.fail("--diff", how_many(given.files().size(), "configuration") +
                                 " given; expected two, each an INI file or a run's directory");
    }
    if (diff && format == as_ini) {
        given.fail("--format", "'ini' does not go with --diff; expected text, md");
    }
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    return diff ? print_option_diff(given.file(0), given.file(1), format == as_markdown, out, err)
                : print_topics(given.files(), format, out, err);
}

}  // namespace weir::tb
