// What journeys call frames, and which nodes they follow.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "weir/base/config_error.h"
#include "weir/model/topology/topology.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// The nodes that `trace.perfetto_nodes` names, as their places among all; all where it names none. None where
/// the trace is off.
std::vector<std::uint32_t> nodes_in_journeys(const journey_options& options, const topology& plan,
                                             config_errors& errors);

/// `flow 12`, `syn 12`, `PFC XOFF`.
std::string title_of(const ethernet_frame& frame);
/// Classes that a PFC frame stops (`xoff`) or releases.
nlohmann::ordered_json classes_of(const pause_fields& pause, bool xoff);

}  // namespace weir::tb
