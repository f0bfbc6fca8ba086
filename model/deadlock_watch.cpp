#include "weir/model/deadlock_watch.h"

#include <algorithm>
#include <utility>

namespace weir {

namespace {

constexpr picoseconds usual_interval = 100us;

/// Whether a pause of class `c` counts frames of class `other` in that memory.
bool counts(const ingress_limits& limits, pfc_class c, pfc_class other) {
    if (limits.one_class) {
        return true;
    }
    return limits.count == threshold_count::drain_bytes ? other >= c : other == c;
}

/// Calls `visit(slot, egress_port, class)` for each frame that waits in the port's VOQs and has not begun to
/// cross.
template <class Visit>
void for_each_waiting(switch_node& device, unsigned ingress_port, Visit&& visit) {
    ingress_buffer& memory = *device.own_ingress();
    const frame_slab& slab = std::as_const(device).slab();
    for (unsigned out = 0; out < device.ports(); ++out) {
        for (unsigned c = 0; c < device.classes(); ++c) {
            frame_slot slot = memory.head(ingress_port, out, static_cast<pfc_class>(c));
            if (slot != no_slot && slab.route(slot).cells_left != 0) {
                slot = slab.route(slot).next;  // it is crossing, cell by cell
            }
            for (; slot != no_slot; slot = slab.route(slot).next) {
                visit(slot, out, static_cast<pfc_class>(c));
            }
        }
    }
}

}  // namespace

picoseconds deadlock_watch::interval(picoseconds delay) {
    return std::max(usual_interval, delay);
}

void deadlock_watch::look(picoseconds now) {
    m_pauses.swap(m_pauses_before);
    find_pauses();
    const std::vector<kept_pause> pauses = old_pauses();
    std::vector<paused_queue> queues;
    for (const kept_pause& pause : pauses) {
        queues.push_back(describe(pause));
    }
    if (queues.empty()) {
        return;
    }
    const wait_graph graph(std::move(queues), [this](std::uint32_t device, std::uint32_t port, pfc_class c,
                                                     const class_counts& held) {
        static_cast<void>(port);  // all ports of a switch have the same memory
        return m_switches[device]->own_egress()->would_have_room(c, held);
    });
    if (graph.stuck().empty()) {
        return;
    }
    const deadlock_report report = explain(graph, now);
    if (m_on_found) {
        m_on_found(report);
    } else {
        SC_REPORT_FATAL("/weir/deadlock", to_text(report, m_plan).c_str());
    }
}

void deadlock_watch::find_pauses() {
    m_pauses.clear();
    for (switch_id s = 0; s < m_switches.size(); ++s) {
        m_switches[s]->paused_ports().for_each([&](unsigned port) { find_pauses_at(s, port); });
    }
}

// Pauses that will be kept up as long as the memory at the other end is full.
void deadlock_watch::find_pauses_at(switch_id s, unsigned port) {
    const link_end& by = m_plan.far_end(node_ref::of_switch(s), port);
    if (by.node.is_host()) {
        return;
    }
    const mac_port& mac = m_switches[s]->mac(port);
    const switch_node& partner = *m_switches[by.node.index];
    const mac_port& asking = partner.mac(by.port);
    if (mac.impaired || asking.impaired || m_switches[s]->own_egress() == nullptr ||
        m_switches[s]->own_ingress() == nullptr || partner.own_ingress() == nullptr ||
        partner.own_egress() == nullptr) {
        return;
    }
    const bool one_class = partner.own_ingress()->limits(by.port).one_class;
    const unsigned wanted = one_class && asking.requests.wanted() != 0 ? ~0U : asking.requests.wanted();
    for (unsigned c = 0; c < m_switches[s]->classes(); ++c) {
        if ((mac.timers.paused_mask() & wanted & (1U << c)) != 0) {
            m_pauses.push_back({{s, port, static_cast<pfc_class>(c)}, by, asking.requests.stats().xon_sent[c]});
        }
    }
}

// Those that held at the look before, too, and at switches that themselves have such a queue: all others end.
std::vector<deadlock_watch::kept_pause> deadlock_watch::old_pauses() const {
    std::vector<kept_pause> old;
    auto before = m_pauses_before.begin();
    for (const kept_pause& pause : m_pauses) {
        while (before != m_pauses_before.end() && before->queue < pause.queue) {
            ++before;
        }
        if (before != m_pauses_before.end() && before->queue == pause.queue &&
            before->xon_sent == pause.xon_sent) {
            old.push_back(pause);
        }
    }
    for (bool taken_out = true; taken_out;) {
        std::vector<bool> has_queue(m_switches.size());
        for (const kept_pause& pause : old) {
            has_queue[pause.queue.device] = true;
        }
        const auto end = std::remove_if(
            old.begin(), old.end(), [&](const kept_pause& pause) { return !has_queue[pause.by.node.index]; });
        taken_out = end != old.end();
        old.erase(end, old.end());
    }
    return old;
}

paused_queue deadlock_watch::describe(const kept_pause& pause) const {
    const switch_node& device = *m_switches[pause.queue.device];
    paused_queue q;
    q.queue = pause.queue;
    for (frame_slot slot = device.own_egress()->head(pause.queue.egress_port, pause.queue.frame_class);
         slot != no_slot; slot = device.slab().route(slot).next) {
        q.queued_bytes += device.slab().route(slot).charged_bytes;
    }
    switch_node& partner = *m_switches[pause.by.node.index];
    const ingress_limits& limits = partner.own_ingress()->limits(pause.by.port);
    q.by_device = pause.by.node.index;
    q.by_port = pause.by.port;
    q.xon = limits.xon;
    for_each_waiting(partner, pause.by.port, [&](frame_slot slot, unsigned out, pfc_class c) {
        if (!counts(limits, pause.queue.frame_class, c)) {
            return;
        }
        if (q.waiting.empty() || q.waiting.back().egress_port != out || q.waiting.back().frame_class != c) {
            q.waiting.push_back({out, c, 0});
        }
        q.waiting.back().bytes += std::as_const(partner).slab().route(slot).charged_bytes;
    });
    return q;
}

deadlock_report deadlock_watch::explain(const wait_graph& graph, picoseconds now) const {
    deadlock_report report;
    report.found = now;
    report.stuck_queues = graph.stuck().size();
    for (const wait_graph::step& step : graph.circle()) {
        switch_node& partner = *m_switches[step.queue->by_device];
        deadlock_step s;
        s.queue = step.queue->queue;
        s.queued_bytes = step.queue->queued_bytes;
        s.by_device = step.queue->by_device;
        s.by_port = step.queue->by_port;
        s.limits = partner.own_ingress()->limits(s.by_port);
        s.waiting_class = step.frames->frame_class;
        s.waits_for_next = step.frames->bytes;
        flow_bytes_list flows;
        for_each_waiting(partner, s.by_port, [&](frame_slot slot, unsigned out, pfc_class c) {
            const stored_frame& stored = std::as_const(partner).slab()[slot];
            s.occupancy += stored.route.charged_bytes;
            s.counted += counts(s.limits, s.queue.frame_class, c) ? stored.route.charged_bytes : 0;
            if (out == step.frames->egress_port && c == step.frames->frame_class) {
                flows.add(stored.frame, stored.route.charged_bytes);
                report.since = std::max(report.since, stored.route.arrival);
            }
        });
        s.flows = flows.sorted();
        report.circle.push_back(std::move(s));
    }
    return report;
}

}  // namespace weir
