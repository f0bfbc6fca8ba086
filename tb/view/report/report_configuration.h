// The options of the runs of a report: in which they differ, which are not at their defaults, and all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// A line each: what is left out of the configuration of this run.
std::vector<std::string> unknown_options(const run_data& run);

/// `[{"title", "is_open", "tables"}]`: tables (report_tables.h) that are folded away under a title. A table has
/// one column of values for each run, or a single one where all are equal; those of options that differ or are
/// changed say what an option does, too. Of paths the last part is given, or as many as tell different ones
/// apart.
nlohmann::ordered_json report_configuration(const std::vector<run_data>& runs);

/// `weir run steady.ini --link.rate=10Gbps` of a run.json's `command_line`: the program without its directory,
/// and without what no result depends on (`--out`, `run.threads`, `run.quantum`).
std::string shown_command(const std::string& command_line);

}  // namespace weir::tb
