// How many values a percentile takes. By its definition, the nearest rank, that of fewer values is their
// maximum.
#pragma once

#include <cstdint>

namespace weir::tb {

/// As many as one of them lies beyond it on average: 10 for the 90th percentile, 100 for the 99th. Range: 0 up
/// to below 100. Unit of `percent`: %.
constexpr std::uint64_t least_values(double percent) {
    return static_cast<std::uint64_t>(100 / (100 - percent) + 0.5);
}

constexpr bool has_percentile(std::uint64_t count, double percent) {
    return count >= least_values(percent);
}

}  // namespace weir::tb
