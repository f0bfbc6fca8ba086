// Numbers as text, the same in every locale and on every machine: from integers wherever there is a choice.
//
//   csv_line line;
//   out.write(line.add(flow).add_name(tag).add_ns(fct).end());    // 17,query,25000.125\n
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tb/text/csv_row.h"
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

/// True if `name` needs no quotes in a CSV file.
bool stands_alone(std::string_view name);
/// `name` as a CSV file has it: in quotes where it has to be.
std::string csv_text(std::string_view name);

/// One line of a CSV file, to be used again and again (csv_row.h).
class csv_line {
 public:
    csv_line& add(std::uint64_t value) { return up_to(room(most_digits).add(value)); }
    /// Quoted where it has to be.
    csv_line& add_name(std::string_view name);
    template <class Names = std::initializer_list<const char*>>
    csv_line& add_names(const Names& names) {
        for (const auto& name : names) {
            add_name(name);
        }
        return *this;
    }
    /// Exact: up to three decimals, none that are zero at the end. `25000.125`.
    csv_line& add_ns(picoseconds time) { return up_to(room(most_ns_digits).add_ns(time)); }
    /// With `decimals` (0-9) decimals.
    csv_line& add_decimal(double value, int decimals);
    /// The shortest text that reads back as the same number: `0.87890625`.
    csv_line& add_real(double value);
    /// Does not apply.
    csv_line& add_nothing(unsigned fields = 1);

    /// The line with its end. The next field begins a new one.
    std::string_view end();

 private:
    csv_line& add_text(std::string_view text) { return up_to(room(text.size()).add_text(text)); }
    /// The next field begins there: with `most` characters, and one for what follows.
    csv_row room(std::size_t most) {
        if (__builtin_expect(m_text.size() < m_size + most + 1, 0)) {
            grow(most);
        }
        return csv_row(m_text.data() + m_size);
    }
    void grow(std::size_t most);
    csv_line& up_to(const csv_row& row) {
        m_size = static_cast<std::size_t>(row.at() - m_text.data());
        return *this;
    }

    std::string m_text = std::string(256, '\0');
    std::size_t m_size = 0;
};

}  // namespace weir::tb
