#include "tb/run/samples/sender_tables.h"

namespace weir::tb {

void sender_tables::watch(const std::vector<host_id>& windows, const std::vector<host_id>& rates,
                          picoseconds interval) {
    m_window_hosts = windows;
    m_rate_hosts = rates;
    if (has_windows() || has_rates()) {
        m_series.watch(interval, [this](picoseconds) { return std::tuple(windows_now(), rates_now()); });
    }
}

std::vector<window_row> sender_tables::windows_now() const {
    std::vector<window_row> rows;
    for (const host_id host : m_window_hosts) {
        if (m_endpoints[host] == nullptr) {
            continue;
        }
        for (const open_transfer& t : m_endpoints[host]->open_transfers(m_endpoints[host]->flows_open())) {
            if (t.window) {
                rows.push_back({{},
                                host,
                                t.flow,
                                t.dst,
                                t.window->cwnd,
                                t.window->receive_window,
                                t.window->sent,
                                t.done_bytes});
            }
        }
    }
    return rows;
}

std::vector<rate_row> sender_tables::rates_now() const {
    std::vector<rate_row> rows;
    for (const host_id host : m_rate_hosts) {
        if (m_endpoints[host] == nullptr) {
            continue;
        }
        for (const rate_limit& limit : m_fabric.host(host)->rate_limits()) {
            const auto dst = limit.dst ? std::optional(m_fabric.host_of(*limit.dst)) : std::nullopt;
            rows.push_back({{}, host, dst, limit.flow, limit.frame_class, limit.rate});
        }
        for (const open_transfer& t : m_endpoints[host]->open_transfers(m_endpoints[host]->flows_open())) {
            if (t.rate) {
                rows.push_back({{}, host, t.dst, t.flow, t.priority, *t.rate});
            }
        }
    }
    return rows;
}

}  // namespace weir::tb
