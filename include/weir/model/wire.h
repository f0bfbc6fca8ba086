// The two ends of one direction of a link.
//
// The sending end calls `nb_transport_fw` at its node's local time; the receiving end keeps the frame in a
// mailbox until its own node takes it, in the next quantum. A mailbox has one writer and one reader and is
// double-buffered, flipped at the barrier by `simulation_clock::writing`, so that it needs no lock.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "weir/model/simulation_clock.h"
#include "weir/protocol/ethernet_tlm.h"

namespace weir {

/// A change of a link's rate at a given time, known from the configuration.
struct rate_change {
    picoseconds at;
    bit_rate rate;
};

struct wire_arrival {
    picoseconds first_bit;
    ethernet_frame frame;
};

/// Frames of one quantum. Keeps its memory.
class mailbox {
 public:
    void put(picoseconds first_bit, const ethernet_frame& frame) {
        if (__builtin_expect(is_full(), 0)) {
            grow();
        }
        wire_arrival& arrival = m_arrivals[m_count++];
        arrival.first_bit = first_bit;
        arrival.frame = frame;
    }
    bool is_full() const { return m_count == m_capacity; }
    const wire_arrival* begin() const { return m_arrivals.data(); }
    const wire_arrival* end() const { return m_arrivals.data() + m_count; }
    std::size_t size() const { return m_count; }
    void clear() { m_count = 0; }

 private:
    [[gnu::noinline, gnu::cold]] void grow() {
        m_capacity = m_count == 0 ? 1 : 2 * m_count;
        m_arrivals.resize(m_capacity);
    }
    std::vector<wire_arrival> m_arrivals;
    std::uint32_t m_count = 0;
    std::uint32_t m_capacity = 0;
};

/// Tells a node that it has mail, and at which ports; one per mailbox side. A port's byte is written by the one
/// sender of that port, and read and cleared by the node after the barrier.
struct mail_flags {
    std::array<std::atomic<bool>, 2> any{};
    std::array<std::vector<std::uint8_t>, 2> at_port;
};

// Public base: `wire_output::find_peer` recognises its own kind by it.
class wire_input : public ethernet_fw_if {
 public:
    wire_input(const char* name, unsigned port, const simulation_clock& clock, mail_flags& flags);
    wire_input(const wire_input&) = delete;
    wire_input& operator=(const wire_input&) = delete;

    ethernet_target_socket socket;

    /// Link parameters, set by the fabric before the run.
    void configure(bit_rate rate, picoseconds latency, bytes wire_overhead);
    void add_rate_change(rate_change change) { m_rate_changes.push_back(change); }

    mailbox& mail(unsigned side) { return m_mail[side]; }
    /// When the last bit (inter-frame gap included) of a frame is here.
    picoseconds last_bit(const wire_arrival& arrival) const {
        const bytes wire_bytes = arrival.frame.length() + m_wire_overhead;
        if (!m_rate_changes.empty()) {
            return arrival.first_bit + serializer_at(arrival.first_bit - m_latency)(wire_bytes);
        }
        return arrival.first_bit + m_serializer(wire_bytes);
    }
    picoseconds latency() const { return m_latency; }
    /// Calls of a module that is not ours wake a domain that skips empty time.
    void set_wake(sc_core::sc_event& wake) { m_wake = &wake; }

 private:
    friend class wire_output;
    tlm::tlm_sync_enum nb_transport_fw(ethernet_frame& frame, ethernet_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(ethernet_frame& frame, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(ethernet_frame&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(ethernet_frame&) override { return 0; }
    // Beside the usual path, out of line as a whole: that one needs no registers saved.
    [[gnu::noinline]] tlm::tlm_sync_enum receive_slowly(const ethernet_frame& frame, picoseconds delay);
    tlm::tlm_sync_enum receive_foreign(const ethernet_frame& frame, picoseconds delay);
    void put(picoseconds first_bit, const ethernet_frame& frame) {
        const unsigned side = m_clock.writing;
        m_mail[side].put(first_bit, frame);
        m_flags.at_port[side][m_port] = 1;
        m_flags.any[side].store(true, std::memory_order_relaxed);
    }
    /// A sender broke the rule of the lookahead.
    [[gnu::cold]] void refuse(picoseconds first_bit) const;
    [[gnu::cold]] void refuse_overlap(picoseconds first_bit) const;
    serializer serializer_at(picoseconds sent) const;

    const simulation_clock& m_clock;
    mail_flags& m_flags;
    unsigned m_port;
    serializer m_serializer;
    bytes m_wire_overhead{0};
    picoseconds m_latency{0};
    std::array<mailbox, 2> m_mail;
    std::vector<rate_change> m_rate_changes;
    bool m_native_sender = false;
    // Of a sender that is not ours: nothing else makes sure that its frames do not overlap.
    picoseconds m_foreign_busy_until{0};
    sc_core::sc_event* m_wake = nullptr;
};

/// A frame for a module that is not ours: delivered from the kernel's own thread at the barrier.
struct foreign_delivery {
    picoseconds first_bit_sent;
    unsigned port;
    ethernet_frame frame;
};

class wire_output : public ethernet_bw_if {
 public:
    explicit wire_output(const char* name);
    wire_output(const wire_output&) = delete;
    wire_output& operator=(const wire_output&) = delete;

    ethernet_initiator_socket socket;

    void configure(bit_rate rate, picoseconds latency, bytes wire_overhead);
    /// Once all sockets are bound: whether the other end is a module that is not ours.
    void find_peer();
    bool peer_is_foreign() const { return m_foreign; }

    void set_rate(bit_rate rate) { m_serializer = serializer{rate}; }
    bit_rate rate() const { return m_serializer.rate(); }
    picoseconds latency() const { return m_latency; }
    /// Time that a frame occupies the wire.
    picoseconds wire_time(bytes frame_bytes) const { return m_serializer(frame_bytes + m_wire_overhead); }

    /// The frame's first bit leaves at local time `now`.
    void send(ethernet_frame& frame, picoseconds now, picoseconds kernel_time) {
        ethernet_phase phase = ethernet_phase::first_bit;
        sc_core::sc_time delay = to_sc_time(now - kernel_time + m_latency);
        m_peer->nb_transport_fw(frame, phase, delay);
    }

 private:
    tlm::tlm_sync_enum nb_transport_bw(ethernet_frame&, ethernet_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    serializer m_serializer;
    bytes m_wire_overhead{0};
    picoseconds m_latency{0};
    ethernet_fw_if* m_peer = nullptr;
    bool m_foreign = false;
};

}  // namespace weir
