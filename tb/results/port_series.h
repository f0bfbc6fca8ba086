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
//   series.write(file, times);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/results/views_over_time.h"
#include "weir/base/enum_names.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

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
    void write(output_file& file, const std::vector<picoseconds>& times) const;
    void write_pools(output_file& file, const std::vector<picoseconds>& times) const;

 private:
    /// A port's class. Counts are of all of the run, its warm-up included.
    struct port_row {
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
    enum class pool_kind : std::uint8_t {
        lossless_pool,
        lossy_pool,
        headroom,
        queue_pool,
        lossless_queue_pool
    };
    friend constexpr auto names_of(pool_kind) {
        return enum_names<pool_kind>({{pool_kind::lossless_pool, "lossless_pool"},
                                      {pool_kind::lossy_pool, "lossy_pool"},
                                      {pool_kind::headroom, "headroom"},
                                      {pool_kind::queue_pool, "queue_pool"},
                                      {pool_kind::lossless_queue_pool, "lossless_queue_pool"}});
    }
    struct pool_row {
        std::uint32_t node;
        pool_kind pool;
        std::uint16_t slice;
        std::uint64_t occupancy;
        /// Of one group of the pool; `no_limit` where groups have none.
        std::uint64_t group_threshold;
        std::uint64_t size;
    };
    static constexpr std::uint64_t no_limit = ~std::uint64_t{0};
    friend bool operator==(const port_row& a, const port_row& b);
    friend bool operator==(const pool_row& a, const pool_row& b);

    void look(picoseconds now) override;
    void keep_rows(picoseconds now);
    void add_host(std::uint32_t node, const host_node& host);
    void add_switch(std::uint32_t node, const switch_node& device);
    void add_pools(std::uint32_t node, const shared_buffer& memory);
    static void add_traffic(port_row& row, const mac_port& mac);
    static void set_shared_limits(port_row& row, const shared_buffer& memory);
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
    std::vector<port_row> m_port_rows;
    std::vector<pool_row> m_pool_rows;
    // On rank 0; elsewhere empty.
    views_over_time<port_row> m_ports;
    views_over_time<pool_row> m_pools;
};

}  // namespace weir::tb
