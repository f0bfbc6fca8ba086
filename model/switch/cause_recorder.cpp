#include "weir/model/switch/cause_recorder.h"

namespace weir::model {

void cause_recorder::filling::add(const stored_frame& stored, std::uint32_t charged) {
    bytes += charged;
    flows[stored.route.ingress_port].add(stored.frame, charged);
}

std::vector<filling_flow> cause_recorder::filling::sorted() const {
    std::vector<filling_flow> all;
    for (const auto& [port, list] : flows) {
        for (const flow_bytes& f : list.sorted()) {
            all.push_back({f, port});
        }
    }
    return all;
}

void cause_recorder::count(frame_slot slot, bool looked_up, std::uint32_t charged, xoff_record& record,
                           filled_queues& queues) const {
    const stored_frame& stored = m_view.slab()[slot];
    record.counted += charged;
    queues[{looked_up ? stored.route.egress_port : filling_queue::lookup,
            looked_up ? stored.route.frame_class : pfc_class{0}}]
        .add(stored, charged);
}

void cause_recorder::note_paused(unsigned port) {
    m_log.note_paused(port, m_view.mac(port).timers.paused_mask(), m_view.now(),
                      [&](pfc_class c) { return held_for(port, c); });
}

// What the switch holds for an egress queue: in its memory there, and on the way to it.
std::vector<flow_bytes> cause_recorder::held_for(unsigned egress_port, pfc_class c) const {
    flow_bytes_list flows;
    for_each_queued(egress_port, c, [&](frame_slot slot) {
        flows.add(m_view.slab().frame(slot), m_view.slab().route(slot).charged_bytes);
    });
    add_held_elsewhere(egress_port, c, flows);
    return flows.sorted();
}

void cause_recorder::note_xoff(unsigned port, class_mask classes, frame_slot crossing) {
    if (!m_log.wants_pauses(m_view.now())) {
        return;
    }
    const class_mask wanted = recorded(classes);
    for (unsigned k = 0; k < m_view.classes(); ++k) {
        if ((wanted >> k & 1) == 0) {
            continue;
        }
        xoff_record record;
        record.time = m_view.now();
        record.ingress_port = static_cast<std::uint16_t>(port);
        record.frame_class = static_cast<pfc_class>(k);
        record.occupancy = static_cast<std::uint32_t>(m_view.ingress().occupancy(port).count());
        filled_queues queues;
        explain_xoff(record, classes, crossing, queues);
        for (const auto& [queue, held] : queues) {
            const auto [egress_port, frame_class] = queue;
            const bool known = egress_port != filling_queue::lookup;
            const bool paused = known && (m_view.mac(egress_port).timers.paused_mask() >> frame_class & 1) != 0;
            record.queues.push_back(
                {egress_port, frame_class, paused, held.bytes, held.sorted(),
                 known && !paused ? held_for(egress_port, frame_class) : std::vector<flow_bytes>{}});
        }
        m_log.add(std::move(record));
    }
}

void cause_recorder::note_drop(frame_slot slot, unsigned port, drop_reason reason) {
    if (!m_log.wants_drops(m_view.now()) ||
        (reason != drop_reason::ingress_full && reason != drop_reason::egress_full &&
         reason != drop_reason::lossless_egress_full)) {
        return;
    }
    const stored_frame& lost = m_view.slab()[slot];
    drop_record record;
    record.time = m_view.now();
    record.port = static_cast<std::uint16_t>(port);
    record.frame_class = lost.route.frame_class;
    record.reason = reason;
    record.frame = {lost.frame.flow(), lost.frame.src, lost.frame.dst, lost.frame.frame_bytes};
    explain_drop(record, slot);
    m_log.add(std::move(record));
}

}  // namespace weir::model
