#include "tb/verify/events/bit_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "tb/verify/events/whole_number.h"

namespace weir::tb {

namespace {

constexpr std::size_t most_shown_in_full = 64;

char implied_before(char first) {
    return first == '1' ? '0' : first;
}

/// Returns one text for all notations of a number, or of bits with x or z. Nothing for any other word.
std::optional<std::string> plain_word(std::string_view word) {
    if (auto number = plain_number(word)) {
        return number;
    }
    std::string folded(word);
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (folded == "x" || folded == "z") {
        return folded;
    }
    if (folded.size() < 3 || folded.compare(0, 2, "0b") != 0 ||
        folded.find_first_not_of("01xz", 2) != std::string::npos) {
        return std::nullopt;
    }
    const std::string_view bits = shortest(std::string_view(folded).substr(2));
    return (bits.size() == 1 ? "" : "0b") + std::string(bits);
}

}  // namespace

char four_valued(char written) {
    constexpr std::string_view from = "01xzlhuw-";
    constexpr std::string_view to = "01xz01xxx";
    const std::size_t at = from.find(static_cast<char>(std::tolower(static_cast<unsigned char>(written))));
    return at == from.npos ? '\0' : to[at];
}

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
    return shown.find_first_not_of("01") == std::string::npos ? "0x" + hex_of_bits(shown, 1) : "0b" + shown;
}

std::string plain_value(const std::string& text) {
    std::string plain;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        const auto value = plain_word(std::string_view(text).substr(from, end - from));
        if (!value) {
            return text;
        }
        plain += (from == 0 ? "" : " ") + *value;
        from = end + 1;
    }
    return plain;
}

}  // namespace weir::tb
