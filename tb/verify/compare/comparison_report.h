// What `weir compare` prints: what was compared, how, the first mismatch with what stands around it and the
// block's state, the further ones line by line, and waivers that were of no use.
#pragma once

#include <ostream>

#include "tb/verify/compare/compare_arguments.h"
#include "tb/verify/compare/comparison.h"
#include "tb/verify/compare/waivers.h"
#include "tb/verify/events/column_roles.h"
#include "tb/verify/events/event_table.h"

namespace weir::tb {

struct report_input {
    const compare_arguments& given;
    const event_table& expected;
    const event_table& actual;
    const column_roles& roles;
    const event_streams& streams;
    const comparison& result;
    const waivers& accepted;
};

void write_report(std::ostream& out, const report_input& input);

}  // namespace weir::tb
