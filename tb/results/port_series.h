// port_series.csv and pool_series.csv: what memories, transmitters and pauses of chosen nodes do over time, by
// port and class, and the pools of shared memories, at the times of occupancy.csv.
//
// It looks at the nodes at each multiple of the samples' interval at which something may have happened, between
// two quanta, so that frames pay nothing for it. A line has what was there when everything before its time had
// happened, and nothing of that time.
//
//   port_series series(network, config.device);
//   series.watch({12}, 10us);                              // before the run
//   series.finish(end);                                    // after it
//   series.write(directory.create<port_series_row>(), times);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/files/output_file.h"
#include "tb/record/cell.h"
#include "tb/results/views_over_time.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

enum class pool_kind : std::uint8_t { lossless_pool, lossy_pool, headroom, queue_pool, lossless_queue_pool };
constexpr auto names_of(pool_kind) {
    return enum_names<pool_kind>({{pool_kind::lossless_pool, "lossless_pool"},
                                  {pool_kind::lossy_pool, "lossy_pool"},
                                  {pool_kind::headroom, "headroom"},
                                  {pool_kind::queue_pool, "queue_pool"},
                                  {pool_kind::lossless_queue_pool, "lossless_queue_pool"}});
}

struct port_series_row {
    picoseconds time{0};
    std::string_view node{};
    std::uint32_t port = 0;
    std::uint32_t frame_class = 0;
    std::optional<std::uint64_t> ingress{}, counted{}, threshold{}, ingress_capacity{}, egress{},
        egress_limit{}, egress_capacity{};
    std::optional<std::uint64_t> rx_bps{}, tx_bps{}, xoff_sent{}, xon_sent{}, xoff_received{};
    std::optional<double> paused_percent{};

    static constexpr table_facts table{
        "port_series.csv", "Memory, throughput and pauses of chosen nodes over time, by port and class.",
        "`output.series`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        const auto add = [&](const char* name, auto place, const char* absent, const char* help) {
            columns(column(name, place, help).absent(absent));
        };
        const auto add_announcements = [&](const char* name, auto place, const char* help) {
            columns(column(name, place, help).unit("announcements").absent("at the first time"));
        };
        columns(column("time_ns", &self::time, "The line shows the state just before this time."));
        columns(column("node", &self::node, "Name of the node."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("class", &self::frame_class, "Class of the frames, 0 to 7."));
        add("ingress_bytes", &self::ingress, "the node is a host",
            "Fill of the class in the port's ingress memory.");
        add("counted_bytes", &self::counted, "the node is a host",
            "Bytes that the threshold counts: drain bytes, the class's bytes, or all bytes of the port.");
        add("threshold_bytes", &self::threshold, "without flow control, or the node is a host",
            "Fill at which the class is paused; for a lossy class of a shared memory, fill at which frames are "
            "dropped.");
        add("ingress_capacity_bytes", &self::ingress_capacity, "the port has no memory of its own",
            "Size of the port's ingress memory.");
        add("egress_bytes", &self::egress, "the node is a host",
            "Fill of the class in the port's egress memory.");
        add("egress_limit_bytes", &self::egress_limit, "the node is a host",
            "Bytes that the class may hold at egress now.");
        add("egress_capacity_bytes", &self::egress_capacity, "the port has no memory of its own",
            "Size of the port's egress memory.");
        add("rx_bps", &self::rx_bps, "at the first time",
            "Frames received since the line before, without overhead. A frame counts with its last bit, so the "
            "rate "
            "can exceed the link's over an interval of a few frames.");
        add("tx_bps", &self::tx_bps, "at the first time",
            "Frames sent since the line before, without overhead. A frame counts with its first bit, so the "
            "rate can "
            "exceed the link's likewise.");
        add_announcements("xoff_sent", &self::xoff_sent, "XOFFs sent since the line before.");
        add_announcements(
            "xon_sent", &self::xon_sent,
            "XONs sent since the line before. A class that no longer asked when its frame left sends "
            "an XON without an XOFF before it.");
        add_announcements("xoff_received", &self::xoff_received, "XOFFs obeyed since the line before.");
        columns(column("paused_percent", &self::paused_percent,
                       "Share of the time since the line before in which the transmitter had the class paused.")
                    .decimals(4)
                    .absent("at the first time"));
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
        columns(column("time_ns", &self::time, "The line shows the state just before this time."));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("pool", &self::pool, "Kind of pool."));
        columns(column("slice", &self::slice, "Slice of the memory, from 0."));
        columns(column("occupancy_bytes", &self::occupancy, "Bytes in use, in whole cells."));
        columns(
            column("group_threshold_bytes", &self::group_threshold, "Threshold of one group of the pool now.")
                .absent("the pool is headroom or of queues"));
        columns(column("size_bytes", &self::size, "Size of the pool in the slice."));
    }
};

