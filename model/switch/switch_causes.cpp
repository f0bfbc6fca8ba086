// Why a switch pauses its link partners and loses frames: what fills its memories, for cause_log.h.
#include <map>

#include "weir/model/switch/switch_node.h"

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

// A shared memory's frames stand in egress queues, or are just being sent.
template <class Visit>
void switch_node::for_each_stored(Visit&& visit) {
    for (switch_port& p : m_ports) {
        for (unsigned c = 0; c < m_classes; ++c) {
            for (frame_slot slot = m_egress->head(p.number, static_cast<pfc_class>(c)); slot != no_slot;
                 slot = m_slab.route(slot).next) {
                visit(slot);
            }
        }
        if (p.sending.frame != no_slot) {
            visit(p.sending.frame);
        }
    }
}

// What the switch holds for an egress queue: in its memory there, in VOQs, and on the way between.
std::vector<flow_bytes> switch_node::held_for(unsigned egress_port, pfc_class c) {
    flow_bytes_list flows;
    const auto add = [&](frame_slot slot) { flows.add(m_slab.frame(slot), m_slab.route(slot).charged_bytes); };
    for (frame_slot slot = m_egress->head(egress_port, c); slot != no_slot; slot = m_slab.route(slot).next) {
        add(slot);
    }
    // A shared memory has frames at egress only.
    for (unsigned in = 0; in < m_port_count && m_shared == nullptr; ++in) {
        for_each_charged(in, [&](frame_slot slot, bool knows_egress) {
            const frame_route& route = m_slab.route(slot);
            if (knows_egress && route.egress_port == egress_port && route.frame_class == c) {
                add(slot);
            }
        });
    }
    return flows.sorted();
}

namespace {

/// Why a group of a shared memory is paused, and the slice that holds it back. Unit: cells.
struct shared_pause {
    pause_reason because = pause_reason::own_bytes;
    unsigned slice = 0;
    std::uint64_t own = 0;
    std::uint64_t threshold = 0;
};

// Alone in the pool the group would have there all that it has beyond its minimum, and its threshold would be
// that of the rest. If it would not be paused then, others have brought the threshold down, or filled the pool.
// `again`: it is paused, and has to be xon_offset below. Where several slices hold it back, the one that does
// so for its own bytes.
shared_pause reason_of(const shared_buffer& memory, unsigned port, pfc_class c, bool again) {
    const group_limits& limits = memory.limits(port, c);
    const std::uint32_t offset = again ? limits.xon_offset : 0;
    shared_pause found;
    bool is_held = false;
    for (unsigned slice = 0; slice < memory.slices(); ++slice) {
        const shared_buffer::usage& u = memory.group_usage(slice, port, c);
        const std::uint64_t threshold = limits.threshold.with(memory.free_shared(slice, true));
        if (u.headroom == 0 && std::uint64_t{u.total()} + offset < limits.minimum + threshold) {
            continue;
        }
        const std::uint32_t own = u.shared + u.headroom;
        const std::uint32_t pool = memory.pool(true);
        const bool alone_too = own > pool || std::uint64_t{own} + offset >= limits.threshold.with(pool - own);
        if (alone_too || !is_held) {
            found = {alone_too                                       ? pause_reason::own_bytes
                     : std::uint64_t{u.shared} + offset >= threshold ? pause_reason::threshold_fell
                                                                     : pause_reason::pool_full,
                     slice, own, threshold};
        }
        is_held = true;
        if (alone_too) {
            break;
        }
    }
    return found;
}

/// Frames that wait for one queue, by the port that they came in by.
struct filling {
    std::uint32_t bytes = 0;
    std::map<std::uint16_t, flow_bytes_list> flows;

    void add(const stored_frame& stored, std::uint32_t charged) {
        bytes += charged;
        flows[stored.route.ingress_port].add(stored.frame, charged);
    }
    std::vector<filling_flow> sorted() const {
        std::vector<filling_flow> all;
        for (const auto& [port, list] : flows) {
            for (const flow_bytes& f : list.sorted()) {
                all.push_back({f, port});
            }
        }
        return all;
    }
};

}  // namespace

