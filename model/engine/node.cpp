#include "weir/model/engine/node.h"

#include <algorithm>

namespace weir::model {

node::node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
           const std::vector<port_config>& ports)
    : sc_module(name), m_index(index), m_clock(clock) {
    for (const port_config& port : ports) {
        const auto number = static_cast<unsigned>(m_inputs.size());
        m_inputs.push_back(std::make_unique<wire_input>(*this, number, m_clock, m_inbox));
        m_outputs.push_back(std::make_unique<wire_output>(*this, number));
        m_inputs.back()->configure(port);
        m_outputs.back()->configure(port);
    }
}

void node::end_of_elaboration() {
    for (auto& output : m_outputs) {
        output->find_peer();
    }
}

void node::expect_change(const link_change& change) {
    input(change.port).add_change(change);
    output(change.port).expect_changes();
}

void node::carry_annexes() {
    for (auto& each : m_inputs) {
        each->carry_annexes();
    }
}

// Links that change, are tapped, carry annexes, or end at a foreign module. The latter is called later, on the
// kernel's thread, and sees no annex.
void node::send_on_special_wire(unsigned port, ethernet_frame& frame, picoseconds now) {
    wire_output& out = output(port);
    const picoseconds first_bit = out.first_bit_in(frame.length(), now);
    if (out.peer_is_foreign()) {
        m_foreign_outbox.push_back({now, first_bit, port, frame});
        m_has_foreign_deliveries = true;
    } else {
        out.send_noting(frame, now, first_bit - m_clock.begin, m_lane, leaving_annex(port));
    }
}

// The first violation counts: later ones may follow from it.
void node::violate(picoseconds time, const std::string& message, violation_kind kind) {
    m_broken = true;
    if (time < m_violation.time) {
        m_violation = {time, std::string(name()) + ": " + message, kind};
    }
}

}  // namespace weir::model
