// The ports that a run used most, read back from its ports.csv.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// One port, its classes together.
struct busy_port {
    std::string node;
    std::string port;
    std::string peer;
    double utilisation_percent = 0;
    std::uint64_t tx_bytes = 0;
    /// For whatever reason; lost here.
    std::uint64_t dropped_frames = 0;
    /// Summed over its classes. Unit: ns.
    double paused_ns = 0;
    /// Of the class that had most. Unit: B.
    std::uint64_t ingress_max_bytes = 0;
    std::uint64_t egress_max_bytes = 0;
};

/// The `most` ports with the highest utilisation, highest first; equals in the order of the table. Nothing
/// where the directory has no such table.
std::vector<busy_port> most_used_ports(const std::string& directory, std::size_t most, config_errors& errors);

}  // namespace weir::tb
