// What journeys call frames.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "weir/base/namespaces.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// `flow 12`, `syn 12`, `PFC XOFF`.
std::string title_of(const ethernet_frame& frame);
/// Classes that a PFC frame stops (`xoff`) or releases.
nlohmann::ordered_json classes_of(const pause_fields& pause, bool xoff);

}  // namespace weir::tb
