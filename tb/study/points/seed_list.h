// `--seeds` and `--point`. Seeds are those that every point of a sweep runs with. The same for all, so that
// points differ by their options and not by chance (common random numbers), and differences can be taken seed
// by seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/unit_text.h"

namespace weir::tb {

inline constexpr std::size_t most_seeds = 10'000;

/// `5`: five seeds from `first` on. `3,7,11` and `1..10`: these ones; a list may hold ranges.
/// Errors: no whole numbers, none, one twice, more than `most_seeds`.
parse_result<std::vector<std::uint64_t>> read_seeds(const std::string& text, std::uint64_t first);

/// `--point`: `3`, `1,5` or `1..10`, numbered from 1 as the folders of points are. Returns their places, from
/// 0. Errors: as above, or no point of so many.
parse_result<std::vector<std::size_t>> read_points(const std::string& text, std::size_t points);

}  // namespace weir::tb
