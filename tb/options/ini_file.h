// Reads an INI file into settings with exact line numbers, collecting every mistake of form.
//
//   [switch]
//   speedup = 8          # a comment starts with '#', anywhere in a line
//
// Boost.Program_options parses the lines; because it knows no line numbers and stops at the first mistake,
// it gets them one by one, each with its section.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tb/options/option_table.h"
#include "weir/base/config_error.h"

namespace weir {

/// One value as it was written.
struct setting {
    /// Key of an option that exists.
    std::string key;
    std::string value;
    /// From 1; 0 on the command line.
    int line = 0;
};

struct settings {
    std::vector<setting> values;
    config_errors errors;
};

/// Reads to the end of `in`; `name` is what errors call the file. Errors: a line that is neither section,
/// comment nor `key = value`; an unknown section (whose keys are then skipped) or key; a key before the
/// first section; a key given twice, unless it is repeatable (the first one counts); a stream that fails.
settings read_ini(std::istream& in, const std::string& name, const option_table& table);

}  // namespace weir
