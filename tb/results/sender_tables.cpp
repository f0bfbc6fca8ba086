#include "tb/results/sender_tables.h"

#include <algorithm>
#include <tuple>

#include "tb/results/sample_tables.h"
#include "tb/text/text_format.h"

namespace weir::tb {

bool operator==(const sender_tables::window_row& a, const sender_tables::window_row& b) {
    const auto values = [](const sender_tables::window_row& r) {
        return std::tie(r.host, r.flow, r.dst, r.window.cwnd, r.window.receive_window, r.window.sent,
                        r.confirmed);
    };
    return values(a) == values(b);
}

bool operator==(const sender_tables::rate_row& a, const sender_tables::rate_row& b) {
    return std::tie(a.host, a.dst, a.flow, a.priority, a.rate) ==
           std::tie(b.host, b.dst, b.flow, b.priority, b.rate);
}

namespace {

/// Keeps what is there now, if it has changed.
template <class Views, class Rows>
void keep(Views& views, picoseconds now, Rows rows) {
    if (views.empty() ? !rows.empty() : !(views.back().rows == rows)) {
        views.push_back({now, std::move(rows)});
    }
}

/// Of the views between two multiples of the interval the last one is what is there at the second.
template <class Views>
void thin_out_views(Views& views, picoseconds interval) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
        views[i].time = (views[i].time + interval - 1_ps) / interval * interval;
        kept -= kept > 0 && views[kept - 1].time == views[i].time ? 1 : 0;
        std::swap(views[kept++], views[i]);
    }
    views.resize(kept);
}

/// Calls `write(time, row)` for what is there at each time.
template <class Views, class Write>
void write_views(const Views& views, const std::vector<picoseconds>& times, Write&& write) {
    auto next = views.begin();
    for (const picoseconds time : times) {
        while (next != views.end() && next->time <= time) {
            ++next;
        }
        if (next != views.begin()) {
            for (const auto& row : std::prev(next)->rows) {
                write(time, row);
            }
        }
    }
}

template <class T>
void add_if_known(csv_line& line, const std::optional<T>& value) {
    value ? line.add(*value) : line.add_nothing();
}

}  // namespace

void sender_tables::watch(const std::vector<host_id>& windows, const std::vector<host_id>& rates,
                          picoseconds interval) {
    m_window_hosts = windows;
    m_rate_hosts = rates;
    m_interval = interval;
    if (has_windows() || has_rates()) {
        m_fabric.engine().look_every(interval, *this);
    }
}

std::vector<sender_tables::window_row> sender_tables::windows() const {
    std::vector<window_row> rows;
    for (const host_id host : m_window_hosts) {
        if (m_endpoints[host] == nullptr) {
            continue;
        }
        for (const open_transfer& t : m_endpoints[host]->open_transfers(m_endpoints[host]->flows_open())) {
            if (t.window) {
                rows.push_back({host, t.flow, t.dst, *t.window, t.done_bytes});
            }
        }
    }
    std::sort(rows.begin(), rows.end(), [](const window_row& a, const window_row& b) {
        return std::tie(a.host, a.flow) < std::tie(b.host, b.flow);
    });
    return rows;
}

std::vector<sender_tables::rate_row> sender_tables::rates() const {
    std::vector<rate_row> rows;
    for (const host_id host : m_rate_hosts) {
        if (m_endpoints[host] == nullptr) {
            continue;
        }
        for (const rate_limit& limit : m_fabric.host(host)->rate_limits()) {
            const auto dst = limit.dst ? std::optional(m_fabric.host_of(*limit.dst)) : std::nullopt;
            rows.push_back({host, dst, limit.flow, limit.frame_class, limit.rate});
        }
        for (const open_transfer& t : m_endpoints[host]->open_transfers(m_endpoints[host]->flows_open())) {
            if (t.rate) {
                rows.push_back({host, t.dst, t.flow, t.priority, *t.rate});
            }
        }
    }
    std::sort(rows.begin(), rows.end(), [](const rate_row& a, const rate_row& b) {
        return std::tie(a.host, a.dst, a.flow, a.priority) < std::tie(b.host, b.dst, b.flow, b.priority);
    });
    return rows;
}

void sender_tables::look(picoseconds now) {
    m_looked_at = now;
    keep(m_windows, now, windows());
    keep(m_rates, now, rates());
    if (std::max(m_windows.size(), m_rates.size()) >= most_samples) {
        m_interval *= 2;
        thin_out_views(m_windows, m_interval);
        thin_out_views(m_rates, m_interval);
        m_fabric.engine().look_less(m_interval, *this);
    }
}

void sender_tables::finish(picoseconds end) {
    if ((has_windows() || has_rates()) && end % m_interval == 0_ps && end > m_looked_at) {
        look(end);
    }
}

void sender_tables::write_windows(output_file& file, const std::vector<picoseconds>& times) const {
    file.write("time_ns,host,flow,dst,cwnd_bytes,receive_window_bytes,sent_bytes,confirmed_bytes\n");
    csv_line line;
    write_views(m_windows, times, [&](picoseconds time, const window_row& row) {
        line.add_ns(time).add(row.host).add(row.flow).add(row.dst).add(row.window.cwnd);
        file.write(line.add(row.window.receive_window).add(row.window.sent).add(row.confirmed).end());
    });
}

void sender_tables::write_rates(output_file& file, const std::vector<picoseconds>& times) const {
    file.write("time_ns,host,dst,flow,class,rate_bps\n");
    csv_line line;
    write_views(m_rates, times, [&](picoseconds time, const rate_row& row) {
        line.add_ns(time).add(row.host);
        add_if_known(line, row.dst);
        add_if_known(line, row.flow);
        file.write(line.add(row.priority).add(static_cast<std::uint64_t>(row.rate.count())).end());
    });
}

}  // namespace weir::tb
