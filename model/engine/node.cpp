#include "weir/model/engine/node.h"

#include <algorithm>

namespace weir::model {

node::node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
           const std::vector<port_config>& ports)
    : sc_module(name), m_clock(clock), m_index(index) {
    for (std::vector<std::uint8_t>& side : m_flags.at_port) {
        side.resize((ports.size() + 7) / 8 * 8);
    }
    for (const port_config& port : ports) {
        const std::string number = std::to_string(m_inputs.size());
        m_inputs.push_back(std::make_unique<wire_input>(
            ("rx" + number).c_str(), static_cast<unsigned>(m_inputs.size()), m_clock, m_flags));
        m_outputs.push_back(std::make_unique<wire_output>(("tx" + number).c_str()));
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

void node::leave_for_windows(unsigned port, mailbox& mail) {
    m_full_mailboxes.push_back({port, mail.begin(), &mail});
}

// A quantum in which much mail has come is run in windows, each with about `few` frames of the fullest mailbox,
// so that the agenda stays short. The cut changes no result: mail is ordered by its keys.
picoseconds node::next_window_end(std::size_t few) {
    picoseconds first = m_clock.end;
    picoseconds last = m_clock.begin;
    std::size_t most = 0;
    for (const full_mailbox& full : m_full_mailboxes) {
        if (full.next == full.mail->end()) {
            continue;
        }
        first = std::min(first, full.next->first_bit);
        last = std::max(last, (full.mail->end() - 1)->first_bit);
        most = std::max(most, static_cast<std::size_t>(full.mail->end() - full.next));
    }
    if (most <= 2 * few) {
        return m_clock.end;
    }
    return std::min(
        first + std::max(last - first, picoseconds{0}) / static_cast<std::int64_t>(most / few) + 1_ps,
        m_clock.end);
}

void node::clear_full_mailboxes() {
    for (const full_mailbox& full : m_full_mailboxes) {
        full.mail->clear();
    }
    m_full_mailboxes.clear();
}

// Links that change, are tapped, carry annexes, or end at a foreign module. The latter is called later, on the
// kernel's thread, and sees no annex.
void node::send_on_special_wire(unsigned port, ethernet_frame& frame, picoseconds now) {
    wire_output& out = output(port);
    const picoseconds first_bit = out.first_bit_in(frame.length(), now);
    if (out.peer_is_foreign()) {
        m_foreign_outbox.push_back({now, first_bit, port, frame});
    } else {
        out.send_noting(frame, now, first_bit - m_clock.begin, leaving_annex(port));
    }
}

// The first violation counts: later ones may follow from it.
void node::violate(picoseconds time, const std::string& message, violation_kind kind) {
    if (time < m_violation.time) {
        m_violation = {time, std::string(name()) + ": " + message, kind};
    }
}

}  // namespace weir::model
