#include "tb/verify/events/whole_number.h"

#include <charconv>
#include <cstdint>
#include <vector>

namespace weir::tb {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

unsigned value_of(char digit) {
    return digit <= '9' ? static_cast<unsigned>(digit - '0')
                        : (static_cast<unsigned>(digit) | 0x20U) - 'a' + 10;
}

/// Bits that a digit stands for; 0: digits are decimal.
unsigned bits_per_digit(std::string_view text) {
    const bool has_prefix = text.size() >= 3 && text[0] == '0';
    const int base = has_prefix ? text[1] | 0x20 : 0;
    return base == 'b' ? 1 : base == 'o' ? 3 : base == 'x' ? 4 : 0;
}

/// Returns the hexadecimal digits of decimal digits.
std::string hex_of_decimal(std::string_view digits) {
    constexpr std::size_t chunk = 9;
    constexpr std::uint64_t above_chunk = 1'000'000'000;
    std::vector<std::uint32_t> words;
    for (std::size_t size = (digits.size() - 1) % chunk + 1; !digits.empty(); size = chunk) {
        std::uint64_t carry = 0;
        std::from_chars(digits.data(), digits.data() + size, carry);
        digits.remove_prefix(size);
        for (std::uint32_t& word : words) {
            carry += word * above_chunk;
            word = static_cast<std::uint32_t>(carry & 0xFFFF'FFFF);
            carry >>= 32;
        }
        if (carry != 0) {
            words.push_back(static_cast<std::uint32_t>(carry));
        }
    }
    std::string hex;
    for (const std::uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 4) {
            hex += hex_digits[word >> shift & 15];
        }
    }
    return {hex.rbegin(), hex.rend()};
}

}  // namespace

std::string hex_of_bits(std::string_view digits, unsigned bits) {
    std::string hex;
    unsigned held = 0;
    unsigned count = 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        held |= value_of(*digit) << count;
        for (count += bits; count >= 4; count -= 4) {
            hex += hex_digits[held & 15];
            held >>= 4;
        }
    }
    hex += count > 0 ? hex_digits.substr(held & 15, 1) : "";
    return {hex.rbegin(), hex.rend()};
}

std::optional<std::string> plain_number(std::string_view text) {
    const bool negative = text.substr(0, 1) == "-";
    text.remove_prefix(negative || text.substr(0, 1) == "+" ? 1 : 0);
    const unsigned bits = bits_per_digit(text);
    text.remove_prefix(bits == 0 ? 0 : 2);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value, bits == 0 ? 10 : 1 << bits);
    if (read.ec == std::errc::invalid_argument || read.ptr != end) {
        return std::nullopt;
    }
    std::string plain = std::to_string(value);
    if (read.ec == std::errc::result_out_of_range) {
        text.remove_prefix(text.find_first_not_of('0'));
        if (bits == 0 && text.size() > most_decimal_digits) {
            plain = text;
        } else {
            plain = bits == 0 ? hex_of_decimal(text) : hex_of_bits(text, bits);
            plain.replace(0, plain.find_first_not_of('0'), "0x");
        }
    }
    return negative && plain != "0" ? "-" + plain : plain;
}

}  // namespace weir::tb
