// Numbers as text, the same in every locale and on every machine: from integers wherever there is a choice.
//
//   csv_line line;
//   out.write(line.add(flow).add_name(tag).add_ns(fct).end());    // 17,query,25000.125\n
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// One line of a CSV file (RFC 4180), to be used again and again.
class csv_line {
 public:
    csv_line& add(std::uint64_t value);
    /// Quoted where it has to be.
    csv_line& add_name(std::string_view name);
    /// Exact: up to three decimals, none that are zero at the end. `25000.125`.
    csv_line& add_ns(picoseconds time);
    /// With `decimals` (0-9) decimals.
    csv_line& add_decimal(double value, int decimals);
    /// The shortest text that reads back as the same number: `0.87890625`.
    csv_line& add_real(double value);
    /// Does not apply.
    csv_line& add_nothing(unsigned fields = 1);

    /// The line with its end. The next field begins a new one.
    std::string_view end();

 private:
    /// Where the next field begins: room for `most` characters.
    char* field(std::size_t most);
    csv_line& up_to(const char* end);

    /// Always with room for one character more.
    std::string m_text = std::string(256, '\0');
    std::size_t m_size = 0;
    bool m_ended = true;
};

}  // namespace weir::tb
