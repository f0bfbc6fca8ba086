#include "tb/support/text/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tb/support/text/csv_row.h"
#include "tb/support/text/digits.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

struct scaled_unit {
    const char* suffix;
    std::uint64_t scale;
};

/// With three decimals in the unit at place `unit`, or in the largest unit that is not above the value, and the
/// smallest unit for a value below all.
template <std::size_t N>
std::string three_decimals(std::int64_t value, const scaled_unit (&units)[N], std::size_t unit) {
    const std::uint64_t size =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    std::uint64_t thousandths = 0;
    const char* suffix = "";
    for (const scaled_unit& u : units) {
        thousandths = (size + u.scale / 2'000) / (u.scale / 1'000);
        suffix = u.suffix;
        if (unit == fitting_unit ? thousandths < 1'000'000 : &u == &units[unit]) {
            break;
        }
    }
    const std::string decimals = std::to_string(1'000 + thousandths % 1'000).substr(1);
    return (value < 0 && thousandths > 0 ? "-" : "") + count_text(thousandths / 1'000) + "." + decimals + " " +
           suffix;
}

}  // namespace

std::string duration_text(picoseconds time, std::size_t unit) {
    static constexpr scaled_unit units[] = {
        {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    return three_decimals(time.count(), units, unit);
}

std::string rate_text(std::int64_t bits_per_second, std::size_t unit) {
    static constexpr scaled_unit units[] = {
        {"kb/s", 1'000}, {"Mb/s", 1'000'000}, {"Gb/s", 1'000'000'000}, {"Tb/s", 1'000'000'000'000}};
    return three_decimals(bits_per_second, units, unit);
}

std::string grouped(std::string number) {
    const std::size_t first = number.find_first_of("0123456789");
    std::size_t at = std::min(number.find('.'), number.size());
    for (; first != std::string::npos && at > first + 3; number.insert(at, ",")) {
        at -= 3;
    }
    return number;
}

std::string count_text(std::uint64_t count) {
    return grouped(std::to_string(count));
}

std::string in_one_line(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text) {
        const auto octet = static_cast<unsigned char>(c);
        if (c == '\n') {
            shown += "\\n";
        } else if (octet < 0x20 || octet == 0x7F) {
            shown += {'\\', 'x', digits[octet >> 4], digits[octet & 0xF]};
        } else {
            shown += c;
        }
    }
    return shown;
}

bool stands_alone(std::string_view name) {
    return std::none_of(name.begin(), name.end(),
                        [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
}

std::string csv_text(std::string_view name) {
    if (stands_alone(name)) {
        return std::string(name);
    }
    std::string text = "\"";
    for (const char c : name) {
        text.append(c == '"' ? 2 : 1, c);
    }
    return text + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
    return joined(fields, ",", csv_text) + "\n";
}

std::string ns_text(picoseconds time) {
    std::array<char, most_ns_digits> text;
    return {text.data(), put_ns(text.data(), time)};
}

std::string decimal_text(double value, int decimals) {
    std::array<char, longest_decimal> text;
    return {
        text.data(),
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr};
}

}  // namespace weir::tb
