// What limits a run: how much of every link, lookup pipeline, crossbar and packet memory was used, and which of
// them could not do more.
//
//   const std::vector<resource_use> all = resources_of(fabric, config.device, measured);
//   write_limits(file, all);                       // limits.csv
//   summary.resources = summary_of(all);           // what binds
//
// A resource binds where it was busy for at least 90 % of the measured time, or where frames were lost for it,
// or where a port stood still for it for at least 1 % and had no time left: it was sending or stood still for
// 90 %.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/results/run_directory.h"
#include "weir/model/fabric.h"

namespace weir {

enum class resource_kind : std::uint8_t {
    link,          ///< a transmitter of a switch's port
    host_link,     ///< a host's transmitter: what the traffic offers, or what flow control lets through
    lookup,        ///< a switch's lookup pipeline, where it has an interval
    crossbar,      ///< an output of a crossbar of frames; in cell mode all of them
    memory,        ///< reads and writes of a packet memory with one port (1rw)
    memory_read,   ///< with two: reads
    memory_write,  ///< writes
    count
};
const char* to_text(resource_kind kind);

/// Since the end of the warm-up.
struct resource_use {
    resource_kind kind = resource_kind::link;
    std::string node;
    /// `tx3`, `rx3`, `slice0`; empty where a switch has one.
    std::string part;
    /// In `capacity_unit`.
    double capacity = 0;
    const char* capacity_unit = "b/s";
    /// Of the measured time. Range: 0 to 100.
    double busy_percent = 0;
    /// Time that a port (the worst one, where several use it) had something to send and stood still for it, and
    /// that this port was sending or stood still. Both 0 where none stood still.
    double stalled_percent = 0;
    double port_used_percent = 0;
    /// Frames; cells where the crossbar moves cells.
    std::uint64_t served = 0;
    /// Frames that waited for it, their mean and longest wait; not known of links and crossbars.
    bool knows_waits = false;
    std::uint64_t waited = 0;
    picoseconds wait_time{0};
    picoseconds longest_wait{0};
    /// Accesses to a bank that was busy while another was not.
    std::uint64_t bank_conflicts = 0;
    std::uint64_t lost_frames = 0;

    bool binds() const;
};

/// All of one kind.
struct resource_summary {
    resource_kind kind = resource_kind::link;
    std::size_t of = 0;
    std::size_t binding = 0;
    /// The one that binds most, or is busiest.
    resource_use worst;
};

/// In the order of nodes and kinds. `measured`: above 0.
std::vector<resource_use> resources_of(fabric& made, const switch_config& device, picoseconds measured);
/// Kinds that there are, in their order.
std::vector<resource_summary> summary_of(const std::vector<resource_use>& resources);
/// Of these the kinds that bind, the worst first: what lost most frames, then what made ports stand still most,
/// then what was busiest; hosts last.
std::vector<resource_summary> binding_of(const std::vector<resource_summary>& all);

void write_limits(output_file& file, const std::vector<resource_use>& resources);

}  // namespace weir
