#include "tb/run/samples/resources.h"

#include <utility>
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/memory/sram_timing.h"

namespace weir::tb {

namespace {

/// One resource, as it is found.
struct found_resource : resource_service {
    node_ref node;
    resource_part part = resource_part::whole;
    unsigned number = 0;
    picoseconds busy{0};
    std::uint64_t lost_frames = 0;

    void add_waits(std::uint64_t frames, picoseconds time, picoseconds longest) {
        knows_waits = true;
        waited += frames;
        wait_time += time;
        longest_wait = std::max(longest_wait, longest);
    }
    void add(const sram_stats& stats) {
        served += stats.frames;
        bank_conflicts += stats.conflicts;
        add_waits(stats.waited_frames, stats.wait_time, stats.longest_wait);
    }
};

/// Calls `visit(resource, ports)` for each, where `ports` are those that may stand still for it. A template, so
/// that what the visitor does not want is not worked out: this is done once an interval.
template <class Visit>
class resource_finder {
 public:
    using waiting_port = resource_readings::waiting_port;

    resource_finder(const fabric& made, const switch_config& device, picoseconds now, Visit visit)
        : m_made(made), m_config(device), m_now(now), m_visit(std::move(visit)) {}

    void find() {
        for (host_id h = 0; h < m_made.hosts(); ++h) {
            if (m_made.host(h) != nullptr) {
                m_node = node_ref::of_host(h);
                add_link(resource_kind::host_link, m_made.host(h)->mac(), 0);
            }
        }
        for (const switch_id s : m_made.own_switches()) {
            const switch_node& device = m_made.device(s);
            m_node = node_ref::of_switch(s);
            for (unsigned port = 0; port < device.ports(); ++port) {
                add_link(resource_kind::link, device.mac(port), port);
            }
            add_lookup(device);
            add_crossbar(device);
            add_memories(device);
        }
    }

 private:
    found_resource start(resource_kind kind, resource_part part, unsigned number) const {
        found_resource use;
        use.kind = kind;
        use.node = m_node;
        use.part = part;
        use.number = number;
        return use;
    }

    void add_link(resource_kind kind, const mac_port& mac, unsigned port) {
        found_resource use = start(kind, resource_part::tx, port);
        use.capacity = static_cast<double>(mac.link.rate().count());
        use.busy = time_sending(mac);
        use.served = mac.stats.data().tx_frames + mac.stats.tx_control_frames;
        m_visit(use, m_no_ports);
    }
    // What has begun is counted whole: less what is still to come.
    picoseconds time_sending(const mac_port& mac) const {
        return mac.stats.tx_busy() - std::max(0_ps, mac.sending.end - m_now);
    }

    void add_lookup(const switch_node& device) {
        const lookup_pipeline& pipeline = device.pipeline();
        if (pipeline.interval() == 0_ps) {
            return;
        }
        const lookup_pipeline_stats& stats = pipeline.stats();
        found_resource use = start(resource_kind::lookup, resource_part::whole, 0);
        use.capacity = 1e12 / static_cast<double>(pipeline.interval().count());
        use.capacity_unit = resource_unit::frames;
        use.busy = pipeline.interval() * static_cast<std::int64_t>(stats.lookups);
        use.served = stats.lookups;
        use.lost_frames = device.lost_for_lookup();
        use.add_waits(stats.waited, stats.wait_time, stats.longest_wait);
        m_visit(use, m_no_ports);
    }

