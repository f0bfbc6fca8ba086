// windows.csv and rates.csv: TCP's windows, and rates of limiters and of RoCE's queue pairs, of chosen hosts at
// the times of occupancy.csv.
//
//   sender_tables senders(network, endpoints);
//   senders.watch({0, 1}, {}, 100us);                      // before the run
//   senders.finish(end);                                   // after it
//   write_views(directory.create<window_row>(), senders.windows(), times);
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "tb/run/samples/series.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

/// Window of one transfer's sender. The time is that of the sample.
struct window_row {
    picoseconds time{0};
    host_id host{};
    std::uint64_t flow = 0;
    host_id dst{};
    std::uint64_t cwnd = 0, receive_window = 0, sent = 0, confirmed = 0;

    /// Without the time, which is that of the line.
    auto values() const { return std::tie(host, flow, dst, cwnd, receive_window, sent, confirmed); }

    static constexpr table_facts table{
        "windows.csv", "Windows of TCP's senders over time: a line for each sample and transfer under way.",
        "`output.windows`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("host", &self::host, "Host that sends."));
        columns(column("flow", &self::flow, "Number of the transfer."));
        columns(column("dst", &self::dst, "Host that receives."));
        columns(column("cwnd_bytes", &self::cwnd,
                       "Congestion window. The sender's limit is the smaller of it and receive_window_bytes."));
        columns(column("receive_window_bytes", &self::receive_window, "Receive window."));
        columns(column("sent_bytes", &self::sent, "Highest byte that was sent."));
        columns(column("confirmed_bytes", &self::confirmed, "Bytes that are confirmed."));
    }
};

/// Rate of a limiter of QCN, or of a queue pair of RoCE. The time is that of the sample.
struct rate_row {
    picoseconds time{0};
    host_id host{};
    std::optional<host_id> dst{};
    std::optional<std::uint64_t> flow{};
    pfc_class priority{};
    bit_rate rate{};

    auto values() const { return std::tie(host, dst, flow, priority, rate); }

    static constexpr table_facts table{
        "rates.csv", "Rates over time: a line for each sample and QCN rate limiter or RoCE queue pair.",
        "`output.rates`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("host", &self::host, "Host that sends."));
        columns(column("dst", &self::dst, "Host that receives.").absent("a limiter of one transfer"));
        columns(column("flow", &self::flow, "Number of the transfer.").absent("a limiter of one destination"));
        columns(column("class", &self::priority, "Class of the frames, 0 to 7."));
        columns(column("rate_bps", &self::rate, "Rate after the last frame, notification or timer."));
    }
};

class sender_tables {
 public:
    /// References outlive this.
    sender_tables(fabric& made, const std::vector<traffic_endpoint*>& endpoints)
        : m_fabric(made), m_endpoints(endpoints), m_series(made) {}

    /// Windows of senders of these hosts, and rates. Range: interval above 0, where there are hosts.
    void watch(const std::vector<host_id>& windows, const std::vector<host_id>& rates, picoseconds interval);
    bool has_windows() const { return !m_window_hosts.empty(); }
    bool has_rates() const { return !m_rate_hosts.empty(); }

    /// All nodes have run to `end`, and nothing happened later. Collective.
    void finish(picoseconds end) { m_series.finish(end); }
    /// A line for each transfer under way, and for each limiter and queue pair.
    const views_over_time<window_row>& windows() const { return m_series.of<window_row>(); }
    const views_over_time<rate_row>& rates() const { return m_series.of<rate_row>(); }

 private:
    /// Of hosts that are here.
    std::vector<window_row> windows_now() const;
    std::vector<rate_row> rates_now() const;

    fabric& m_fabric;
    const std::vector<traffic_endpoint*>& m_endpoints;
    std::vector<host_id> m_window_hosts;
    std::vector<host_id> m_rate_hosts;
    series<window_row, rate_row> m_series;
};

}  // namespace weir::tb
