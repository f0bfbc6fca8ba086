// What `weir compare` prints: what was compared, how, the first mismatch with what stands around it and the
// block's state, the further ones line by line, and waivers that were of no use.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "tb/compare/column_roles.h"
#include "tb/compare/comparison.h"
#include "tb/compare/event_table.h"

namespace weir::tb {

struct report_input {
    const event_table& expected;
    const event_table& actual;
    const column_roles& roles;
    const event_streams& streams;
    const comparison& result;
    const comparison_options& options;
    /// Number of lines, and those that waived nothing.
    std::size_t waivers = 0;
    std::vector<std::string> unused_waivers;
    /// Most mismatches that are listed.
    std::size_t most_listed = 20;
    /// Events shown before and after the first mismatch.
    std::size_t context = 3;
    /// Files without an event are right.
    bool allow_empty = false;
};

void write_report(std::ostream& out, const report_input& input);

}  // namespace weir::tb