    void add_crossbar(const switch_node& device) {
        if (!device.has_crossbar()) {
            return;
        }
        if (m_config.crossbar == crossbar_mode::cell) {
            const picoseconds slot = device.crossbar_time(m_config.cell);
            found_resource use = start(resource_kind::crossbar, resource_part::whole, 0);
            use.capacity = 1e12 / static_cast<double>(slot.count()) * device.ports();
            use.capacity_unit = resource_unit::cells;
            use.served = device.matches();
            use.busy = slot * static_cast<std::int64_t>(use.served) / device.ports();
            m_visit(use, m_no_ports);
            return;
        }
        const double rate = 8e12 * 1e6 / static_cast<double>(device.crossbar_time(bytes{1'000'000}).count());
        for (unsigned port = 0; port < device.ports(); ++port) {
            const class_traffic data = device.mac(port).stats.data();
            found_resource use = start(resource_kind::crossbar, resource_part::tx, port);
            use.capacity = rate;
            use.served = data.tx_frames;
            use.busy = time_crossing(device, port, data.tx_frames, data.tx_bytes);
            m_visit(use, m_no_ports);
        }
    }

    // What has crossed to a port is what was sent, and what has crossed from it what came in, but for what is
    // still inside or was lost there.
    static picoseconds time_crossing(const switch_node& device, unsigned port, std::uint64_t frames,
                                     std::uint64_t frame_bytes) {
        const bytes overhead = device.wire_overhead(port);
        return device.crossbar_time(bytes{static_cast<std::int64_t>(frame_bytes)} +
                                    overhead * static_cast<std::int64_t>(frames));
    }

    void add_memories(const switch_node& device) {
        const sram_timing* const sram = device.sram();
        if (sram == nullptr) {
            return;
        }
        const std::vector<packet_sram>& memories = sram->memories();
        for (unsigned i = 0; i < memories.size(); ++i) {
            if (sram->slices() > 0) {
                add_memory(*sram, i, resource_part::slice, i, ports_of_slice(device, i), {});
                continue;
            }
            const unsigned port = i < device.ports() ? i : i - device.ports();
            const class_traffic data = device.mac(port).stats.data();
            const picoseconds reads = memories[i].reads().wait_time;
            if (i < device.ports()) {
                // A frame that waits to be written holds up no port.
                const picoseconds stalled = sram->port(port).crossbar_in_stalled;
                const picoseconds crossing = time_crossing(device, port, data.rx_frames, data.rx_bytes);
                add_memory(*sram, i, resource_part::rx, port, {{reads, stalled + crossing}}, {});
            } else {
                const picoseconds stalled = sram->port(port).crossbar_out_stalled;
                const picoseconds crossing = time_crossing(device, port, data.tx_frames, data.tx_bytes);
                add_memory(*sram, i, resource_part::tx, port, {{reads, reads + time_sending(device.mac(port))}},
                           {{memories[i].writes().wait_time, stalled + crossing}});
            }
        }
    }

    std::vector<waiting_port> ports_of_slice(const switch_node& device, unsigned slice) const {
        const sram_timing& sram = *device.sram();
        std::vector<waiting_port> ports;
        for (unsigned port = 0; port < device.ports(); ++port) {
            picoseconds used = time_sending(device.mac(port));
            for (unsigned other = 0; other < sram.slices(); ++other) {
                used += sram.stalled(other, port);
            }
            ports.push_back({sram.stalled(slice, port), used});
        }
        return ports;
    }

    void add_memory(const sram_timing& sram, unsigned index, resource_part part, unsigned number,
                    std::vector<waiting_port> readers, const std::vector<waiting_port>& writers) {
        const packet_sram& memory = sram.memories()[index];
        const sram_stats& reads = memory.reads();
        const sram_stats& writes = memory.writes();
        const std::uint64_t lost = sram.slices() > 0 ? sram.lost(index) : 0;
        const auto begin = [&](resource_kind kind, std::uint64_t accesses) {
            found_resource use = start(kind, part, number);
            use.capacity = static_cast<double>(sram.config().bandwidth(sram.cell()).count());
            use.busy = sram.config().access_time * static_cast<std::int64_t>(accesses / sram.config().banks);
            return use;
        };
        if (sram.config().ports == sram_ports::one_read_or_write) {
            found_resource use = begin(resource_kind::memory, reads.accesses + writes.accesses);
            use.add(writes);
            use.add(reads);
            use.lost_frames = lost;
            readers.insert(readers.end(), writers.begin(), writers.end());
            m_visit(use, readers);
            return;
        }
        found_resource write = begin(resource_kind::memory_write, writes.accesses);
        write.add(writes);
        write.lost_frames = lost;
        m_visit(write, writers);
        found_resource read = begin(resource_kind::memory_read, reads.accesses);
        read.add(reads);
        m_visit(read, readers);
    }

