// Texts made from the helps of all commands: `weir help WORD`, completion, the manual page.
//
//   const command_help help{"sweep", "  --jobs N    number of simultaneous runs\n", true};
//   lines_about(help.text, "jobs", options);  // "  --jobs N    number of simultaneous runs ...\n"
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/run/fields/option_table.h"

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

/// `weir help WORD ...`, where no word is a command: options, and arguments of commands. `names`: other names
/// that a wrong word may be meant for.
int help_on(const std::vector<std::string>& words, const std::vector<command_help>& commands,
            std::vector<std::string> names, std::ostream& out, std::ostream& err);
/// `weir --bash-completion`: a script that bash reads and that needs no other one. It completes commands, their
/// arguments, options of a run and of loaded plugins, and values.
void write_bash_completion(std::ostream& out, const std::vector<command_help>& commands);
/// `weir --man-page`: weir(1) in the macros of man(7), with the help of every command and all options.
void write_man_page(std::ostream& out, const std::vector<command_help>& commands);

}  // namespace weir::tb
