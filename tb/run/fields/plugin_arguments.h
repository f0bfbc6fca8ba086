// Loads plugins before there is a table of options, since what they register are values of options and options.
//
//   plugin_arguments given = load_plugins({"plot", "--plugin", "libmine.so", "out"}, takes_options);
//   given.rest;                                                                     // {"plot", "out"}
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"

namespace weir::tb {

/// Keys: [run].
struct plugin_options {
    /// `PATH`, or `PATH crc64:DIGITS`.
    std::vector<std::string> plugins;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("plugin", &self::plugins)
                   .path()
                   .repeated()
                   .help("A plugin: a shared library with blocks, workloads, topologies or options of its own, "
                         "loaded before options are read. --plugin LIB is short for it, in every command. LIB "
                         "crc64:DIGITS: the file has to have this checksum, as effective.ini has it. May be "
                         "given several times. docs/extending.md."));
    }
    /// As effective.ini has them: all that are loaded; as they are where none is.
    void take_loaded();
};

struct plugin_arguments {
    /// With `--run.plugin+=LIB` instead of `--plugin LIB`, or without it.
    std::vector<std::string> rest;
    config_errors errors;
};

/// Of a whole command line. `takes_options`: of a command's name, whether it takes options of a run; its files
/// are then configurations, whose plugins are loaded after those of the command line. Those of other commands
/// are data.
plugin_arguments load_plugins(const std::vector<std::string>& args,
                              const std::function<bool(const std::string&)>& takes_options);

/// Those that an INI file names; relative paths are relative to its directory. Its other mistakes are left to
/// who reads it.
void load_plugins_of(const std::string& file, config_errors& errors);

/// The same where configurations are compared: another checksum is no error, and who calls goes on where a
/// plugin is gone. Returns what effective.ini would have of them; a plugin without a checksum gets the one of
/// its file.
std::vector<std::string> load_plugins_to_compare(const std::string& file, config_errors& errors);

}  // namespace weir::tb
