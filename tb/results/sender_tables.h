// windows.csv and rates.csv: TCP's windows, and rates of limiters and of RoCE's queue pairs, of chosen hosts at
// the times of occupancy.csv.
//
// It looks at the hosts at each multiple of the samples' interval at which something may have happened, and
// keeps what it sees where that has changed. At times in between nothing has.
//
//   sender_tables senders(network, endpoints);
//   senders.watch({0, 1}, {}, 100us);                      // before the run
//   senders.finish(end);                                   // after it
//   senders.write_windows(file, times);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/results/views_over_time.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

class sender_tables final : private periodic_look {
 public:
    /// References outlive this.
    sender_tables(fabric& made, const std::vector<traffic_endpoint*>& endpoints)
        : m_fabric(made), m_endpoints(endpoints) {}

    /// Windows of senders of these hosts, and rates. Range: interval above 0, where there are hosts.
    void watch(const std::vector<host_id>& windows, const std::vector<host_id>& rates, picoseconds interval);
    bool has_windows() const { return !m_window_hosts.empty(); }
    bool has_rates() const { return !m_rate_hosts.empty(); }

    /// All nodes have run to `end`, and nothing happened later. Collective.
    void finish(picoseconds end);
    /// A line for each transfer under way at each of these times, which ascend.
    void write_windows(output_file& file, const std::vector<picoseconds>& times) const;
    /// A line for each limiter and queue pair.
    void write_rates(output_file& file, const std::vector<picoseconds>& times) const;

 private:
    struct window_row {
        host_id host;
        std::uint64_t flow;
        host_id dst;
        send_window window;
        std::uint64_t confirmed;
    };
    struct rate_row {
        host_id host;
        std::optional<host_id> dst;
        std::optional<std::uint64_t> flow;
        pfc_class priority;
        bit_rate rate;
    };
    friend bool operator==(const window_row& a, const window_row& b);
    friend bool operator==(const rate_row& a, const rate_row& b);

    void look(picoseconds now) override;
    /// Of hosts that are here.
    std::vector<window_row> windows() const;
    std::vector<rate_row> rates() const;

    fabric& m_fabric;
    const std::vector<traffic_endpoint*>& m_endpoints;
    std::vector<host_id> m_window_hosts;
    std::vector<host_id> m_rate_hosts;
    picoseconds m_looked_at{0};
    // On rank 0; elsewhere empty.
    views_over_time<window_row> m_windows;
    views_over_time<rate_row> m_rates;
};

}  // namespace weir::tb
