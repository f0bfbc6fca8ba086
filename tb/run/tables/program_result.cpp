#include "tb/run/tables/program_result.h"

#include <algorithm>

#include "tb/run/samples/json_values.h"

namespace weir::tb {

program_result::program_result(std::vector<picoseconds> ideal_ends) : m_ideal(std::move(ideal_ends)) {
    for (const picoseconds end : m_ideal) {
        if (end != never) {
            m_ideal_end = std::max(m_ideal_end, end);
            ++m_ranks;
        }
    }
}

void program_result::add(const job_record& job) {
    ++m_done;
    m_longest = std::max(m_longest, job.end - job.start);
}

nlohmann::ordered_json program_result::summary() const {
    const bool is_whole = m_done == m_ranks;
    const double slowdown = static_cast<double>(m_longest.count()) / static_cast<double>(m_ideal_end.count());
    return {{"ranks", m_ranks},
            {"ranks_done", m_done},
            {"time_ns", if_there(is_whole, json_ns(m_longest))},
            {"ideal_ns", json_ns(m_ideal_end)},
            {"slowdown", if_there(is_whole && m_ideal_end > picoseconds{0}, slowdown)}};
}

}  // namespace weir::tb
