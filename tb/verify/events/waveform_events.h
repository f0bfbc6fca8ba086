// The events of a waveform, as a signal map says what they are: a table with the columns of the map's further
// columns, then cycle, signal and value.
//
// An edge samples what signals were before its time, as registers do: what a register takes over at edge n is
// seen at cycle n + 1. Values are `1` for one bit, `0x0f` for several (`0b1x` where not all are known),
// the text of reals and strings.
#pragma once

#include <string>

#include "tb/verify/events/event_table.h"
#include "tb/verify/events/signal_map.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Errors: a path that the waveform does not have, a broken file.
event_table read_waveform_events(const std::string& path, const signal_map& map, config_errors& errors);

}  // namespace weir::tb
