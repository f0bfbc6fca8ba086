#include "tb/run/tables/pause_attribution.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// Most places, and flows, that an XOFF's shares are kept of; those with the smallest are left out.
constexpr std::size_t most_shares = 64;
/// Most hops that a cause is followed over: a circle of pauses goes on for ever.
constexpr unsigned most_hops = 32;

template <class Key>
std::vector<std::pair<Key, double>> largest(const std::map<Key, double>& shares) {
    std::vector<std::pair<Key, double>> list(shares.begin(), shares.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (list.size() > most_shares) {
        list.resize(most_shares);
    }
    return list;
}

double sum_of(const std::vector<flow_bytes>& flows) {
    double sum = 0;
    for (const flow_bytes& f : flows) {
        sum += static_cast<double>(f.bytes);
    }
    return sum;
}

}  // namespace

void pause_attribution::add(std::uint32_t node, const cause_log& log) {
    for (const xoff_record& x : log.xoffs()) {
        m_xoffs.push_back({{node, x.ingress_port, x.frame_class}, &x, {}});
    }
    for (const pause_record& p : log.pauses()) {
        if ((m_counted >> p.frame_class & 1) == 0) {
            continue;
        }
        const transmitter queue{node, p.egress_port, p.frame_class};
        m_pauses.push_back({queue, &p});
        m_pauses_of[queue].push_back(&p);
    }
}

// A pause is obeyed after its XOFF was decided, so in the order of time all that an XOFF comes from is known.
void pause_attribution::work_out() {
    std::sort(m_xoffs.begin(), m_xoffs.end(), [](const kept_xoff& a, const kept_xoff& b) {
        return std::tie(a.record->time, a.asked_by) < std::tie(b.record->time, b.asked_by);
    });
    std::sort(m_pauses.begin(), m_pauses.end(), [](const kept_pause& a, const kept_pause& b) {
        return std::tie(a.record->begin, a.queue) < std::tie(b.record->begin, b.queue);
    });
    for (std::size_t i = 0; i < m_xoffs.size(); ++i) {
        m_xoffs[i].from = origin_of(m_xoffs[i]);
        m_xoffs_of[m_xoffs[i].asked_by].push_back(i);
    }
    for (const kept_pause& pause : m_pauses) {
        blame(pause);
    }
    for (const auto& [key, times] : m_faults) {
        const auto& [flow, src, dst] = key;
        m_flow_faults.push_back({times, {flow, src, dst, 0}});
    }
    for (const auto& [node, times] : m_faults_of_adapters) {
        m_adapter_faults.push_back({times, node});
    }
    std::stable_sort(m_flow_faults.begin(), m_flow_faults.end(),
                     [](const flow_fault& a, const flow_fault& b) { return a.others > b.others; });
}

std::uint32_t pause_attribution::child(std::uint32_t parent, const transmitter& queue, bool adapter) {
    const auto next = static_cast<std::uint32_t>(m_tree.size());
    const auto [at, is_new] = m_children.emplace(std::make_tuple(parent, queue), next);
    if (is_new) {
        const unsigned depth = parent == tree_node::no_parent ? 0 : m_tree[parent].depth + 1;
        m_tree.push_back({parent, queue, depth, adapter, 0});
    }
    return at->second;
}

const pause_record* pause_attribution::pause_at(const transmitter& queue, picoseconds time) const {
    const auto pauses = m_pauses_of.find(queue);
    if (pauses == m_pauses_of.end()) {
        return nullptr;
    }
    const auto after = std::upper_bound(pauses->second.begin(), pauses->second.end(), time,
                                        [](picoseconds t, const pause_record* p) { return t < p->begin; });
    return after == pauses->second.begin() ? nullptr : *(after - 1);
}

transmitter pause_attribution::asked_by(const transmitter& queue) const {
    const link_end& partner = m_plan.far_end(m_plan.node_at(queue.node), queue.port);
    // 802.3x stops all eight classes, those that nobody uses too.
    const unsigned c = std::min<unsigned>(queue.frame_class, m_classes - 1);
    return {m_plan.node_index(partner.node), static_cast<std::uint16_t>(partner.port),
            static_cast<pfc_class>(c)};
}

// The last one that has been on its way for the link's latency at least.
std::size_t pause_attribution::first_xoff(const transmitter& queue, picoseconds begin) const {
    const auto xoffs = m_xoffs_of.find(asked_by(queue));
    if (xoffs == m_xoffs_of.end()) {
        return nowhere;
    }
    const node_ref self = m_plan.node_at(queue.node);
    const picoseconds sent = begin - m_plan.link(m_plan.ports(self)[queue.port]).latency;
    const auto after =
        std::upper_bound(xoffs->second.begin(), xoffs->second.end(), sent,
                         [&](picoseconds t, std::size_t i) { return t < m_xoffs[i].record->time; });
    return after == xoffs->second.begin() ? nowhere
                                          : static_cast<std::size_t>(after - xoffs->second.begin()) - 1;
}