class port_series final : private periodic_look {
 public:
    /// `made` outlives this.
    port_series(fabric& made, const switch_config& device)
        : m_fabric(made), m_egress_capacity(device.egress_buffer) {}

    /// `nodes`: places among all, ascending. Range: interval above 0, where there are nodes.
    void watch(const std::vector<std::uint32_t>& nodes, picoseconds interval);
    bool is_on() const { return !m_nodes.empty(); }

    /// All nodes have run to `end`, and nothing happened later. Collective, as what writes.
    void finish(picoseconds end);
    /// A line for each port and class that has carried or held a frame by then, at each of these times, which
    /// ascend, or at every second, fourth, ... where memory allowed no more. Rates, counts and shares are of
    /// the time since the line before; the first time has none.
    void write(output_file file, const std::vector<picoseconds>& times) const;
    void write_pools(output_file file, const std::vector<picoseconds>& times) const;

 private:
    /// A port's class. Counts are of all of the run, its warm-up included.
    struct port_sample {
        std::uint32_t node;
        std::uint16_t port;
        std::uint8_t frame_class;
        /// Bytes in memory; of a host only what has been sent and received is kept by class.
        std::uint64_t ingress;
        std::uint64_t egress;
        /// What the XOFF threshold counts, and the threshold; of a lossy group of a shared memory that of
        /// drops. Of several slices, in the one in which the group is nearest to it.
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

        bool is_used() const {
            return (ingress | egress | rx_bytes | tx_bytes | xoff_sent | xoff_received) != 0 ||
                   paused > picoseconds{0};
        }
    };
    struct pool_sample {
        std::uint32_t node;
        pool_kind pool;
        std::uint16_t slice;
        std::uint64_t occupancy;
        /// Of one group of the pool; `no_limit` where groups have none.
        std::uint64_t group_threshold;
        std::uint64_t size;
    };
    static constexpr std::uint64_t no_limit = ~std::uint64_t{0};
    static std::optional<std::uint64_t> unless_unlimited(std::uint64_t limit) {
        return limit == no_limit ? std::nullopt : std::optional(limit);
    }
    friend bool operator==(const port_sample& a, const port_sample& b);
    friend bool operator==(const pool_sample& a, const pool_sample& b);

    void look(picoseconds now) override;
    void keep_rows(picoseconds now);
    void add_host(std::uint32_t node, const host_node& host);
    void add_switch(std::uint32_t node, const switch_node& device);
    void add_pools(std::uint32_t node, const shared_buffer& memory);
    static void add_traffic(port_sample& row, const mac_port& mac);
    static void set_shared_limits(port_sample& row, const shared_buffer& memory);
    /// Node, as a place among all, and port.
    using port_place = std::pair<std::uint32_t, std::uint16_t>;
    /// Of a port's memories, where they are its own.
    struct capacities {
        std::uint64_t ingress = no_limit;
        std::uint64_t egress = no_limit;
    };
    /// Of all ranks, on rank 0.
    std::map<port_place, capacities> capacities_of_ports() const;

    fabric& m_fabric;
    bytes m_egress_capacity;
    std::vector<std::uint32_t> m_nodes;
    picoseconds m_looked_at{0};
    // Of a look, until they are kept.
    std::vector<port_sample> m_port_samples;
    std::vector<pool_sample> m_pool_samples;
    // On rank 0; elsewhere empty.
    views_over_time<port_sample> m_ports;
    views_over_time<pool_sample> m_pools;
};

}  // namespace weir::tb
