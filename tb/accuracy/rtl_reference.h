// The RTL of a whole switch (tb/rtl/cell_switch.sv) as the reference of `weir accuracy`: the datagrams that a
// run's hosts have sent, through the RTL instead of the model.
//
//   config_errors errors;
//   rtl_completions("out/points/0001/seed_1", errors);   // as read_completions has those of the model
#pragma once

#include <string>
#include <vector>

#include "tb/accuracy/transfer_errors.h"

namespace weir::tb {

/// The slots of a chip do not begin with the model's: those of the reference begin half a slot later.
///
/// Of a run of one switch, whose transfers are one datagram each and have all arrived: flows.csv, effective.ini
/// and summary.json are read. What the RTL does not have, and a build without it, are errors.
std::vector<transfer_time> rtl_completions(const std::string& run, config_errors& errors);

}  // namespace weir::tb
