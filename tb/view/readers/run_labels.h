// What runs and sweeps are called in pictures, tables and reports: `--label`, once per directory, or the
// directories' last parts.
//
//   run_labels({"out/baseline", "out/detail"}, {}, errors);     // baseline, detail
#pragma once

#include <string>
#include <vector>

#include "tb/run/arguments/argument_list.h"

namespace weir::tb {

/// The last parts of the directories (of a summary.json its directory's), the last two where those are equal,
/// or what was given where they are, too.
std::vector<std::string> default_labels(const std::vector<std::string>& directories);

/// A label for each directory; `labels`: those that were given. Errors: a directory that is given twice, by
/// whatever path; a number of labels that is not that of the directories; a label that is empty, or given
/// twice.
std::vector<std::string> run_labels(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& labels, config_errors& errors);

}  // namespace weir::tb
