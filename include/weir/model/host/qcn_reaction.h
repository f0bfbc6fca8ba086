// QCN's reaction point: how fast a rate limiter sends (R. Pan, pseudo-code of IEEE 802.1, 2007; 802.1Qau).
//
//     notification    target = current, unless no cycle of the byte counter is over since the last one
//                     (with qcn.cycles = reset always)
//                     current *= max(least_share, 1 - gain F_b)
//     end of a cycle  of the byte counter or of the timer: target += 0 (fast recovery), active_increase, or
//                     n hyper_increase; current = (current + target) / 2
//
// A limiter is made by a notification, and is gone when a frame is sent while its rate is the link's. When
// phases begin and cycles are halved, `qcn.cycles` says. Each call that begins a cycle is given a factor for
// its length.
//
//   const qcn_reaction rule{qcn_config{}, 10_Gbps};
//   qcn_limit s;
//   rule.on_notification(s, 63, 0_ps, 1, 1);  // s.current == 5.078125e9
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/qcn_config.h"

namespace weir::model {

/// Of one limiter; as made, it limits nothing.
struct qcn_limit {
    /// R_C and R_T. Unit: bit/s. Of a limiter that limits.
    double current = 0;
    double target = 0;
    std::uint32_t byte_stage = 0;
    std::uint32_t timer_stage = 0;
    /// Of the byte counter's cycle.
    double bytes_left = 0;
    /// When the timer's cycle ends; `never` where nothing is limited.
    picoseconds timer_at = never;

    bool limits() const { return timer_at != never; }
};

enum class qcn_phase : std::uint8_t { off, fast, active, hyper };
enum class qcn_sent : std::uint8_t { counted, cycle_over, released };

class qcn_reaction {
 public:
    /// `line`: the link's rate.
    qcn_reaction(const qcn_config& config, bit_rate line);

    /// `feedback`: range 1-63. Both cycles may begin anew.
    void on_notification(qcn_limit& s, std::uint8_t feedback, picoseconds now, double byte_factor,
                         double timer_factor) const;
    /// A frame is sent.
    qcn_sent on_sent(qcn_limit& s, std::uint32_t frame_bytes, double factor) const;
    /// The timer's cycle is over: at `timer_at`.
    void on_timer(qcn_limit& s, double factor) const;
    qcn_phase phase(const qcn_limit& s) const;

 private:
    bool is_half(qcn_phase before, std::uint32_t stage) const;
    void increase(qcn_limit& s) const;

    qcn_cycles m_cycles;
    double m_gain;
    double m_least_share;
    double m_byte_limit;
    picoseconds m_timer;
    std::uint32_t m_fast_recovery;
    bool m_extra_fast_recovery;
    // Unit: bit/s.
    double m_line;
    double m_active;
    double m_hyper;
    double m_min;
};

}  // namespace weir::model
