// Texts of a help, in lines.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace weir::tb {

/// Unit: characters.
inline constexpr std::size_t line_width = 100;

/// Breaks at blanks; every line starts with `indent`, the first one with `first`.
void write_wrapped(std::ostream& out, const std::string& first, const std::string& indent,
                   const std::string& text);

}  // namespace weir::tb
