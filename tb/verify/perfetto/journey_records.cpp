#include "tb/verify/perfetto/journey_records.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::tb {

journey_records::journey_records(const run_config& config, const std::vector<fabric_change>& changes,
                                 fabric& network, const std::vector<std::uint32_t>& nodes, wire_taps& taps,
                                 frame_filter filter)
    : m_network(network), m_plan(network.plan()), m_filter(std::move(filter)) {
    for (const topology_link& link : m_plan.links()) {
        m_links.emplace_back(port_config{link.rate, link.latency, config.link.wire_overhead});
    }
    for (const fabric_change& change : in_order(changes)) {
        m_links[change.link].add({change.at, 0, change.up, change.rate, change.latency});
    }
    const picoseconds start = config.trace.window_start;
    const picoseconds end = config.trace.window_end.value_or(never);
    std::uint32_t source = 0;
    for (const std::uint32_t n : nodes) {
        const node_ref reference = m_plan.node_at(n);
        const std::uint32_t first = source;
        source += 1 + static_cast<std::uint32_t>(m_plan.ports(reference).size());
        if (!network.is_here(reference)) {
            continue;
        }
        node& at = reference.is_host() ? static_cast<node&>(*network.host(reference.index))
                                       : network.device(reference.index);
        const auto add = [&](auto& watched, auto recorder) {
            taps.add(watched, *recorder);
            m_recorders.push_back(std::move(recorder));
        };
        add(at, std::make_unique<node_recorder>(first, n, m_filter));
        for (unsigned port = 0; port < at.ports(); ++port) {
            add(at.output(port), std::make_unique<port_recorder>(first + 1 + port, n, port, at.output(port),
                                                                 start, end, m_filter));
        }
    }
}

// A source is on one rank, so that its records stay in their order.
void journey_records::gather() {
    std::vector<journey_record> own;
    for (const auto& recorder : m_recorders) {
        std::vector<journey_record>& records = recorder->records();
        own.insert(own.end(), records.begin(), records.end());
        records.clear();
    }
    own = gathered(m_network.team(), std::move(own));
    m_pending.insert(m_pending.end(), own.begin(), own.end());
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const journey_record& a, const journey_record& b) {
        return std::tie(a.time, a.source) < std::tie(b.time, b.source);
    });
}

// What comes after a run's end is not visited, and nodes may run past it.
void journey_records::take(picoseconds sure, const visitor& visit) {
    if (m_stopped) {
        return;
    }
    gather();
    visit_until(sure, visit);
    // Rank 0 alone has visited.
    m_stopped = on_any(m_network.team(), m_stopped);
    if (m_stopped) {
        m_pending.clear();
        for (const auto& recorder : m_recorders) {
            recorder->stop();
        }
    }
}

void journey_records::finish(picoseconds end, const visitor& visit) {
    if (!m_stopped) {
        gather();
        visit_until(end, visit);
    }
}

void journey_records::visit_until(picoseconds until, const visitor& visit) {
    std::size_t next = 0;
    for (; next < m_pending.size() && m_pending[next].time <= until; ++next) {
        visit(m_pending[next]);
    }
    m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<std::ptrdiff_t>(next));
}

const link_end& journey_records::far_port(const journey_record& sent, link_id& id) const {
    id = m_plan.ports(m_plan.node_at(sent.node))[sent.port];
    const topology_link& link = m_plan.link(id);
    const bool from_a = m_plan.node_index(link.a.node) == sent.node && link.a.port == sent.port;
    return from_a ? link.b : link.a;
}

node_ref journey_records::far_end(const journey_record& sent) const {
    link_id link = 0;
    return far_port(sent, link).node;
}

frame_arrival journey_records::arrival_of(const journey_record& sent) const {
    link_id link = 0;
    const unsigned port = far_port(sent, link).port;
    return {sent.time + m_links[link].at(sent.time).latency + sent.duration, port};
}

}  // namespace weir::tb
