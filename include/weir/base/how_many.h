// A count and what is counted, in the singular or the plural.
//
//   how_many(1, "run");    // 1 run
//   how_many(2, "run");    // 2 runs
#pragma once

#include <cstdint>
#include <string>

namespace weir {

inline std::string how_many(std::uint64_t count, const char* one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace weir
