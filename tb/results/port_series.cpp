#include "tb/results/port_series.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tb/results/sample_tables.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

bool operator==(const port_series::port_sample& a, const port_series::port_sample& b) {
    const auto values = [](const port_series::port_sample& r) {
        return std::tie(r.node, r.port, r.frame_class, r.ingress, r.egress, r.counted, r.threshold,
                        r.egress_limit, r.rx_bytes, r.tx_bytes, r.xoff_sent, r.xon_sent, r.xoff_received,
                        r.paused);
    };
    return values(a) == values(b);
}

bool operator==(const port_series::pool_sample& a, const port_series::pool_sample& b) {
    const auto values = [](const port_series::pool_sample& r) {
        return std::tie(r.node, r.pool, r.slice, r.occupancy, r.group_threshold, r.size);
    };
    return values(a) == values(b);
}

namespace {

/// Rows that fit into the memory for samples; fewer samples are kept where there are more.
template <class Row>
constexpr std::size_t most_rows = sample_memory / sizeof(Row);

std::uint64_t byte_count(bytes value) {
    return static_cast<std::uint64_t>(value.count());
}

/// Fill of a class; 0 of one that never held a frame.
std::uint64_t fill_of(const occupancy_meter* meter) {
    return meter == nullptr ? 0 : byte_count(meter->current());
}

}  // namespace

void port_series::watch(const std::vector<std::uint32_t>& nodes, picoseconds interval) {
    m_nodes = nodes;
    m_ports = views_over_time<port_sample>(interval);
    m_pools = views_over_time<pool_sample>(interval);
    if (is_on()) {
        m_fabric.engine().look_every(interval, *this);
    }
}

void port_series::look(picoseconds now) {
    m_looked_at = now;
    m_port_samples.clear();
    m_pool_samples.clear();
    const topology& plan = m_fabric.plan();
    for (const std::uint32_t place : m_nodes) {
        const node_ref node = plan.node_at(place);
        if (!node.is_host()) {
            if (m_fabric.is_here(node)) {
                m_fabric.device(node.index).settle(now);
                add_switch(place, m_fabric.device(node.index));
            }
        } else if (host_node* const host = m_fabric.host(node.index)) {
            host->settle(now);
            add_host(place, *host);
        }
    }
    keep_rows(now);
    const bool is_full = std::max(m_ports.size(), m_pools.size()) >= most_samples ||
                         m_ports.rows() > most_rows<port_sample> || m_pools.rows() > most_rows<pool_sample>;
    if (on_any(m_fabric.team(), is_full)) {
        m_ports.thin_out();
        m_pools.thin_out();
        m_fabric.engine().look_less(m_ports.interval(), *this);
    }
}

/// A node's rows are those of one rank, in their order.
void port_series::keep_rows(picoseconds now) {
    auto [ports, pools] = gathered(m_fabric.team(), std::move(m_port_samples), std::move(m_pool_samples));
    if (!m_fabric.team().is_alone()) {
        const auto by_node = [](const auto& a, const auto& b) { return a.node < b.node; };
        std::stable_sort(ports.begin(), ports.end(), by_node);
        std::stable_sort(pools.begin(), pools.end(), by_node);
    }
    m_ports.keep(now, std::move(ports));
    m_pools.keep(now, std::move(pools));
}

void port_series::add_traffic(port_sample& row, const mac_port& mac) {
    const mac_port::byte_counts traffic = mac.traffic_of(static_cast<pfc_class>(row.frame_class));
    const pause_timer_stats& obeyed = mac.timers.stats();
    const pause_request_stats& asked = mac.requests.stats();
    row.rx_bytes = traffic.rx;
    row.tx_bytes = traffic.tx;
    row.xoff_sent = asked.xoff_sent[row.frame_class];
    row.xon_sent = asked.xon_sent[row.frame_class];
    row.xoff_received = obeyed.xoff_received[row.frame_class];
    row.paused = obeyed.paused_time[row.frame_class];
}

