// Reads a flow trace to its end.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::test {

inline void read_trace(traffic::trace_format format, std::string_view input) {
    std::istringstream in{std::string(input)};
    traffic::tag_table tags;
    traffic::trace_options options;
    options.file = "input";
    options.unit = traffic::start_unit::us;
    options.trigger_delay = picoseconds{1'000'000};
    const auto reader = traffic::make_trace_reader(format, in, options, tags);
    const traffic::trace_scan scan = traffic::scan_trace(*reader);
    check(scan.errors);
    check(scan.warnings);
}

}  // namespace weir::test
