// What tables of a switch's ports share: a CSV file, whose columns name switches, ports and classes, each a
// number, a range, or all of them.
//
//     switch,port,class,headroom_bytes          tor*,0-15,3,40560
//
// A column `switch` may be left out: all switches are meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/support/text/csv_file.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// Numbers from `low` to `high`, both included.
struct number_range {
    unsigned low = 0;
    unsigned high = 0;
};

class table_rows : public csv_file {
 public:
    /// `columns`: all that the file may have but `switch`; the first `required` of them it has to have. Others
    /// are refused.
    table_rows(const std::string& path, const topology& plan, const std::vector<std::string>& columns,
               std::size_t required, config_errors& errors);

    /// Goes to the next row; none after 20 mistakes. A file without any row is an error.
    bool next();
    /// Switches that the row is about; none, and an error, where there are none.
    std::vector<switch_id> switches();
    /// `*`, a number or a range, at most `most`; nothing, and an error, else. `most_text`: what sets the limit.
    std::optional<number_range> range(const std::string& column, unsigned most, const std::string& most_text);
    /// The same of ports of these switches; `*` is cut at each switch's number of ports.
    std::optional<number_range> ports(const std::string& column, const std::vector<switch_id>& switches);
    /// Nothing where the field is empty, or the column is not there; an error where it is no number.
    std::optional<std::uint64_t> number(const std::string& column, std::uint64_t low, std::uint64_t high);
    std::optional<double> factor(const std::string& column);

    bool has_value(const std::string& column) const { return !text(column).empty(); }
    using csv_file::refuse;
    void refuse(int line, const std::string& column, const std::string& message) {
        m_errors.push_back({m_path, line, column, message});
    }
    unsigned port_count(switch_id s) const {
        return static_cast<unsigned>(m_plan.ports(node_ref::of_switch(s)).size());
    }
    /// Whether all rows could be read.
    bool good() const { return m_errors.size() == m_errors_before; }

 private:
    std::string m_path;
    const topology& m_plan;
    config_errors& m_errors;
    std::size_t m_errors_before;
    bool m_any = false;
};

}  // namespace weir::tb
