#include "weir/model/switch/partitioned_causes.h"

namespace weir::model {

template <class Visit>
void partitioned_causes::for_each_charged(unsigned ingress_port, Visit&& visit) const {
    const frame_slab& slab = m_view.slab();
    for (unsigned out = 0; out < m_view.port_count(); ++out) {
        for (unsigned c = 0; c < m_view.classes(); ++c) {
            for (frame_slot slot = m_view.ingress().head(ingress_port, out, static_cast<pfc_class>(c));
                 slot != no_slot; slot = slab.route(slot).next) {
                visit(slot, true);
            }
            if (m_stays_at_ingress) {
                for_each_queued(out, static_cast<pfc_class>(c), [&](frame_slot slot) {
                    if (slab.route(slot).ingress_port == ingress_port && !slab.route(slot).is_own) {
                        visit(slot, true);
                    }
                });
            }
        }
    }
    const bool at_arrival = m_flow_control.charge == charge_time::arrival;
    m_view.for_each_between_queues([&](frame_slot slot, bool looked_up) {
        const frame_route& route = slab.route(slot);
        const bool is_charged = looked_up || (at_arrival && route.arrival <= m_view.now());
        if (route.ingress_port == ingress_port && is_charged) {
            visit(slot, looked_up);
        }
    });
}

void partitioned_causes::add_held_elsewhere(unsigned egress_port, pfc_class c, flow_bytes_list& flows) const {
    for (unsigned in = 0; in < m_view.port_count() && !m_stays_at_ingress; ++in) {
        for_each_charged(in, [&](frame_slot slot, bool looked_up) {
            const frame_route& route = m_view.slab().route(slot);
            if (looked_up && route.egress_port == egress_port && route.frame_class == c) {
                flows.add(m_view.slab().frame(slot), route.charged_bytes);
            }
        });
    }
}

bool partitioned_causes::counts_for(pfc_class c, pfc_class other) const {
    return is_whole_link() || (m_flow_control.count == threshold_count::drain_bytes ? other >= c : other == c);
}

void partitioned_causes::explain_xoff(xoff_record& record, class_mask /*classes*/, frame_slot crossing,
                                      filled_queues& queues) const {
    const auto add = [&](frame_slot slot, bool looked_up) {
        const frame_route& route = m_view.slab().route(slot);
        if (counts_for(record.frame_class, route.frame_class)) {
            count(slot, looked_up, route.charged_bytes, record, queues);
        }
    };
    for_each_charged(record.ingress_port, add);
    if (crossing != no_slot && m_view.slab().route(crossing).ingress_port == record.ingress_port) {
        add(crossing, false);
    }
}

// A port's memory was full, or the class's share of it.
void partitioned_causes::explain_drop(drop_record& record, frame_slot slot) const {
    const frame_slab& slab = m_view.slab();
    const unsigned port = record.port;
    flow_bytes_list filling;
    const auto add = [&](frame_slot other) { filling.add(slab.frame(other), slab.route(other).charged_bytes); };
    if (record.reason == drop_reason::ingress_full) {
        record.full = full_memory::ingress_memory;
        record.limit = static_cast<std::uint64_t>(m_device.ingress_buffer.count());
        record.in_use = static_cast<std::uint64_t>(m_view.ingress().occupancy(port).count());
        for_each_charged(port, [&](frame_slot other, bool) {
            if (other != slot) {
                add(other);
            }
        });
        record.filling = filling.sorted();
        return;
    }
    const auto memory = static_cast<std::uint64_t>(m_device.egress_buffer.count());
    const auto held = static_cast<std::uint64_t>(m_view.egress().occupancy(port).count());
    const bool class_share = held + record.frame.bytes <= memory;
    record.full = class_share ? full_memory::egress_class_share : full_memory::egress_memory;
    record.limit = memory;
    record.in_use = held;
    for (unsigned k = 0; k < m_view.classes(); ++k) {
        const auto c = static_cast<pfc_class>(k);
        std::uint64_t of_class = 0;
        for_each_queued(port, c, [&](frame_slot other) {
            of_class += slab.route(other).charged_bytes;
            if (!class_share || c == record.frame_class) {
                add(other);
            }
        });
        if (class_share && c == record.frame_class) {
            record.in_use = of_class;
            record.limit = m_view.egress_class_limit(port);
        }
    }
    record.filling = filling.sorted();
}

}  // namespace weir::model
