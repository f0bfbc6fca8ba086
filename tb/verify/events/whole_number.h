// Whole numbers of any size as texts, in one notation however they were written.
//
//   plain_number("0X00ff");                   // "255"
//   plain_number("-007");                     // "-7"
//   plain_number("18446744073709551616");     // "0x10000000000000000": decimal digits end at 64 bits
//   plain_number("0b1x");                     // nothing
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::tb {

/// Most decimal digits that are converted; 65,536 bits need fewer. The time grows with the square of the
/// digits.
constexpr std::size_t most_decimal_digits = 20'000;

/// Returns the same text for all notations of a number: decimal if the number fits in 64 bits, otherwise `0x`
/// and the digits. It has no leading zeros, and `-` before a number below 0. Reads decimal digits, or `0b`,
/// `0o` or `0x` and digits, of either letter case, after an optional sign. Nothing if the text is no whole
/// number.
///
/// Limit: a decimal number of more than `most_decimal_digits` digits, leading zeros aside, stays decimal. So it
/// equals other decimal texts of the number, but none in `0b`, `0o` or `0x`.
std::optional<std::string> plain_number(std::string_view text);

/// Returns the hexadecimal digits of digits that stand for `bits` bits each: `hex_of_bits("10111", 1)` is `17`.
/// Leading zeros stay. Range: 1 to 4.
std::string hex_of_bits(std::string_view digits, unsigned bits);

}  // namespace weir::tb
