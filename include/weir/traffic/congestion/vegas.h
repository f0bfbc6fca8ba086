// Vegas (L. Brakmo, L. Peterson: TCP Vegas: end to end congestion avoidance on a global Internet, IEEE JSAC
// 13(8), 1995): once per round trip a sender works out how many of its segments wait in queues, from how much
// longer this round trip is than the shortest one, and keeps that number between alpha and beta. Slow start
// doubles every other round trip, and ends when more than gamma segments wait. Losses and recovery are
// NewReno's; the paper's check of a fine-grained timeout at each duplicate ACK is not modelled.
//
//   vegas algorithm{1460_B, 1, vegas_config{}};
//   vegas_state s;
//   algorithm.open(s, 10 * 1460, 1 << 20);
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {

struct vegas_config {
    double alpha = 2;
    double beta = 4;
    double gamma = 1;
    static constexpr const char* used = "tcp.congestion = vegas or vegas_ecn";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(over_tcp, used);
        fields(
            field("alpha", &self::alpha)
                .range(0, 65'535)
                .help(
                    "The window grows by a segment if fewer segments than this wait in queues. Unit: segments.")
                .source("Vegas 4.2 tries 1 and 3, and 2 and 4; ns-3: 2"));
        fields(field("beta", &self::beta)
                   .range(0, 65'535)
                   .help("The window shrinks by a segment if more segments than this wait in queues; at least "
                         "vegas.alpha. Unit: segments.")
                   .source("Vegas 4.2; ns-3: 4"));
        fields(field("gamma", &self::gamma)
                   .range(0, 65'535)
                   .help("Slow start ends if more segments than this wait in queues. Unit: segments.")
                   .source("Vegas 4.3; ns-3: 1"));
    }

    config_errors validate() const;
};

/// What the end of a cycle did.
enum class vegas_decision : std::uint8_t { slow_start, leave_slow_start, up, hold, down };
constexpr auto names_of(vegas_decision) {
    return enum_names<vegas_decision>({{vegas_decision::slow_start, "slow_start"},
                                       {vegas_decision::leave_slow_start, "leave_slow_start"},
                                       {vegas_decision::up, "up"},
                                       {vegas_decision::hold, "hold"},
                                       {vegas_decision::down, "down"}});
}

struct vegas_state : newreno_state {
    /// Shortest that was measured; 0 before the first one.
    picoseconds base_round_trip{0};
    /// The first ACK beyond it that measures a round trip ends the cycle. Unit: B.
    std::uint64_t cycle_end = 0;
    bool in_avoidance = false;
    /// In slow start: whether this is a cycle in which the window doubles.
    bool doubles = false;
    vegas_decision decision = vegas_decision::slow_start;
};

class vegas : public newreno {
 public:
    using state = vegas_state;

    vegas(bytes mss, std::uint32_t slow_start_limit, const vegas_config& config);

    std::size_t state_bytes() const override { return sizeof(vegas_state); }
    void open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const override;
    void on_ack(congestion_state& s, const ack_event& ack) const override {
        vegas::note_ack(s, ack);
        vegas::grow(s, ack);
    }
    void on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const override;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override;
    bool reads_avoidance() const override { return false; }
    bool wants_round_trips() const override { return true; }

    void grow(congestion_state& s, const ack_event& ack) const;
    void note_ack(congestion_state& s, const ack_event& ack) const override;
    /// The paper's Diff times BaseRTT: segments of this window that wait where a round trip takes so long.
    double waiting_segments(const vegas_state& s, picoseconds round_trip) const;

 private:
    void end_cycle(vegas_state& s, const ack_event& ack) const;

    vegas_config m_config;
    double m_segment;
};

}  // namespace weir::traffic
