// The curve that a search has looked at, with what is proven at each place and the answer marked; of two
// options, the map of their places with the front.
#pragma once

#include <optional>

#include "tb/study/size/size_answer.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// Name of its files.
inline constexpr const char* size_picture_name = "curve";

/// Nothing where no place was looked at.
std::optional<picture> size_picture(const finished_search& all);

}  // namespace weir::tb
