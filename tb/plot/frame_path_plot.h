// The path of one frame over time: a row for each node that it came to, hosts lowest; dashed where a switch has
// detoured it. As figure 1 of DIBS (EuroSys 2014), in order of time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Of the first run that has one. Nothing where none has.
std::optional<picture> frame_path_picture(const picture_head& head, const std::vector<run_data>& runs);

}  // namespace weir::tb