// XOFFs that are repeated while a pause lasts take as long on their way as the first one.
pause_attribution::origin pause_attribution::origin_at(const transmitter& queue, const pause_record& pause,
                                                       picoseconds time) {
    const transmitter partner = asked_by(queue);
    if (m_plan.node_at(partner.node).is_host()) {
        return {{{child(tree_node::no_parent, partner, true), 1.0}}, {}, {{partner.node, 1.0}}};
    }
    std::size_t at = first_xoff(queue, pause.begin);
    if (at == nowhere) {
        return {};
    }
    const std::vector<std::size_t>& xoffs = m_xoffs_of.at(partner);
    const picoseconds delay = pause.begin - m_xoffs[xoffs[at]].record->time;
    while (at + 1 < xoffs.size() && m_xoffs[xoffs[at + 1]].record->time + delay <= time) {
        ++at;
    }
    return m_xoffs[xoffs[at]].from;
}

pause_attribution::origin pause_attribution::origin_of(const kept_xoff& xoff) {
    double total = 0;
    for (const filling_queue& q : xoff.record->queues) {
        total += q.egress_port != filling_queue::lookup ? q.bytes : 0;
    }
    std::map<std::uint32_t, double> places;
    std::map<flow_key, double> flows;
    std::map<std::uint32_t, double> adapters;
    for (const filling_queue& q : xoff.record->queues) {
        if (q.egress_port == filling_queue::lookup || total == 0) {
            continue;
        }
        const double share = q.bytes / total;
        const transmitter queue{xoff.asked_by.node, q.egress_port, q.frame_class};
        if (q.paused) {
            const pause_record* const pause = pause_at(queue, xoff.record->time);
            const origin before = pause == nullptr ? origin{} : origin_at(queue, *pause, xoff.record->time);
            for (const auto& [place, part] : before.places) {
                if (m_tree[place].depth + 1 < most_hops) {
                    places[child(place, queue, false)] += share * part;
                }
            }
            for (const auto& [flow, part] : before.flows) {
                flows[flow] += share * part;
            }
            for (const auto& [node, part] : before.adapters) {
                adapters[node] += share * part;
            }
            continue;
        }
        places[child(tree_node::no_parent, queue, false)] += share;
        const double sharing = sum_of(q.sharing);
        for (const flow_bytes& f : q.sharing) {
            flows[{f.flow, f.src, f.dst}] += share * static_cast<double>(f.bytes) / sharing;
        }
    }
    return {largest(places), largest(flows), largest(adapters)};
}

// In parts, from each XOFF that was in force to the next one.
void pause_attribution::blame(const kept_pause& pause) {
    const picoseconds until = std::min(pause.record->end, m_end);
    picoseconds begin = pause.record->begin;
    const std::size_t first = first_xoff(pause.queue, begin);
    if (first != nowhere) {
        const std::vector<std::size_t>& xoffs = m_xoffs_of.at(asked_by(pause.queue));
        const picoseconds delay = begin - m_xoffs[xoffs[first]].record->time;
        for (std::size_t next = first + 1; next < xoffs.size(); ++next) {
            const picoseconds from = m_xoffs[xoffs[next]].record->time + delay;
            if (from >= until) {
                break;
            }
            blame(pause, begin, from);
            begin = from;
        }
    }
    blame(pause, begin, until);
}

void pause_attribution::blame(const kept_pause& pause, picoseconds begin, picoseconds end) {
    if (end <= begin) {
        return;
    }
    const auto time = static_cast<double>((end - begin).count());
    m_paused += time;
    const origin from = origin_at(pause.queue, *pause.record, begin);
    double known = 0;
    for (const auto& [place, share] : from.places) {
        tree_node& node = m_tree[child(place, pause.queue, false)];
        node.paused += time * share;
        if (m_by_hop.size() < node.depth) {
            m_by_hop.resize(node.depth);
        }
        m_by_hop[node.depth - 1] += time * share;
        known += share;
    }
    m_unknown += time * std::max(0.0, 1 - known);
    const double stopped = sum_of(pause.record->stopped);
    double left = 1;
    const auto charge = [&](fault_time& fault, double share, double own) {
        left -= share;
        if (stopped == 0) {
            fault.idle += time * share;
            return;
        }
        fault.others += time * share * (1 - own / stopped);
        fault.own += time * share * own / stopped;
    };
    for (const auto& [flow, share] : from.flows) {
        double own = 0;
        for (const flow_bytes& f : pause.record->stopped) {
            own += flow_key{f.flow, f.src, f.dst} == flow ? static_cast<double>(f.bytes) : 0;
        }
        charge(m_faults[flow], share, own);
    }
    for (const auto& [node, share] : from.adapters) {
        charge(m_faults_of_adapters[node], share, 0);
    }
    charge(m_nobody, std::max(0.0, left), 0);
}

}  // namespace weir::tb
