#include "tb/support/process/error_text.h"

#include <algorithm>
#include <map>

#include "tb/support/process/exit_status.h"

namespace weir::tb {

std::string format_error(const config_error& error) {
    std::string text = error.file.empty() ? "command line" : error.file;
    if (!error.file.empty() && error.line > 0) {
        text += ":" + std::to_string(error.line);
    }
    text += ": " + (error.key.empty() ? "" : error.key + ": ") + error.message;
    // What was read may be anything, and a terminal would obey it.
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return (c < ' ' && c != '\n') || c == 0x7F; }, '?');
    return text;
}

std::vector<std::string> error_lines(const config_errors& errors) {
    constexpr std::size_t most = 20;
    std::map<std::string, std::size_t> of_file;
    for (const config_error& error : errors) {
        ++of_file[error.file];
    }
    std::vector<std::string> lines;
    std::map<std::string, std::size_t> said;
    for (const config_error& error : errors) {
        const std::size_t all = of_file[error.file];
        const std::size_t place = said[error.file]++;
        // "and 1 more" would take the line of that one.
        if (place < most || all == most + 1) {
            lines.push_back(format_error(error));
        } else if (place == most) {
            lines.push_back(format_error({error.file, 0, "", "and " + std::to_string(all - most) + " more"}));
        }
    }
    return lines;
}

int print_errors(const config_errors& errors, std::ostream& err) {
    for (const std::string& line : error_lines(errors)) {
        err << line << '\n';
    }
    return exit_status::bad_input;
}

}  // namespace weir::tb
