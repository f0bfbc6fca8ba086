#include "weir/model/wire.h"

#include "weir/base/unit_text.h"

namespace weir {

wire_input::wire_input(const char* name, unsigned port, const simulation_clock& clock, mail_flags& flags)
    : socket(name), m_clock(clock), m_flags(flags), m_port(port) {
    socket.bind(*static_cast<ethernet_fw_if*>(this));
}

void wire_input::configure(bit_rate rate, picoseconds latency, bytes wire_overhead) {
    m_serializer = serializer{rate};
    m_latency = latency;
    m_wire_overhead = wire_overhead;
}

serializer wire_input::serializer_at(picoseconds sent) const {
    serializer found = m_serializer;
    for (const rate_change& change : m_rate_changes) {
        if (change.at <= sent) {
            found = serializer{change.rate};
        }
    }
    return found;
}

void wire_input::refuse(picoseconds first_bit) const {
    SC_REPORT_FATAL("/weir/wire",
                    (std::string(socket.name()) + ": a frame's first bit arrives at " + to_text(first_bit) +
                     ", announced at " + to_text(to_picoseconds(sc_core::sc_time_stamp())) +
                     " when nodes had run to " + to_text(m_clock.end) +
                     ": the sender must annotate at least the link's latency of " + to_text(m_latency))
                        .c_str());
}

void wire_input::refuse_overlap(picoseconds first_bit) const {
    SC_REPORT_FATAL("/weir/wire",
                    (std::string(socket.name()) + ": a frame's first bit arrives at " + to_text(first_bit) +
                     ", before the last bit of the one ahead of it at " + to_text(m_foreign_busy_until) +
                     ": the sender must space frames by their transmission times")
                        .c_str());
}

tlm::tlm_sync_enum wire_input::nb_transport_fw(ethernet_frame& frame, ethernet_phase&,
                                               sc_core::sc_time& delay) {
    // Our own nodes call while the kernel is at the begin of the quantum.
    const picoseconds first_bit = m_clock.begin + to_picoseconds(delay);
    if (__builtin_expect(!m_native_sender || first_bit < m_clock.end || m_mail[m_clock.writing].is_full(), 0)) {
        return receive_slowly(frame, to_picoseconds(delay));
    }
    put(first_bit, frame);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum wire_input::receive_slowly(const ethernet_frame& frame, picoseconds delay) {
    if (!m_native_sender) {
        return receive_foreign(frame, delay);
    }
    const picoseconds first_bit = m_clock.begin + delay;
    if (first_bit < m_clock.end) {
        refuse(first_bit);
    }
    put(first_bit, frame);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum wire_input::receive_foreign(const ethernet_frame& frame, picoseconds delay) {
    const picoseconds first_bit = to_picoseconds(sc_core::sc_time_stamp()) + delay;
    if (first_bit < m_clock.end || delay < m_latency) {
        refuse(first_bit);
    }
    if (first_bit < m_foreign_busy_until) {
        refuse_overlap(first_bit);
    }
    m_foreign_busy_until = last_bit({first_bit, frame});
    put(first_bit, frame);
    if (m_wake != nullptr) {
        m_wake->notify(sc_core::SC_ZERO_TIME);
    }
    return tlm::TLM_COMPLETED;
}

void wire_input::b_transport(ethernet_frame& frame, sc_core::sc_time& delay) {
    ethernet_phase phase = ethernet_phase::first_bit;
    nb_transport_fw(frame, phase, delay);
}

wire_output::wire_output(const char* name) : socket(name) {
    socket.bind(*static_cast<ethernet_bw_if*>(this));
}

void wire_output::configure(bit_rate rate, picoseconds latency, bytes wire_overhead) {
    m_serializer = serializer{rate};
    m_latency = latency;
    m_wire_overhead = wire_overhead;
}

void wire_output::find_peer() {
    m_peer = socket.operator->();
    auto* const native = dynamic_cast<wire_input*>(m_peer);
    m_foreign = native == nullptr;
    if (native != nullptr) {
        native->m_native_sender = true;
    }
}

}  // namespace weir
