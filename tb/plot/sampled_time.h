// The time axis of what is sampled during runs: which part of it is drawn, and what its label says about it.
//
//   sampled_time time;
//   time.include({15e6, 16e6, 17e6}, {0, 4, 2});
//   time.label();      // Time [ms] (axis starts at 15 ms: first sample)
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tb/plot/plot_axis.h"

namespace weir::tb {

class sampled_time {
 public:
    /// One series. Unit: ns.
    void include(const std::vector<double>& time_ns, const std::vector<double>& values);

    axis_unit unit() const { return time_unit(m_last_ns); }
    /// From 0; from the first sample, where a warm-up is not sampled; from where there first is anything to
    /// see, if that is beyond the middle.
    plot_axis axis() const;
    std::string label() const;

 private:
    bool starts_idle() const {
        return m_active_ns - m_first_ns > (m_last_ns - m_first_ns) / 2 && m_active_ns < m_last_ns;
    }

    double m_first_ns = HUGE_VAL;
    /// The last sample before the first that is above 0.
    double m_active_ns = HUGE_VAL;
    double m_last_ns = 0;
};

}  // namespace weir::tb
