// The two ends of one direction of a link.
//
// The sending end calls `nb_transport_fw` at its node's local time; the receiving end puts the frame into its
// node's inbox (inbox.h), from which the node takes it in the next quantum. If the other end is a wire of our
// own, the sending end writes into that inbox itself, as an initiator with direct memory access does; then
// there need be no sockets, of which a large fabric would have a hundred thousand.
//
// A link may change during the run. A frame keeps what it left with: its rate, its latency, its chance to be
// hit by an error. Links deliver in order: when a link gets shorter, a later frame's first bit is here no
// earlier than the last bit of the one before it. Such links (`changing_link.h`), and those whose frames carry
// annexes (`mail_notes.h`), take a path of their own, so that the others pay nothing for them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/agenda.h"
#include "weir/base/simulation_clock.h"
#include "weir/model/link/changing_link.h"
#include "weir/model/link/inbox.h"
#include "weir/model/link/mail_notes.h"
#include "weir/model/link/port_config.h"
#include "weir/protocol/ethernet_tlm.h"

namespace weir::model {

// Public base: `wire_output::find_peer` recognises its own kind by it.
class wire_input : public ethernet_fw_if {
 public:
    /// `owner`: the node; `mail`: its inbox.
    wire_input(sc_core::sc_module& owner, unsigned port, const simulation_clock& clock, inbox& mail);
    wire_input(const wire_input&) = delete;
    wire_input& operator=(const wire_input&) = delete;

    /// For a module that is not ours: the target socket `rxN` of the node, made by the first call. Before
    /// elaboration ends.
    ethernet_target_socket& socket();
    /// `NODE.rxN`.
    std::string name() const;

    /// The link at the start. Before the run.
    void configure(const port_config& link);
    /// Before the run, in the order of time; the sending end has to be told the same.
    void add_change(const link_change& change);
    /// Before the run: which bit of its frames the node waits for.
    void set_first_use(first_use use) { m_use = use; }
    /// Before the run: keeps the annexes of frames that our own nodes send.
    void carry_annexes() { m_annexes = std::make_unique<annex_mail>(); }

    /// The link changes during the run: `take` has to be called for each frame that the node takes.
    bool changes() const { return m_changing != nullptr; }
    void take() { m_changing->take(m_clock.writing ^ 1); }
    /// Of the frame that the node takes; to be called once for each, where annexes are carried.
    const frame_annex& take_annex() { return m_annexes->take(m_clock.writing ^ 1); }
    /// The last bit of a frame that was taken is here. On a link that changes, to be called for every frame.
    departure_record finish(bytes frame_bytes, picoseconds now);
    /// In the place of a port of another process (frame_exchange.h): appends a frame of the quantum's mail,
    /// with what goes with it. Once for each frame, in their order.
    void pack(const wire_arrival& arrival, std::vector<char>& to);
    /// The port itself: puts such a frame into the inbox, and returns where the next one begins. At a barrier.
    const char* unpack(const char* from);
    unsigned port() const { return m_port; }
    /// Calls of a module that is not ours wake a domain that skips empty time.
    void set_wake(sc_core::sc_event& wake) { m_wake = &wake; }

