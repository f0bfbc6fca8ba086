#include "tb/results/limits.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "tb/results/text_format.h"

namespace weir {

namespace {

constexpr double binding_busy_percent = 90;
constexpr double binding_stalled_percent = 1;

double percent(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? std::min(100.0, 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : 0.0;
}

class resource_finder {
 public:
    resource_finder(fabric& made, const switch_config& device, picoseconds measured)
        : m_made(made), m_config(device), m_measured(measured) {}

    std::vector<resource_use> find() {
        const topology& plan = m_made.plan();
        for (host_id h = 0; h < m_made.hosts(); ++h) {
            if (m_made.host(h) != nullptr) {
                m_node = plan.name(node_ref::of_host(h));
                add_link(resource_kind::host_link, m_made.host(h)->mac(), 0);
            }
        }
        for (switch_id s = 0; s < m_made.switches(); ++s) {
            const switch_node& device = m_made.device(s);
            m_node = plan.name(node_ref::of_switch(s));
            for (unsigned port = 0; port < device.ports(); ++port) {
                add_link(resource_kind::link, device.mac(port), port);
            }
            add_lookup(device);
            add_crossbar(device);
            add_memories(device);
        }
        return std::move(m_found);
    }

 private:
    resource_use& add(resource_kind kind, const char* part, unsigned number) {
        resource_use& use = m_found.emplace_back();
        use.kind = kind;
        use.node = m_node;
        use.part = *part == 0 ? "" : part + std::to_string(number);
        return use;
    }

    void add_link(resource_kind kind, const mac_port& mac, unsigned port) {
        resource_use& use = add(kind, "tx", port);
        use.capacity = static_cast<double>(mac.link.rate().count());
        use.busy_percent = link_percent(mac);
        const auto& frames = mac.stats.tx_frames;
        use.served = std::accumulate(frames.begin(), frames.end(), mac.stats.tx_control_frames);
    }

    void add_lookup(const switch_node& device) {
        const lookup_pipeline& pipeline = device.pipeline();
        if (pipeline.interval() == 0_ps) {
            return;
        }
        const lookup_pipeline_stats& stats = pipeline.stats();
        resource_use& use = add(resource_kind::lookup, "", 0);
        use.capacity = 1e12 / static_cast<double>(pipeline.interval().count());
        use.capacity_unit = "frames/s";
        use.busy_percent =
            percent(static_cast<std::int64_t>(stats.lookups) * pipeline.interval().count(), m_measured.count());
        use.served = stats.lookups;
        use.lost_frames = device.lost_for_lookup();
        add_waits(use, stats.waited, stats.wait_time, stats.longest_wait);
    }

    void add_crossbar(const switch_node& device) {
        if (device.shared_memory() != nullptr) {
            return;
        }
        if (m_config.crossbar == crossbar_mode::cell) {
            const picoseconds slot = device.crossbar_time(m_config.cell);
            resource_use& use = add(resource_kind::crossbar, "", 0);
            use.capacity = 1e12 / static_cast<double>(slot.count()) * device.ports();
            use.capacity_unit = "cells/s";
            use.served = device.matches();
            use.busy_percent = percent(static_cast<std::int64_t>(use.served) * slot.count(),
                                       m_measured.count() * device.ports());
            return;
        }
        const double rate = 8e12 * 1e6 / static_cast<double>(device.crossbar_time(bytes{1'000'000}).count());
        for (unsigned port = 0; port < device.ports(); ++port) {
            const mac_stats& stats = device.mac(port).stats;
            resource_use& use = add(resource_kind::crossbar, "tx", port);
            use.capacity = rate;
            use.served = sum(stats.tx_frames);
            use.busy_percent = crossing_percent(device, port, stats.tx_frames, stats.tx_bytes);
        }
    }

    static std::uint64_t sum(const std::array<std::uint64_t, pfc_classes>& counts) {
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    }
    // What has crossed to a port is what was sent, and what has crossed from it what came in, but for what is
    // still inside or was lost there.
    double crossing_percent(const switch_node& device, unsigned port,
                            const std::array<std::uint64_t, pfc_classes>& frames,
                            const std::array<std::uint64_t, pfc_classes>& frame_bytes) const {
        const bytes overhead = device.wire_overhead(port);
        const bytes crossed = bytes{static_cast<std::int64_t>(sum(frame_bytes))} +
                              overhead * static_cast<std::int64_t>(sum(frames));
        return percent(device.crossbar_time(crossed).count(), m_measured.count());
    }

    void add_memories(const switch_node& device) {
        const sram_timing* const sram = device.sram();
        if (sram == nullptr) {
            return;
        }
        const std::vector<packet_sram>& memories = sram->memories();
        const auto count = static_cast<unsigned>(memories.size());
        for (unsigned i = 0; i < count; ++i) {
            const unsigned port = i < device.ports() ? i : i - device.ports();
            if (sram->slices() > 0) {
                add_memory(*sram, i, "slice", i, slice_stall(device, i), {});
                continue;
            }
            const mac_stats& stats = device.mac(port).stats;
            const picoseconds reads = memories[i].reads().wait_time;
            if (i < device.ports()) {
                // A frame that waits to be written stops nobody.
                add_memory(*sram, i, "rx", port,
                           stall_of(reads, sram->port(port).crossbar_in_stalled,
                                    crossing_percent(device, port, stats.rx_frames, stats.rx_bytes)),
                           {});
            } else {
                add_memory(*sram, i, "tx", port, stall_of(reads, reads, link_percent(device.mac(port))),
                           stall_of(memories[i].writes().wait_time, sram->port(port).crossbar_out_stalled,
                                    crossing_percent(device, port, stats.tx_frames, stats.tx_bytes)));
            }
        }
    }

    struct stall {
        double stalled = 0;
        double used = 0;
    };
    /// `all`: that the port stood still for this and other memories.
    stall stall_of(picoseconds stalled, picoseconds all, double busy) const {
        const double share = percent(stalled.count(), m_measured.count());
        const double used = std::min(100.0, busy + percent(all.count(), m_measured.count()));
        return share > 0 ? stall{share, used} : stall{};
    }
    // Where a port has time left it matters less, however long it stood still.
    static stall worse_of(const stall& a, const stall& b) { return a.used >= b.used ? a : b; }
    stall slice_stall(const switch_node& device, unsigned slice) const {
        const sram_timing& sram = *device.sram();
        stall worst;
        for (unsigned port = 0; port < device.ports(); ++port) {
            picoseconds all{0};
            for (unsigned other = 0; other < sram.slices(); ++other) {
                all += sram.stalled(other, port);
            }
            worst = worse_of(worst, stall_of(sram.stalled(slice, port), all, link_percent(device.mac(port))));
        }
        return worst;
    }
    double link_percent(const mac_port& mac) const {
        return percent(mac.stats.tx_busy.count(), m_measured.count());
    }

    void add_memory(const sram_timing& sram, unsigned index, const char* part, unsigned number,
                    const stall& read_stall, const stall& write_stall) {
        const packet_sram& memory = sram.memories()[index];
        const sram_stats& reads = memory.reads();
        const sram_stats& writes = memory.writes();
        const std::uint64_t lost = sram.slices() > 0 ? sram.lost(index) : 0;
        const auto put = [&](resource_kind kind, std::uint64_t accesses, const stall& waits) -> resource_use& {
            const picoseconds busy =
                sram.config().access_time * static_cast<std::int64_t>(accesses / sram.config().banks);
            resource_use& use = add(kind, part, number);
            use.capacity = static_cast<double>(sram.config().bandwidth(sram.cell()).count());
            use.busy_percent = percent(busy.count(), m_measured.count());
            use.stalled_percent = waits.stalled;
            use.port_used_percent = waits.used;
            return use;
        };
        const auto count = [this](resource_use& use, const sram_stats& stats) {
            use.served += stats.frames;
            use.bank_conflicts += stats.conflicts;
            add_waits(use, stats.waited_frames, stats.wait_time, stats.longest_wait);
        };
        if (sram.config().ports == sram_ports::one_read_or_write) {
            resource_use& use =
                put(resource_kind::memory, reads.accesses + writes.accesses, worse_of(read_stall, write_stall));
            count(use, writes);
            count(use, reads);
            use.lost_frames = lost;
            return;
        }
        resource_use& write = put(resource_kind::memory_write, writes.accesses, write_stall);
        count(write, writes);
        write.lost_frames = lost;
        count(put(resource_kind::memory_read, reads.accesses, read_stall), reads);
    }

    static void add_waits(resource_use& use, std::uint64_t waited, picoseconds wait_time, picoseconds longest) {
        use.knows_waits = true;
        use.waited += waited;
        use.wait_time += wait_time;
        use.longest_wait = std::max(use.longest_wait, longest);
    }

    fabric& m_made;
    const switch_config& m_config;
    picoseconds m_measured;
    std::string m_node;
    std::vector<resource_use> m_found;
};

}  // namespace

const char* to_text(resource_kind kind) {
    static constexpr std::array<const char*, static_cast<unsigned>(resource_kind::count)> names{
        "link", "host_link", "lookup", "crossbar", "memory", "memory_read", "memory_write"};
    return names[static_cast<unsigned>(kind)];
}

bool resource_use::binds() const {
    const bool stalls = stalled_percent >= binding_stalled_percent && port_used_percent >= binding_busy_percent;
    return busy_percent >= binding_busy_percent || stalls || lost_frames > 0;
}

std::vector<resource_use> resources_of(fabric& made, const switch_config& device, picoseconds measured) {
    return resource_finder(made, device, measured).find();
}

std::vector<resource_summary> summary_of(const std::vector<resource_use>& resources) {
    std::array<resource_summary, static_cast<unsigned>(resource_kind::count)> by_kind;
    const auto weight = [](const resource_use& use) {
        return std::make_tuple(use.binds(), use.lost_frames, use.busy_percent, use.stalled_percent);
    };
    for (const resource_use& use : resources) {
        resource_summary& all = by_kind[static_cast<unsigned>(use.kind)];
        if (all.of == 0 || weight(use) > weight(all.worst)) {
            all.worst = use;
        }
        all.kind = use.kind;
        ++all.of;
        all.binding += use.binds() ? 1 : 0;
    }
    std::vector<resource_summary> present;
    std::copy_if(by_kind.begin(), by_kind.end(), std::back_inserter(present),
                 [](const resource_summary& all) { return all.of > 0; });
    return present;
}

std::vector<resource_summary> binding_of(const std::vector<resource_summary>& all) {
    std::vector<resource_summary> binding;
    std::copy_if(all.begin(), all.end(), std::back_inserter(binding),
                 [](const resource_summary& kind) { return kind.binding > 0; });
    const auto weight = [](const resource_summary& kind) {
        const resource_use& worst = kind.worst;
        return std::make_tuple(kind.kind != resource_kind::host_link, worst.lost_frames, worst.stalled_percent,
                               worst.busy_percent);
    };
    std::stable_sort(binding.begin(), binding.end(),
                     [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    return binding;
}

void write_limits(output_file& file, const std::vector<resource_use>& resources) {
    file.write(
        "node,resource,part,capacity,capacity_unit,busy_percent,stalled_percent,port_used_percent,served,"
        "waited,"
        "mean_wait_ns,max_wait_ns,bank_conflicts,lost_frames,binds\n");
    csv_line line;
    for (const resource_use& use : resources) {
        if (use.served == 0 && use.lost_frames == 0) {
            continue;
        }
        line.add_name(use.node).add_name(to_text(use.kind)).add_name(use.part);
        line.add_decimal(use.capacity, 0).add_name(use.capacity_unit);
        line.add_decimal(use.busy_percent, 4).add_decimal(use.stalled_percent, 4);
        line.add_decimal(use.port_used_percent, 4).add(use.served);
        if (use.knows_waits) {
            line.add(use.waited);
            const auto served = static_cast<double>(std::max<std::uint64_t>(use.served, 1));
            line.add_decimal(static_cast<double>(use.wait_time.count()) / served / 1000, 3);
            line.add_ns(use.longest_wait);
        } else {
            line.add_nothing(3);
        }
        line.add(use.bank_conflicts).add(use.lost_frames).add_name(use.binds() ? "yes" : "no");
        file.write(line.end());
    }
}

}  // namespace weir
