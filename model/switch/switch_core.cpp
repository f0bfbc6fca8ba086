#include "weir/model/switch/switch_core.h"

#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_memory.h"
#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

static switch_parameters adapted_to_memory(switch_parameters parameters, std::size_t ports) {
    if (organisation_of(parameters.device).is_shared) {
        adapt_to_shared_memory(parameters.device, parameters.flow_control);
    } else if (organisation_of(parameters.device).is_at_egress_only()) {
        adapt_to_output_queues(parameters.device, parameters.flow_control);
    } else if (organisation_of(parameters.device).stays_at_ingress()) {
        adapt_to_input_buffers(parameters.device, ports);
    }
    return parameters;
}

switch_core::switch_core(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                         const std::vector<port_config>& ports, const switch_parameters& parameters)
    : switch_core(name, index, clock, ports, adapted_to_memory(parameters, ports.size()), adapted{}) {}

switch_core::switch_core(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                         const std::vector<port_config>& ports, const switch_parameters& parameters, adapted)
    : node(name, index, clock, ports),
      // A port that has been served can come once more: with a shared memory a cut link's frames release
      // others.
      m_transmit_pending(std::make_unique<std::uint16_t[]>(2 * ports.size())),
      m_rules(parameters),
      m_pipeline(parameters.device.lookup_delay, parameters.device.lookup_interval),
      m_requests(static_cast<unsigned>(ports.size())),
      m_parameters(parameters),
      m_port_configs(ports),
      m_port_count(static_cast<unsigned>(ports.size())),
      m_slots(crossbar_link(parameters.device, ports)(parameters.device.cell)) {
    set_next_key(m_agenda.next_key());
    if (parameters.literal_engine) {
        m_agenda.use_literal();
    }
    if (m_parameters.device.telemetry) {
        m_slab.add_annexes();
        carry_annexes();
    }
    m_ports.reserve(ports.size());
    for (unsigned port = 0; port < ports.size(); ++port) {
        const port_flow_control control =
            resolve_flow_control(m_parameters.device, m_parameters.flow_control, ports[port]);
        m_ports.emplace_back(control.requests, ports[port].rate, control.response);
        m_ports.back().impaired = m_ports.back().inspects_arrivals = ports[port].has_errors();
        m_ports.back().number = static_cast<std::uint8_t>(port);
    }
}

const frame_annex* switch_core::leaving_annex(unsigned port) const {
    const frame_slot slot = m_ports[port].sending.frame;
    return slot != no_slot && m_slab.has_annexes() ? &m_slab.annex(slot) : nullptr;
}

void switch_core::drop(frame_slot slot, unsigned port, drop_reason reason) {
    if (m_causes != nullptr) {
        m_causes->note_drop(slot, port, reason);
    }
    lose(slot, port, reason);
}

// Losses of lossless classes that the user has asked for: a TTL, and RED that may drop.
void switch_core::drop_by_rule(frame_slot slot, unsigned port, drop_reason reason) {
    const pfc_class c = m_slab.route(slot).frame_class;
    const shared_buffer* const memory = m_memory->shared();
    const bool lossless = memory != nullptr ? memory->is_lossless(c) : is_lossless();
    const bool asked_for = reason == drop_reason::ttl_expired ||
                           (reason == drop_reason::early && m_parameters.marking.red.may_drop.value_or(false));
    if (lossless && !asked_for) {
        report_lossless_loss(
            "egress port " + std::to_string(port) + " lost a frame of lossless class " + std::to_string(c) +
            ": a rule of its queue drops it (marking.kind, switch.overflow or switch.queue_order)");
    }
    lose(slot, port, reason);
}

void switch_core::report_lossless_loss(const std::string& what) {
    if (m_parameters.flow_control.losses == loss_action::end_run) {
        violate(m_now, what, violation_kind::lossless_loss);
    }
}

void switch_core::lose(frame_slot slot, unsigned port, drop_reason reason) {
    const auto r = static_cast<unsigned>(reason);
    ++m_stats.drops[r];
    m_stats.port_drops.resize(m_port_count);
    ++m_stats.port_drops[port][m_slab.route(slot).frame_class][r];
    ++m_balance.dropped;
    m_last_activity = m_now > m_last_activity ? m_now : m_last_activity;
    tell_drop(port, reason, m_slab.frame(slot), m_now);
    m_slab.release(slot);
}

void switch_core::pauses_changed(unsigned port) {
    const class_mask paused = m_ports[port].timers.paused_mask();
    m_paused_ports.assign(port, paused != 0);
    if (m_causes != nullptr) {
        m_causes->note_paused(port);
    }
    tell_pauses(port, paused, m_now);
}

std::uint32_t switch_core::arriving() const {
    std::uint32_t frames = m_arriving;
    for (const switch_port& p : m_ports) {
        for (frame_slot slot = p.first_arrived; slot != no_slot; slot = m_slab.route(slot).next_arrived) {
            ++frames;
        }
    }
    return frames;
}

std::uint32_t switch_core::transmitting() const {
    std::uint32_t frames = 0;
    for (const switch_port& p : m_ports) {
        frames += p.sending.frame != no_slot ? 1 : 0;
    }
    return frames;
}

}  // namespace weir::model
