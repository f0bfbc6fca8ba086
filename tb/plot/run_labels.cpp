#include "tb/plot/run_labels.h"

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
void check_different(argument_reader& given, const std::vector<std::string>& texts, const std::string& key,
                     const char* expected) {
    std::map<std::string, int> times;
    for (const std::string& text : texts) {
        if (++times[text] == 2) {
            given.fail(key, "'" + text + "' is given twice; expected " + expected);
        }
    }
}

void check_directories(argument_reader& given) {
    std::vector<std::string> paths;
    for (const std::string& directory : given.files()) {
        std::error_code ignored;
        paths.push_back(fs::weakly_canonical(fs::path(directory) / "", ignored).string());
    }
    check_different(given, paths, "DIR", "each directory once");
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

std::vector<std::string> run_labels(argument_reader& given) {
    check_directories(given);
    const std::vector<std::string> labels = given.all("label");
    if (labels.empty()) {
        return default_labels(given.files());
    }
    if (labels.size() != given.files().size()) {
        given.fail("--label", std::to_string(labels.size()) + " given for " +
                                  std::to_string(given.files().size()) + " directories; expected one each");
    }
    for (const std::string& label : labels) {
        if (label.empty()) {
            given.fail("--label", "is empty; expected a name for each directory");
        }
    }
    check_different(given, labels, "--label", "different names");
    return labels;
}

}  // namespace weir::tb
