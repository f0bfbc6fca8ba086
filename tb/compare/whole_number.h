// Whole numbers of any size as texts, in one notation however they were written.
//
//   plain_number("0X00ff");                   // "255"
//   plain_number("-007");                     // "-7"
//   plain_number("18446744073709551616");     // "0x10000000000000000": decimal digits end at 64 bits
//   plain_number("0b1x");                     // nothing
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::tb {

/// Equal for equal numbers: decimal if the number fits in 64 bits, otherwise `0x` and the digits, without
/// leading zeros, `-` before a number below 0. Reads decimal digits, or `0b`, `0o` or `0x` and digits, of
/// either letter case, after an optional sign. Nothing: the text is no whole number, or has more than 20,000
/// decimal digits.
std::optional<std::string> plain_number(std::string_view text);

}  // namespace weir::tb
