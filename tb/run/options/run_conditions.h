// Conditions under which options of a run have an effect, where a comparison of values does not say it: facts
// of the chosen kinds (traits), and combinations of options. `config_field::needs` refers to them by name.
//
//   add_conditions(table, config);   // before table.finish(); both stay where they are
#pragma once

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

void add_conditions(option_table& table, const run_config& config);

}  // namespace weir::tb
