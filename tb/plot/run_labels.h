// What runs are called in pictures: `--label`, once per directory, or the directories' last parts.
//
//   std::vector<std::string> labels = run_labels(given);     // out/baseline out/detail: baseline, detail
#pragma once

#include <string>
#include <vector>

#include "tb/arguments/argument_reader.h"

namespace weir::tb {

/// One for each of the files that were given; the whole paths where last parts are equal. A number of labels
/// that is not that of the files is an error with the key `--label`.
std::vector<std::string> run_labels(argument_reader& given);

}  // namespace weir::tb
