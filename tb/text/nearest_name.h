// What someone may have meant who wrote a name that does not exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; `limit` if they are no
/// fewer.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = SIZE_MAX);

/// The nearest of `candidates` if it is near enough to be what was meant, else an empty text; the first of
/// equals.
std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates);

}  // namespace weir::tb
