// The table of a run's options: its blocks, and the conditions that are no comparison of values.
#pragma once

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

/// The table of all options, pointing into `config`; its defaults are what `config` holds now.
option_table make_option_table(run_config& config);

/// The same with the defaults of this program and of the plugins loaded by now, whose values nobody sets. It
/// stays valid when a plugin is loaded; the next call then returns another table. Safe to call from any thread.
const option_table& known_options();

}  // namespace weir::tb
