// Whole numbers as decimal digits, for lines that are written by the million: three digits at a time, from a
// table of 4 KiB. `std::to_chars` counts the digits first, and takes twice as long.
//
//   char text[most_digits];
//   std::string_view all(text, put_digits(text, 1454) - text);      // 1454
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "weir/base/time.h"

namespace weir::tb {

/// Of the largest number, and what else is written over behind it.
inline constexpr std::size_t most_digits = 21;
/// A sign, a number, a point and three decimals; as `most_digits`.
inline constexpr std::size_t most_ns_digits = most_digits + 5;

namespace digits {

/// Of 0 to 999: three digits, the first in the lowest byte. Above them, 8 bits for each zero that a number
/// would begin with (0, 8 or 16; of 0 the last one stays), in 5 bits, then how many digits a fraction has,
/// which ends before its last zeros.
inline constexpr unsigned leading_place = 24;
inline constexpr unsigned decimals_place = 29;

constexpr std::array<std::uint32_t, 1'000> make_table() {
    std::array<std::uint32_t, 1'000> table{};
    for (std::uint32_t n = 0; n < 1'000; ++n) {
        const std::uint32_t text = 0x303030U + n / 100 + (n / 10 % 10 << 8) + (n % 10 << 16);
        const std::uint32_t leading = n < 10 ? 16 : n < 100 ? 8 : 0;
        const std::uint32_t decimals = n % 10 != 0 ? 3 : n % 100 != 0 ? 2 : n != 0 ? 1 : 0;
        table[n] = text | leading << leading_place | decimals << decimals_place;
    }
    return table;
}
inline constexpr std::array<std::uint32_t, 1'000> table = make_table();

/// Four bytes, of which the last means nothing.
inline void store(char* to, std::uint32_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap32(bytes);
#endif
    std::memcpy(to, &bytes, sizeof(bytes));
}
/// The digits that a number begins with. Range: value < 1,000.
inline char* put_first(char* to, std::uint64_t value) {
    const std::uint32_t text = table[value];
    const std::uint32_t leading = text >> leading_place & 31;
    store(to, text >> leading);
    return to + 3 - leading / 8;
}
/// Three digits of a number that has begun. Range: value < 1,000.
inline char* put_next(char* to, std::uint64_t value) {
    store(to, table[value]);
    return to + 3;
}

/// All digits of a number. Range: value >= 1,000,000.
[[gnu::noinline]] inline char* put_long(char* to, std::uint64_t value) {
    std::array<std::uint64_t, 7> threes;
    std::size_t count = 0;
    for (; value >= 1'000; value /= 1'000) {
        threes[count++] = value % 1'000;
    }
    to = put_first(to, value);
    while (count > 0) {
        to = put_next(to, threes[--count]);
    }
    return to;
}

}  // namespace digits

/// Returns the end of the text. `most_digits` characters from `to` on may be written.
inline char* put_digits(char* to, std::uint64_t value) {
    if (value < 1'000) {
        return digits::put_first(to, value);
    }
    const std::uint64_t thousands = value / 1'000;
    const std::uint64_t rest = value - 1'000 * thousands;
    if (thousands < 1'000) {
        to = digits::put_first(to, thousands);
    } else if (thousands < 1'000'000) {
        const std::uint64_t millions = thousands / 1'000;
        to = digits::put_next(digits::put_first(to, millions), thousands - 1'000 * millions);
    } else {
        to = digits::put_long(to, thousands);
    }
    return digits::put_next(to, rest);
}

/// Exact, in ns: up to three decimals, none that are zero at the end. `25000.125`. Returns the end of the text.
/// `most_ns_digits` characters from `to` on may be written.
inline char* put_ns(char* to, picoseconds time) {
    auto count = static_cast<std::uint64_t>(time.count());
    if (__builtin_expect(time.count() < 0, 0)) {
        *to++ = '-';
        count = 0 - count;
    }
    to = put_digits(to, count / 1'000);
    const std::uint32_t decimals = digits::table[count % 1'000];
    const std::uint32_t shown = decimals >> digits::decimals_place;
    *to = '.';
    digits::store(to + 1, decimals);
    return to + shown + (shown != 0 ? 1 : 0);
}

}  // namespace weir::tb
