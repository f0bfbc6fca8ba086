#include "weir/model/deadlock/deadlock_watch.h"

#include <algorithm>
#include <iterator>
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

/// Of a pause that the port asks for, or is to obey, it is known what ends it: the memories are weir's own, and
/// the link has no errors and does not change.
bool is_certain(const switch_node& device, unsigned port) {
    return !device.mac(port).impaired && device.own_egress() != nullptr && device.own_ingress() != nullptr;
}

/// Classes that the port wants its link partner to stop.
unsigned wanted_at(const switch_node& device, unsigned port) {
    const unsigned wanted = device.mac(port).requests.wanted();
    return wanted != 0 && device.own_ingress()->limits(port).one_class ? ~0U : wanted;
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
    shared_waits memories(m_switches);
    const wait_graph graph(std::move(queues), room, &memories, m_team);
    if (graph.stuck().empty()) {
        return;
    }
    deadlock_report report = report_of(graph, memories);
    report.found = now;
    if (m_on_found) {
        m_on_found(report);
    } else {
        SC_REPORT_FATAL(deadlock_report_type, to_text(report, m_plan).c_str());
    }
}

void deadlock_watch::find_pauses() {
    m_pauses.clear();
    for (switch_id s = 0; s < m_switches.size(); ++s) {
        if (m_switches[s] != nullptr) {
            m_switches[s]->paused_ports().for_each([&](unsigned port) { find_pauses_at(s, port); });
        }
    }
}

// Pauses requested by a switch of which it is certain what ends them. If that is another rank's, only the half
// that is seen from here: the queue is paused.
void deadlock_watch::find_pauses_at(switch_id s, unsigned port) {
    const link_end& by = m_plan.far_end(node_ref::of_switch(s), port);
    if (by.node.is_host() || !is_certain(*m_switches[s], port)) {
        return;
    }
    const switch_node* const partner = m_switches[by.node.index].get();
    if (partner != nullptr && !is_certain(*partner, by.port)) {
        return;
    }
    const unsigned wanted = partner != nullptr ? wanted_at(*partner, by.port) : ~0U;
    const class_mask paused = m_switches[s]->mac(port).timers.paused_mask();
    for (unsigned c = 0; c < m_switches[s]->classes(); ++c) {
        if ((paused >> c & 1) != 0) {
            m_pauses.push_back({{s, port, static_cast<pfc_class>(c)},
                                (wanted >> c & 1) != 0,
                                partner != nullptr ? partner->mac(by.port).requests.stats().xon_sent[c] : 0});
        }
    }
}

void deadlock_watch::add_cut_link(const link_end& here) {
    if (!m_plan.far_end(here.node, here.port).node.is_host()) {
        m_cut_ends.push_back({here.node.index, here.port});
    }
}

// The other half: other ranks' queues that a switch of this rank wants to be paused, and has sent no XON since
// the look before.
void deadlock_watch::add_kept_for_others(std::vector<class_queue>& queues) {
    for (cut_end& end : m_cut_ends) {
        const switch_node& device = *m_switches[end.device];
        if (!is_certain(device, end.port)) {
            continue;
        }
        const unsigned wanted = wanted_at(device, end.port);
        const auto& xon_sent = device.mac(end.port).requests.stats().xon_sent;
        const link_end& paused = m_plan.far_end(node_ref::of_switch(end.device), end.port);
        for (unsigned c = 0; c < device.classes(); ++c) {
            if ((wanted >> c & 1) != 0 && xon_sent[c] == end.xon_sent[c]) {
                queues.push_back({paused.node.index, paused.port, static_cast<pfc_class>(c)});
            }
        }
        end.xon_sent = xon_sent;
    }
}

// Both ends of a link name the queues that it keeps paused; those count that two have named.
std::vector<class_queue> deadlock_watch::kept_on_all_ranks() {
    std::vector<class_queue> kept = kept_up(m_pauses_before, m_pauses);
    if (m_team.is_alone()) {
        return kept;
    }
    std::vector<class_queue> named = kept;
    std::copy_if(kept.begin(), kept.end(), std::back_inserter(named),
                 [this](const class_queue& queue) { return is_here(paused_by(queue).node); });
    add_kept_for_others(named);
    named = shared(m_team, std::move(named));
    std::sort(named.begin(), named.end());
    kept.clear();
    for (std::size_t i = 1; i < named.size(); ++i) {
        if (named[i] == named[i - 1]) {
            kept.push_back(named[i]);
        }
    }
    return kept;
}

