// How far a simulation is: its status line.
#pragma once

#include <cstdint>
#include <ostream>

#include "tb/process/status_line.h"
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
    void update(picoseconds simulated, std::uint64_t flows_completed);

    status_line m_line;
    bool m_enabled;
    picoseconds m_end;
    std::uint64_t m_calls = 0;
};

}  // namespace weir::tb
