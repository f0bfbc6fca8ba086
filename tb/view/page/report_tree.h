// Why transmitters were paused: the trees of a report's runs that have causes (trace.pause_causes).
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// Most places of one tree: those with the longest times.
inline constexpr std::size_t most_report_places = 1000;

/// A list of `{"run", "paused_ns", "unknown_ns", "left_out", "hops": [ns], "places": [PLACE]}`. A place is
/// `{"name", "kind", "own_ns", "all_ns", "below": [PLACE]}`, `kind` of roots only; all classes of a port are
/// one place.
nlohmann::ordered_json report_trees(const std::vector<run_data>& runs);

}  // namespace weir::tb
