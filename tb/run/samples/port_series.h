// port_series.csv and pool_series.csv: what memories, transmitters and pauses of chosen nodes do over time, by
// port and class, and the pools of shared memories, at the times of occupancy.csv.
//
// A line has what was there when everything before its time had happened, and nothing of that time.
//
//   port_series series(network, config.device);
//   series.watch({12}, 10us);                              // before the run
//   series.finish(end);                                    // after it
//   series.write(directory.create<port_series_row>(), times);
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "tb/run/samples/buffer_marks.h"
#include "tb/run/samples/series.h"
#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// A port's class. Counts are of all of the run, its warm-up included.
struct port_sample {
    /// Of bytes: there are none, or no limit.
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    std::uint32_t node;
    std::uint16_t port;
    std::uint8_t frame_class;
    /// Bytes in memory; of a host only what has been sent and received is kept by class.
    std::uint64_t ingress;
    std::uint64_t egress;
    /// What the XOFF threshold counts, and the threshold; of a lossy group of a shared memory that of drops. Of
    /// several slices, in the one in which the group is nearest to it.
    std::uint64_t counted;
    std::uint64_t threshold;
    /// What the class may hold at egress.
    std::uint64_t egress_limit;
    std::uint64_t rx_bytes;
    std::uint64_t tx_bytes;
    std::uint32_t xoff_sent;
    std::uint32_t xon_sent;
    std::uint32_t xoff_received;
    picoseconds paused;

    auto values() const {
        return std::tie(node, port, frame_class, ingress, egress, counted, threshold, egress_limit, rx_bytes,
                        tx_bytes, xoff_sent, xon_sent, xoff_received, paused);
    }
};

struct pool_sample {
    std::uint32_t node;
    std::uint16_t slice;
    pool_kind pool;
    std::uint64_t occupancy;
    /// Threshold of one group of the pool; `port_sample::none` where groups have none.
    std::uint64_t group_threshold;
    std::uint64_t size;

    auto values() const { return std::tie(node, slice, pool, occupancy, group_threshold, size); }
};

/// State at a time, and the one of the line before, from which rates and gains follow.
struct port_series_row {
    picoseconds time{0};
    std::string_view node{};
    port_sample now{}, before{};
    /// Time since the line before; 0 in the first one.
    picoseconds passed{0};
    /// Memories of the port's own.
    std::uint64_t ingress_capacity = port_sample::none, egress_capacity = port_sample::none;

    static std::optional<std::uint64_t> if_any(std::uint64_t value) {
        return value == port_sample::none ? std::nullopt : std::optional(value);
    }
    /// Nothing in the first line.
    template <class Counter>
    std::optional<std::uint64_t> gain(Counter port_sample::*counter) const {
        return passed > picoseconds{0} ? std::optional<std::uint64_t>(now.*counter - before.*counter)
                                       : std::nullopt;
    }
    std::optional<std::uint64_t> rate(std::uint64_t port_sample::*counter) const;
    std::optional<double> paused_percent() const;

