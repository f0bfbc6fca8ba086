// Options as columns of a table: each as it is written, and behind it for programs, where it is a quantity with
// a unit, the bare number: `switch.ingress_buffer`, `switch.ingress_buffer_bytes`, as tables of sweeps have it.
//
//   add_option_columns(table, section, {"switch.ingress_buffer"},
//                      [&](std::size_t row, const std::string& key) { return options[row].find(key); });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tb/table/data_table.h"

namespace weir::tb {

/// `text_of`: value of an option in a row; null where there is no such option.
void add_option_columns(
    data_table& table, std::size_t section, const std::vector<std::string>& keys,
    const std::function<const std::string*(std::size_t row, const std::string& key)>& text_of);

}  // namespace weir::tb
