// From arguments and an INI file to a checked configuration, or to everything that is wrong with them.
//
//   loaded_config loaded = load_config_file({"--switch.speedup=8"}, "steady.ini");
//   for (const config_error& error : loaded.errors) {
//       std::cerr << format_error(error) << '\n';   // steady.ini:4: tcp.min_rto: '10' has no unit; ...
//   }
//
// The command line wins over the file, the file over what `switch.scheme` presets, that over the defaults.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tb/options/load_options.h"
#include "tb/options/run_config.h"

namespace weir::tb {

struct loaded_config : loaded_options {
    /// To be used only where there are no errors.
    run_config config;
};

/// `args` may hold options only. `ini` may be null. A relative path in the file is taken relative to the
/// directory of `ini_name`, one on the command line relative to the current directory; both are stored as
/// absolute paths, so that effective.ini means the same wherever it is run from. Checks between options
/// run even after errors; one that is about an option which could not be read is left out.
loaded_config load_config(const std::vector<std::string>& args, std::istream* ini, const std::string& ini_name);

/// Opens the file; one that cannot be read is an error.
loaded_config load_config_file(const std::vector<std::string>& args, const std::string& path);

}  // namespace weir::tb
