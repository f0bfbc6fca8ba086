// Lists of names, made short for people: `h0 to h63`, `agg0.0 to agg15.7`, `left, right`.
//
//   name_ranges({"h0", "h1", "h2", "spine"}, 12);      // "h0 to h2, spine"
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::tb {

/// Names that differ in numbers only are a range, if every combination of the numbers from the first to the
/// last name is there; where it is not, neighbours in the list that differ in one number by one are. Numbers
/// with leading zeros are text. At most `most` names and ranges (at least 2), the last one among them; what is
/// left out is counted.
std::string name_ranges(const std::vector<std::string>& names, std::size_t most);

}  // namespace weir::tb
