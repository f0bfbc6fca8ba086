#include "weir/model/node.h"

#include <cmath>

namespace weir {

const char* to_text(drop_reason reason) {
    static constexpr const char* names[drop_reasons] = {"ingress_full", "egress_full", "nic_full",
                                                        "no_route",     "oversized",   "link_down",
                                                        "bit_error",    "misdelivered"};
    return names[static_cast<unsigned>(reason)];
}

bool port_config::corrupts(bytes frame_bytes, random_stream& chance) const {
    if (!has_errors()) {
        return false;
    }
    const auto bits = static_cast<double>((frame_bytes + wire_overhead).count() * 8);
    const double good = std::exp(bits * std::log1p(-bit_error_rate)) * (1 - frame_error_rate);
    return chance.uniform() >= good;
}

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
        m_inputs.back()->configure(port.rate, port.latency, port.wire_overhead);
        m_outputs.back()->configure(port.rate, port.latency, port.wire_overhead);
    }
}

void node::end_of_elaboration() {
    for (auto& output : m_outputs) {
        output->find_peer();
    }
}

void node::violate(picoseconds time, const std::string& message) {
    if (time < m_violation.time) {
        m_violation = {time, std::string(name()) + ": " + message};
    }
}

}  // namespace weir
