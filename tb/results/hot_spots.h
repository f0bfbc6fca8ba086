// How local congestion is: the links that are busy at a time (busy_links.csv), and the room that is left in the
// neighbourhood of full queues (full_queues.csv).
//
//   write_busy_links(file, timeline, resources, 0.9);
//   const std::vector<full_queue> full = find_full_queues(plan, samples, config.device, window);
//   write_full_queues(file, full);
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/results/limit_timeline.h"
#include "tb/results/sample_tables.h"

namespace weir::tb {

/// For each interval of the run how many transmitters, of switches and of hosts, sent for at least a share
/// (`threshold`) of it.
void write_busy_links(output_file& file, const limit_timeline& timeline, const std::vector<resource_use>& all,
                      double threshold);
/// What share of all of them did: mean over time, and the largest of an interval.
nlohmann::ordered_json summary_of_busy_links(const limit_timeline& timeline,
                                             const std::vector<resource_use>& all, double threshold);

/// Free egress memory of some switches.
struct free_memory {
    std::uint32_t switches = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t size_bytes = 0;

    double percent() const {
        return size_bytes > 0 ? 100 * static_cast<double>(free_bytes) / static_cast<double>(size_bytes) : 0;
    }
};

/// An egress queue that had no room for a frame when a sample was taken.
struct full_queue {
    picoseconds time{0};
    std::string node;
    std::uint32_t port = 0;
    std::uint32_t fill_bytes = 0;
    /// Of the switches that a link leads to, and of these and those that a link leads to from there; without
    /// the one itself.
    free_memory one_hop;
    free_memory two_hops;
};

/// In order of time, node and port. Range: each port has `device.egress_buffer` of its own.
std::vector<full_queue> find_full_queues(const topology& plan, const std::vector<sampled_node>& samples,
                                         const switch_config& device, const time_window& window);
void write_full_queues(output_file& file, const std::vector<full_queue>& full);
/// Their number, and what was free beside them on average.
nlohmann::ordered_json summary_of(const std::vector<full_queue>& full);

}  // namespace weir::tb
