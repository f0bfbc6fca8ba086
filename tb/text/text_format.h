// Numbers as text, the same in every locale and on every machine: from integers wherever there is a choice.
//
//   csv_line line;
//   out.write(line.add(flow).add_name(tag).add_ns(fct).end());    // 17,query,25000.125\n
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tb/text/digits.h"
#include "weir/base/time.h"

namespace weir::tb {

/// For people: three decimals in the largest unit that is not above the value, rounded. `25.000 us`.
std::string duration_text(picoseconds time);
/// For people: three decimals in kb/s, Mb/s, Gb/s or Tb/s. `9.412 Gb/s`.
std::string rate_text(std::int64_t bits_per_second);
/// With so many decimals.
std::string decimal_text(double value, int decimals);
/// For people: thousands apart. `1,234,567`.
std::string count_text(std::uint64_t count);

/// `name` as a CSV file has it: in quotes where it has to be.
std::string csv_text(std::string_view name);

/// One line of a CSV file (RFC 4180), to be used again and again.
class csv_line {
 public:
    csv_line& add(std::uint64_t value) { return up_to(put_digits(room(most_digits), value)); }
    /// Quoted where it has to be.
    csv_line& add_name(std::string_view name);
    /// A name that is written often: what `csv_text` made of it.
    csv_line& add_text(std::string_view text) {
        char* const to = room(text.size());
        std::memcpy(to, text.data(), text.size());
        return up_to(to + text.size());
    }
    /// Exact: up to three decimals, none that are zero at the end. `25000.125`.
    csv_line& add_ns(picoseconds time) { return up_to(put_ns(room(most_ns_digits), time)); }
    /// With `decimals` (0-9) decimals.
    csv_line& add_decimal(double value, int decimals);
    /// The shortest text that reads back as the same number: `0.87890625`.
    csv_line& add_real(double value);
    /// Does not apply.
    csv_line& add_nothing(unsigned fields = 1);

    /// The line with its end. The next field begins a new one.
    std::string_view end() {
        const std::size_t size = m_size != 0 ? m_size : 1;
        m_text[size - 1] = '\n';
        m_size = 0;
        return {m_text.data(), size};
    }

 private:
    /// Where the next field begins: for `most` characters, and the comma behind them.
    char* room(std::size_t most) {
        if (__builtin_expect(m_text.size() < m_size + most + 1, 0)) {
            grow(most);
        }
        return m_text.data() + m_size;
    }
    void grow(std::size_t most);
    /// Ends a field: every one with a comma, of which the last becomes the line's end.
    csv_line& up_to(char* end) {
        *end = ',';
        m_size = static_cast<std::size_t>(end + 1 - m_text.data());
        return *this;
    }

    std::string m_text = std::string(256, '\0');
    std::size_t m_size = 0;
};

}  // namespace weir::tb
