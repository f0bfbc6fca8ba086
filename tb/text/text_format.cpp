#include "tb/text/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::tb {

namespace {

struct scaled_unit {
    const char* suffix;
    std::int64_t scale;
};

/// With three decimals in the largest unit that is not above the value, and the smallest for what is below all.
template <std::size_t N>
std::string three_decimals(std::int64_t value, const scaled_unit (&units)[N]) {
    std::int64_t thousandths = 0;
    const char* suffix = "";
    for (const scaled_unit& u : units) {
        thousandths = (value + u.scale / 2'000) / (u.scale / 1'000);
        suffix = u.suffix;
        if (thousandths < 1'000'000) {
            break;
        }
    }
    const std::string decimals = std::to_string(1'000 + thousandths % 1'000).substr(1);
    return count_text(static_cast<std::uint64_t>(thousandths / 1'000)) + "." + decimals + " " + suffix;
}

}  // namespace

std::string duration_text(picoseconds time) {
    static constexpr scaled_unit units[] = {
        {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    return three_decimals(time.count(), units);
}

std::string rate_text(std::int64_t bits_per_second) {
    static constexpr scaled_unit units[] = {
        {"kb/s", 1'000}, {"Mb/s", 1'000'000}, {"Gb/s", 1'000'000'000}, {"Tb/s", 1'000'000'000'000}};
    return three_decimals(bits_per_second, units);
}

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
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

void csv_line::grow(std::size_t most) {
    m_text.resize(2 * (m_size + most + 1));
}

csv_line& csv_line::add_name(std::string_view name) {
    return stands_alone(name) ? add_text(name) : add_text(csv_text(name));
}

std::string decimal_text(double value, int decimals) {
    std::array<char, longest_decimal> text;
    return {
        text.data(),
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr};
}

csv_line& csv_line::add_decimal(double value, int decimals) {
    return up_to(room(longest_decimal).add_decimal(value, decimals));
}

csv_line& csv_line::add_real(double value) {
    return up_to(room(longest_real).add_real(value));
}

csv_line& csv_line::add_nothing(unsigned fields) {
    for (; fields > 0; --fields) {
        up_to(room(0).add_nothing());
    }
    return *this;
}

std::string_view csv_line::end() {
    const std::size_t size = m_size != 0 ? m_size : 1;
    m_text[size - 1] = '\n';
    m_size = 0;
    return {m_text.data(), size};
}

}  // namespace weir::tb