 private:
    friend class wire_output;
    tlm::tlm_sync_enum nb_transport_fw(ethernet_frame& frame, ethernet_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(ethernet_frame& frame, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(ethernet_frame&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(ethernet_frame&) override { return 0; }
    tlm::tlm_sync_enum receive_foreign(const ethernet_frame& frame, picoseconds delay);
    /// `sent`: when the frame left; kept where the link changes.
    void put_noting(picoseconds first_bit, const ethernet_frame& frame, picoseconds sent);
    /// On the wire, of a frame that left at `sent`.
    picoseconds length_of(const ethernet_frame& frame, picoseconds sent) const {
        return m_changing != nullptr ? m_changing->length_of(frame, sent)
                                     : m_serializer(frame.length() + m_wire_overhead);
    }
    picoseconds earliest_arrival(picoseconds announced) const;
    /// A sender broke the rule of the lookahead.
    [[gnu::cold, gnu::noinline]] void refuse(picoseconds first_bit) const;
    [[gnu::cold]] void refuse_overlap(picoseconds first_bit) const;

    sc_core::sc_module& m_owner;
    const simulation_clock& m_clock;
    inbox& m_inbox;
    unsigned m_port;
    first_use m_use = first_use::last_bit;
    bool m_native_sender = false;
    // Of a sender that is ours, on a wire that is not plain: its thread's lane.
    unsigned m_native_lane = 0;
    serializer m_serializer;
    bytes m_wire_overhead{0};
    // Null where the link stays as it is.
    std::unique_ptr<changing_link> m_changing;
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
    // Null where no one has asked for it.
    std::unique_ptr<ethernet_target_socket> m_socket;
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

class alignas(64) wire_output : public ethernet_bw_if {
    // What a frame's path reads comes first, in one cache line.
    serializer m_serializer;
    bytes m_wire_overhead{0};
    picoseconds m_latency{0};
    // Of the node at the other end, if it is ours.
    inbox* m_inbox = nullptr;
    std::uint16_t m_far_port = 0;
    first_use m_far_use = first_use::last_bit;
    bool m_plain = false;
    bool m_changes = false;

 public:
    wire_output(sc_core::sc_module& owner, unsigned port);
    wire_output(const wire_output&) = delete;
    wire_output& operator=(const wire_output&) = delete;

    /// For a module that is not ours: the initiator socket `txN` of the node, made by the first call. Before
    /// elaboration ends.
    ethernet_initiator_socket& socket();
    /// `NODE.txN`.
    std::string name() const;
    /// The other end is ours: no sockets are needed.
    void connect(wire_input& far_end) { m_peer = &far_end; }

    void configure(const port_config& link);
    /// Before the run: the link will change.
    void expect_changes();
    /// Before the run: shows every frame that leaves here from now on.
    void set_tap(wire_tap& tap);
    /// Once all sockets are bound: whether the other end is a module that is not ours. Reports a fatal error of
    /// the type "/weir/wire" if there is none.
    void find_peer();
    /// A frame will be sent soon: the far inbox, then, when that is here, the place of the frame in it.
    void prefetch_inbox() const { prefetch_line(m_inbox); }
    void prefetch_place(unsigned lane, unsigned side) const {
        if (m_inbox != nullptr) {
            m_inbox->prefetch_place(lane, side);
        }
    }
    bool peer_is_foreign() const { return m_native == nullptr; }
    /// The other end is ours and carries no annexes, the link stays as it is, and there is no tap: frames may
    /// be sent by `send`.
    bool is_plain() const { return m_plain; }

    /// For frames whose first bit leaves from now on.
    void apply(const link_change& change);
    bit_rate rate() const { return m_serializer.rate(); }
    /// Preamble and inter-frame gap.
    bytes overhead() const { return m_wire_overhead; }
    /// Time that a frame occupies the wire.
    picoseconds wire_time(bytes frame_bytes) const { return m_serializer(frame_bytes + m_wire_overhead); }

    /// The frame's first bit leaves at local time `now`, its last one `time` (`wire_time`) later; on the thread
    /// of this lane. Where `is_plain` holds.
    void send(const ethernet_frame& frame, picoseconds now, picoseconds time, const simulation_clock& clock,
              unsigned lane) {
        const picoseconds first_bit = now + m_latency;
        if (__builtin_expect(first_bit < clock.end, 0)) {
            m_native->refuse(first_bit);
        }
        m_inbox->put(lane, clock.writing, arrival_key(m_far_use, first_bit, time, m_far_port), time, frame);
    }
    /// For any link: sends nothing yet, but says when the first bit is at the other end. Frames arrive
    /// in order and do not overlap there, also when the link has become shorter.
    picoseconds first_bit_in(bytes frame_bytes, picoseconds now);
    /// What `send` does on a wire that is not plain, or the barrier for a module that is not ours. `sent`: when
    /// the first bit left; `delay`: from kernel time to the first bit in; `annex`: may be null.
    void send_noting(ethernet_frame& frame, picoseconds sent, picoseconds delay, unsigned lane,
                     const frame_annex* annex = nullptr);

 private:
    tlm::tlm_sync_enum nb_transport_bw(ethernet_frame&, ethernet_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    sc_core::sc_module& m_owner;
    unsigned m_port;
    ethernet_fw_if* m_peer = nullptr;
    // Null where no one has asked for it.
    std::unique_ptr<ethernet_initiator_socket> m_socket;
    // The other end, if it is ours.
    wire_input* m_native = nullptr;
    // When the other end has the last bit of the frame sent last; kept where `is_plain` does not hold.
    picoseconds m_far_end_busy_until{0};
    // Null without a tap.
    wire_tap* m_tap = nullptr;
};

}  // namespace weir::model
