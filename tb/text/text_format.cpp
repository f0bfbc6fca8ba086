#include "tb/text/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::tb {

namespace {

constexpr std::size_t longest_number = 20;
/// 17 digits, a sign, a point, an exponent.
constexpr std::size_t longest_real = 32;
/// A sign, a number and three decimals.
constexpr std::size_t longest_ns = 1 + longest_number + 4;

char* put_number(char* to, std::uint64_t value) {
    return std::to_chars(to, to + longest_number, value).ptr;
}

char* put_ns(char* to, picoseconds time) {
    auto count = static_cast<std::uint64_t>(time.count());
    if (time.count() < 0) {
        *to++ = '-';
        count = 0 - count;
    }
    to = put_number(to, count / 1000);
    if (auto left = static_cast<unsigned>(count % 1000); left != 0) {
        *to++ = '.';
        for (unsigned unit = 100; left != 0; left %= unit, unit /= 10) {
            *to++ = static_cast<char>('0' + left / unit);
        }
    }
    return to;
}

bool needs_quotes(char c) {
    return c == ',' || c == '"' || c == '\r' || c == '\n';
}

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

char* csv_line::field(std::size_t most) {
    if (m_ended) {
        m_size = 0;
        m_ended = false;
    } else {
        m_text[m_size++] = ',';
    }
    // The field, and what follows it: a comma or the line's end.
    if (m_text.size() < m_size + most + 1) {
        m_text.resize(2 * (m_size + most + 1));
    }
    return m_text.data() + m_size;
}

csv_line& csv_line::up_to(const char* end) {
    m_size = static_cast<std::size_t>(end - m_text.data());
    return *this;
}

csv_line& csv_line::add(std::uint64_t value) {
    return up_to(put_number(field(longest_number), value));
}

csv_line& csv_line::add_name(std::string_view name) {
    char* to = field(2 * name.size() + 2);
    if (std::none_of(name.begin(), name.end(), needs_quotes)) {
        return up_to(std::copy(name.begin(), name.end(), to));
    }
    *to++ = '"';
    for (char c : name) {
        if (c == '"') {
            *to++ = c;
        }
        *to++ = c;
    }
    *to++ = '"';
    return up_to(to);
}

csv_line& csv_line::add_ns(picoseconds time) {
    return up_to(put_ns(field(longest_ns), time));
}

// Digits of the largest double, a sign, a point, decimals.
static constexpr std::size_t longest_decimal = 340;

std::string decimal_text(double value, int decimals) {
    std::array<char, longest_decimal> text;
    return {
        text.data(),
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr};
}

csv_line& csv_line::add_decimal(double value, int decimals) {
    char* to = field(longest_decimal);
    return up_to(std::to_chars(to, to + longest_decimal, value, std::chars_format::fixed, decimals).ptr);
}

csv_line& csv_line::add_real(double value) {
    char* to = field(longest_real);
    return up_to(std::to_chars(to, to + longest_real, value).ptr);
}

csv_line& csv_line::add_nothing(unsigned fields) {
    for (; fields > 0; --fields) {
        field(0);
    }
    return *this;
}

std::string_view csv_line::end() {
    if (m_ended) {
        m_size = 0;
    }
    m_text[m_size] = '\n';
    m_ended = true;
    return {m_text.data(), m_size + 1};
}

}  // namespace weir::tb
