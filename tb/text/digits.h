// Whole numbers as decimal digits, for lines that are written by the million: eight digits at a time.
//
// `std::to_chars` takes a branch for each pair of digits, and twice as long.
//
//   char text[most_digits];
//   std::string_view all(text, put_digits(text, 1454) - text);      // 1454
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "weir/base/time.h"

namespace weir::tb {

/// Of the largest number.
inline constexpr std::size_t most_digits = 20;
/// A sign, a number, a point and three decimals. `put_ns` may write so many characters, whatever the number.
inline constexpr std::size_t most_ns_digits = 1 + most_digits + 4;

namespace digits {

/// Numbers with eight digits and more.
inline constexpr std::uint64_t eight = 100'000'000;
inline constexpr std::uint64_t zeros = 0x3030'3030'3030'3030;

/// The digits, one in each byte, the first in the lowest one: pairs of four, of two and of one are taken apart
/// in one word. Range: value < `eight`.
inline std::uint64_t in_bytes(std::uint64_t value) {
    const std::uint64_t fours = value / 10'000 + ((value % 10'000) << 32);
    const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000'007F'0000'007F;
    const std::uint64_t twos = hundreds + ((fours - 100 * hundreds) << 16);
    const std::uint64_t tens = (twos * 103 >> 10) & 0x000F'000F'000F'000F;
    return tens + ((twos - 10 * tens) << 8);
}

/// As the lowest byte of a word comes first in text.
inline void store(char* to, std::uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    std::memcpy(to, &bytes, sizeof(bytes));
}

}  // namespace digits

/// Returns the end of the text. `most_digits` characters from `to` on may be written.
inline char* put_digits(char* to, std::uint64_t value) {
    if (value < 10) {
        *to = static_cast<char>('0' + value);
        return to + 1;
    }
    if (value < digits::eight) {
        const std::uint64_t bytes = digits::in_bytes(value);
        const auto leading = static_cast<unsigned>(__builtin_ctzll(bytes)) & ~7U;
        digits::store(to, (bytes | digits::zeros) >> leading);
        return to + 8 - leading / 8;
    }
    to = put_digits(to, value / digits::eight);
    digits::store(to, digits::in_bytes(value % digits::eight) | digits::zeros);
    return to + 8;
}

/// Exact, in ns: up to three decimals, none that are zero at the end. `25000.125`. Returns the end of the text.
inline char* put_ns(char* to, picoseconds time) {
    auto count = static_cast<std::uint64_t>(time.count());
    if (time.count() < 0) {
        *to++ = '-';
        count = 0 - count;
    }
    to = put_digits(to, count / 1'000);
    if (const auto left = static_cast<unsigned>(count % 1'000); left != 0) {
        const unsigned tenths = left / 100;
        const unsigned hundredths = left / 10 % 10;
        const unsigned thousandths = left % 10;
        to[0] = '.';
        to[1] = static_cast<char>('0' + tenths);
        to[2] = static_cast<char>('0' + hundredths);
        to[3] = static_cast<char>('0' + thousandths);
        to += thousandths != 0 ? 4 : hundredths != 0 ? 3 : 2;
    }
    return to;
}

}  // namespace weir::tb
