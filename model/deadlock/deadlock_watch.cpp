#include "weir/model/deadlock/deadlock_watch.h"

#include <algorithm>
#include <utility>

namespace weir::model {

namespace {

constexpr picoseconds usual_interval = 100us;

/// Whether a pause of class `c` counts frames of class `other` in that memory.
bool counts(const ingress_limits& limits, pfc_class c, pfc_class other) {
    if (limits.one_class) {
        return true;
    }
    return limits.count == threshold_count::drain_bytes ? other >= c : other == c;
}

/// Calls `visit(slot, egress_port, class)` for each frame that is charged to the port's memory and waits: in
/// its VOQs, if it has not begun to cross, or, where frames stay at ingress, in the egress queues.
template <class Visit>
void for_each_waiting(switch_node& device, unsigned ingress_port, Visit&& visit) {
    ingress_buffer& memory = *device.own_ingress();
    const frame_slab& slab = std::as_const(device).slab();
    for (unsigned out = 0; out < device.ports(); ++out) {
        for (unsigned c = 0; c < device.classes(); ++c) {
            if (device.stays_at_ingress()) {
                for (frame_slot slot = device.own_egress()->head(out, static_cast<pfc_class>(c));
                     slot != no_slot; slot = slab.route(slot).next) {
                    if (slab.route(slot).ingress_port == ingress_port && !slab.route(slot).is_own) {
                        visit(slot, out, static_cast<pfc_class>(c));
                    }
                }
                continue;
            }
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

// A pause has to be seen twice, so the looks are no closer than an XON that is on its way would take.
picoseconds deadlock_watch::interval(picoseconds delay) {
    return std::max(usual_interval, delay);
}

void deadlock_watch::look(picoseconds now) {
    m_pauses.swap(m_pauses_before);
    find_pauses();
    std::vector<paused_queue> queues;
    for (const class_queue& queue : kept_pauses()) {
        queues.push_back(describe(queue));
    }
    if (queues.empty()) {
        return;
    }
    const auto room = [this](std::uint32_t device, std::uint32_t port, pfc_class c, const class_counts& held) {
        static_cast<void>(port);  // all ports of a switch have the same memory
        // Frames that stay at ingress wait in the very queues that are stuck, or not at all.
        return m_switches[device]->stays_at_ingress()
                   ? held[c] == 0
                   : m_switches[device]->own_egress()->would_have_room(c, held);
    };
    shared_waits shared(m_switches);
    const wait_graph graph(std::move(queues), room, &shared);
    if (graph.stuck().empty()) {
        return;
    }
    deadlock_report report;
    report.found = now;
    report.stuck_queues = graph.stuck().size();
    for (const wait_graph::step& step : graph.circle()) {
        report.circle.push_back(explain(step, shared, report.since));
    }
    if (m_on_found) {
        m_on_found(report);
    } else {
        SC_REPORT_FATAL(deadlock_report_type, to_text(report, m_plan).c_str());
    }
}

void deadlock_watch::find_pauses() {
    m_pauses.clear();
    for (switch_id s = 0; s < m_switches.size(); ++s) {
        m_switches[s]->paused_ports().for_each([&](unsigned port) { find_pauses_at(s, port); });
    }
}

// Pauses requested by a switch whose memories are weir's own, over a link without errors or changes: only of
// these is it known what ends them.
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
        if ((mac.timers.paused_mask() >> c & 1) != 0) {
            m_pauses.push_back({{s, port, static_cast<pfc_class>(c)},
                                (wanted >> c & 1) != 0,
                                asking.requests.stats().xon_sent[c]});
        }
    }
}

// The pauses that are kept up, of switches that themselves have such a queue: all others end.
std::vector<class_queue> deadlock_watch::kept_pauses() const {
    std::vector<class_queue> kept = kept_up(m_pauses_before, m_pauses);
    for (bool taken_out = true; taken_out;) {
        std::vector<bool> has_queue(m_switches.size());
        for (const class_queue& queue : kept) {
            has_queue[queue.device] = true;
        }
        const auto end = std::remove_if(kept.begin(), kept.end(), [&](const class_queue& queue) {
            return !has_queue[paused_by(queue).node.index];
        });
        taken_out = end != kept.end();
        kept.erase(end, kept.end());
    }
    return kept;
}

paused_queue deadlock_watch::describe(const class_queue& queue) const {
    const switch_node& device = *m_switches[queue.device];
    const link_end& by = paused_by(queue);
    paused_queue q;
    q.queue = queue;
    for (frame_slot slot = device.own_egress()->head(queue.egress_port, queue.frame_class); slot != no_slot;
         slot = device.slab().route(slot).next) {
        q.queued_bytes += device.slab().route(slot).charged_bytes;
    }
    if (device.shared_memory() != nullptr) {
        q.stored = shared_waits::held_by(device, q.queue);
    }
    switch_node& partner = *m_switches[by.node.index];
    const ingress_limits& limits = partner.own_ingress()->limits(by.port);
    q.by_device = by.node.index;
    q.by_port = by.port;
    if (partner.shared_memory() != nullptr) {
        q.by_shared_memory = true;
        q.waiting = shared_waits(m_switches).frames_of(q);
        return q;
    }
    q.xon = limits.xon;
    for_each_waiting(partner, by.port, [&](frame_slot slot, unsigned out, pfc_class c) {
        if (!counts(limits, queue.frame_class, c)) {
            return;
        }
        if (q.waiting.empty() || q.waiting.back().egress_port != out || q.waiting.back().frame_class != c) {
            q.waiting.push_back({out, c, 0});
        }
        q.waiting.back().bytes += std::as_const(partner).slab().route(slot).charged_bytes;
    });
    return q;
}

// `since`: moves on to when the last of the frames that wait here came.
deadlock_step deadlock_watch::explain(const wait_graph::step& step, const shared_waits& shared,
                                      picoseconds& since) const {
    switch_node& partner = *m_switches[step.queue->by_device];
    deadlock_step s;
    s.queue = step.queue->queue;
    s.queued_bytes = step.queue->queued_bytes;
    s.by_device = step.queue->by_device;
    s.by_port = step.queue->by_port;
    s.limits = partner.own_ingress()->limits(s.by_port);
    s.waiting_class = step.frames->frame_class;
    s.waits_for_next = step.frames->bytes;
    s.waits_in_queue = partner.stays_at_ingress();
    flow_bytes_list flows;
    const auto add_flow = [&](const stored_frame& stored) {
        flows.add(stored.frame, stored.route.charged_bytes);
        since = std::max(since, stored.route.arrival);
    };
    if (step.queue->by_shared_memory) {
        s.shared = shared.describe(*step.queue);
        for (frame_slot slot = partner.own_egress()->head(step.frames->egress_port, step.frames->frame_class);
             slot != no_slot; slot = std::as_const(partner).slab().route(slot).next) {
            const stored_frame& stored = std::as_const(partner).slab()[slot];
            if (shared.counts(*step.queue, stored.route)) {
                add_flow(stored);
            }
        }
    } else {
        for_each_waiting(partner, s.by_port, [&](frame_slot slot, unsigned out, pfc_class c) {
            const stored_frame& stored = std::as_const(partner).slab()[slot];
            s.occupancy += stored.route.charged_bytes;
            s.counted += counts(s.limits, s.queue.frame_class, c) ? stored.route.charged_bytes : 0;
            if (out == step.frames->egress_port && c == step.frames->frame_class) {
                add_flow(stored);
            }
        });
    }
    s.flows = flows.sorted();
    return s;
}

}  // namespace weir::model
