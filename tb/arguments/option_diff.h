// `weir options --diff A B`: the options in which two configurations differ, as they are used.
#pragma once

#include <ostream>
#include <string>

namespace weir::tb {

/// `a` and `b`: INI files, or directories that hold an effective.ini. Values are those that a run would use,
/// with what schemes set and what is worked out. Returns the exit status: 2, and nothing on `out`, where one of
/// them has mistakes.
int print_option_diff(const std::string& a, const std::string& b, bool as_markdown, std::ostream& out,
                      std::ostream& err);

}  // namespace weir::tb
