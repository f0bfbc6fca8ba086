// Errors of input as lines for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// `file:line: key: message`; without a file `command line: key: message`.
std::string format_error(const config_error& error);
/// All of them in their order, of one file the first 20 and `file: and N more`: a file of another kind has a
/// mistake in every line.
std::vector<std::string> error_lines(const config_errors& errors);
/// Prints these lines. Returns exit_status::bad_input.
int print_errors(const config_errors& errors, std::ostream& err);

}  // namespace weir::tb
