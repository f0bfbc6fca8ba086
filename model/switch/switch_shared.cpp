// A switch with one memory for all ports: from the lookup straight to the egress queue.
#include "weir/base/unit_text.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/switch/switch_node.h"

namespace weir {

void switch_node::make_shared_memory() {
    m_shared = std::make_unique<shared_buffer>(make_shared_buffer(m_parameters.shared, m_parameters.device,
                                                                  m_parameters.flow_control, m_port_configs,
                                                                  m_parameters.profiles));
    adapt_to_shared_memory(m_parameters.device, m_parameters.flow_control);
    if (!m_shared->errors().empty()) {
        SC_REPORT_FATAL("/weir/shared_buffer",
                        (std::string(name()) + ": " + m_shared->errors()[0].message).c_str());
    }
}

// A block of somebody else's has memory of its own, which nobody would account for.
void switch_node::require_own_buffers() {
    if (ingress.bind_count() + egress.bind_count() != 0) {
        SC_REPORT_FATAL("/weir/shared_buffer",
                        (std::string(name()) +
                         ": an ingress or egress buffer is replaced, and a shared memory is neither; expected "
                         "switch.buffer = partitioned")
                            .c_str());
    }
}

// The frame's lookup is done: it gets its egress port, and is stored or lost.
void switch_node::store_shared(frame_slot slot) {
    stored_frame& stored = m_slab[slot];
    frame_route& route = stored.route;
    const unsigned selected = m_selector->select(stored.frame, acceptable_ports<false>(stored.frame.dst),
                                                 m_egress->view(), m_selection_chance);
    if (selected >= m_port_count) {
        drop_unroutable(selected, slot);
        return;
    }
    route.egress_port = static_cast<std::uint16_t>(selected);
    const buffer_flow flow = flow_of(route);
    const std::uint64_t waiting = m_shared->queue_cells(flow.egress_port, flow.frame_class);
    const admission answer = m_shared->admit(flow, m_shared->cells_of(bytes{route.charged_bytes}));
    apply_pauses(answer == admission::stored ? slot : no_slot);
    if (answer != admission::stored) {
        lose_shared(slot, answer);
        return;
    }
    if ((stored.frame.flags & ecn_capable) != 0 &&
        waiting >= m_shared->queue_limits_of(flow.egress_port, flow.frame_class).marked_from) {
        stored.frame.flags = static_cast<std::uint8_t>(stored.frame.flags | ecn_marked);
    }
    // Here groups and queues are only counted: both have room for all that the shared memory can hold.
    m_charged_bytes += route.charged_bytes;
    m_ingress->charge(route.ingress_port, route.frame_class, route.charged_bytes, m_now);
    m_egress->reserve(route.egress_port, route.frame_class, route.charged_bytes);
    if (m_sram == nullptr || write_shared(m_shared->slice_of(flow), slot)) {
        enqueue_shared(slot);
    }
}

// The frame's last cell is in memory.
void switch_node::enqueue_shared(frame_slot slot) {
    frame_route& route = m_slab.route(slot);
    if (m_sram != nullptr) {
        route.arrival = m_now;
    }
    m_egress->commit(slot, m_now);
    transmit_later(m_ports[route.egress_port]);
}

void switch_node::lose_shared(frame_slot slot, admission answer) {
    const frame_route& route = m_slab.route(slot);
    const bool lossless = m_shared->is_lossless(route.frame_class);
    if (lossless && answer == admission::ingress_full) {
        violate(m_now, shared_loss_text(route));
    }
    if (answer == admission::ingress_full) {
        drop(slot, route.ingress_port, drop_reason::ingress_full);
    } else {
        // Flow control cannot help: it knows of the group, not of the queue.
        drop(slot, route.egress_port, lossless ? drop_reason::lossless_egress_full : drop_reason::egress_full);
    }
}

// Two rules have to refuse a lossless frame: that of shared memory sends it to headroom, and that is full too.
std::string switch_node::shared_loss_text(const frame_route& route) const {
    const shared_refusal met =
        m_shared->refusal(flow_of(route), m_shared->cells_of(bytes{route.charged_bytes}));
    const unsigned slice = m_shared->slice_of(flow_of(route));
    const shared_buffer::usage& used = m_shared->group_usage(slice, route.ingress_port, route.frame_class);
    const std::uint32_t free = m_shared->free_shared(slice, true);
    const std::uint64_t threshold =
        m_shared->limits(route.ingress_port, route.frame_class).threshold.with(free);
    const auto of = [](std::uint64_t part, std::uint64_t whole) {
        return std::to_string(part) + " of " + std::to_string(whole);
    };
    const bool own_headroom = met.limit == shared_refusal::limits::headroom;
    return "ingress port " + std::to_string(route.ingress_port) + " lost a frame of lossless class " +
           std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) + " B) at " +
           to_text(m_now) + ": in slice " + std::to_string(slice) + " " +
           (used.shared >= threshold
                ? "its group is at or above its threshold (" + of(used.shared, threshold) + " shared cells)"
                : "the shared pool has no room (" + of(free, m_shared->pool(true)) + " cells free)") +
           ", and " + (own_headroom ? "the group's headroom" : "the headroom pool") + " has no room for its " +
           std::to_string(m_shared->cells_of(bytes{route.charged_bytes})) + " cells (" +
           of(met.in_use, met.cells) + " in use); cells of " + to_text(m_shared->bytes_of(1)) + ", " +
           of(free, m_shared->pool(true)) + " shared cells are free";
}

// The frame's last bit has left at `at`, or the frame is lost: its memory is free again.
void switch_node::leave_shared(const frame_route& route, picoseconds at) {
    m_charged_bytes -= route.charged_bytes;
    m_ingress->release(route.ingress_port, route.frame_class, route.charged_bytes, at);
    m_shared->release(flow_of(route), m_shared->cells_of(bytes{route.charged_bytes}));
    apply_pauses(no_slot);
}

// `crossing`: the frame that is stored and in no queue yet, or `no_slot`.
void switch_node::apply_pauses(frame_slot crossing) {
    if (!m_shared->adds_up()) {
        violate(m_now, m_shared->check());
    }
    for (const shared_buffer::group_change& change : m_shared->changes()) {
        switch_port& p = m_ports[change.ingress_port];
        const auto mask = static_cast<class_mask>(1U << change.frame_class);
        if (change.paused) {
            // 802.3x: a link that is paused already is told nothing new.
            if (m_causes != nullptr &&
                (m_parameters.flow_control.mode == flow_control_mode::pfc || p.requests.wanted() == 0)) {
                m_causes->note_xoff(p.number, mask, crossing);
            }
            p.requests.request_xoff(mask);
        } else {
            p.requests.request_xon(mask);
        }
        change_requests(p);
    }
}

void switch_node::check_shared(picoseconds now) {
    const std::string wrong = m_shared->check();
    if (!wrong.empty()) {
        violate(now, wrong);
    }
}

}  // namespace weir
