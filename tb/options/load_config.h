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
#include <map>
#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "weir/base/config_error.h"

namespace weir {

/// Where an option's value comes from.
struct setting_origin {
    /// Empty: the command line.
    std::string file;
    /// From 1; 0 on the command line.
    int line = 0;
    /// Set by `switch.scheme`, which was given at this place.
    bool preset = false;
};

struct loaded_config {
    /// To be used only where there are no errors.
    run_config config;
    /// Options that the file, the command line or a scheme has set.
    std::map<std::string, setting_origin> origins;
    /// Of options that may be given several times: where each text comes from, in order.
    std::map<std::string, std::vector<setting_origin>> repeated_origins;
    /// What errors call the file; empty without one.
    std::string ini_name;
    /// Everything that is wrong: the file's errors by line, then the command line's.
    config_errors errors;

    bool is_set(const std::string& key) const { return origins.count(key) != 0; }
    /// Gives an error without a file, whose key is an option, the place where the option was set. If only
    /// options that its message names were set, it is theirs. For errors found after loading, too. The key of
    /// an error in one of several texts is `KEY[n]`, from 0, and becomes KEY.
    void locate(config_errors& found) const;

 private:
    bool place_repeated(config_error& error) const;
};

/// `args` may hold options only. `ini` may be null. A relative path in the file is taken relative to the
/// directory of `ini_name`, one on the command line relative to the current directory; both are stored as
/// absolute paths, so that effective.ini means the same wherever it is run from. Checks between options
/// run even after errors; one that is about an option which could not be read is left out.
loaded_config load_config(const std::vector<std::string>& args, std::istream* ini, const std::string& ini_name);

/// Opens the file; one that can not be read is an error.
loaded_config load_config_file(const std::vector<std::string>& args, const std::string& path);

/// `file:line: key: message`; without a file `command line: key: message`.
std::string format_error(const config_error& error);

}  // namespace weir
