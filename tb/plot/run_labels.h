// What runs and sweeps are called in pictures, tables and reports: `--label`, once per directory, or the
// directories' last parts.
//
//   std::vector<std::string> labels = run_labels(given);     // out/baseline out/detail: baseline, detail
#pragma once

#include <string>
#include <vector>

#include "tb/arguments/argument_reader.h"

namespace weir::tb {

/// The last parts of the directories (of a summary.json its directory's), the last two where those are equal,
/// or what was given where they are, too.
std::vector<std::string> default_labels(const std::vector<std::string>& directories);

/// One for each of the files that were given. Errors: a directory that is given twice, by whatever path; a
/// number of labels that is not that of the directories; a label that is empty, or given twice.
std::vector<std::string> run_labels(argument_reader& given);

}  // namespace weir::tb
