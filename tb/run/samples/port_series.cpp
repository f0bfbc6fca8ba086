#include "tb/run/samples/port_series.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "tb/run/samples/sample_tables.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

namespace {

constexpr std::uint64_t none = port_sample::none;

/// Fill of a class; 0 of one that never held a frame.
std::uint64_t fill_of(const occupancy_meter* meter) {
    return meter == nullptr ? 0 : byte_count(meter->current());
}

port_sample sample_of(std::uint32_t node, unsigned port, unsigned c, const mac_port& mac) {
    const mac_port::byte_counts traffic = mac.traffic_of(static_cast<pfc_class>(c));
    const pause_timer_stats& obeyed = mac.timers.stats();
    const pause_request_stats& asked = mac.requests.stats();
    return {node,
            static_cast<std::uint16_t>(port),
            static_cast<std::uint8_t>(c),
            none,
            none,
            none,
            none,
            none,
            traffic.rx,
            traffic.tx,
            asked.xoff_sent[c],
            asked.xon_sent[c],
            obeyed.xoff_received[c],
            obeyed.paused_time[c]};
}

/// It has carried a frame or a pause.
bool is_used(const port_sample& row) {
    return (row.rx_bytes | row.tx_bytes | row.xoff_sent | row.xoff_received) != 0 || row.paused > 0_ps;
}

// Each slice decides for itself: the one in which least is left of the threshold, and of the queue's room.
void set_shared_limits(port_sample& row, const shared_buffer& memory) {
    const auto c = static_cast<pfc_class>(row.frame_class);
    std::uint64_t room = none;
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

void set_own_limits(port_sample& row, const switch_node& device, std::uint64_t egress_capacity) {
    const auto c = static_cast<pfc_class>(row.frame_class);
    if (const ingress_buffer* const own = device.own_ingress()) {
        const ingress_limits& limits = own->limits(row.port);
        const bool drains = limits.count == threshold_count::drain_bytes;
        row.counted = byte_count(limits.one_class ? own->occupancy(row.port)
                                 : drains         ? own->drain_bytes(row.port, c)
                                                  : own->occupancy(row.port, c));
        row.threshold = limits.xoff == ingress_limits::no_threshold ? none : limits.xoff;
    }
    if (const egress_buffer* const own = device.own_egress()) {
        row.egress_limit = std::min(own->class_limit(row.port), egress_capacity);
    }
}

void add_ports(std::vector<port_sample>& rows, std::uint32_t node, const switch_node& device,
               std::uint64_t egress_capacity) {
    const shared_buffer* const memory = device.shared_memory();
    for (unsigned port = 0; port < device.ports(); ++port) {
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            port_sample row = sample_of(node, port, k, device.mac(port));
            row.counted = row.ingress = fill_of(device.ingress_memory().meter(port, c));
            row.egress = fill_of(device.egress_memory().meter(port, c));
            if (!is_used(row) && row.ingress == 0 && row.egress == 0) {
                continue;
            }
            if (memory == nullptr) {
                set_own_limits(row, device, egress_capacity);
            } else if (k < memory->classes()) {
                set_shared_limits(row, *memory);
            }
            rows.push_back(row);
        }
    }
}

void add_pools(std::vector<pool_sample>& rows, std::uint32_t node, const shared_buffer& memory) {
    const auto in_bytes = [&](std::uint64_t cells) { return byte_count(memory.bytes_of(cells)); };
    for (std::uint16_t slice = 0; slice < memory.slices(); ++slice) {
        for (const shared_pool& pool : pools_of(memory, slice)) {
            if (pool.size > 0) {
                rows.push_back({node, slice, pool.kind, in_bytes(pool.used),
                                pool.group_threshold ? in_bytes(*pool.group_threshold) : none,
                                in_bytes(pool.size)});
            }
        }
    }
}

}  // namespace

std::optional<std::uint64_t> port_series_row::rate(std::uint64_t port_sample::*counter) const {
    __extension__ using wide = unsigned __int128;
    const std::optional<std::uint64_t> bytes = gain(counter);
    return bytes ? std::optional(static_cast<std::uint64_t>(wide{*bytes} * 8'000'000'000'000U /
                                                            static_cast<std::uint64_t>(passed.count())))
                 : std::nullopt;
}

