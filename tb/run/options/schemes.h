// The papers' environments by name: `switch.scheme` sets other options' defaults. What a file or the command
// line sets explicitly wins.
//
//   const scheme_preset& detail = find_scheme(switch_scheme::detail);
//   detail.settings[0];   // {"switch.balance", "adaptive"}
#pragma once

#include <string>
#include <vector>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

/// One default that a scheme sets.
struct scheme_setting {
    const char* key;
    const char* value;
};

struct scheme_preset {
    switch_scheme scheme;
    const char* name;
    /// What it stands for, and whence.
    const char* doc;
    std::vector<scheme_setting> settings;
};

/// All schemes, in the order of the enumeration.
const std::vector<scheme_preset>& scheme_presets();
const scheme_preset& find_scheme(switch_scheme scheme);

/// `baseline 1; priority 8`: which scheme sets the option to what; empty if none does.
std::string schemes_of(const std::string& key);

}  // namespace weir::tb
