// Schemes: named sets of defaults for other options, such as the environments of papers. `switch.scheme`
// chooses one; an option that a file or the command line sets keeps its value.
//
//   const scheme_entry& detail = schemes().of(named<scheme_kind>("detail"));
//   detail.traits.settings[0];   // {"switch.balance", "adaptive"}
//
// A scheme is data: its name, a sentence, and the options that it sets. The values of `switch.scheme`, help,
// completion and docs/options.md follow from the list in schemes.cpp. A plugin adds a scheme with
// `schemes().add`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"

namespace weir::tb {

/// A place in `schemes()`. 0: no scheme.
enum class scheme_kind : std::uint8_t {};

/// One default that a scheme sets: `key = value`.
struct scheme_setting {
    std::string key;
    std::string value;
};
using scheme_settings = std::vector<scheme_setting>;

struct scheme_traits {
    scheme_settings settings;
};

using scheme_registry = registry<scheme_kind, scheme_traits>;
using scheme_entry = scheme_registry::entry;

scheme_registry& schemes();
constexpr registered_names<scheme_kind, schemes> names_of(scheme_kind) {
    return {};
}

/// Returns `base` with the values of `changes`. Options that `base` does not set are appended.
scheme_settings changed(scheme_settings base, const scheme_settings& changes);

/// Returns which schemes set the option to what, such as `baseline 1, priority 8`; empty if none does.
std::string schemes_of(const std::string& key);

}  // namespace weir::tb
