// How far a simulation is: its status line.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ostream>

#include "tb/support/process/status_line.h"
#include "weir/base/time.h"

namespace weir::tb {

class run_progress {
 public:
    /// `end`: of the simulated time, or `never` where it is not known.
    run_progress(std::ostream& err, bool enabled, picoseconds end)
        : m_line(err, enabled), m_enabled(enabled), m_end(end) {}

    /// At a barrier. Looks at the clock now and then only.
    void show(picoseconds simulated, std::uint64_t flows_completed) {
        if (m_enabled && ++m_calls % 64 == 0 && m_line.due()) {
            update(simulated, flows_completed);
        }
    }

 private:
    void update(picoseconds simulated, std::uint64_t flows_completed) {
        const double wall = m_line.seconds();
        const double ms = std::chrono::duration<double, std::milli>(simulated).count();
        const auto flows = static_cast<unsigned long long>(flows_completed);
        char text[160];
        if (m_end == never) {
            std::snprintf(text, sizeof text, "%.3f ms simulated, %.3f ms/s, %llu transfers complete", ms,
                          ms / wall, flows);
        } else {
            const double end = std::chrono::duration<double, std::milli>(m_end).count();
            std::snprintf(text, sizeof text,
                          "%.3f of %.3f ms simulated, %.3f ms/s, %.0f s left, %llu transfers complete", ms, end,
                          ms / wall, (end - ms) * wall / ms, flows);
        }
        m_line.show(text);
    }

    status_line m_line;
    bool m_enabled;
    picoseconds m_end;
    std::uint64_t m_calls = 0;
};

}  // namespace weir::tb
