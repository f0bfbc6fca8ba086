// The two ends of one direction of a link.
//
// The sending end calls `nb_transport_fw` at its node's local time; the receiving end keeps the frame in a
// mailbox until its own node takes it, in the next quantum. A mailbox has one writer and one reader and is
// double-buffered, flipped at the barrier by `simulation_clock::writing`, so that it needs no lock. If the
// socket is bound to a wire of our own, the sending end writes into the mailbox itself, as an initiator with
// direct memory access does.
//
// A link may change during the run. A frame keeps what it left with: its rate, its latency, its chance to be
// hit by an error. Links deliver in order: when a link gets shorter, a later frame's first bit is here no
// earlier than the last bit of the one before it. Such links (`changing_link.h`), and those whose frames carry
// annexes (`annex_mail.h`), take a path of their own, so that the others pay nothing for them.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/simulation_clock.h"
#include "weir/model/link/annex_mail.h"
#include "weir/model/link/changing_link.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/ethernet_tlm.h"

namespace weir::model {

struct wire_arrival {
    picoseconds first_bit;
    ethernet_frame frame;
};

/// Frames of one quantum. Keeps its memory.
class mailbox {
 public:
    void put(picoseconds first_bit, const ethernet_frame& frame) {
        if (__builtin_expect(m_end == m_limit, 0)) {
            grow();
        }
        m_end->first_bit = first_bit;
        m_end->frame = frame;
        ++m_end;
    }
    const wire_arrival* begin() const { return m_arrivals.data(); }
    const wire_arrival* end() const { return m_end; }
    std::size_t size() const { return static_cast<std::size_t>(m_end - m_arrivals.data()); }
    /// As size() > most, without the division.
    bool holds_more_than(std::size_t most) const {
        return reinterpret_cast<const char*>(m_end) - reinterpret_cast<const char*>(m_arrivals.data()) >
               static_cast<std::ptrdiff_t>(most * sizeof(wire_arrival));
    }
    void clear() { m_end = m_arrivals.data(); }

 private:
    [[gnu::noinline, gnu::cold]] void grow() {
        const std::size_t count = m_arrivals.size();
        m_arrivals.resize(count == 0 ? 1 : 2 * count);
        m_end = m_arrivals.data() + count;
        m_limit = m_arrivals.data() + m_arrivals.size();
    }
    std::vector<wire_arrival> m_arrivals;
    wire_arrival* m_end = nullptr;
    wire_arrival* m_limit = nullptr;
};

/// Nodes, or groups of them, that are looked at together (quantum_runner.h): one look tells that none has
/// anything to do.
struct node_group {
    /// A member has mail; one per mailbox side. The thread that runs the group clears it.
    std::array<std::atomic<bool>, 2> mail{};
    /// No member has an event before. May be too early, never too late.
    event_key next = 0;
    node_group* above = nullptr;

    void set_mail(unsigned side) {
        for (node_group* g = this; g != nullptr && !g->mail[side].load(std::memory_order_relaxed);
             g = g->above) {
            g->mail[side].store(true, std::memory_order_relaxed);
        }
    }
};

/// Tells a node that it has mail, and at which ports; one per mailbox side. A port's byte is written by the one
/// sender of that port, and read and cleared by the node after the barrier.
struct mail_flags {
    std::array<std::atomic<bool>, 2> any{};
    /// The one that looks after the node, if any does.
    node_group* group = nullptr;
    std::array<std::vector<std::uint8_t>, 2> at_port;

    void set_any(unsigned side) {
        // The first frame of a quantum only: others write to their own bytes.
        if (!any[side].load(std::memory_order_relaxed)) {
            any[side].store(true, std::memory_order_relaxed);
            if (group != nullptr) {
                group->set_mail(side);
            }
        }
    }
};

// Public base: `wire_output::find_peer` recognises its own kind by it.
class wire_input : public ethernet_fw_if {
 public:
    wire_input(const char* name, unsigned port, const simulation_clock& clock, mail_flags& flags);
    wire_input(const wire_input&) = delete;
    wire_input& operator=(const wire_input&) = delete;

    ethernet_target_socket socket;

    /// The link at the start. Before the run.
    void configure(const port_config& link);
    /// Before the run, in the order of time; the sending end has to be told the same.
    void add_change(const link_change& change);
    /// Before the run: keeps the annexes of frames that our own nodes send.
    void carry_annexes() { m_annexes = std::make_unique<annex_mail>(); }

    mailbox& mail(unsigned side) { return m_mail[side]; }
    /// The node takes a frame from the mailbox. Returns when the last bit (inter-frame gap included) is here.
    picoseconds take(const wire_arrival& arrival) {
        if (__builtin_expect(m_changing != nullptr, 0)) {
            return take_from_changing_link(arrival);
        }
        return arrival.first_bit + m_serializer(arrival.frame.length() + m_wire_overhead);
    }
    /// Of a frame that is taken, where annexes are carried.
    const frame_annex& annex_of(const wire_arrival& arrival) const {
        const unsigned side = m_clock.writing ^ 1;
        return m_annexes->at(side, place_of(arrival, side));
    }
    /// The last bit of a frame that was taken is here. On a link that changes, to be called for every frame.
    departure_record finish(bytes frame_bytes, picoseconds now);
    /// Calls of a module that is not ours wake a domain that skips empty time.
    void set_wake(sc_core::sc_event& wake) { m_wake = &wake; }

