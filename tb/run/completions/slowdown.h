// Completion times beside those in an empty fabric.
//
//   measured_time t{picoseconds{30us}, picoseconds{20us}};
//   t.slowdown();                                             // slowdown_ratio{1'500'000}
#pragma once

#include <cstdint>

#include "weir/base/time.h"

namespace weir::tb {

/// A completion time as a multiple of the one in an empty fabric. Unit: 1e-6.
enum class slowdown_ratio : std::int64_t {};
inline constexpr double slowdowns_in_one = 1e6;

struct measured_time {
    picoseconds time{0};
    /// In an empty fabric; `never`, or 0, where it is not known.
    picoseconds ideal{never};

    bool has_slowdown() const { return ideal != never && ideal > picoseconds{0}; }
    /// Rounded to the nearest. Only where `has_slowdown`.
    slowdown_ratio slowdown() const {
        const double multiple = static_cast<double>(time.count()) / static_cast<double>(ideal.count());
        return slowdown_ratio{static_cast<std::int64_t>(multiple * slowdowns_in_one + 0.5)};
    }
};

}  // namespace weir::tb
