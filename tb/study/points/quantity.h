// The quantity behind an option's text: what ranges count in, tables print and axes are drawn by.
//
//   const quantity_kind kind = quantity_of(*table.find("switch.ingress_buffer"));    // bytes
//   read_quantity(kind, "64KiB").value;                                              // 65536
//   print_quantity(kind, 65536);                                                     // "64KiB"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tb/run/fields/option_table.h"
#include "tb/support/record/column_format.h"
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

}  // namespace weir::tb