// The pauses that are kept up, of switches that themselves have such a queue: all others end.
std::vector<class_queue> deadlock_watch::kept_pauses() {
    std::vector<class_queue> kept = kept_on_all_ranks();
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

// What this rank knows of it.
paused_queue deadlock_watch::describe(const class_queue& queue) const {
    const link_end& by = paused_by(queue);
    paused_queue q;
    q.queue = queue;
    q.by_device = by.node.index;
    q.by_port = by.port;
    if (is_here(node_ref::of_switch(queue.device))) {
        describe_queue(q);
    }
    q.is_judged_here = is_here(by.node);
    if (q.is_judged_here) {
        describe_memory(q);
    }
    return q;
}

void deadlock_watch::describe_queue(paused_queue& q) const {
    const switch_node& device = *m_switches[q.queue.device];
    for (frame_slot slot = device.own_egress()->head(q.queue.egress_port, q.queue.frame_class); slot != no_slot;
         slot = device.slab().route(slot).next) {
        q.queued_bytes += device.slab().route(slot).charged_bytes;
    }
    if (device.shared_memory() != nullptr) {
        q.stored = shared_waits::held_by(device, q.queue);
    }
}

void deadlock_watch::describe_memory(paused_queue& q) const {
    switch_node& partner = *m_switches[q.by_device];
    const ingress_limits& limits = partner.own_ingress()->limits(q.by_port);
    if (partner.shared_memory() != nullptr) {
        q.by_shared_memory = true;
        q.waiting = shared_waits(m_switches).frames_of(q);
        return;
    }
    q.xon = limits.xon;
    for_each_waiting(partner, q.by_port, [&](frame_slot slot, unsigned out, pfc_class c) {
        if (!counts(limits, q.queue.frame_class, c)) {
            return;
        }
        if (q.waiting.empty() || q.waiting.back().egress_port != out || q.waiting.back().frame_class != c) {
            q.waiting.push_back({out, c, 0});
        }
        q.waiting.back().bytes += std::as_const(partner).slab().route(slot).charged_bytes;
    });
}

// Each step is explained where the memory is that has paused its queue, and the queue's fill comes from where
// that is.
deadlock_report deadlock_watch::report_of(const wait_graph& graph, const shared_waits& memories) const {
    deadlock_report report;
    report.stuck_queues = graph.stuck().size();
    std::vector<std::int64_t> queued_bytes;
    std::vector<std::pair<std::size_t, deadlock_step>> explained;
    for (const wait_graph::step& step : graph.circle()) {
        if (step.queue->is_judged_here) {
            explained.emplace_back(queued_bytes.size(), explain(step, memories));
        }
        queued_bytes.push_back(step.queue->queued_bytes);
    }
    m_team.agree(queued_bytes.data(), queued_bytes.size());
    report.circle.resize(queued_bytes.size());
    for (auto& [at, step] : shared(m_team, std::move(explained))) {
        step.queued_bytes = static_cast<std::uint32_t>(queued_bytes[at]);
        report.since = std::max(report.since, step.since);
        report.circle[at] = std::move(step);
    }
    return report;
}

deadlock_step deadlock_watch::explain(const wait_graph::step& step, const shared_waits& memories) const {
    switch_node& partner = *m_switches[step.queue->by_device];
    deadlock_step s;
    s.queue = step.queue->queue;
    s.by_device = step.queue->by_device;
    s.by_port = step.queue->by_port;
    s.limits = partner.own_ingress()->limits(s.by_port);
    s.waiting_class = step.frames->frame_class;
    s.waits_for_next = step.frames->bytes;
    s.waits_in_queue = partner.stays_at_ingress();
    flow_bytes_list flows;
    const auto add_flow = [&](const stored_frame& stored) {
        flows.add(stored.frame, stored.route.charged_bytes);
        s.since = std::max(s.since, stored.route.arrival);
    };
    if (step.queue->by_shared_memory) {
        s.shared = memories.describe(*step.queue);
        for (frame_slot slot = partner.own_egress()->head(step.frames->egress_port, step.frames->frame_class);
             slot != no_slot; slot = std::as_const(partner).slab().route(slot).next) {
            const stored_frame& stored = std::as_const(partner).slab()[slot];
            if (memories.counts(*step.queue, stored.route)) {
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
