// CUBIC (RFC 9438, or RFC 8312): in congestion avoidance the window follows a cubic function of the time since
// avoidance began, which is flat where the last cut was (W_max), and it is at least as large as that of a
// sender which adds and cuts as Reno does. Slow start, recovery and windows in recovery are NewReno's.
//
// As in RFC 9438 5.8 neither the window nor the time of the curve goes on while the receive window is what
// limits the sender.
//
//   cubic algorithm{1460_B, 1, cubic_config{}};
//   cubic_state s;
//   algorithm.open(s, 10 * 1460, 1 << 20);
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {

enum class cubic_rules : std::uint8_t { rfc9438, rfc8312 };
constexpr auto names_of(cubic_rules) {
    return enum_names<cubic_rules>({
        {cubic_rules::rfc9438, "rfc9438",
         "RFC 9438: cuts what is outstanding; Reno's estimate counts segments"},
        {cubic_rules::rfc8312, "rfc8312", "RFC 8312: cuts the window; Reno's estimate is a function of time"},
    });
}

struct cubic_config {
    cubic_rules rules = cubic_rules::rfc9438;
    double c = 0.4;
    double beta = 0.7;
    bool fast_convergence = true;
    static constexpr const char* used = "tcp.congestion = cubic or cubic_ecn";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(over_tcp, used);
        fields(field("rules", &self::rules)
                   .help("The RFC that is followed. They differ in K, W_est, the quantity that is cut, and the "
                         "limits of the target.")
                   .source("RFC 9438 obsoletes RFC 8312; FreeBSD 9 and Linux up to 5 follow the drafts of the "
                           "latter"));
        fields(field("c", &self::c)
                   .range(0, 1'000, range_ends::low_excluded)
                   .help("C, the steepness of the cubic function. Unit: segments / s^3.")
                   .source("RFC 9438 5: 0.4"));
        fields(field("beta", &self::beta)
                   .range(0, 1, range_ends::both_excluded)
                   .help("Share that remains after a cut.")
                   .source("RFC 9438 4.6: 0.7; FreeBSD 9: 0.8"));
        fields(field("fast_convergence", &self::fast_convergence)
                   .help("A cut below the last W_max lowers W_max further, to make room for other flows.")
                   .source("RFC 9438 4.7"));
    }
};

/// Which rule an ACK made the window grow by.
enum class cubic_region : std::uint8_t { slow_start, reno_friendly, concave, convex };
constexpr auto names_of(cubic_region) {
    return enum_names<cubic_region>({{cubic_region::slow_start, "slow_start"},
                                     {cubic_region::reno_friendly, "reno_friendly"},
                                     {cubic_region::concave, "concave"},
                                     {cubic_region::convex, "convex"}});
}

struct cubic_state : newreno_state {
    // Unit of windows: segments.
    /// The window with its fraction of a byte, where its whole bytes are `cwnd`; else `cwnd` has none.
    double exact_cwnd = 0;
    /// 0: undefined, so the window at which avoidance begins will be it.
    double w_max = 0;
    /// Before the last cut; RFC 8312's W_last_max.
    double cwnd_prior = 0;
    double w_est = 0;
    /// Time that the cubic function takes from the beginning of avoidance to W_max. Unit: s.
    double k = 0;
    /// When avoidance began, later by the time in which the receive window was the limit.
    picoseconds epoch{0};
    /// Last ACK in avoidance.
    picoseconds last{0};
    bool in_avoidance = false;
    cubic_region region = cubic_region::slow_start;
};

class cubic : public newreno {
 public:
    using state = cubic_state;

    cubic(bytes mss, std::uint32_t slow_start_limit, const cubic_config& config);

    std::size_t state_bytes() const override { return sizeof(cubic_state); }
    void on_ack(congestion_state& s, const ack_event& ack) const override { cubic::grow(s, ack); }
    void on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const override;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override;
    bool reads_avoidance() const override { return false; }
    bool wants_smoothed_round_trip() const override { return true; }

    void grow(congestion_state& s, const ack_event& ack) const;

 private:
    void begin_avoidance(cubic_state& s, double cwnd, picoseconds now) const;
    /// The window after an ACK `t` seconds into avoidance. Unit: segments.
    double grown(cubic_state& s, double cwnd, double t, const ack_event& ack) const;
    double window_at(const cubic_state& s, double t) const;
    /// What a cut leaves; W_max and `cwnd_prior` become what they are after it. Unit: segments.
    double cut(cubic_state& s, std::uint64_t flight) const;

    /// Whole bytes of so many segments.
    std::uint64_t whole(double segments) const;
    double exact(const cubic_state& s) const;

    cubic_config m_config;
    double m_segment;
    /// Segments that Reno's estimate adds per round trip, so that it is as large as Reno's on average.
    double m_alpha;
};

}  // namespace weir::traffic
