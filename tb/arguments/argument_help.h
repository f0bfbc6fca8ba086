// What the helps of commands say of one argument, for `weir help --format`.
//
//   const command_help help{"sweep", sweep_help(), true};
//   lines_about(help.text, "jobs", options);  // "  --jobs N    number of simultaneous runs ...\n"
#pragma once

#include <string>
#include <vector>

#include "tb/options/option_table.h"

namespace weir::tb {

struct command_help {
    /// As it is called: `plot SWEEP_DIR`.
    std::string command;
    /// What its --help prints.
    std::string text;
    /// Its arguments may be options of a run.
    bool takes_options = false;
};

/// Each `  --NAME ...` of a help with the lines that are indented further; where there is none, each line that
/// names the argument. Without the dashes; `-` and `_` are alike. Options of a command's own table are found by
/// key and by name; those of `table` are left out.
std::string lines_about(const std::string& help, const std::string& argument, const option_table& table);

/// The names of all `  --NAME ...` of a help.
std::vector<std::string> arguments_of(const std::string& help);

}  // namespace weir::tb