    static constexpr table_facts table{
        "port_series.csv", "Memory, throughput and pauses of chosen nodes over time, by port and class.",
        "`output.series`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* host = "the node is a host";
        constexpr const char* first = "at the first time";
        const auto gauge = [&](const char* name, std::uint64_t port_sample::*place, const char* absent,
                               const char* help) {
            columns(column(
                        name, [place](const self& r) { return if_any(r.now.*place); }, help)
                        .absent(absent));
        };
        const auto size = [&](const char* name, std::uint64_t self::*place, const char* help) {
            columns(column(
                        name, [place](const self& r) { return if_any(r.*place); }, help)
                        .absent("the port has no memory of its own"));
        };
        const auto rate = [&](const char* name, std::uint64_t port_sample::*place, const char* help) {
            columns(column(
                        name, [place](const self& r) { return r.rate(place); }, help)
                        .absent(first));
        };
        const auto gain = [&](const char* name, std::uint32_t port_sample::*place, const char* help) {
            columns(column(
                        name, [place](const self& r) { return r.gain(place); }, help)
                        .unit("announcements")
                        .absent(first));
        };
        columns(column("time_ns", &self::time, "The line shows the state just before this time.").decimals(3));
        columns(column("node", &self::node, "Name of the node."));
        columns(column(
            "port", [](const self& r) { return r.now.port; }, "Port of the node, from 0."));
        columns(column(
            "class", [](const self& r) { return r.now.frame_class; }, "Class of the frames, 0 to 7."));
        gauge("ingress_bytes", &port_sample::ingress, host, "Fill of the class in the port's ingress memory.");
        gauge("counted_bytes", &port_sample::counted, host,
              "Bytes that the threshold counts: drain bytes, the class's bytes, or all bytes of the port.");
        gauge(
            "threshold_bytes", &port_sample::threshold, "without flow control, or the node is a host",
            "Fill at which the class is paused; for a lossy class of a shared memory, fill at which frames are "
            "dropped.");
        size("ingress_capacity_bytes", &self::ingress_capacity, "Size of the port's ingress memory.");
        gauge("egress_bytes", &port_sample::egress, host, "Fill of the class in the port's egress memory.");
        gauge("egress_limit_bytes", &port_sample::egress_limit, host,
              "Bytes that the class may hold at egress now.");
        size("egress_capacity_bytes", &self::egress_capacity, "Size of the port's egress memory.");
        rate("rx_bps", &port_sample::rx_bytes,
             "Frames received since the line before, without overhead. A frame counts with its last bit, so "
             "the rate "
             "can exceed the link's over an interval of a few frames.");
        rate("tx_bps", &port_sample::tx_bytes,
             "Frames sent since the line before, without overhead. A frame counts with its first bit, so the "
             "rate can "
             "exceed the link's likewise.");
        gain("xoff_sent", &port_sample::xoff_sent, "XOFFs sent since the line before.");
        gain("xon_sent", &port_sample::xon_sent,
             "XONs sent since the line before. A class that no longer asked when its frame left sends "
             "an XON without an XOFF before it.");
        gain("xoff_received", &port_sample::xoff_received, "XOFFs obeyed since the line before.");
        columns(column("paused_percent", &self::paused_percent,
                       "Share of the time since the line before in which the transmitter had the class paused.")
                    .decimals(4)
                    .absent(first));
    }
};

struct pool_series_row {
    picoseconds time{0};
    std::string_view node{};
    pool_kind pool{};
    std::uint32_t slice = 0;
    std::uint64_t occupancy = 0;
    std::optional<std::uint64_t> group_threshold{};
    std::uint64_t size = 0;

    static constexpr table_facts table{"pool_series.csv",
                                       "Pools of shared memories of chosen switches over time.",
                                       "`output.series`, `switch.buffer = shared`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "The line shows the state just before this time.").decimals(3));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("pool", &self::pool, "Kind of pool."));
        columns(column("slice", &self::slice, "Slice of the memory, from 0.").range(0, 65535));
        columns(column("occupancy_bytes", &self::occupancy, "Bytes in use, in whole cells."));
        columns(
            column("group_threshold_bytes", &self::group_threshold, "Threshold of one group of the pool now.")
                .absent("the pool is headroom or of queues"));
        columns(column("size_bytes", &self::size, "Size of the pool in the slice."));
    }
};

class port_series {
 public:
    /// `made` outlives this.
    port_series(fabric& made, const switch_config& device);

    /// `nodes`: places among all, ascending. Range: interval above 0, where there are nodes.
    void watch(const std::vector<std::uint32_t>& nodes, picoseconds interval);
    bool is_on() const { return m_series.is_on(); }

    /// All nodes have run to `end`, and nothing happened later. Collective, as what writes.
    void finish(picoseconds end) { m_series.finish(end); }
    /// A line for each port and class that has carried or held a frame by then, at each of these times, which
    /// ascend, or at every second, fourth, ... where memory allowed no more. Rates, counts and shares are of
    /// the time since the line before; the first time has none.
    void write(output_file file, const std::vector<picoseconds>& times) const;
    void write_pools(output_file file, const std::vector<picoseconds>& times) const;

 private:
    using samples = series<port_sample, pool_sample>::rows;
    samples samples_at(picoseconds now);

    fabric& m_fabric;
    /// Of a port. Unit: B.
    std::uint64_t m_egress_capacity;
    std::vector<std::uint32_t> m_nodes;
    series<port_sample, pool_sample> m_series;
};

}  // namespace weir::tb
