// Ranges of values, as `--vary` takes them.
//
//   expand_range(quantity_kind::bytes, "64KiB..256KiB:64KiB");   // 64KiB, 128KiB, 192KiB, 256KiB
//   expand_range(quantity_kind::time, "1us..100us:log:5");       // 1us, 3.162us, 10us, 31.62us, 100us
//   expand_range(quantity_kind::share, "10%..90%:lin:3");        // 10%, 50%, 90%
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tb/sweep/quantity.h"

namespace weir::tb {

/// Most values of one range.
inline constexpr std::size_t most_range_values = 10'000;

/// A text with `..` in it is meant as a range.
bool is_range(std::string_view text);

/// `low..high:step` steps from low to high and has to reach it; `low..high:lin:n` and `low..high:log:n` are n
/// values at equal distances and at equal ratios. Both ends are included. Values between the ends of `lin`
/// and `log` are rounded to four digits, unless they are whole numbers of the smallest unit (16KiB..1MiB:log:7
/// are powers of two). The texts are those of print_quantity.
/// Errors: an end or a step that cannot be read; high not above low; a step that misses the end; fewer than 2
/// or more than `most_range_values` values; two values that are equal once rounded.
parse_result<std::vector<std::string>> expand_range(quantity_kind kind, std::string_view text);

}  // namespace weir::tb
