// Quantiles of Student's t: how wide an interval of confidence is.
#pragma once

#include <cstddef>

namespace weir::tb {

/// What Student's t with so many degrees of freedom stays below in absolute value with this probability.
/// Range of confidence: above 0, below 1; of degrees: at least 1.
double student_t(double confidence, std::size_t degrees);

}  // namespace weir::tb
