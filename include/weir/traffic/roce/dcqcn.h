// DCQCN's reaction point as its paper has it (Zhu et al., SIGCOMM 2015, section 3.1, figure 7), in real
// numbers.
//
//     CNP             target = current; current *= 1 - alpha / 2; alpha = (1 - g) alpha + g; all counts to 0
//     alpha timer     alpha = (1 - g) alpha
//     increase timer  T += 1, and an increase
//     byte counter    B += 1, and an increase
//
// An increase takes the rate half of the way to the target: in fast recovery (max(T, B) < F) without more, else
// after target += additive_increase, or, in hyper increase (min(T, B) > F), target += hyper_increase x (min(T,
// B) - F) as QCN has it. The paper's text leaves open: the target is at most the link's rate, a cut goes down
// to `min_rate` at most. Before the first CNP the queue pair sends at the link's rate, and no timer runs.
//
//   const dcqcn rule{dcqcn_config{}, 40_Gbps};
//   dcqcn_state s;
//   rule.open(s);
//   rule.on_notification(s, 0_ps);            // s.current == 20e9, s.target == 40e9
#pragma once

#include "weir/traffic/roce/rate_control.h"
#include "weir/traffic/roce/roce_config.h"

namespace weir::traffic {

struct dcqcn_state : rate_state {
    /// R_C and R_T. Unit: bit/s. `rate` is `current` without its fraction.
    double current = 0;
    double target = 0;
    double alpha = 1;
    /// T and B.
    std::uint32_t timer_stage = 0;
    std::uint32_t byte_stage = 0;
    /// When the timers run out; `never` before the first CNP.
    picoseconds alpha_at = never;
    picoseconds increase_at = never;
    /// Until the byte counter runs out. Counted from the first CNP on.
    std::uint64_t bytes_left = 0;
};

class dcqcn final : public rate_control {
 public:
    /// `line`: the link's rate.
    dcqcn(const dcqcn_config& config, bit_rate line);

    std::size_t state_bytes() const override { return sizeof(dcqcn_state); }
    void open(rate_state& s) const override;
    void on_notification(rate_state& s, picoseconds now) const override;
    void on_sent(rate_state& s, std::uint64_t wire_bytes) const override;
    void advance(rate_state& s, picoseconds now) const override;

    /// When the next timer runs out.
    static picoseconds next_timer(const dcqcn_state& s);
    /// That timer runs out; of two at one time, the increase timer is the first.
    dcqcn_event expire(dcqcn_state& s) const;
    dcqcn_event on_byte_counter(dcqcn_state& s) const;

 private:
    dcqcn_event increase(dcqcn_state& s) const;
    void set_current(dcqcn_state& s, double current) const;

    double m_gain;
    picoseconds m_alpha_timer;
    picoseconds m_increase_timer;
    std::uint64_t m_byte_counter;
    std::uint32_t m_fast_recovery;
    // Unit: bit/s.
    double m_line;
    double m_additive;
    double m_hyper;
    double m_min;
};

}  // namespace weir::traffic