void port_series::add_host(std::uint32_t node, const host_node& host) {
    for (unsigned c = 0; c < pfc_classes; ++c) {
        port_sample row{};
        row.node = node;
        row.frame_class = static_cast<std::uint8_t>(c);
        row.threshold = row.egress_limit = no_limit;
        add_traffic(row, host.mac());
        if (row.is_used()) {
            m_port_samples.push_back(row);
        }
    }
}

void port_series::add_switch(std::uint32_t node, const switch_node& device) {
    const shared_buffer* const memory = device.shared_memory();
    for (unsigned port = 0; port < device.ports(); ++port) {
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            port_sample row{};
            row.node = node;
            row.port = static_cast<std::uint16_t>(port);
            row.frame_class = c;
            row.threshold = row.egress_limit = no_limit;
            add_traffic(row, device.mac(port));
            row.ingress = fill_of(device.ingress_memory().meter(port, c));
            row.egress = fill_of(device.egress_memory().meter(port, c));
            row.counted = row.ingress;
            if (!row.is_used()) {
                continue;
            }
            if (memory != nullptr && k < memory->classes()) {
                set_shared_limits(row, *memory);
            } else if (memory == nullptr) {
                if (const ingress_buffer* const own = device.own_ingress()) {
                    const ingress_limits& limits = own->limits(port);
                    const bool drains = limits.count == threshold_count::drain_bytes;
                    row.counted = byte_count(limits.one_class ? own->occupancy(port)
                                             : drains         ? own->drain_bytes(port, c)
                                                              : own->occupancy(port, c));
                    row.threshold = limits.xoff == ingress_limits::no_threshold ? no_limit : limits.xoff;
                }
                if (const egress_buffer* const own = device.own_egress()) {
                    row.egress_limit = std::min(own->class_limit(port), byte_count(m_egress_capacity));
                }
            }
            m_port_samples.push_back(row);
        }
    }
    if (memory != nullptr) {
        add_pools(node, *memory);
    }
}

// Each slice decides for itself: the one in which least is left of the threshold, and of the queue's room.
void port_series::set_shared_limits(port_sample& row, const shared_buffer& memory) {
    const auto c = static_cast<pfc_class>(row.frame_class);
    std::uint64_t room = no_limit;
    double nearest = -1;
    for (unsigned slice = 0; slice < memory.slices(); ++slice) {
        const group_cells& held = memory.group_usage(slice, row.port, c);
        const std::uint64_t counted = std::uint64_t{held.minimum} + held.shared + held.headroom;
        const std::uint64_t threshold =
            memory.limits(row.port, c).minimum +
            memory.threshold_with(row.port, c, memory.free_shared(slice, memory.is_lossless(c)));
        const double share =
            static_cast<double>(counted) / static_cast<double>(std::max<std::uint64_t>(threshold, 1));
        if (share > nearest) {
            nearest = share;
            row.counted = byte_count(memory.bytes_of(counted));
            row.threshold = byte_count(memory.bytes_of(threshold));
        }
        room = std::min<std::uint64_t>(room, memory.queue_room(slice, row.port, c));
    }
    row.egress_limit = row.egress + byte_count(memory.bytes_of(room));
}

void port_series::add_pools(std::uint32_t node, const shared_buffer& memory) {
    const auto in_bytes = [&](std::uint64_t cells) { return byte_count(memory.bytes_of(cells)); };
    const std::uint64_t headroom = memory.headroom_pool().value_or(memory.private_headroom());
    for (std::uint16_t slice = 0; slice < memory.slices(); ++slice) {
        const auto add = [&](pool_kind pool, std::uint64_t used, std::uint64_t threshold, std::uint64_t size) {
            if (size > 0) {
                m_pool_samples.push_back({node, pool, slice, in_bytes(used),
                                          threshold == no_limit ? no_limit : in_bytes(threshold),
                                          in_bytes(size)});
            }
        };
        for (const bool lossless : {true, false}) {
            const std::uint32_t size = memory.own_pool(lossless);
            add(lossless ? pool_kind::lossless_pool : pool_kind::lossy_pool,
                size - memory.free_shared(slice, lossless), memory.threshold_of(slice, lossless), size);
        }
        add(pool_kind::headroom, memory.headroom_used(slice), no_limit, headroom);
        for (const bool lossless : {false, true}) {
            const std::uint32_t size = memory.own_queue_pool(lossless);
            add(lossless ? pool_kind::lossless_queue_pool : pool_kind::queue_pool,
                size - memory.free_of_queues(slice, lossless), no_limit, size);
        }
    }
}

