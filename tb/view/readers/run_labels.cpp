#include "tb/view/readers/run_labels.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

bool are_different(const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

/// What is given twice would be two runs that cannot be told apart.
void check_different(const std::vector<std::string>& texts, const std::string& key, const char* expected,
                     config_errors& errors) {
    std::map<std::string, int> times;
    for (const std::string& text : texts) {
        if (++times[text] == 2) {
            add_error(errors, key, "'" + text + "' is given twice; expected " + expected);
        }
    }
}

}  // namespace

std::vector<std::string> default_labels(const std::vector<std::string>& directories) {
    std::vector<std::string> last;
    std::vector<std::string> longer;
    for (const std::string& name : directories) {
        fs::path directory = fs::absolute(name).lexically_normal();
        if (directory.filename() == "summary.json" || directory.filename().empty()) {
            directory = directory.parent_path();
        }
        last.push_back(directory.filename().string());
        longer.push_back((directory.parent_path().filename() / directory.filename()).string());
    }
    return are_different(last) ? last : are_different(longer) ? longer : directories;
}

std::vector<std::string> run_labels(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& labels, config_errors& errors) {
    std::vector<std::string> paths;
    for (const std::string& directory : directories) {
        std::error_code ignored;
        paths.push_back(fs::weakly_canonical(fs::path(directory) / "", ignored).string());
    }
    check_different(paths, "DIR", "each directory once", errors);
    if (labels.empty()) {
        return default_labels(directories);
    }
    if (labels.size() != directories.size()) {
        add_error(errors, "--label",
                  std::to_string(labels.size()) + " given for " + std::to_string(directories.size()) +
                      " directories; expected one each");
    }
    if (std::find(labels.begin(), labels.end(), "") != labels.end()) {
        add_error(errors, "--label", "is empty; expected a name for each directory");
    }
    check_different(labels, "--label", "different names", errors);
    return labels;
}

}  // namespace weir::tb
