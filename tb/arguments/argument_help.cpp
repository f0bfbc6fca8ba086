#include "tb/arguments/argument_help.h"

#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

#include "tb/text/word_stems.h"

namespace weir::tb {

namespace {

constexpr std::string_view entry_start = "  --";

/// The name at a place of a line, up to what no name has.
std::string name_at(const std::string& line, std::size_t at) {
    std::size_t end = at;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '-' ||
                                 line[end] == '_' || line[end] == '.')) {
        ++end;
    }
    return line.substr(at, end - at);
}

/// Of `  --NAME ...`; empty where the line is another one.
std::string entry_name(const std::string& line) {
    return line.compare(0, entry_start.size(), entry_start) == 0 ? name_at(line, entry_start.size()) : "";
}

bool names(const std::string& line, const std::string& argument) {
    for (std::size_t at = line.find("--"); at != std::string::npos; at = line.find("--", at + 2)) {
        if (with_underscores(name_at(line, at + 2)) == argument) {
            return true;
        }
    }
    return false;
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