    const fabric& m_made;
    const switch_config& m_config;
    picoseconds m_now;
    Visit m_visit;
    const std::vector<waiting_port> m_no_ports;
    node_ref m_node;
};

/// Inlined, so that only what is read here is worked out.
[[gnu::always_inline]] inline void add_to(resource_readings& readings, const found_resource& use,
                                          const std::vector<resource_readings::waiting_port>& ports) {
    const auto first = static_cast<std::uint32_t>(readings.ports.size());
    if (!ports.empty()) {
        readings.ports.insert(readings.ports.end(), ports.begin(), ports.end());
    }
    readings.resources.push_back(
        {use.kind, use.busy, use.lost_frames, first, static_cast<std::uint32_t>(readings.ports.size())});
}

}  // namespace

void resource_readings::add_stalls(resource_load& load, const resource_readings& before, std::size_t i,
                                   picoseconds measured) const {
    for (std::uint32_t p = resources[i].first_port; p < resources[i].end_port; ++p) {
        const waiting_port earlier = before.ports.empty() ? waiting_port{} : before.ports[p];
        const double stalled = share_percent(ports[p].stalled - earlier.stalled, measured);
        const double used = share_percent(ports[p].used - earlier.used, measured);
        // Where a port has time left it matters less, however long it stood still.
        if (stalled > 0 && used > load.port_used_percent) {
            load.stalled_percent = stalled;
            load.port_used_percent = used;
        }
    }
}

resource_readings resource_readings::zeros() const {
    resource_readings made = *this;
    for (counts& each : made.resources) {
        each.busy = 0_ps;
        each.lost_frames = 0;
    }
    std::fill(made.ports.begin(), made.ports.end(), waiting_port{});
    return made;
}

resource_readings read_resources(const fabric& made, const switch_config& device, picoseconds now,
                                 std::size_t expected) {
    resource_readings readings;
    readings.resources.reserve(expected);
    resource_finder(made, device, now, [&](const found_resource& use, const auto& ports) {
        add_to(readings, use, ports);
    }).find();
    return readings;
}

std::vector<std::uint32_t> nodes_of_resources(const fabric& made, const switch_config& device) {
    std::vector<std::uint32_t> nodes;
    resource_finder(made, device, 0_ps, [&](const found_resource& use, const auto&) {
        nodes.push_back(made.plan().node_index(use.node));
    }).find();
    return nodes;
}

std::vector<resource_use> resources_of(const fabric& made, const switch_config& device, picoseconds now,
                                       picoseconds measured) {
    std::size_t count = 0;
    resource_finder(made, device, now, [&](const found_resource&, const auto&) { ++count; }).find();
    std::vector<resource_use> all;
    all.reserve(count);
    const auto add = [&](const found_resource& found, const auto& ports) {
        resource_readings one;
        add_to(one, found, ports);
        resource_use& use = all.emplace_back();
        static_cast<resource_load&>(use) = one.load_since({}, 0, measured);
        static_cast<resource_service&>(use) = found;
        use.node_index = made.plan().node_index(found.node);
        use.part_kind = found.part;
        use.part_number = found.number;
    };
    resource_finder(made, device, now, add).find();
    all = gathered(made.team(), std::move(all));
    if (!made.team().is_alone()) {
        std::stable_sort(all.begin(), all.end(), [](const resource_use& a, const resource_use& b) {
            return a.node_index < b.node_index;
        });
    }
    for (resource_use& use : all) {
        use.node_name = &made.plan().name(made.plan().node_at(use.node_index));
    }
    return all;
}

}  // namespace weir::tb
