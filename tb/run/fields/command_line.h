// The command line: `--switch.speedup=8` or `--switch.speedup 8` sets an option of the table; a command may
// have options of its own (`--out DIR`, `--dry-run`) and take files.
//
//   command_syntax syntax;
//   syntax.values = {"out"};
//   syntax.flags = {"dry-run"};
//   syntax.max_files = 1;
//   command_arguments args = split_arguments({"a.ini", "--out", "d", "--run.seed=2"}, syntax, table);
//   args.files;      // {"a.ini"}
//   args.options;    // {"--run.seed=2"}, for load_config
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/run/fields/ini_file.h"
#include "tb/run/fields/option_table.h"

namespace weir::tb {

/// What a command takes besides the table's options. Names are without the dashes.
struct command_syntax {
    /// Options with a value, that may be given several times.
    std::vector<std::string> values;
    std::vector<std::string> flags;
    std::size_t min_files = 0;
    std::size_t max_files = 0;
    /// What a file is called in messages, and several: `directory`, `directories`.
    const char* file = "file";
    const char* files = "files";
};

struct command_arguments {
    std::vector<std::string> files;
    std::map<std::string, std::vector<std::string>> values;
    std::set<std::string> flags;
    /// Options of the table, each as one `--key=value`.
    std::vector<std::string> options;
    config_errors errors;
};

/// Sorts a command's arguments. `-h` is `--help`, where the command has that. Errors: an option that neither
/// the command nor the table knows (no abbreviations; one that is near to a name of the command's is taken as
/// meant, so that nothing is said of what follows from it), one without its value, a flag with one, too few or
/// too many files.
command_arguments split_arguments(const std::vector<std::string>& args, const command_syntax& syntax,
                                  const option_table& table);

/// Reads arguments that may set options only. Errors as above, and an option given twice unless it is
/// repeatable (the first one counts).
settings read_command_line(const std::vector<std::string>& args, const option_table& table);

}  // namespace weir::tb
