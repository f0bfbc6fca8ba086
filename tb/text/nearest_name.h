// What someone may have meant who wrote a name that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::tb {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The nearest of `candidates` if it is near enough to be what was meant, else an empty text; the first of
/// equals.
std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates);

}  // namespace weir::tb
