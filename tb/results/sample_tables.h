// occupancy.csv and pauses.csv: fill and pauses over time, from the samples that nodes take.
//
//   start_samples(network, 100us);                              // before the run
//   write_occupancy(file, sampled_nodes(network), {"tor0"}, window);  // after it
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
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
void write_occupancy(output_file& file, const std::vector<sampled_node>& nodes,
                     const std::vector<std::string>& names, const time_window& window);
/// Per tier what has come since the sample before, of these classes.
void write_pauses(output_file& file, const std::vector<sampled_node>& nodes, class_mask classes,
                  const time_window& window);

}  // namespace weir::tb
