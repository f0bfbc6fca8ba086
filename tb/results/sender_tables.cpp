#include "tb/results/sender_tables.h"

#include <algorithm>
#include <tuple>

#include "tb/results/sample_tables.h"

namespace weir::tb {

bool operator==(const window_row& a, const window_row& b) {
    const auto values = [](const window_row& r) {
        return std::tie(r.host, r.flow, r.dst, r.cwnd, r.receive_window, r.sent, r.confirmed);
    };
    return values(a) == values(b);
}

bool operator==(const rate_row& a, const rate_row& b) {
    return std::tie(a.host, a.dst, a.flow, a.priority, a.rate) ==
           std::tie(b.host, b.dst, b.flow, b.priority, b.rate);
}

void sender_tables::watch(const std::vector<host_id>& windows, const std::vector<host_id>& rates,
                          picoseconds interval) {
    m_window_hosts = windows;
    m_rate_hosts = rates;
    m_windows = views_over_time<window_row>(interval);
    m_rates = views_over_time<rate_row>(interval);
    if (has_windows() || has_rates()) {
        m_fabric.engine().look_every(interval, *this);
    }
}

std::vector<window_row> sender_tables::windows() const {
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

std::vector<rate_row> sender_tables::rates() const {
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

void sender_tables::look(picoseconds now) {
    m_looked_at = now;
    auto [all_windows, all_rates] = gathered(m_fabric.team(), windows(), rates());
    std::sort(all_windows.begin(), all_windows.end(), [](const window_row& a, const window_row& b) {
        return std::tie(a.host, a.flow) < std::tie(b.host, b.flow);
    });
    std::sort(all_rates.begin(), all_rates.end(), [](const rate_row& a, const rate_row& b) {
        return std::tie(a.host, a.dst, a.flow, a.priority) < std::tie(b.host, b.dst, b.flow, b.priority);
    });
    m_windows.keep(now, std::move(all_windows));
    m_rates.keep(now, std::move(all_rates));
    if (on_any(m_fabric.team(), std::max(m_windows.size(), m_rates.size()) >= most_samples)) {
        m_windows.thin_out();
        m_rates.thin_out();
        m_fabric.engine().look_less(m_windows.interval(), *this);
    }
}

void sender_tables::finish(picoseconds end) {
    if ((has_windows() || has_rates()) && end % m_windows.interval() == 0_ps && end > m_looked_at) {
        look(end);
    }
}

void sender_tables::write_windows(output_file file, const std::vector<picoseconds>& times) const {
    write_views<window_row>(std::move(file), m_windows, times);
}

void sender_tables::write_rates(output_file file, const std::vector<picoseconds>& times) const {
    write_views<rate_row>(std::move(file), m_rates, times);
}

}  // namespace weir::tb