 private:
    friend class wire_output;
    tlm::tlm_sync_enum nb_transport_fw(ethernet_frame& frame, ethernet_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(ethernet_frame& frame, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(ethernet_frame&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(ethernet_frame&) override { return 0; }
    /// Over a plain wire (`wire_output::is_plain`).
    void receive_plainly(const ethernet_frame& frame, picoseconds first_bit) {
        if (__builtin_expect(first_bit < m_clock.end, 0)) {
            refuse(first_bit);
        }
        put(first_bit, frame);
    }
    tlm::tlm_sync_enum receive_foreign(const ethernet_frame& frame, picoseconds delay);
    void put(picoseconds first_bit, const ethernet_frame& frame) {
        const unsigned side = m_clock.writing;
        m_mail[side].put(first_bit, frame);
        *m_flag[side] = 1;
        m_flags.set_any(side);
    }
    /// `sent`: when the frame left; kept where the link changes.
    void put_noting(picoseconds first_bit, const ethernet_frame& frame, picoseconds sent);
    picoseconds take_from_changing_link(const wire_arrival& arrival);
    std::size_t place_of(const wire_arrival& arrival, unsigned side) const {
        return static_cast<std::size_t>(&arrival - m_mail[side].begin());
    }
    picoseconds earliest_arrival(picoseconds announced) const;
    /// A sender broke the rule of the lookahead.
    [[gnu::cold, gnu::noinline]] void refuse(picoseconds first_bit) const;
    [[gnu::cold]] void refuse_overlap(picoseconds first_bit) const;

    const simulation_clock& m_clock;
    mail_flags& m_flags;
    // This port's in `m_flags`.
    std::array<std::uint8_t*, 2> m_flag;
    bool m_native_sender = false;
    serializer m_serializer;
    bytes m_wire_overhead{0};
    // Null where the link stays as it is.
    std::unique_ptr<changing_link> m_changing;
    std::array<mailbox, 2> m_mail;
    port_config m_link;
    // Of a sender that is ours, on a wire that is not plain: when the frame that it passes on now has left.
    picoseconds m_native_sent{0};
    // That frame's annex, or null.
    const frame_annex* m_native_annex = nullptr;
    // Null where none are carried.
    std::unique_ptr<annex_mail> m_annexes;
    // Of a sender that is not ours: nothing else makes sure that its frames do not overlap.
    picoseconds m_foreign_busy_until{0};
    sc_core::sc_event* m_wake = nullptr;
};

/// A frame for a module that is not ours: delivered from the kernel's own thread at the barrier.
struct foreign_delivery {
    picoseconds first_bit_sent;
    picoseconds first_bit_in;
    unsigned port;
    ethernet_frame frame;
};

/// Observes one end of a link, as a capture does. Called on the thread that advances the end's node;
/// must not change anything.
class wire_tap {
 public:
    virtual ~wire_tap() = default;
    /// The first bit of a frame leaves. In the order of time.
    virtual void on_sent(const ethernet_frame& frame, picoseconds first_bit) = 0;
};

class wire_output : public ethernet_bw_if {
 public:
    explicit wire_output(const char* name);
    wire_output(const wire_output&) = delete;
    wire_output& operator=(const wire_output&) = delete;

    ethernet_initiator_socket socket;

    void configure(const port_config& link);
    /// Before the run: the link will change.
    void expect_changes();
    /// Before the run: shows every frame that leaves here from now on.
    void set_tap(wire_tap& tap);
    /// Once all sockets are bound: whether the other end is a module that is not ours.
    void find_peer();
    bool peer_is_foreign() const { return m_native == nullptr; }
    /// The other end is ours and carries no annexes, the link stays as it is, and there is no tap: frames may
    /// be sent by `send`.
    bool is_plain() const { return m_plain; }

    /// For frames whose first bit leaves from now on.
    void apply(const link_change& change);
    bit_rate rate() const { return m_serializer.rate(); }
    /// Time that a frame occupies the wire.
    picoseconds wire_time(bytes frame_bytes) const { return m_serializer(frame_bytes + m_wire_overhead); }

    /// The frame's first bit leaves at local time `now`. Where `is_plain` holds.
    void send(const ethernet_frame& frame, picoseconds now) {
        m_native->receive_plainly(frame, now + m_latency);
    }
    /// For any link: sends nothing yet, but says when the first bit is at the other end. Frames arrive
    /// in order and do not overlap there, also when the link has become shorter.
    picoseconds first_bit_in(bytes frame_bytes, picoseconds now);
    /// What `send` does on a wire that is not plain, or the barrier for a module that is not ours. `sent`: when
    /// the first bit left; `delay`: from kernel time to the first bit in; `annex`: may be null.
    void send_noting(ethernet_frame& frame, picoseconds sent, picoseconds delay,
                     const frame_annex* annex = nullptr);

 private:
    tlm::tlm_sync_enum nb_transport_bw(ethernet_frame&, ethernet_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    serializer m_serializer;
    bytes m_wire_overhead{0};
    picoseconds m_latency{0};
    ethernet_fw_if* m_peer = nullptr;
    bool m_plain = false;
    bool m_changes = false;
    // The other end, if it is ours.
    wire_input* m_native = nullptr;
    // When the other end has the last bit of the frame sent last; kept where `is_plain` does not hold.
    picoseconds m_far_end_busy_until{0};
    // Null without a tap.
    wire_tap* m_tap = nullptr;
};

}  // namespace weir::model
