// The pictures of completion times of jobs and transfers: distributions, also by size, tag and class,
// percentiles by size, and slowdowns.
#pragma once

#include <string>
#include <vector>

#include "tb/view/chart/figure.h"
#include "tb/view/pictures/picture_list.h"

namespace weir::tb {

std::vector<std::string> completion_picture_names();
/// The pictures as figures, of which a report takes the charts.
std::vector<figure> completion_figures(picture_list& to);
void add_completion_pictures(picture_list& to);

}  // namespace weir::tb
