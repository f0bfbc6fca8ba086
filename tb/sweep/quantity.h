// The quantity behind an option's text: what ranges count in, tables print and axes are drawn by.
//
//   const quantity_kind kind = quantity_of(*table.find("switch.ingress_buffer"));    // bytes
//   read_quantity(kind, "64KiB").value;                                              // 65536
//   print_quantity(kind, 65536);                                                     // "64KiB"
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/options/option_table.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// `none`: names and texts; they have an order, and no distance. A list of quantities is one as long as it has
/// one element (`traffic.fan_out=8`).
enum class quantity_kind : std::uint8_t { none, bytes, time, rate, count, number, share };

quantity_kind quantity_of(const option& o);

/// Unit of the number: B, ps, bit/s, 1, 1, 1 (15% is 0.15). Not for `none`.
parse_result<double> read_quantity(quantity_kind kind, std::string_view text);

/// The text that an option of this kind reads back to the same value. Bytes, times, rates and counts are
/// rounded to whole ones, the others to 12 digits.
std::string print_quantity(quantity_kind kind, double value);

/// Whole bytes, picoseconds, bit/s, counts; else any number.
bool is_whole(quantity_kind kind);

/// What a table's column for the number is called, behind the key: `_bytes`, `_ns`, `_bps`, `_share`; empty
/// where the text is the number already.
std::string column_suffix(quantity_kind kind);
/// The number that stands in that column: as above, but times are in ns.
double column_value(quantity_kind kind, double value);

/// `value` with so many significant digits. Range of digits: 1 to 17.
double rounded(double value, int digits);

/// A number in decimal notation without an exponent, as short as it can be.
std::string decimal_text(double value);

/// A value for programs: the shortest text that reads back as the same number, without an exponent; texts of a
/// list with commas, or `none`; empty for null.
std::string plain_text(const nlohmann::ordered_json& value);
/// Of an object's members: their names, and their values for programs.
std::vector<std::string> names_in(const nlohmann::ordered_json& object);
std::vector<std::string> plain_texts(const nlohmann::ordered_json& object);
/// The value to twelve digits, which are more than means and ratios deserve, and fewer than machines may differ
/// in: whole where it is whole.
nlohmann::ordered_json plain_number(double value);

}  // namespace weir::tb
