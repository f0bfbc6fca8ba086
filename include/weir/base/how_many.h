// A count and what is counted, in the singular or the plural.
//
//   how_many(1, "run");    // 1 run
//   how_many(2, "run");    // 2 runs
//   how_many(2, "switch", "switches");
#pragma once

#include <cstdint>
#include <string>

namespace weir {

inline std::string how_many(std::uint64_t count, const char* one, const std::string& several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

inline std::string how_many(std::uint64_t count, const char* one) {
    return how_many(count, one, std::string(one) + "s");
}

}  // namespace weir
