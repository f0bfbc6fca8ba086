// Options as columns of a table: each as it is written, and behind it for programs, where it is a quantity with
// a unit, the bare number: `switch.ingress_buffer`, `switch.ingress_buffer_bytes`, as tables of sweeps have it.
//
//   const option_columns columns({"switch.ingress_buffer"});
//   columns.add_to(table, section);
//   columns.add_cells(table.rows[0], [&](const std::string& key) { return options.find(key); });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tb/sweep/quantity.h"
#include "tb/table/data_table.h"

namespace weir::tb {

class option_columns {
 public:
    explicit option_columns(std::vector<std::string> keys);

    const std::vector<std::string>& keys() const { return m_keys; }
    void add_to(data_table& table, std::size_t section) const;
    /// `text_of`: an option's value; null where there is no such option.
    void add_cells(table_row& row, const std::function<const std::string*(const std::string&)>& text_of) const;

 private:
    std::vector<std::string> m_keys;
    /// `none` for options that this version does not know.
    std::vector<quantity_kind> m_kinds;
};

}  // namespace weir::tb
