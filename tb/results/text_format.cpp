#include "tb/results/text_format.h"

#include <charconv>

namespace weir {

namespace {

void append_number(std::string& text, std::uint64_t value) {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end);
}

}  // namespace

void append_ns(std::string& text, picoseconds time) {
    auto count = static_cast<std::uint64_t>(time.count());
    if (time.count() < 0) {
        text += '-';
        count = 0 - count;
    }
    append_number(text, count / 1000);
    if (count % 1000 != 0) {
        std::string decimals = std::to_string(1000 + count % 1000);
        decimals.erase(decimals.find_last_not_of('0') + 1);
        decimals[0] = '.';
        text += decimals;
    }
}

std::string ns_text(picoseconds time) {
    std::string text;
    append_ns(text, time);
    return text;
}

std::string duration_text(picoseconds time) {
    struct unit {
        const char* suffix;
        std::int64_t scale;
    };
    static constexpr unit units[] = {
        {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    std::int64_t thousandths = 0;
    const char* suffix = "";
    for (const unit& u : units) {
        thousandths = (time.count() + u.scale / 2'000) / (u.scale / 1'000);
        suffix = u.suffix;
        if (thousandths < 1'000'000) {
            break;
        }
    }
    const std::string decimals = std::to_string(1'000 + thousandths % 1'000).substr(1);
    return count_text(static_cast<std::uint64_t>(thousandths / 1'000)) + "." + decimals + " " + suffix;
}

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

void csv_line::separate() {
    if (m_ended) {
        m_text.clear();
        m_ended = false;
    } else {
        m_text += ',';
    }
}

csv_line& csv_line::add(std::uint64_t value) {
    separate();
    append_number(m_text, value);
    return *this;
}

csv_line& csv_line::add_name(std::string_view name) {
    separate();
    if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
        m_text += name;
        return *this;
    }
    m_text += '"';
    for (char c : name) {
        m_text.append(c == '"' ? 2 : 1, c);
    }
    m_text += '"';
    return *this;
}

csv_line& csv_line::add_ns(picoseconds time) {
    separate();
    append_ns(m_text, time);
    return *this;
}

csv_line& csv_line::add_decimal(double value, int decimals) {
    separate();
    char digits[340];
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals);
    m_text.append(digits, end);
    return *this;
}

csv_line& csv_line::add_nothing(unsigned fields) {
    for (; fields > 0; --fields) {
        separate();
    }
    return *this;
}

std::string_view csv_line::end() {
    m_text += '\n';
    m_ended = true;
    return m_text;
}

}  // namespace weir
