// From arguments and INI files to a checked configuration, or to everything that is wrong with them.
//
//   loaded_config loaded = load_config_files({"--switch.speedup=8"}, {"steady.ini"});
//   for (const config_error& error : loaded.errors) {
//       std::cerr << format_error(error) << '\n';   // steady.ini:4: tcp.min_rto: '10' has no unit; ...
//   }
//
// The command line wins over the files, a later file over an earlier one, the files over what `switch.scheme`
// presets, that over the defaults.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/run/fields/load_options.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

struct loaded_config : loaded_options {
    /// To be used only where there are no errors.
    run_config config;
};

/// `args` may hold options only. A relative path in a file is taken relative to the directory of the file, one
/// on the command line relative to the current directory; both are stored as absolute paths, so that
/// effective.ini means the same wherever it is run from. Checks between options run even after errors; one that
/// is about an option which could not be read is left out.
loaded_config load_config(const std::vector<std::string>& args, const std::vector<ini_source>& files = {});

/// Opens the files; one that cannot be read is an error.
loaded_config load_config_files(const std::vector<std::string>& args, const std::vector<std::string>& paths);

/// Loads configurations one after the other, each as the functions above, with one table of options: making the
/// table takes most of the time of a call. A plugin with options makes each call as slow as the functions.
class config_loader {
 public:
    config_loader();
    config_loader(const config_loader&) = delete;
    config_loader& operator=(const config_loader&) = delete;

    loaded_config load(const std::vector<std::string>& args, const std::vector<ini_source>& files = {});
    loaded_config load_files(const std::vector<std::string>& args, const std::vector<std::string>& paths);

 private:
    loaded_config load_by(const std::function<void(loaded_config& loaded, const load_steps& steps)>& read);
    void apply_scheme(loaded_config& loaded, const std::vector<setting>& written) const;

    run_config m_config;
    option_table m_table;
};

}  // namespace weir::tb
