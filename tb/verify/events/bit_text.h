// The bits of a signal as text, the highest first, of 0, 1, x and z. A text may be shorter than its signal:
// what is missing on the left is 0, or x or z where the first character is (IEEE 1364-2005, 18.2.1). So a
// change of a wide signal takes as much memory as its text in the file.
//
//   shortest("0001x");               // "1x"
//   slice_of("1x", 8, {0, 4});       // "0": bits 7 to 4 of 0000001x
//   value_text("1111", 8);           // "0x0f"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace weir::tb {

/// Widest signal that is read. Every Verilog simulator takes 65,536 bits (IEEE 1364-2005, 4.3.1); a file with a
/// wider signal than 16 times that is taken to be damaged.
constexpr std::size_t most_bits = std::size_t{1} << 20;

/// Maps the value of one bit to 0, 1, x or z. VHDL (IEEE 1164) has nine values: `L` becomes 0, `H` becomes 1,
/// and `U`, `W` and `-` become x. Letters are of either case. Returns '\0' if `written` is no value of a bit.
char four_valued(char written);

/// Without the bits on the left that are implied.
std::string_view shortest(std::string_view bits);

/// `places`: first and count of characters, in the text at its full width. What it gives may be short, too.
std::string_view slice_of(std::string_view bits, std::size_t width, std::pair<std::size_t, std::size_t> places);

/// For people: `1` for one bit, `0x0f` for several, `0b0x1` where one is not known. All bits of a signal of up
/// to 64 are there; of a wider one those are left out that are implied. `width` 0: a real or a string, as it
/// is.
std::string value_text(std::string_view bits, std::size_t width);

/// Returns the same text for all notations of a value. A value is a whole number (whole_number.h), `0b` and
/// bits with x or z, one such bit (`x` is `0bx`), or several of these with single blanks between. Letters are
/// of either case. Any other text is returned as it is.
std::string plain_value(const std::string& text);

}  // namespace weir::tb
