#include "tb/run/completions/ideal_times.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tb/run/options/run_traits.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {

ideal_delays ideal_delays_of(const run_config& config, picoseconds lookup) {
    unloaded_delays d;
    d.wire_overhead = config.link.wire_overhead;
    d.lookup_delay = lookup;
    d.lookup_interval = config.device.lookup_interval;
    d.speedup = organisation_of(config.device).has_crossbar() ? config.device.speedup : 0;
    d.cell = d.speedup > 0 && config.device.crossbar == crossbar_mode::cell ? config.device.cell : bytes{0};
    d.stack_out = config.host.out_delays().least();
    d.stack_in = config.host.in_delays().least();
    d.spread = !balance_policies()[config.device.balance].keeps_paths;
    const endpoint_options options = endpoint_options_of(config);
    ideal_delays all;
    for (const auto& transport : transports().entries()) {
        const transfer_framing framing = transport.traits.framing(options);
        d.segment_payload = framing.payload;
        d.header = framing.header;
        d.handshake = framing.handshake;
        d.min_frame = framing.min_frame;
        d.syn_options = framing.syn_options;
        d.handshake_ack = framing.handshake_ack;
        all.push_back(d);
    }
    return all;
}

ideal_times::ideal_times(const topology& plan, const ideal_delays& delays)
    : m_known(std::size_t{1} << slot_bits) {
    m_paths.reserve(delays.size());
    for (const unloaded_delays& each : delays) {
        m_paths.emplace_back(plan, each);
    }
    std::map<std::tuple<switch_id, bit_rate, picoseconds>, std::uint32_t> kinds;
    m_kind_of.reserve(plan.hosts());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        const topology_link& link = plan.link(plan.ports(node_ref::of_host(h))[0]);
        const auto next = static_cast<std::uint32_t>(kinds.size());
        m_kind_of.push_back(
            kinds.try_emplace({plan.edge_switch(h), link.rate, link.latency}, next).first->second);
    }
}

picoseconds ideal_times::of(const delivery_record& flow) {
    const std::size_t hosts = m_kind_of.size();
    if (flow.src >= hosts || flow.dst >= hosts || flow.src == flow.dst) {
        return never;
    }
    const std::uint32_t src = m_kind_of[flow.src];
    const std::uint32_t dst = m_kind_of[flow.dst];
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;
    const auto size = static_cast<std::uint64_t>(flow.flow_bytes.count());
    const std::uint64_t hash = ((std::uint64_t{src} << 32 | dst) * golden ^ size) * golden;
    entry& known = m_known[hash >> (64 - slot_bits)];
    if (__builtin_expect(known.src != src || known.dst != dst || known.size != flow.flow_bytes ||
                             known.transport != flow.transport,
                         0)) {
        unloaded_paths& paths = m_paths[static_cast<std::size_t>(flow.transport)];
        known = {src, dst, flow.flow_bytes, flow.transport,
                 paths.ideal_completion(flow.src, flow.dst, flow.flow_bytes)};
    }
    return known.time;
}

picoseconds ideal_times::on_last_link(const delivery_record& flow) {
    unloaded_paths& paths = m_paths[static_cast<std::size_t>(flow.transport)];
    const unloaded_delays& delays = paths.delays();
    const path_stage link = paths.stages(flow.src, flow.dst).back();
    const segmentation segments = segments_of(flow.flow_bytes, delays);
    return segments.full * service_time(link, delays.frame_length(delays.segment_payload), delays) +
           service_time(link, delays.frame_length(segments.last), delays);
}

delivery_record ideal_times::first_frame(delivery_record flow) const {
    const bytes full = m_paths[static_cast<std::size_t>(flow.transport)].delays().segment_payload;
    flow.flow_bytes = std::min(flow.flow_bytes, full);
    return flow;
}

picoseconds ideal_jobs::take(const job_record& job) {
    const auto found = m_open.extract(job.job);
    if (found.empty()) {
        return never;
    }
    const std::vector<delivery_record>& transfers = found.mapped();
    if (job.parent != job_record::no_job) {
        std::vector<delivery_record>& whole = m_open[job.parent];
        whole.insert(whole.end(), transfers.begin(), transfers.end());
    }
    // A query of more transfers than its two has been asked on.
    const bool parallel = job.kind == job_kind::partition_aggregate || job.kind == job_kind::incast_round ||
                          job.kind == job_kind::scatter_gather ||
                          (job.kind == job_kind::query && transfers.size() > 2);
    if (parallel) {
        return in_parallel(transfers, job.src);
    }
    picoseconds sum{0};
    for (const delivery_record& each : transfers) {
        const picoseconds ideal = m_transfers.of(each);
        if (ideal == never) {
            return never;
        }
        sum += ideal;
    }
    return sum;
}

// A server that asks others in turn answers when they have.
void ideal_jobs::add_time_below(const std::vector<delivery_record>& transfers, host_id asker, host_id server,
                                picoseconds& request) {
    std::vector<delivery_record> below;
    std::copy_if(
        transfers.begin(), transfers.end(), std::back_inserter(below), [&](const delivery_record& each) {
            return each.src != asker && each.dst != asker && (each.src == server || each.dst == server);
        });
    if (below.empty() || request == never) {
        return;
    }
    const picoseconds time = in_parallel(below, server);
    request = time == never ? never : request + time;
}

picoseconds ideal_jobs::in_parallel(const std::vector<delivery_record>& transfers, host_id asker) {
    std::unordered_map<host_id, picoseconds> requests;
    for (const delivery_record& each : transfers) {
        if (each.src == asker) {
            requests[each.dst] = m_transfers.of(each);
        }
    }
    for (auto& [server, request] : requests) {
        add_time_below(transfers, asker, server, request);
    }
    picoseconds slowest{0};
    picoseconds first_bit = never;
    picoseconds busy{0};
    for (const delivery_record& each : transfers) {
        if (each.dst != asker) {
            continue;
        }
        const picoseconds request = requests[each.src];
        const picoseconds ideal = m_transfers.of(each);
        if (request == never || ideal == never) {
            return never;
        }
        const picoseconds done = request + ideal;
        const picoseconds on_link = m_transfers.on_last_link(each);
        slowest = std::max(slowest, done);
        // The rest may come in pieces, between which there is room for the others'.
        const delivery_record first = m_transfers.first_frame(each);
        first_bit = std::min(first_bit, request + m_transfers.of(first) - m_transfers.on_last_link(first));
        busy += on_link;
    }
    return busy > picoseconds{0} ? std::max(slowest, first_bit + busy) : never;
}

}  // namespace weir::tb
