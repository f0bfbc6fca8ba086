// Tables of a report, as cells of text: completion times, what the runs counted, what limits them, and the
// ports that they used most. From the second run on, cells have the ratio to the first run.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tb/plot/run_reader.h"
#include "tb/report/busy_ports.h"

namespace weir::tb {

/// A list of `{"id", "title", "note", "section", "labels", "head": [TEXT], "rows": [[CELL]]}`. A cell is a
/// text, or
/// `{"text", "more", "rows"}`: with a second line, or over several rows, which begin behind it then. The first
/// `labels` cells of a row are its name. Tables that would be empty are left out. `ports`: of each run.
nlohmann::ordered_json report_tables(const std::vector<run_data>& runs,
                                     const std::vector<std::vector<busy_port>>& ports);

}  // namespace weir::tb
