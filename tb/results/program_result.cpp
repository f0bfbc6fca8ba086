#include "tb/results/program_result.h"

#include <algorithm>

#include "tb/results/summary_writer.h"

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
    nlohmann::ordered_json made{{"ranks", m_ranks}, {"ranks_done", m_done}};
    const bool is_whole = m_done == m_ranks;
    made["time_ns"] = is_whole ? json_ns(m_longest) : nlohmann::ordered_json();
    made["ideal_ns"] = json_ns(m_ideal_end);
    made["slowdown"] = is_whole && m_ideal_end > picoseconds{0}
                           ? nlohmann::ordered_json(static_cast<double>(m_longest.count()) /
                                                    static_cast<double>(m_ideal_end.count()))
                           : nlohmann::ordered_json();
    return made;
}

}  // namespace weir::tb
