#include "tb/campaign/run_list.h"

#include <sstream>

namespace weir::tb {

static std::string without_comments(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#') {
            kept += line + '\n';
        }
    }
    return kept;
}

bool same_values(const std::string& a, const std::string& b) {
    return without_comments(a) == without_comments(b);
}

}  // namespace weir::tb
