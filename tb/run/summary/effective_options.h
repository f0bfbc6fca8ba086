// The options that runs were made with, from their effective.ini, and those in which they differ. Read without
// the table of options: a run of another version, or with options of a module from outside, can be compared,
// too.
//
//   const effective_options a = read_effective_options("out/baseline/effective.ini", errors);
//   const effective_options b = read_effective_options("out/detail/effective.ini", errors);
//   differing_options({&a, &b});      // switch.scheme, pfc.mode, ...
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

struct effective_option {
    std::string key;
    std::string value;
    /// The value in the units in which it was given, by run.json.
    std::string shown;
    /// From 1; the first, where it is given several times.
    int line = 0;
};

struct effective_options {
    std::filesystem::path file{};
    /// There is no file: nothing is known.
    bool is_missing = false;
    /// In the order of the file. The values of an option that is given several times are one text, as its
    /// default has them: `a; b`.
    std::vector<effective_option> values{};

    /// Null where there is no such option.
    const std::string* find(const std::string& key) const;
    /// The same for people: `256KB` if it was given so, where `find` has `250KiB`.
    const std::string* find_shown(const std::string& key) const;
    /// A size, as options print it, in the units in which some option of the run was given it.
    std::string shown_size(const std::string& canonical) const;
};

/// Errors: a line that is neither section, comment nor `key = value`; a key before the first section; a file
/// without its last line.
effective_options read_effective_options(const std::filesystem::path& file, config_errors& errors);

/// Keys that do not have the same value in all of them, in their order. Those whose file is missing do not
/// count.
std::vector<std::string> differing_options(const std::vector<const effective_options*>& all);

}  // namespace weir::tb
