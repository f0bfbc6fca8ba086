// NewReno that takes marks as losses.
#pragma once

#include "weir/traffic/congestion/classic_ecn.h"

namespace weir::traffic {

using newreno_ecn = classic_ecn<newreno>;
// Compiled once, beside NewReno (newreno.cpp).
extern template class classic_ecn<newreno>;

}  // namespace weir::traffic
