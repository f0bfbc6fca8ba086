// occupancy.csv and pauses.csv: fill and pauses over time, from the samples that nodes take.
//
//   start_samples(network, 100us);                              // before the run
//   write_occupancy(directory.create<occupancy_row>(), sampled_nodes(network), {"tor0"}, window);  // after it
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tb/files/output_file.h"
#include "tb/record/cell.h"
#include "tb/text/port_text.h"
#include "weir/base/time.h"
#include "weir/model/engine/occupancy_sampler.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Memory that samples may take, whole fabric. Unit: B.
inline constexpr std::uint64_t sample_memory = std::uint64_t{64} << 20;
/// Most samples over a run, however long; there are at least 64. Intervals double when they are full.
inline constexpr std::uint32_t most_samples = 4096;
/// Switch ports in occupancy.csv, half of them for their ingress and half for their egress memory.
inline constexpr std::size_t busiest_ports = 8;

/// Times of both ends belong to it.
struct time_window {
    picoseconds start{0};
    picoseconds end = never;
    bool holds(picoseconds time) const { return time >= start && time <= end; }
};

/// One node's samples. A switch has two columns a port, a host one: the fill of its NIC.
struct sampled_node {
    std::string name;
    std::string tier;
    /// The node's own, or what another rank has sent.
    std::shared_ptr<const occupancy_sampler> samples;
    std::uint32_t ports = 0;

    bool is_switch() const { return samples->columns() > 1; }
};

struct occupancy_row {
    picoseconds time{0};
    std::string_view node;
    std::uint32_t port = 0;
    port_side side{};
    std::uint64_t occupancy = 0;

    static constexpr table_facts table{
        "occupancy.csv",
        "Fill of buffers over time, all classes together: of the eight fullest ports, or of chosen nodes.",
        "`output.occupancy_interval` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample."));
        columns(column("node", &self::node, "Name of the node."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("side", &self::side, "Memory; a host's NIC is egress."));
        columns(column("occupancy_bytes", &self::occupancy, "Fill of the memory."));
    }
};

struct pause_sample_row {
    picoseconds time{0};
    std::string_view tier;
    picoseconds paused{0};
    std::uint64_t xoff_sent = 0;
    std::uint64_t transmitters = 0;
    std::uint64_t pfc_frames_sent = 0;

    static constexpr table_facts table{"pauses.csv", "Pauses over time, by tier, since the sample before.",
                                       "`output.occupancy_interval` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample."));
        columns(column("tier", &self::tier, "Tier of the nodes that were paused.").pattern("host|tier[0-9]+"));
        columns(column("paused_ns", &self::paused,
                       "Time that transmitters were paused, summed over ports and classes that count."));
        columns(column("xoff_sent", &self::xoff_sent, "Announcements of pauses, of classes that count.")
                    .unit("announcements"));
        columns(column("transmitters", &self::transmitters, "Ports times classes that count.")
                    .unit("transmitters"));
        columns(column("pfc_frames_sent", &self::pfc_frames_sent,
                       "PFC and PAUSE frames, whatever classes they announce.")
                    .unit("frames"));
    }
};

/// Before the run: every node takes samples from time 0 on.
void start_samples(fabric& made, picoseconds interval);
/// Hosts, then switches, of all ranks: on rank 0; elsewhere none. Collective.
std::vector<sampled_node> sampled_nodes(fabric& made);

/// Of the samples that all of them have, in the window.
std::vector<picoseconds> sample_times(const std::vector<sampled_node>& nodes, const time_window& window);
/// Whether the tables will have a line.
bool has_sample(const std::vector<sampled_node>& nodes, const time_window& window);
/// The ports of these nodes, in their order; `names` with * for any text. Without names those with the largest
/// sampled fill in the window; among equals the first node, ingress before egress, the lowest port. Throws
/// output_error, as the next.
void write_occupancy(output_file file, const std::vector<sampled_node>& nodes,
                     const std::vector<std::string>& names, const time_window& window);
/// Per tier what has come since the sample before, of these classes.
void write_pauses(output_file file, const std::vector<sampled_node>& nodes, class_mask classes,
                  const time_window& window);

}  // namespace weir::tb
