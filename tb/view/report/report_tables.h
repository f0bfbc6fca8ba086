// Tables of a report, as cells of text: what `weir table` shows of the runs, what limits them, and the ports
// that they used most.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/support/record/table_writers.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/table/run_measures.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// One port, its classes together.
struct busy_port {
    std::string node;
    std::string port;
    std::string peer;
    double utilisation_percent = 0;
    std::uint64_t tx_bytes = 0;
    /// For whatever reason; lost here.
    std::uint64_t dropped_frames = 0;
    /// Summed over its classes. Unit: ns.
    double paused_ns = 0;
    /// Of the class that had most. Unit: B.
    std::uint64_t ingress_max_bytes = 0;
    std::uint64_t egress_max_bytes = 0;
};

/// The ports of a run's ports.csv. None where the directory has no such table.
std::vector<busy_port> read_ports(const std::string& directory, config_errors& errors);
/// The `most` ports with the highest utilisation, highest first; equals in their order.
std::vector<busy_port> most_used_ports(std::vector<busy_port> ports, std::size_t most);
/// The ports that a verdict's message names, as `tor0.rx3` or as `tor0: ingress port 3`.
std::vector<busy_port> named_ports(const std::vector<busy_port>& ports, const std::string& message);

/// `{"id", "title", "note", "section", "labels", "head": [TEXT], "rows": [[TEXT]]}`. The first `labels` cells
/// of a row are its name.
nlohmann::ordered_json page_table(const std::string& id, const char* section, const std::string& note,
                                  const table_block& block);

/// A list of tables; those that would be empty are left out. `measured`: the same runs. `ports`: the busiest of
/// each run, and `named`: those that its verdict names.
nlohmann::ordered_json report_tables(const std::vector<run_data>& runs,
                                     const std::vector<measured_run>& measured,
                                     const std::vector<std::vector<busy_port>>& ports,
                                     const std::vector<std::vector<busy_port>>& named);

}  // namespace weir::tb