std::optional<double> port_series_row::paused_percent() const {
    return passed > 0_ps ? std::optional(100.0 * static_cast<double>((now.paused - before.paused).count()) /
                                         static_cast<double>(passed.count()))
                         : std::nullopt;
}

port_series::port_series(fabric& made, const switch_config& device)
    : m_fabric(made), m_egress_capacity(byte_count(device.egress_buffer)), m_series(made, sample_memory) {}

void port_series::watch(const std::vector<std::uint32_t>& nodes, picoseconds interval) {
    m_nodes = nodes;
    if (!nodes.empty()) {
        m_series.watch(interval, [this](picoseconds now) { return samples_at(now); });
    }
}

port_series::samples port_series::samples_at(picoseconds now) {
    samples taken;
    auto& [ports, pools] = taken;
    const topology& plan = m_fabric.plan();
    for (const std::uint32_t place : m_nodes) {
        const node_ref node = plan.node_at(place);
        if (!node.is_host() && m_fabric.is_here(node)) {
            switch_node& device = m_fabric.device(node.index);
            device.settle(now);
            add_ports(ports, place, device, m_egress_capacity);
            if (const shared_buffer* const memory = device.shared_memory()) {
                add_pools(pools, place, *memory);
            }
        } else if (host_node* const host = node.is_host() ? m_fabric.host(node.index) : nullptr) {
            host->settle(now);
            for (unsigned c = 0; c < pfc_classes; ++c) {
                const port_sample row = sample_of(place, 0, c, host->mac());
                if (is_used(row)) {
                    ports.push_back(row);
                }
            }
        }
    }
    return taken;
}

/// Sizes of memories that are a port's own, at ingress and at egress, by node and port: of all ranks.
static auto own_memories(const fabric& made, const std::vector<std::uint32_t>& nodes,
                         std::uint64_t egress_capacity) {
    std::vector<std::pair<std::pair<std::uint32_t, std::uint16_t>, std::array<std::uint64_t, 2>>> own;
    for (const std::uint32_t place : nodes) {
        const node_ref node = made.plan().node_at(place);
        if (node.is_host() || !made.is_here(node) || made.device(node.index).shared_memory() != nullptr) {
            continue;
        }
        const switch_node& device = made.device(node.index);
        for (std::uint16_t port = 0; port < device.ports(); ++port) {
            const ingress_buffer* const ingress = device.own_ingress();
            own.push_back({{place, port},
                           {ingress != nullptr ? ingress->limits(port).capacity : none,
                            device.own_egress() != nullptr ? egress_capacity : none}});
        }
    }
    const auto all = gathered(made.team(), std::move(own));
    return std::map(all.begin(), all.end());
}

void port_series::write(output_file file, const std::vector<picoseconds>& times) const {
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>, port_sample> last;
    picoseconds at = times.empty() ? picoseconds{0} : times.front();
    picoseconds before = at;
    const topology& plan = m_fabric.plan();
    const auto memories = own_memories(m_fabric, m_nodes, m_egress_capacity);
    write_views<port_series_row>(
        std::move(file), m_series.of<port_sample>(), times, [&](picoseconds time, const port_sample& now) {
            before = time > at ? at : before;
            at = time;
            port_sample& old = last[{now.node, now.port, now.frame_class}];
            port_series_row row{time, plan.name(plan.node_at(now.node)), now, old, time - before};
            if (const auto own = memories.find({now.node, now.port}); own != memories.end()) {
                row.ingress_capacity = own->second[0];
                row.egress_capacity = own->second[1];
            }
            old = now;
            return row;
        });
}

void port_series::write_pools(output_file file, const std::vector<picoseconds>& times) const {
    const topology& plan = m_fabric.plan();
    write_views<pool_series_row>(std::move(file), m_series.of<pool_sample>(), times,
                                 [&](picoseconds time, const pool_sample& now) -> pool_series_row {
                                     return {time,          plan.name(plan.node_at(now.node)),
                                             now.pool,      now.slice,
                                             now.occupancy, port_series_row::if_any(now.group_threshold),
                                             now.size};
                                 });
}

}  // namespace weir::tb
