#include "weir/model/switch/switch_core.h"

#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

switch_core::switch_core(node& device, const std::vector<port_config>& port_links,
                         const switch_parameters& adapted)
    : owner(device),
      instant(port_links.size(), crossbar_link(adapted.device, port_links)(adapted.device.cell)),
      rules(adapted, port_links.size()),
      pipeline(adapted.device.lookup_delay, adapted.device.lookup_interval),
      requests(rules.ports),
      parameters(adapted),
      links(port_links) {
    if (parameters.literal_engine) {
        instant.events.use_literal();
    }
    if (parameters.device.telemetry) {
        frames.add_annexes();
    }
    ports.reserve(links.size());
    thresholds.reserve(links.size());
    for (const port_config& link : links) {
        const port_flow_control control =
            resolve_flow_control(parameters.device, parameters.flow_control, link);
        thresholds.push_back({control.limits, control.worst_case});
        switch_port& p = ports.emplace_back(control.requests, link.rate, control.response);
        p.impaired = p.inspects_arrivals = link.has_errors();
        p.number = static_cast<std::uint8_t>(ports.size() - 1);
    }
}

void switch_core::drop(frame_slot slot, unsigned port, drop_reason reason) {
    if (causes != nullptr) {
        causes->note_drop(slot, port, reason);
    }
    lose(slot, port, reason);
}

bool switch_core::is_lossless(pfc_class c) const {
    const shared_buffer* const memory = organisation->shared();
    return memory != nullptr ? memory->is_lossless(c) : rules.is_lossless;
}

// A TTL, and RED that may drop, are losses of lossless classes that the user has asked for.
void switch_core::drop_by_rule(frame_slot slot, unsigned port, drop_reason reason) {
    const bool asked_for = reason == drop_reason::ttl_expired ||
                           (reason == drop_reason::early && parameters.marking.red.may_drop.value_or(false));
    if (!asked_for) {
        check_loss(slot, "drops");
    }
    lose(slot, port, reason);
}

// A rule takes the frame, or its payload.
void switch_core::check_loss(frame_slot slot, const char* what) {
    const frame_route& route = frames.route(slot);
    if (is_lossless(route.frame_class)) {
        report_lossless_loss("egress port " + std::to_string(route.egress_port) +
                             " lost a frame of lossless class " + std::to_string(route.frame_class) +
                             ": a rule of its queue " + what +
                             " it (marking.kind, switch.overflow or switch.queue_order)");
    }
}

void switch_core::trim(frame_slot slot, const trim_order& order) {
    check_loss(slot, "trims");
    stored_frame& stored = frames[slot];
    stored.frame.trim(order.frame_bytes, order.dscp);
    stored.frame.priority = order.queue;
    stored.route.frame_class = rules.class_of(stored.frame);
    stored.route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(stored.frame.length(), rules.memory_cell).count());
}

void switch_core::report_lossless_loss(const std::string& what) {
    if (parameters.flow_control.losses == loss_action::end_run) {
        owner.violate(instant.now, what, violation_kind::lossless_loss);
    }
}

void switch_core::violate(const std::string& what) {
    owner.violate(instant.now, what);
}

void switch_core::lose(frame_slot slot, unsigned port, drop_reason reason) {
    const auto r = static_cast<unsigned>(reason);
    ++stats.drops[r];
    stats.port_drops.resize(rules.ports);
    ++stats.port_drops[port][frames.route(slot).frame_class][r];
    ++balance.dropped;
    owner.note_activity(instant.now);
    owner.tell_drop(port, reason, frames.frame(slot), instant.now);
    frames.release(slot);
}

void switch_core::pauses_changed(unsigned port) {
    const class_mask paused = ports[port].timers.paused_mask();
    paused_ports.assign(port, paused != 0);
    if (causes != nullptr) {
        causes->note_paused(port);
    }
    owner.tell_pauses(port, paused, instant.now);
}

std::uint32_t switch_core::arriving() const {
    std::uint32_t count = balance.arriving;
    for (const switch_port& p : ports) {
        for (frame_slot slot = p.first_arrived; slot != no_slot; slot = frames.route(slot).next_arrived) {
            ++count;
        }
    }
    return count;
}

std::uint32_t switch_core::transmitting() const {
    std::uint32_t count = 0;
    for (const switch_port& p : ports) {
        count += p.sending.frame != no_slot ? 1 : 0;
    }
    return count;
}

std::uint64_t switch_core::egress_class_limit(unsigned port) const {
    const egress_buffer* const own = blocks.egress.own();
    return own != nullptr ? own->class_limit(port)
                          : static_cast<std::uint64_t>(parameters.device.egress_buffer.count());
}

void switch_core::for_each_between_queues(const std::function<void(frame_slot, bool looked_up)>& visit) const {
    instant.events.for_each([&](const event& e) {
        // A frame that crosses cell by cell is in its VOQ.
        const bool has_crossed =
            e.stage() == switch_stages::transfer_done && frames.route(e.payload).cells_left == 0;
        if (has_crossed || e.stage() == switch_stages::lookup_done) {
            visit(e.payload, has_crossed);
        }
    });
    if (instant.lone != no_slot) {
        visit(instant.lone, true);
    }
}

void switch_core::send_control(unsigned port, ethernet_frame& frame) {
    switch_port& p = ports[port];
    const picoseconds time = p.wire->wire_time(frame.length());
    p.stats.tx_control_time += time;
    p.sending.begin(no_slot, instant.now + time);
    owner.send_on_wire(*p.wire, port, frame, instant.now, time);
    instant.await_end(p);
}

}  // namespace weir::model
