// How local congestion is: the links that are busy at a time (busy_links.csv), and the room that is left in the
// neighbourhood of full queues (full_queues.csv).
//
//   write_rows(directory.create<busy_links_row>(), find_busy_links(timeline, resources, 0.9));
//   write_rows(directory.create<full_queue>(), find_full_queues(plan, samples, config.device, window));
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/run/samples/limit_timeline.h"
#include "tb/run/samples/sample_tables.h"
#include "tb/support/record/cell.h"

namespace weir::tb {

struct busy_links_row {
    picoseconds start{0};
    picoseconds end{0};
    std::uint64_t switch_links = 0;
    std::uint64_t busy_switch_links = 0;
    std::uint64_t host_links = 0;
    std::uint64_t busy_host_links = 0;

    static constexpr table_facts table{"busy_links.csv",
                                       "Number of links that were busy in each interval of the run.",
                                       "`output.busy_links` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        const auto add_links = [&](const char* name, auto place, const char* help) {
            columns(column(name, place, help).unit("transmitters"));
        };
        columns(column("start_ns", &self::start, "Start of the interval.").decimals(3));
        columns(column("end_ns", &self::end, "End of the interval.").decimals(3));
        add_links("switch_links", &self::switch_links, "Transmitters of switches.");
        add_links("busy_switch_links", &self::busy_switch_links,
                  "Transmitters of switches that sent for at least the share output.busy_links.");
        add_links("host_links", &self::host_links, "Transmitters of hosts.");
        add_links("busy_host_links", &self::busy_host_links,
                  "Transmitters of hosts that sent for at least the share output.busy_links.");
    }
};

/// Counts the transmitters, of switches and of hosts, that sent for at least `threshold` of an interval.
/// `threshold`: 0 to 1.
std::vector<busy_links_row> find_busy_links(const limit_timeline& timeline,
                                            const std::vector<resource_use>& all, double threshold);
/// What share of all of them did: mean over time, and the largest of an interval.
nlohmann::ordered_json summary_of(const std::vector<busy_links_row>& rows);

/// An egress queue that had no room for a frame when a sample was taken.
struct full_queue {
    picoseconds time{0};
    std::string node;
    std::uint32_t port = 0;
    std::uint32_t fill_bytes = 0;
    /// Switches that a link leads to.
    std::uint32_t one_hop_switches = 0;
    double one_hop_percent = 0;
    /// Switches within two links, without the switch itself.
    std::uint32_t two_hop_switches = 0;
    double two_hop_percent = 0;

    static constexpr table_facts table{"full_queues.csv",
                                       "A line for each sample and egress port of a switch without room for "
                                       "one more frame of the largest size.",
                                       "`output.full_queues`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* free =
            "Share of the egress memory of the switches in the column before that was free.";
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("occupancy_bytes", &self::fill_bytes, "Fill of the egress port."));
        columns(column("switches_1_hop", &self::one_hop_switches, "Switches that a link leads to.")
                    .unit("switches"));
        columns(column("free_1_hop_percent", &self::one_hop_percent, free).decimals(4));
        columns(column("switches_2_hops", &self::two_hop_switches,
                       "Switches within two links, without the switch itself.")
                    .unit("switches"));
        columns(column("free_2_hops_percent", &self::two_hop_percent, free).decimals(4));
    }
};

/// In order of time, node and port. Range: each port has `device.egress_buffer` of its own.
std::vector<full_queue> find_full_queues(const topology& plan, const fabric_samples& samples,
                                         const switch_config& device, const time_window& window);
/// Their number, and what was free beside them on average.
nlohmann::ordered_json summary_of(const std::vector<full_queue>& full);

}  // namespace weir::tb