// `crossing`: the frame that was charged last, which is neither in the lookup nor in a queue yet; `no_slot`
// where an XOFF is repeated. Of a shared memory `classes` are those of the groups that ask.
void switch_node::log_xoff(const switch_port& p, class_mask classes, frame_slot crossing) {
    if (!m_causes->wants_pauses(m_now)) {
        return;
    }
    const bool shared = m_shared != nullptr;
    const bool whole_link = m_parameters.flow_control.mode == flow_control_mode::pause;
    for (unsigned k = 0; k < m_classes; ++k) {
        if ((classes >> k & 1) == 0 && !(shared && whole_link)) {
            continue;
        }
        const auto c = static_cast<pfc_class>(k);
        xoff_record record;
        record.time = m_now;
        record.ingress_port = static_cast<std::uint16_t>(p.number);
        record.frame_class = c;
        record.occupancy = static_cast<std::uint32_t>(m_ingress->occupancy(p.number).count());
        shared_pause why;
        if (shared) {
            // To be paused a group has to be at its threshold; to go on, xon_offset below it.
            const auto asking = static_cast<pfc_class>(whole_link ? __builtin_ctz(classes) : k);
            const bool again = (p.requests.wanted() >> asking & 1) != 0;
            why = reason_of(*m_shared, p.number, asking, again);
            record.because = why.because;
            record.own = static_cast<std::uint64_t>(m_shared->bytes_of(why.own).count());
            record.threshold = static_cast<std::uint64_t>(m_shared->bytes_of(why.threshold).count());
        }
        std::map<std::pair<std::uint16_t, pfc_class>, filling> by_queue;
        const auto put = [&](frame_slot slot, bool knows_egress, std::uint32_t charged) {
            const stored_frame& stored = m_slab[slot];
            record.counted += charged;
            by_queue[{knows_egress ? stored.route.egress_port : filling_queue::lookup,
                      knows_egress ? stored.route.frame_class : pfc_class{0}}]
                .add(stored, charged);
        };
        const auto add = [&](frame_slot slot, bool knows_egress) {
            const frame_route& route = m_slab.route(slot);
            if (shared && whole_link ? (classes >> route.frame_class & 1) != 0
                                     : counts_for(c, route.frame_class)) {
                put(slot, knows_egress, route.charged_bytes);
            }
        };
        // Of each frame in the slice the part of its group's bytes that the pool has, whole bytes in all.
        std::map<std::pair<unsigned, pfc_class>, std::pair<std::uint64_t, std::uint64_t>> of_group;
        const auto add_pooled = [&](frame_slot slot) {
            const frame_route& route = m_slab.route(slot);
            if (!m_shared->is_lossless(route.frame_class) ||
                m_shared->slice_of({route.ingress_port, route.frame_class, route.egress_port}) != why.slice) {
                return;
            }
            const shared_buffer::usage& u =
                m_shared->group_usage(why.slice, route.ingress_port, route.frame_class);
            auto& [seen, given] = of_group[{route.ingress_port, route.frame_class}];
            seen += route.charged_bytes;
            const std::uint64_t until_now = seen * u.shared / u.total();
            put(slot, true, static_cast<std::uint32_t>(until_now - given));
            given = until_now;
        };
        if (record.because != pause_reason::own_bytes) {
            for_each_stored(add_pooled);
            if (crossing != no_slot) {
                add_pooled(crossing);
            }
        } else if (shared) {
            for_each_stored([&](frame_slot slot) {
                if (m_slab.route(slot).ingress_port == p.number) {
                    add(slot, true);
                }
            });
        } else {
            for_each_charged(p.number, add);
        }
        if (crossing != no_slot && m_slab.route(crossing).ingress_port == p.number) {
            if (record.because == pause_reason::own_bytes) {
                add(crossing, shared);
            }
            // A shared memory has it counted, and the port's account of it comes next.
            record.occupancy += shared ? m_slab.route(crossing).charged_bytes : 0;
        }
        for (const auto& [queue, held] : by_queue) {
            const auto [port, frame_class] = queue;
            const bool known = port != filling_queue::lookup;
            const bool paused = known && (m_ports[port].timers.paused_mask() >> frame_class & 1) != 0;
            record.queues.push_back(
                {port, frame_class, paused, held.bytes, held.sorted(),
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
    return m_shared == nullptr && m_parameters.flow_control.count == threshold_count::drain_bytes ? other >= c
                                                                                                  : other == c;
}

void switch_node::log_drop(frame_slot slot, unsigned port, drop_reason reason) {
    if (!m_causes->wants_drops(m_now) ||
        (reason != drop_reason::ingress_full && reason != drop_reason::egress_full &&
         reason != drop_reason::lossless_egress_full)) {
        return;
    }
    const stored_frame& lost = m_slab[slot];
    drop_record record;
    record.time = m_now;
    record.port = static_cast<std::uint16_t>(port);
    record.frame_class = lost.route.frame_class;
    record.reason = reason;
    record.frame = {lost.frame.transfer.flow, lost.frame.src, lost.frame.dst, lost.frame.frame_bytes};
    if (m_shared != nullptr) {
        explain_shared_drop(record, slot);
    } else {
        explain_drop(record, slot);
    }
    m_causes->add(std::move(record));
}

// A port's memory was full, or the class's share of it.
void switch_node::explain_drop(drop_record& record, frame_slot slot) {
    const unsigned port = record.port;
    flow_bytes_list filling;
    if (record.reason == drop_reason::ingress_full) {
        record.full = full_memory::ingress_memory;
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
        const bool class_share = held + record.frame.bytes <= memory;
        record.full = class_share ? full_memory::egress_class_share : full_memory::egress_memory;
        record.limit = memory;
        record.in_use = held;
        for (unsigned k = 0; k < m_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            std::uint64_t of_class = 0;
            for (frame_slot other = m_egress->head(port, c); other != no_slot;
                 other = m_slab.route(other).next) {
                of_class += m_slab.route(other).charged_bytes;
                if (!class_share || c == record.frame_class) {
                    filling.add(m_slab.frame(other), m_slab.route(other).charged_bytes);
                }
            }
            if (class_share && c == record.frame_class) {
                record.in_use = of_class;
                record.limit = m_egress.own() != nullptr ? m_egress.own()->class_limit(port) : memory;
            }
        }
    }
    record.filling = filling.sorted();
}

// Which limit of the shared memory the frame met, as it was at that moment.
void switch_node::explain_shared_drop(drop_record& record, frame_slot slot) {
    using limits = shared_refusal::limits;
    static constexpr std::pair<limits, full_memory> names[] = {
        {limits::group_threshold, full_memory::group_threshold},
        {limits::pool, full_memory::shared_pool},
        {limits::headroom, full_memory::group_headroom},
        {limits::headroom_pool, full_memory::headroom_pool},
        {limits::queue_threshold, full_memory::queue_threshold},
        {limits::queue_pool, full_memory::queue_pool}};
    const auto flow_of = [](const frame_route& r) {
        return buffer_flow{r.ingress_port, r.frame_class, r.egress_port};
    };
    const buffer_flow lost = flow_of(m_slab.route(slot));
    const shared_refusal met =
        m_shared->refusal(lost, m_shared->cells_of(bytes{m_slab.route(slot).charged_bytes}));
    for (const auto& [limit, name] : names) {
        record.full = limit == met.limit ? name : record.full;
    }
    record.limit = static_cast<std::uint64_t>(m_shared->bytes_of(met.cells).count());
    record.in_use = static_cast<std::uint64_t>(m_shared->bytes_of(met.in_use).count());
    const auto is_filling = [&](const buffer_flow& f) {
        if (m_shared->slice_of(f) != m_shared->slice_of(lost)) {
            return false;
        }
        switch (met.limit) {
            case limits::group_threshold:
            case limits::headroom:
                return f.ingress_port == lost.ingress_port && f.frame_class == lost.frame_class;
            case limits::queue_threshold:
                return f.egress_port == lost.egress_port && f.frame_class == lost.frame_class;
            default:
                return m_shared->is_lossless(f.frame_class) == m_shared->is_lossless(lost.frame_class);
        }
    };
    flow_bytes_list filling;
    for_each_stored([&](frame_slot other) {
        if (is_filling(flow_of(m_slab.route(other)))) {
            filling.add(m_slab.frame(other), m_slab.route(other).charged_bytes);
        }
    });
    record.filling = filling.sorted();
}

}  // namespace weir
