// Reads an INI file into settings with exact line numbers, collecting every mistake of form.
//
//     [switch]
//     speedup = 8          # a comment starts with '#', anywhere in a line
//     [fabric]
//     link += tor0 root1 down     # adds to the lines of files before this one, which `=` would replace
//
// A file that was cut is told where it can be: an effective.ini says in its first line that its last one is
// `# end`; of any other file, a last line without a line feed is warned of.
//
// Boost.Program_options parses the lines; because it knows no line numbers and stops at the first mistake,
// it gets them one by one, each with its section.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/fields/option_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// One value as it was written.
struct setting {
    /// Key of an option that exists.
    std::string key;
    std::string value;
    /// From 1; 0 on the command line.
    int line = 0;
    /// Empty: the command line.
    std::string file{};
    /// Written with `+=`: it is added to what came before, of an option that may be given several times.
    bool adds = false;
};

/// A key as it was written, with or without the `+` of `key += value`.
struct written_key {
    std::string key;
    bool adds = false;
};
written_key split_key(std::string_view text);
/// Why `+=` is refused for the option; empty where it is not.
std::string refusal_to_add(const option& target);

struct settings {
    std::vector<setting> values;
    config_errors errors;
    config_errors warnings;
};

/// What is said to those who use a key that the option had once.
std::string renamed(const option& now);

/// First and last line of effective.ini.
inline constexpr std::string_view effective_head =
    "# Every option as used; running this file again gives the same results. Its last line is `# end`.";
inline constexpr std::string_view effective_end = "# end";

/// Reads to the end of `in`; `name` is what errors call the file. Errors: a line that is neither section,
/// comment nor `key = value`; an unknown section (whose keys are then skipped) or key; a key before the
/// first section; a key given twice, unless it is repeatable (the first one counts); a stream that fails; an
/// effective.ini without its last line.
settings read_ini(std::istream& in, const std::string& name, const option_table& table);

}  // namespace weir::tb
