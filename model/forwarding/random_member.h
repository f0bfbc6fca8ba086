// Draws a port from a set.
#pragma once

#include <cstdint>

#include "weir/base/port_bitmap.h"
#include "weir/base/rng.h"

namespace weir::model {

/// Position of the `n`-th bit that is set, counted from 0; there must be one.
inline unsigned nth_bit(std::uint64_t word, unsigned n) {
#ifdef __BMI2__
    word = __builtin_ia32_pdep_di(std::uint64_t{1} << n, word);
#else
    for (; n > 0; --n) {
        word &= word - 1;
    }
#endif
    return static_cast<unsigned>(__builtin_ctzll(word));
}

/// Any member of the set with equal probability; draws only if there is more than one.
inline unsigned random_member(const port_bitmap& candidates, random_stream& chance) {
    const unsigned count = candidates.count();
    return candidates.nth(count > 1 ? chance.below(count) : 0);
}
inline unsigned random_member(std::uint64_t candidates, random_stream& chance) {
    const auto count = static_cast<unsigned>(__builtin_popcountll(candidates));
    return nth_bit(candidates, count > 1 ? chance.below(count) : 0);
}

}  // namespace weir::model
