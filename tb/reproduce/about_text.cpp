#include "tb/reproduce/about_text.h"

#include <algorithm>

#include "tb/files/input_file.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

/// With one empty line after it, and none before.
std::string as_block(const std::string& text) {
    const std::size_t first = text.find_first_not_of('\n');
    return first == std::string::npos ? std::string{}
                                      : text.substr(first, text.find_last_not_of('\n') + 1 - first) + "\n\n";
}

}  // namespace

about_text read_about(const std::filesystem::path& folder, const std::vector<std::string>& figures,
                      config_errors& errors) {
    about_text about;
    const std::filesystem::path file = folder / "about.md";
    if (!path_exists(file)) {
        return about;
    }
    input_file text = open_input(file.string());
    if (!text.why_not.empty()) {
        errors.push_back({file.string(), 0, "", "cannot be read: " + text.why_not + "; expected a text"});
        return about;
    }
    std::string* part = &about.introduction;
    std::string line;
    for (int number = 1; std::getline(text.text, line); ++number) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (line.rfind("## ", 0) != 0) {
            *part += line + "\n";
            continue;
        }
        const std::string name(trimmed(std::string_view(line).substr(3)));
        if (std::find(figures.begin(), figures.end(), name) == figures.end()) {
            errors.push_back(
                {file.string(), number, "",
                 "'" + name + "' is not a figure of the tables; expected one of " + joined(figures, ", ")});
        } else if (about.figures.count(name) != 0) {
            errors.push_back(
                {file.string(), number, "", "'" + name + "' is there twice; expected one heading"});
        }
        part = &about.figures[name];
    }
    about.introduction = as_block(about.introduction);
    for (auto& [name, told] : about.figures) {
        told = as_block(told);
    }
    return about;
}

}  // namespace weir::tb
