// DCQCN as adapters of Mellanox have it, by the rules of HPCC's simulator (alibaba-edu/
// High-Precision-Congestion-Control, rdma-hw.cc), in whole bits per second.
//
// A CNP sets two flags; what it causes waits for ticks of its queue pair's own clocks, which begin with the
// first CNP and go on for ever:
//
//     first CNP       alpha = 1; rate and target = first_rate x rate; the clocks start
//     alpha tick      alpha = (1 - g) alpha, + g with the flag; the first CNP does not set it
//     decrease tick   with the flag: target = rate (without `clamp_target` only after an increase),
//                     rate = max(min_rate, rate (1 - alpha / 2)); stage = 0; the increase timer restarts
//     increase timer  stage < F: halfway to the target; stage = F: target += additive_increase first
//                     stage > F: target += hyper_increase first; in each case stage += 1 at the end
//
// There is no byte counter. The decrease clock runs 1 ns behind the alpha clock. What is due at one time comes
// in the order in which it was set up, CNPs first.
//
//   const dcqcn_mellanox rule{dcqcn_config{}, 40_Gbps};
//   dcqcn_mellanox_state s;
//   rule.open(s);
//   rule.on_notification(s, 0_ps);            // a flag: the rate is still 40 Gb/s
//   rule.advance(s, 50'001ns);                // 20 Gb/s
#pragma once

#include <array>

#include "weir/traffic/roce/rate_control.h"
#include "weir/traffic/roce/roce_config.h"

namespace weir::traffic {

struct dcqcn_mellanox_state : rate_state {
    enum clock : std::uint8_t { alpha_clock, decrease_clock, increase_clock, clocks };
    struct tick {
        picoseconds at = never;
        /// Of two at one time the one with the smaller number comes first.
        std::uint64_t order = 0;
    };

    bit_rate target{0};
    double alpha = 1;
    std::uint32_t stage = 0;
    bool has_notification = false;
    bool alpha_flag = false;
    bool decrease_flag = false;
    std::array<tick, clocks> ticks{};
    std::uint64_t orders = 0;
};

class dcqcn_mellanox final : public rate_control {
 public:
    /// `line`: the link's rate.
    dcqcn_mellanox(const dcqcn_config& config, bit_rate line);

    std::size_t state_bytes() const override { return sizeof(dcqcn_mellanox_state); }
    void open(rate_state& s) const override;
    void on_notification(rate_state& s, picoseconds now) const override;
    void on_sent(rate_state&, std::uint64_t) const override {}
    void advance(rate_state& s, picoseconds now) const override;

    /// When the next clock ticks.
    static picoseconds next_tick(const dcqcn_mellanox_state& s);
    /// That clock ticks. A decrease tick without its flag is `decrease`, too, and changes nothing.
    dcqcn_event tick(dcqcn_mellanox_state& s) const;

 private:
    using state = dcqcn_mellanox_state;

    static void set(state& s, state::clock clock, picoseconds at) { s.ticks[clock] = {at, s.orders++}; }
    static state::clock next_clock(const state& s);
    void decrease(state& s, picoseconds now) const;
    dcqcn_event increase(state& s) const;

    double m_gain;
    double m_first_rate;
    bool m_clamp_target;
    picoseconds m_alpha_timer;
    picoseconds m_decrease_interval;
    picoseconds m_increase_timer;
    std::uint32_t m_fast_recovery;
    bit_rate m_line;
    bit_rate m_additive;
    bit_rate m_hyper;
    bit_rate m_min;
};

}  // namespace weir::traffic
