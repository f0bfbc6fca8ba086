// Where a report may be written.
#pragma once

#include <string>
#include <string_view>

#include "weir/base/config_error.h"

namespace weir::tb {

/// What forbids to write a report to `out`, as errors with the key `--out`; changes nothing. A file that is
/// there is replaced if it is a report, and refused otherwise, and so is one among the files of a run or of a
/// sweep, which take no other file beside theirs. What is no file proper (a pipe) is written into.
config_errors check_report_file(const std::string& out);

/// `/dev/stdout` or the like: the page is all that goes there.
bool is_stream(const std::string& out);

/// Throws output_error, or command_error where the path itself is wrong.
void write_report(const std::string& out, std::string_view page);

}  // namespace weir::tb
