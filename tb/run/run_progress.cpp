#include "tb/run/run_progress.h"

#include <chrono>
#include <cstdio>

namespace weir::tb {

void run_progress::update(picoseconds simulated, std::uint64_t flows_completed) {
    const double wall = m_line.seconds();
    const double ms = std::chrono::duration<double, std::milli>(simulated).count();
    const auto flows = static_cast<unsigned long long>(flows_completed);
    char text[160];
    if (m_end == never) {
        std::snprintf(text, sizeof text, "%.3f ms simulated, %.3f ms/s, %llu transfers complete", ms, ms / wall,
                      flows);
    } else {
        const double end = std::chrono::duration<double, std::milli>(m_end).count();
        std::snprintf(text, sizeof text,
                      "%.3f of %.3f ms simulated, %.3f ms/s, %.0f s left, %llu transfers complete", ms, end,
                      ms / wall, (end - ms) * wall / ms, flows);
    }
    m_line.show(text);
}

}  // namespace weir::tb
