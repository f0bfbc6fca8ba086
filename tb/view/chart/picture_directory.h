// Where pictures may be written: not among the files of a run or of a sweep, which take no other file beside
// theirs, so that a directory with pictures could not be used for either again.
//
//   check_picture_directory("out/detail");          // --out: 'out/detail' holds a run, ...
//   check_picture_directory("out/detail/plots");    // the same: a run's directory takes no folder either
#pragma once

#include <filesystem>
#include <string>

#include "weir/base/config_error.h"

namespace weir::tb {

/// What forbids to write pictures to `out`, as errors with the key `--out`; changes nothing. A run's directory
/// is one that has effective.ini, with which every run begins, and another file of a run. A sweep's directory
/// is refused itself; its folder plots is for pictures.
config_errors check_picture_directory(const std::string& out);

/// Absolute, as far as it exists without links, and without a `/` at its end.
std::filesystem::path whole_path(const std::filesystem::path& path);
/// The directory of a run that this is, or is in; empty: none. `inner`: a whole path.
std::filesystem::path run_around(const std::filesystem::path& inner);
bool holds_sweep(const std::filesystem::path& directory);

}  // namespace weir::tb
