// Tables of a report, as cells of text: what `weir table` shows of the runs, what limits them, and the ports
// that they used most.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/plot/run_reader.h"
#include "tb/report/busy_ports.h"
#include "tb/table/run_measures.h"
#include "tb/table/table_blocks.h"

namespace weir::tb {

/// `{"id", "title", "note", "section", "labels", "head": [TEXT], "rows": [[TEXT]]}`. The first `labels` cells
/// of a row are its name.
nlohmann::ordered_json page_table(const char* id, const char* section, const std::string& note,
                                  const table_block& block);

/// A list of tables; those that would be empty are left out. `measured`: the same runs. `ports`: of each run.
nlohmann::ordered_json report_tables(const std::vector<run_data>& runs,
                                     const std::vector<measured_run>& measured,
                                     const std::vector<std::vector<busy_port>>& ports);

}  // namespace weir::tb
