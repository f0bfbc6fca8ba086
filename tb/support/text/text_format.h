// Numbers as text, the same in every locale and on every machine: from integers wherever there is a choice.
//
//   csv_line({"17", "a,b", ns_text(25'000'125_ps)});    // 17,"a,b",25000.125\n
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/time.h"

namespace weir::tb {

/// Stands for the largest unit that is not above the value.
inline constexpr std::size_t fitting_unit = SIZE_MAX;
/// For people: three decimals, rounded: `25.000 us`. `unit`: place among ns, us, ms and s.
std::string duration_text(picoseconds time, std::size_t unit = fitting_unit);
/// For people: three decimals, rounded: `9.412 Gb/s`. `unit`: place among kb/s, Mb/s, Gb/s and Tb/s.
std::string rate_text(std::int64_t bits_per_second, std::size_t unit = fitting_unit);
/// Exact, in ns: up to three decimals, none that are zero at the end. `25000.125`.
std::string ns_text(picoseconds time);
/// With so many decimals.
std::string decimal_text(double value, int decimals);
/// Thousands apart in a decimal number: `12,345.6` of `12345.6`.
std::string grouped(std::string number);
/// For people: thousands apart. `1,234,567`.
std::string count_text(std::uint64_t count);

/// Characters that a terminal would obey, such as a line's end, as `\n` and `\x1b`.
std::string in_one_line(const std::string& text);

/// True if `name` needs no quotes in a CSV file.
bool stands_alone(std::string_view name);
/// `name` as a CSV file has it: in quotes where it has to be.
std::string csv_text(std::string_view name);

/// A line of a CSV file with its end.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace weir::tb