void port_series::finish(picoseconds end) {
    if (is_on() && end % m_ports.interval() == 0_ps && end > m_looked_at) {
        look(end);
    }
}

// Of all ranks.
std::map<port_series::port_place, port_series::capacities> port_series::capacities_of_ports() const {
    std::vector<std::pair<port_place, capacities>> own;
    for (const std::uint32_t place : m_nodes) {
        const node_ref node = m_fabric.plan().node_at(place);
        if (node.is_host() || !m_fabric.is_here(node) ||
            m_fabric.device(node.index).shared_memory() != nullptr) {
            continue;
        }
        const switch_node& device = m_fabric.device(node.index);
        for (unsigned port = 0; port < device.ports(); ++port) {
            const ingress_buffer* const ingress = device.own_ingress();
            own.push_back({{place, static_cast<std::uint16_t>(port)},
                           {ingress != nullptr ? ingress->limits(port).capacity : no_limit,
                            device.own_egress() != nullptr ? byte_count(m_egress_capacity) : no_limit}});
        }
    }
    const auto all = gathered(m_fabric.team(), std::move(own));
    return {all.begin(), all.end()};
}

void port_series::write(output_file file, const std::vector<picoseconds>& times) const {
    record_table<port_series_row> table(std::move(file));
    using place = std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>;
    std::map<place, port_sample> last;
    picoseconds before = times.empty() ? picoseconds{0} : times.front();
    const topology& plan = m_fabric.plan();
    const std::map<port_place, capacities> of_ports = capacities_of_ports();
    m_ports.for_each(times, [&](picoseconds time, const std::vector<port_sample>& samples) {
        const auto passed = static_cast<std::uint64_t>((time - before).count());
        for (const port_sample& now : samples) {
            port_sample& old = last[{now.node, now.port, now.frame_class}];
            const node_ref node = plan.node_at(now.node);
            port_series_row row{time, plan.name(node), now.port, now.frame_class};
            if (!node.is_host()) {
                row.ingress = now.ingress;
                row.counted = now.counted;
                row.egress = now.egress;
            }
            row.threshold = unless_unlimited(now.threshold);
            row.egress_limit = unless_unlimited(now.egress_limit);
            if (const auto own = of_ports.find({now.node, now.port}); own != of_ports.end()) {
                row.ingress_capacity = unless_unlimited(own->second.ingress);
                row.egress_capacity = unless_unlimited(own->second.egress);
            }
            if (passed > 0) {
                const auto rate = [&](std::uint64_t from, std::uint64_t to) {
                    __extension__ using wide = unsigned __int128;
                    return static_cast<std::uint64_t>(wide{to - from} * 8'000'000'000'000U / passed);
                };
                row.rx_bps = rate(old.rx_bytes, now.rx_bytes);
                row.tx_bps = rate(old.tx_bytes, now.tx_bytes);
                row.xoff_sent = now.xoff_sent - old.xoff_sent;
                row.xon_sent = now.xon_sent - old.xon_sent;
                row.xoff_received = now.xoff_received - old.xoff_received;
                row.paused_percent = 100.0 * static_cast<double>((now.paused - old.paused).count()) /
                                     static_cast<double>(passed);
            }
            table.write(row);
            old = now;
        }
        before = time;
    });
    table.finish();
}

void port_series::write_pools(output_file file, const std::vector<picoseconds>& times) const {
    record_table<pool_series_row> table(std::move(file));
    const topology& plan = m_fabric.plan();
    m_pools.for_each(times, [&](picoseconds time, const std::vector<pool_sample>& samples) {
        for (const pool_sample& now : samples) {
            table.write({time, plan.name(plan.node_at(now.node)), now.pool, now.slice, now.occupancy,
                         unless_unlimited(now.group_threshold), now.size});
        }
    });
    table.finish();
}

}  // namespace weir::tb
