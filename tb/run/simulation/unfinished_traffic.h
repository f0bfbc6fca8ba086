// What a run without a duration says when it comes to `longest_time` and its traffic has not ended.
#pragma once

#include <string>

#include "tb/run/simulation/simulation.h"

namespace weir::tb {

/// Most transfers that the message names.
inline constexpr std::size_t named_transfers = 5;

/// How many transfers are under way and which (the first ones by host), and how many hosts and flows of a trace
/// have not even started what they have to.
std::string unfinished_traffic(simulation& simulated);

}  // namespace weir::tb
