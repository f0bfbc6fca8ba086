// Why a switch pauses its link partners and loses frames: what fills its memories, for cause_log.h.
#include <map>

#include "weir/model/switch_node.h"

namespace weir {

void switch_node::log_causes(const cause_options& options) {
    m_causes = std::make_unique<cause_log>(options);
}

// Frames that the port's ingress memory is charged for, each once: those in its VOQs, those that cross, and
// those whose lookup is not done. `visit(slot, knows_egress)`.
template <class Visit>
void switch_node::for_each_charged(unsigned ingress_port, Visit&& visit) {
    for (unsigned out = 0; out < m_port_count; ++out) {
        for (unsigned c = 0; c < m_classes; ++c) {
            for (frame_slot slot = m_ingress->head(ingress_port, out, static_cast<pfc_class>(c));
                 slot != no_slot; slot = m_slab.route(slot).next) {
                visit(slot, true);
            }
        }
    }
    const bool at_arrival = m_parameters.flow_control.charge == charge_time::arrival;
    m_agenda.for_each([&](const event& e) {
        if (e.stage() == switch_stages::transfer_done && m_slab.route(e.payload).ingress_port == ingress_port) {
            visit(e.payload, true);
        } else if (e.stage() == switch_stages::lookup_done && e.port() == ingress_port && at_arrival &&
                   m_slab.route(e.payload).arrival <= m_now) {
            visit(e.payload, false);
        }
    });
    if (m_lone != no_slot && m_slab.route(m_lone).ingress_port == ingress_port) {
        visit(m_lone, true);
    }
}

// What the switch holds for an egress queue: in its memory there, in VOQs, and on the way between.
std::vector<flow_bytes> switch_node::held_for(unsigned egress_port, pfc_class c) {
    flow_bytes_list flows;
    const auto add = [&](frame_slot slot) { flows.add(m_slab.frame(slot), m_slab.route(slot).charged_bytes); };
    for (frame_slot slot = m_egress->head(egress_port, c); slot != no_slot; slot = m_slab.route(slot).next) {
        add(slot);
    }
    for (unsigned in = 0; in < m_port_count; ++in) {
        for_each_charged(in, [&](frame_slot slot, bool knows_egress) {
            const frame_route& route = m_slab.route(slot);
            if (knows_egress && route.egress_port == egress_port && route.frame_class == c) {
                add(slot);
            }
        });
    }
    return flows.sorted();
}

// `crossing`: the frame that was charged last, which is neither in the lookup nor in a queue yet; `no_slot`
// where an XOFF is repeated.
void switch_node::log_xoff(const switch_port& p, class_mask classes, frame_slot crossing) {
    if (!m_causes->wants_pauses(m_now)) {
        return;
    }
    struct filling {
        std::uint32_t bytes = 0;
        flow_bytes_list flows;
    };
    for (unsigned k = 0; k < m_classes; ++k) {
        if ((classes >> k & 1) == 0) {
            continue;
        }
        const auto c = static_cast<pfc_class>(k);
        xoff_record record;
        record.time = m_now;
        record.ingress_port = static_cast<std::uint16_t>(p.number);
        record.frame_class = c;
        record.occupancy = static_cast<std::uint32_t>(m_ingress->occupancy(p.number).count());
        std::map<std::pair<std::uint16_t, pfc_class>, filling> by_queue;
        const auto add = [&](frame_slot slot, bool knows_egress) {
            const frame_route& route = m_slab.route(slot);
            if (!counts_for(c, route.frame_class)) {
                return;
            }
            record.counted += route.charged_bytes;
            filling& queue = by_queue[{knows_egress ? route.egress_port : filling_queue::lookup,
                                       knows_egress ? route.frame_class : pfc_class{0}}];
            queue.bytes += route.charged_bytes;
            queue.flows.add(m_slab.frame(slot), route.charged_bytes);
        };
        for_each_charged(p.number, add);
        if (crossing != no_slot) {
            add(crossing, false);
        }
        for (const auto& [queue, held] : by_queue) {
            const auto [port, frame_class] = queue;
            const bool known = port != filling_queue::lookup;
            const bool paused = known && (m_ports[port].timers.paused_mask() >> frame_class & 1) != 0;
            record.queues.push_back(
                {port, frame_class, paused, held.bytes, held.flows.sorted(),
                 known && !paused ? held_for(port, frame_class) : std::vector<flow_bytes>{}});
        }
        m_causes->add(std::move(record));
    }
}

// Whether a frame of class `other` counts towards the pause of class `c`.
bool switch_node::counts_for(pfc_class c, pfc_class other) const {
    if (m_parameters.flow_control.mode == flow_control_mode::pause) {
        return true;
    }
    return m_parameters.flow_control.count == threshold_count::drain_bytes ? other >= c : other == c;
}

void switch_node::log_drop(frame_slot slot, unsigned port, drop_reason reason) {
    if (!m_causes->wants_drops(m_now) ||
        (reason != drop_reason::ingress_full && reason != drop_reason::egress_full)) {
        return;
    }
    const stored_frame& lost = m_slab[slot];
    drop_record record;
    record.time = m_now;
    record.port = static_cast<std::uint16_t>(port);
    record.frame_class = lost.route.frame_class;
    record.reason = reason;
    record.frame = {lost.frame.transfer.flow, lost.frame.src, lost.frame.dst, lost.route.charged_bytes};
    flow_bytes_list filling;
    if (reason == drop_reason::ingress_full) {
        record.limit = static_cast<std::uint64_t>(m_parameters.device.ingress_buffer.count());
        record.in_use = static_cast<std::uint64_t>(m_ingress->occupancy(port).count());
        for_each_charged(port, [&](frame_slot other, bool) {
            if (other != slot) {
                filling.add(m_slab.frame(other), m_slab.route(other).charged_bytes);
            }
        });
    } else {
        const std::uint64_t memory = static_cast<std::uint64_t>(m_parameters.device.egress_buffer.count());
        const std::uint64_t held = static_cast<std::uint64_t>(m_egress->occupancy(port).count());
        record.class_share = held + lost.route.charged_bytes <= memory;
        record.limit = memory;
        record.in_use = held;
        for (unsigned k = 0; k < m_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            std::uint64_t of_class = 0;
            for (frame_slot other = m_egress->head(port, c); other != no_slot;
                 other = m_slab.route(other).next) {
                of_class += m_slab.route(other).charged_bytes;
                if (!record.class_share || c == record.frame_class) {
                    filling.add(m_slab.frame(other), m_slab.route(other).charged_bytes);
                }
            }
            if (record.class_share && c == record.frame_class) {
                record.in_use = of_class;
                record.limit = m_egress.own() != nullptr ? m_egress.own()->class_limit(port) : memory;
            }
        }
    }
    record.filling = filling.sorted();
    m_causes->add(std::move(record));
}

}  // namespace weir
