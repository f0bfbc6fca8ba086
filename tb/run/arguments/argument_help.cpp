#include "tb/run/arguments/argument_help.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <utility>

#include "tb/support/text/word_stems.h"

namespace weir::tb {

namespace {

/// The name of `  --NAME ...`; empty if the line is another one.
std::string entry_name(const std::string& line) {
    static const std::regex entry("  --([[:alnum:]_.-]+).*");
    std::smatch found;
    return std::regex_match(line, found, entry) ? found[1].str() : "";
}

bool names(const std::string& line, const std::string& argument) {
    static const std::regex name("--([[:alnum:]_.-]+)");
    return std::any_of(std::sregex_iterator(line.begin(), line.end(), name), std::sregex_iterator(),
                       [&](const std::smatch& each) { return with_underscores(each[1]) == argument; });
}

std::vector<std::string> lines_of(const std::string& help) {
    std::istringstream text(help);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

std::string lines_about(const std::string& help, const std::string& argument, const option_table& table) {
    const std::string wanted = with_underscores(small_letters(argument));
    std::string entries;
    std::string mentions;
    bool inside = false;
    for (const std::string& line : lines_of(help)) {
        const std::string name = with_underscores(entry_name(line));
        const bool is_wanted = name == wanted || name.substr(name.find('.') + 1) == wanted;
        inside =
            name.empty() ? inside && line.compare(0, 3, "   ") == 0 : is_wanted && table.find(name) == nullptr;
        entries += inside ? line + '\n' : "";
        mentions += names(line, wanted) && table.find(wanted) == nullptr ? line + '\n' : "";
    }
    return entries.empty() ? mentions : entries;
}

std::vector<std::string> arguments_of(const std::string& help) {
    std::vector<std::string> all;
    for (const std::string& line : lines_of(help)) {
        if (std::string name = entry_name(line); !name.empty()) {
            all.push_back(std::move(name));
        }
    }
    return all;
}

}  // namespace weir::tb
