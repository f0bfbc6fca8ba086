// What is wrong with an input, as a value: collected, and printed by the program all at once as
// `file:line: key: what is wrong; expected ...`.
#pragma once

#include <string>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir {

struct config_error {
    /// File that holds the mistake; empty for the command line.
    std::string file;
    /// Line in that file, from 1; 0 where there is none.
    int line = 0;
    /// Option, column or keyword, such as `switch.speedup`.
    std::string key;
    /// What is wrong, with the value, and what is expected.
    std::string message;
};

using config_errors = std::vector<config_error>;

}  // namespace weir
