// ports.csv: what went through each port, class by class, and what its memories held.
//
//   port_table table(fabric);
//   table.restart();                              // the end of the warm-up
//   table.write(file, measured_time);
#pragma once

#include <array>
#include <vector>

#include "run_directory.h"
#include "text_format.h"
#include "weir/model/fabric.h"

namespace weir {

class port_table {
 public:
    explicit port_table(fabric& made) : m_fabric(made) { restart(); }

    /// Drops are counted from here on. Together with `fabric::restart_statistics`, which does the rest.
    void restart();
    /// `measured`: time since the restart, up to which the fabric has been settled. Throws output_error.
    void write(output_file& file, picoseconds measured) const;

 private:
    using port_drops = std::vector<std::array<drop_counts, pfc_classes>>;

    void write_switch(output_file& file, switch_id s, picoseconds measured) const;
    void write_host(output_file& file, host_id h, picoseconds measured) const;

    fabric& m_fabric;
    std::vector<port_drops> m_switch_drops;
    std::vector<drop_counts> m_host_drops;
    mutable csv_line m_line;
};

}  // namespace weir
