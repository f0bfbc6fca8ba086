#include "weir/model/switch/queue_manager.h"

#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

static class_mask lossless_classes(const switch_parameters& parameters, const shared_buffer* shared) {
    class_mask lossless = 0;
    for (unsigned c = 0; c < parameters.device.classes; ++c) {
        const bool is_held_back = parameters.flow_control.mode != flow_control_mode::none &&
                                  (shared == nullptr || shared->is_lossless(static_cast<pfc_class>(c)));
        lossless |= static_cast<class_mask>((is_held_back ? 1 : 0) << c);
    }
    return lossless;
}

static port_bitmap ports_to_switches(const std::vector<port_config>& ports) {
    port_bitmap found;
    for (unsigned port = 0; port < ports.size(); ++port) {
        found.assign(port, ports[port].to_switch);
    }
    return found;
}

std::unique_ptr<queue_manager> queue_manager::make(const switch_parameters& parameters, unsigned node,
                                                   const std::vector<port_config>& ports,
                                                   const memory_path& memory, frame_origin& origin) {
    const auto count = static_cast<unsigned>(ports.size());
    std::unique_ptr<queue_manager> made(new queue_manager(parameters, node, count, memory));
    const marking_config& marking = parameters.marking;
    const class_mask lossless = lossless_classes(parameters, memory.shared());
    if (const marker_traits& kind = marker_kinds()[marking.kind]; kind.make) {
        made->m_marker =
            kind.make({marking, parameters.qcn, node, ports, parameters.device.classes, lossless, origin});
    }
    for (unsigned c = 0; c < parameters.device.classes; ++c) {
        made->m_marked_classes |=
            static_cast<class_mask>((marking.marks(static_cast<pfc_class>(c)) ? 1 : 0) << c);
    }
    made->m_at = marking.at;
    made->m_counts = marking.counts;
    if (made->m_marker == nullptr) {
        // Options of other markers do not hold for the memory's own thresholds.
        made->m_marker = memory.make_marker();
        made->m_marked_classes = 0xFF;
        made->m_at = marking_time::enqueue;
        made->m_counts = marking_count::egress;
    }
    if (const overflow_traits& kind = overflow_kinds()[parameters.device.overflow]; kind.make) {
        made->m_overflow = kind.make(
            {parameters.device, parameters.detour, node, parameters.seed, ports_to_switches(ports), lossless});
    }
    made->m_overflow_sees_all = made->m_overflow != nullptr && made->m_overflow->sees_all();
    const bool has_work =
        made->m_marker != nullptr || made->m_overflow != nullptr || parameters.device.telemetry;
    return has_work ? std::move(made) : nullptr;
}

queue_manager::queue_manager(const switch_parameters& parameters, unsigned node, unsigned ports,
                             const memory_path& memory)
    : m_memory(memory),
      m_node(node),
      m_classes(parameters.device.classes),
      m_queues(std::size_t{ports} * m_classes),
      m_port_bytes(ports),
      m_sent_bytes(ports),
      m_chance(parameters.seed, node, random_purpose::marking) {}

bool queue_manager::room::has_room(unsigned port) const {
    const queue& q = manager.m_queues[std::size_t{port} * manager.m_classes + asked->frame_class];
    return manager.m_memory.has_room(*asked, port, manager.m_port_bytes[port], q.held.bytes + q.bound.bytes);
}

frame_action queue_manager::place(const port_choice& choice, unsigned selected, ethernet_frame& frame) {
    const bool asks = m_overflow != nullptr && (m_overflow_sees_all || !m_room.has_room(selected));
    return asks ? m_overflow->resolve(choice, selected, frame) : frame_action::keep;
}

void queue_manager::expect(const frame_route& route) {
    queue_of(route).bound.add(route);
    m_port_bytes[route.egress_port] += route.charged_bytes;
}

void queue_manager::arrive(const frame_route& route) {
    queue_of(route).bound.remove(route);
    m_port_bytes[route.egress_port] -= route.charged_bytes;
}

frame_action queue_manager::offer(stored_frame& stored, picoseconds now) {
    if (m_at != marking_time::enqueue || !is_marked(stored.route)) {
        return frame_action::keep;
    }
    return decide(stored, queue_of(stored.route).held, now).with(drop_reason::early);
}

void queue_manager::enter(const frame_route& route) {
    queue_of(route).held.add(route);
    m_port_bytes[route.egress_port] += route.charged_bytes;
}

void queue_manager::depart(stored_frame& stored, picoseconds now) {
    if (m_at == marking_time::dequeue && is_marked(stored.route) && !stored.route.is_own) {
        frame_count behind = queue_of(stored.route).held;
        behind.remove(stored.route);
        decide(stored, behind, now);
    }
}

// The switch that makes a frame appends nothing to it; later ones do.
void queue_manager::record(const stored_frame& stored, bit_rate rate, picoseconds now, frame_annex& annex) {
    const frame_route& route = stored.route;
    m_sent_bytes[route.egress_port] += stored.frame.frame_bytes;
    if (route.is_own) {
        annex = {};
    } else if (!annex.returns) {
        const queue& q = queue_of(route);
        telemetry_record said;
        said.departed = now;
        said.sent_bytes = m_sent_bytes[route.egress_port];
        said.rate = rate;
        said.queued_bytes = static_cast<std::uint32_t>(q.held.bytes - route.charged_bytes + q.bound.bytes);
        said.port = route.egress_port;
        said.node = m_node;
        annex.append(said);
    }
}

void queue_manager::leave(const frame_route& route, picoseconds at) {
    queue& q = queue_of(route);
    q.held.remove(route);
    m_port_bytes[route.egress_port] -= route.charged_bytes;
    q.empty_since = at;
}

frame_action queue_manager::decide(stored_frame& stored, const frame_count& held, picoseconds now) {
    if (m_marker == nullptr) {
        return frame_action::keep;
    }
    const frame_route& route = stored.route;
    const queue& q = queue_of(route);
    const bool all = m_counts == marking_count::bound;
    const std::uint32_t frames = held.frames + (all ? q.bound.frames : 0);
    const frame_action answer = m_marker->decide({now, route.egress_port, route.frame_class, stored.frame,
                                                  held.bytes + (all ? q.bound.bytes : 0), frames,
                                                  frames == 0 ? q.empty_since : never, m_chance});
    if (answer == frame_action::mark) {
        stored.frame.mark_congestion();
    }
    return answer;
}

}  // namespace weir::model
