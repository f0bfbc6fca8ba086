// One TCP transfer, sending side: loss detection, retransmission timer, and what to send next.
//
// Segments begin at multiples of the MSS, so neither side keeps segment lengths: a sender knows the first
// byte not confirmed, the next byte to send and the highest byte ever sent, and that is all. Loss recovery
// is NewReno's (RFC 6582, the "impatient" variant); how large the window is, `congestion_control` says, and
// which path frames take, `path_choice`. The timer is RFC 6298's in whole picoseconds; one segment per window
// is timed, and none that was, or may have been, sent twice (Karn).
//
// An application may write the transfer's bytes over time (`transfer_request::written`): whole segments go as
// soon as they are written, and the window grows as far as the receive window, as where all was written at
// once.
//
//   tcp_sender s;
//   s.open(context, tcp, first_frame, {destination, owner}, slot);   // sends the first window (or a SYN)
//   if (s.on_ack(context, tcp, frame)) { ... }                       // every byte is confirmed
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"
#include "weir/traffic/tcp/tcp_context.h"
#include "weir/traffic/transport/transfer.h"
#include "weir/traffic/transport/transport_context.h"

namespace weir::traffic {

class alignas(64) tcp_sender {
 public:
    /// Starts a transfer in this slot. `header` has all that the transfer's frames have in common; `written`:
    /// as in `transfer_request`.
    void open(transport_context& context, tcp_context& tcp, const ethernet_frame& header, transfer_owner owner,
              std::uint32_t slot, const write_schedule* written = nullptr);
    /// True when this ACK confirms the last byte; the slot is then free.
    bool on_ack(transport_context& context, tcp_context& tcp, const ethernet_frame& ack);
    void on_syn_ack(transport_context& context, tcp_context& tcp);
    /// An entry of this slot's timer has come up.
    void on_timer(transport_context& context, tcp_context& tcp, const timer_entry& entry);
    /// The application has written something that the sender waited for.
    void on_written(transport_context& context, tcp_context& tcp) { transmit(context, tcp); }

    /// Where connections are cached: what this transfer, whose last byte is confirmed, leaves to the next one.
    void remember(tcp_context& tcp) const;

    bool is_open() const { return m_phase != phase::closed; }
    bool is_sending(std::uint64_t flow) const { return m_frame.transfer.flow == flow && is_open(); }
    /// The present transfer's frame, or the last one's.
    const ethernet_frame& frame() const { return m_frame; }
    transfer_owner owner() const { return m_owner; }
    std::uint32_t retransmits() const { return m_retransmits; }
    std::uint32_t timeouts() const { return m_timeouts; }
    /// Bytes sent (the highest, not the sum) and not confirmed.
    std::uint64_t flight() const { return m_max - m_una; }
    std::uint64_t una() const { return m_una; }
    bool in_recovery() const { return m_phase == phase::recovery; }
    /// Timeout that the next restart of the timer uses.
    picoseconds rto() const { return m_rto; }
    picoseconds smoothed_round_trip() const { return m_srtt; }

 private:
    enum class phase : std::uint8_t { closed, syn_sent, open, recovery };

    /// Where connections are cached: takes the round-trip estimate of the last transfer to this host.
    [[gnu::cold]] void recall(tcp_context& tcp);
    void send_syn(transport_context& context, tcp_context& tcp);
    void begin_data(transport_context& context, tcp_context& tcp);
    void transmit(transport_context& context, tcp_context& tcp);
    /// End of what may be sent now, where limits differ.
    [[gnu::cold]] std::uint64_t own_limit(transport_context& context, tcp_context& tcp);
    /// The same, of what the application writes over time.
    std::uint64_t written_limit(transport_context& context, tcp_context& tcp, std::uint64_t limit);
    void send_segment(transport_context& context, tcp_context& tcp, std::uint64_t sequence,
                      std::uint64_t payload);
    [[gnu::cold]] void retransmit_first(transport_context& context, tcp_context& tcp);
    /// An ACK in recovery; true if it restarts the timer.
    [[gnu::cold]] bool recover(transport_context& context, tcp_context& tcp, const ack_event& event);
    [[gnu::cold]] void on_duplicate_ack(transport_context& context, tcp_context& tcp, const ack_event& event);
    void on_timeout(transport_context& context, tcp_context& tcp);
    [[gnu::cold]] void take_sample(const tcp_constants& tcp, picoseconds round_trip);
    void set_rto(const tcp_constants& tcp);
    /// Between two moments, by the clock that measures round trips.
    static picoseconds elapsed(const tcp_constants& tcp, picoseconds from, picoseconds to);
    std::uint32_t slot() const { return m_frame.transfer.connection; }
    /// Tells the choice of path, where there is one, of an ACK, or of a timeout (null), and takes what it says.
    void choose_path(transport_context& context, tcp_context& tcp, const ack_event* ack) {
        if (__builtin_expect(tcp.path != nullptr, 0)) {
            ask_path(context, tcp, ack);
        }
    }
    /// An ACK of new data, for algorithms that want round-trip times or telemetry, or choose a path.
    [[gnu::cold]] void watch_ack(transport_context& context, tcp_context& tcp, ack_event& event);
    /// A segment that is about to go, for algorithms that want its time, give it a tag, or have it tell of
    /// cuts: flags to add.
    [[gnu::cold]] std::uint8_t watch_segment(const transport_context& context, tcp_context& tcp,
                                             std::uint64_t sequence, std::uint64_t end);
    [[gnu::cold]] void count_retransmit(transport_context& context);
    [[gnu::cold]] void ask_path(transport_context& context, tcp_context& tcp, const ack_event* ack);
    void restart_timer(transport_context& context) {
        m_timer.set(context.timers, context.now + m_rto,
                    timer_id(timer_kind::tcp_retransmission, m_frame.transfer.connection));
    }

    static constexpr std::uint64_t no_timing = ~std::uint64_t{0};

    // Two cache lines serve the common path: the frame that goes out, the sequence numbers. The window is with
    // the algorithm (`tcp_context::windows`).
    /// Template of every segment; only sequence, length and flags change.
    ethernet_frame m_frame;

    std::uint64_t m_una = 0;
    std::uint64_t m_next = 0;
    std::uint64_t m_max = 0;
    /// Confirming this much ends the round-trip measurement that began at `m_timed_at`.
    std::uint64_t m_timed_end = no_timing;
    picoseconds m_timed_at{0};
    picoseconds m_rto{0};
    lazy_timer m_timer;

    std::uint32_t m_duplicates = 0;
    phase m_phase = phase::closed;
    bool m_partial_ack_seen = false;
    bool m_sampled = false;

    /// RFC 6582's "recover", as the end of what was outstanding; -1: no loss so far.
    std::int64_t m_recover = -1;
    /// `m_una` at the last timeout; -1: none so far.
    std::int64_t m_timeout_una = -1;
    picoseconds m_srtt{0};
    picoseconds m_rttvar{0};
    std::uint32_t m_retransmits = 0;
    std::uint32_t m_timeouts = 0;
    transfer_owner m_owner;
};
static_assert(sizeof(tcp_sender) == 192, "three cache lines");

}  // namespace weir::traffic
