#include "tb/compare/bit_text.h"

#include <algorithm>

namespace weir::tb {

namespace {

constexpr std::size_t most_shown_in_full = 64;

char implied_before(char first) {
    return first == '1' ? '0' : first;
}

std::string hexadecimal(std::string_view bits) {
    std::string digits;
    for (std::size_t end = bits.size(); end > 0;) {
        const std::size_t from = end > 4 ? end - 4 : 0;
        unsigned digit = 0;
        for (std::size_t b = from; b < end; ++b) {
            digit = 2 * digit + (bits[b] == '1' ? 1 : 0);
        }
        digits += "0123456789abcdef"[digit];
        end = from;
    }
    std::reverse(digits.begin(), digits.end());
    return "0x" + digits;
}

}  // namespace

std::string_view shortest(std::string_view bits) {
    while (bits.size() > 1 && bits[0] == implied_before(bits[1])) {
        bits.remove_prefix(1);
    }
    return bits;
}

std::string_view slice_of(std::string_view bits, std::size_t width,
                          std::pair<std::size_t, std::size_t> places) {
    if (bits.empty()) {
        return bits;
    }
    const auto [first, count] = places;
    const std::size_t missing = width - std::min(width, bits.size());
    if (first >= missing) {
        return bits.substr(first - missing, count);
    }
    if (first + count > missing) {
        return bits.substr(0, first + count - missing);
    }
    static constexpr std::string_view fills = "0xz";
    return fills.substr(fills.find(implied_before(bits[0])), 1);
}

std::string value_text(std::string_view bits, std::size_t width) {
    if (width <= 1 || bits.empty()) {
        return std::string(bits);
    }
    const std::string_view own = shortest(bits);
    std::string shown(std::min(width, most_shown_in_full), implied_before(own[0]));
    shown.replace(shown.size() - std::min(shown.size(), own.size()), std::string::npos, own);
    return shown.find_first_not_of("01") == std::string::npos ? hexadecimal(shown) : "0b" + shown;
}

std::string shortest_value(const std::string& text) {
    const std::string_view digits = std::string_view(text).substr(std::min<std::size_t>(text.size(), 2));
    if (text.rfind("0b", 0) == 0 && digits.find_first_not_of("01xz") == std::string_view::npos) {
        return "0b" + std::string(shortest(digits));
    }
    if (text.rfind("0x", 0) == 0 && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
        return "0x" + std::string(digits.substr(std::min(digits.find_first_not_of('0'), digits.size())));
    }
    return text;
}

}  // namespace weir::tb
