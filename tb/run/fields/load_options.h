// From arguments and INI files to the values of a table of options, with everything that is wrong with them.
//
//   loaded_options loaded;
//   load_options(loaded, table, {"--link.rate=10Gbps"}, {});
//   loaded.errors;          // to be printed with print_errors
//
// The command line wins over the files, a later file over an earlier one, a file over the defaults.
// load_config.h has the same for a run.
#pragma once

#include <functional>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tb/run/fields/ini_file.h"
#include "tb/run/fields/option_table.h"
#include "tb/support/process/error_text.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Where an option's value comes from.
struct setting_origin {
    /// Empty: the command line.
    std::string file;
    /// From 1; 0 on the command line.
    int line = 0;
    /// Set by `switch.scheme`, which was given at this place.
    bool preset = false;
};

struct loaded_options {
    /// Options that the file, the command line or a scheme has set.
    std::map<std::string, setting_origin> origins;
    /// Of options that may be given several times: where each text comes from, in order.
    std::map<std::string, std::vector<setting_origin>> repeated_origins;
    /// What errors call the first file, which is blamed for what none of them says; empty without one.
    std::string ini_name;
    /// Everything that is wrong: each file's errors by line, then the command line's.
    config_errors errors;
    /// What is allowed and may not be meant: a file that may have been cut, old names of options, lines of a
    /// file that another one replaces, options that cannot matter as the others are.
    config_errors warnings;
    /// Those of them that say of an option that it has no effect as the others are.
    config_errors idle;

    bool is_set(const std::string& key) const { return origins.count(key) != 0; }
    /// Gives an error without a file, whose key is an option, the place where the option was set. If only
    /// others that it is about were set, the first of them gets it, and the message says that the option has
    /// its default. For errors found after loading, too. The key of an error in one of several texts is
    /// `KEY[n]`, from 0, and becomes KEY.
    void locate(config_errors& found) const;

 private:
    bool place_repeated(config_error& error) const;
    void blame_other(config_error& error) const;
};

/// An INI file that has been opened.
struct ini_source {
    /// What errors call it. A relative path in it is taken relative to its directory.
    std::string name;
    std::istream* text;
};

/// What a run does at two points of loading.
struct load_steps {
    /// Before any value is set; what was written last counts.
    std::function<void(const std::vector<setting>& written)> before = [](auto&) {};
    /// Before the checks between options.
    std::function<void()> after = [] {};
};

/// Fills `loaded` and the fields that `table` knows. A relative path on the command line is taken relative to
/// the current directory. Checks between options run even after errors; one that is about an option which could
/// not be read is left out.
void load_options(loaded_options& loaded, option_table& table, const std::vector<std::string>& args,
                  const std::vector<ini_source>& files, const load_steps& steps = {});

/// The same from files; one that cannot be read is an error.
void load_option_files(loaded_options& loaded, option_table& table, const std::vector<std::string>& args,
                       const std::vector<std::string>& paths, const load_steps& steps = {});

}  // namespace weir::tb
