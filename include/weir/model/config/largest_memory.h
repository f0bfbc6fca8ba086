// How large a packet memory may be.
#pragma once

#include "weir/base/units.h"

namespace weir::model {

/// Largest packet memory of a port, so that occupancies fit 32 bits.
inline constexpr bytes largest_memory = 1_MiB * 1024;

}  // namespace weir::model
