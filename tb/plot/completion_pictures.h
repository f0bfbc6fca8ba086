// The pictures of completion times of jobs and transfers: distributions, also by size, tag and class,
// percentiles by size, and slowdowns.
#pragma once

#include "tb/plot/picture_list.h"

namespace weir::tb {

std::vector<std::string> completion_picture_names();
void add_completion_pictures(picture_list& to);

}  // namespace weir::tb
