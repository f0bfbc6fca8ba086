#include "tb/plot/run_labels.h"

#include <filesystem>
#include <set>
#include <system_error>

namespace weir::tb {

namespace fs = std::filesystem;

static std::vector<std::string> default_labels(const std::vector<std::string>& directories) {
    std::vector<std::string> labels;
    std::set<std::string> seen;
    for (const std::string& d : directories) {
        std::error_code ignored;
        const fs::path whole = fs::weakly_canonical(d, ignored);
        labels.push_back(whole.has_filename() ? whole.filename().string() : d);
        seen.insert(labels.back());
    }
    return seen.size() == directories.size() ? labels : directories;
}

std::vector<std::string> run_labels(argument_reader& given) {
    std::vector<std::string> labels = given.all("label");
    if (labels.empty()) {
        return default_labels(given.files());
    }
    if (labels.size() != given.files().size()) {
        given.fail("--label", std::to_string(labels.size()) + " given for " +
                                  std::to_string(given.files().size()) + " runs; expected one per run");
    }
    for (const std::string& label : labels) {
        if (label.empty()) {
            given.fail("--label", "is empty; expected a name for each run");
        }
    }
    return labels;
}

}  // namespace weir::tb
