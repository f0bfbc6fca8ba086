#include "weir/model/link/wire.h"

#include <algorithm>
#include <cstring>

#include "weir/base/unit_text.h"
#include "weir/protocol/systemc_versions.h"

namespace weir::model {

namespace {

/// A socket of a node, made after the node's constructor.
template <class Socket>
std::unique_ptr<Socket> make_socket(sc_core::sc_module& owner, const std::string& name) {
    const child_scope scope(owner);
    return std::make_unique<Socket>(name.c_str());
}

}  // namespace

wire_input::wire_input(sc_core::sc_module& owner, unsigned port, const simulation_clock& clock, inbox& mail)
    : m_owner(owner), m_clock(clock), m_inbox(mail), m_port(port) {}

ethernet_target_socket& wire_input::socket() {
    if (m_socket == nullptr) {
        m_socket = make_socket<ethernet_target_socket>(m_owner, "rx" + std::to_string(m_port));
        m_socket->bind(*static_cast<ethernet_fw_if*>(this));
    }
    return *m_socket;
}

std::string wire_input::name() const {
    return std::string(m_owner.name()) + ".rx" + std::to_string(m_port);
}

void wire_input::configure(const port_config& link) {
    m_link = link;
    m_serializer = serializer{link.rate};
    m_wire_overhead = link.wire_overhead;
}

void wire_input::add_change(const link_change& change) {
    if (m_changing == nullptr) {
        m_changing = std::make_unique<changing_link>(m_link);
    }
    m_changing->add(change);
}

picoseconds wire_input::earliest_arrival(picoseconds announced) const {
    return m_changing == nullptr ? announced + m_link.latency
                                 : m_changing->history().earliest_arrival(announced);
}

void wire_input::refuse(picoseconds first_bit) const {
    const picoseconds announced = to_picoseconds(sc_core::sc_time_stamp());
    SC_REPORT_FATAL("/weir/wire",
                    (name() + ": a frame's first bit arrives at " + to_text(first_bit) + ", announced at " +
                     to_text(announced) + " when nodes had run to " + to_text(m_clock.end) +
                     ": the sender must annotate at least the link's latency of " +
                     to_text(earliest_arrival(announced) - announced))
                        .c_str());
}

void wire_input::refuse_overlap(picoseconds first_bit) const {
    SC_REPORT_FATAL("/weir/wire",
                    (name() + ": a frame's first bit arrives at " + to_text(first_bit) +
                     ", before the last bit of the one ahead of it at " + to_text(m_foreign_busy_until) +
                     ": the sender must space frames by their transmission times")
                        .c_str());
}

void wire_input::put_noting(picoseconds first_bit, const ethernet_frame& frame, picoseconds sent) {
    const unsigned side = m_clock.writing;
    if (m_changing != nullptr) {
        m_changing->note(side, sent);
    }
    if (m_annexes != nullptr) {
        m_annexes->put(side, m_native_annex);
    }
    const picoseconds duration = length_of(frame, sent);
    m_inbox.put(m_native_lane, side, arrival_key(m_use, first_bit, duration, m_port), duration, frame);
}

// The arrival, when it left where the link changes, its annex where annexes are carried: both ends know which.
void wire_input::pack(const wire_arrival& arrival, std::vector<char>& to) {
    const auto append = [&to](const auto& value) {
        const char* const octets = reinterpret_cast<const char*>(&value);
        to.insert(to.end(), octets, octets + sizeof(value));
    };
    append(arrival);
    if (m_changing != nullptr) {
        append(m_changing->pass_on(m_clock.writing));
    }
    if (m_annexes != nullptr) {
        append(m_annexes->take(m_clock.writing));
    }
}

const char* wire_input::unpack(const char* from) {
    const auto next = [&from](auto value) {
        std::memcpy(static_cast<void*>(&value), from, sizeof(value));
        from += sizeof(value);
        return value;
    };
    const unsigned side = m_clock.writing;
    const wire_arrival arrival = next(wire_arrival{});
    if (m_changing != nullptr) {
        m_changing->note(side, next(picoseconds{}));
    }
    if (m_annexes != nullptr) {
        const frame_annex annex = next(frame_annex{});
        m_annexes->put(side, &annex);
    }
    // The process that sent the frame need not know which bit this node waits for.
    const event_key key = arrival_key(m_use, arrival.first_bit(), arrival.duration, m_port);
    m_inbox.put(0, side, key, arrival.duration, arrival.frame);
    return from;
}

departure_record wire_input::finish(bytes frame_bytes, picoseconds now) {
    if (m_changing != nullptr) {
        return m_changing->finish();
    }
    return {now - m_serializer(frame_bytes + m_wire_overhead) - m_link.latency, m_link};
}

tlm::tlm_sync_enum wire_input::nb_transport_fw(ethernet_frame& frame, ethernet_phase&,
                                               sc_core::sc_time& delay) {
    if (!m_native_sender) {
        return receive_foreign(frame, to_picoseconds(delay));
    }
    // Our own nodes call while the kernel is at the begin of the quantum.
    const picoseconds first_bit = m_clock.begin + to_picoseconds(delay);
    if (first_bit < m_clock.end) {
        refuse(first_bit);
    }
    put_noting(first_bit, frame, m_native_sent);
    return tlm::TLM_COMPLETED;
}

// When the frame left is known within bounds only: the call may come earlier, and annotate more than the
// latency.
tlm::tlm_sync_enum wire_input::receive_foreign(const ethernet_frame& frame, picoseconds delay) {
    const picoseconds announced = to_picoseconds(sc_core::sc_time_stamp());
    const picoseconds first_bit = announced + delay;
    if (first_bit < m_clock.end || first_bit < earliest_arrival(announced)) {
        refuse(first_bit);
    }
    if (first_bit < m_foreign_busy_until) {
        refuse_overlap(first_bit);
    }
    const picoseconds sent = m_changing == nullptr ? first_bit - m_link.latency
                                                   : m_changing->history().departure(announced, first_bit);
    m_foreign_busy_until = first_bit + length_of(frame, sent);
    put_noting(first_bit, frame, sent);
    if (m_wake != nullptr) {
        m_wake->notify(sc_core::SC_ZERO_TIME);
    }
    return tlm::TLM_COMPLETED;
}

void wire_input::b_transport(ethernet_frame& frame, sc_core::sc_time& delay) {
    ethernet_phase phase = ethernet_phase::first_bit;
    nb_transport_fw(frame, phase, delay);
}

wire_output::wire_output(sc_core::sc_module& owner, unsigned port) : m_owner(owner), m_port(port) {}

ethernet_initiator_socket& wire_output::socket() {
    if (m_socket == nullptr) {
        m_socket = make_socket<ethernet_initiator_socket>(m_owner, "tx" + std::to_string(m_port));
        m_socket->bind(*static_cast<ethernet_bw_if*>(this));
    }
    return *m_socket;
}

std::string wire_output::name() const {
    return std::string(m_owner.name()) + ".tx" + std::to_string(m_port);
}

void wire_output::configure(const port_config& link) {
    m_serializer = serializer{link.rate};
    m_latency = link.latency;
    m_wire_overhead = link.wire_overhead;
}

void wire_output::expect_changes() {
    m_changes = true;
    m_plain = false;
}

void wire_output::set_tap(wire_tap& tap) {
    m_tap = &tap;
    m_plain = false;
}

void wire_output::find_peer() {
    if (m_peer == nullptr && m_socket == nullptr) {
        SC_REPORT_FATAL("/weir/wire", (name() + " leads nowhere; expected `connect`, or a module whose target "
                                                "socket `socket()` is bound to")
                                          .c_str());
        return;
    }
    if (m_peer == nullptr) {
        m_peer = m_socket->operator->();
    }
    m_native = dynamic_cast<wire_input*>(m_peer);
    m_plain = m_native != nullptr && m_native->m_annexes == nullptr && !m_changes && m_tap == nullptr;
    if (m_native != nullptr) {
        m_native->m_native_sender = true;
        m_inbox = &m_native->m_inbox;
        m_far_port = static_cast<std::uint16_t>(m_native->m_port);
        m_far_use = m_native->m_use;
    }
}

void wire_output::apply(const link_change& change) {
    if (change.rate.count() > 0) {
        m_serializer = serializer{change.rate};
    }
    m_latency = change.latency.value_or(m_latency);
}

// Frames stay in order when the link becomes shorter: the far end is busy until the last bit of the one before.
picoseconds wire_output::first_bit_in(bytes frame_bytes, picoseconds now) {
    const picoseconds first_bit = std::max(now + m_latency, m_far_end_busy_until);
    m_far_end_busy_until = first_bit + wire_time(frame_bytes);
    return first_bit;
}

void wire_output::send_noting(ethernet_frame& frame, picoseconds sent, picoseconds delay, unsigned lane,
                              const frame_annex* annex) {
    if (m_native != nullptr) {
        m_native->m_native_lane = lane;
        m_native->m_native_sent = sent;
        m_native->m_native_annex = annex;
    }
    if (m_tap != nullptr) {
        m_tap->on_sent(frame, sent);
    }
    ethernet_phase phase = ethernet_phase::first_bit;
    sc_core::sc_time annotated = to_sc_time(delay);
    m_peer->nb_transport_fw(frame, phase, annotated);
}

}  // namespace weir::model
