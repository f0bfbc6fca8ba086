// Rules between options of different layers: model, traffic and the program know only one side each. Rules
// within a layer belong to the struct or the kind that owns the option.
#pragma once

#include "tb/run/options/run_config.h"
#include "weir/base/field_range.h"

namespace weir::tb {

/// Reports each rule that the run breaks. Precondition: `config.tcp` has passed its own checks.
void check_rules(range_check& check, const run_config& config);

}  // namespace weir::tb
