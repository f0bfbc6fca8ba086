#include "tb/size/size_search.h"

#include <algorithm>
#include <utility>

namespace weir::tb {

// Bonferroni: every point may be judged, whatever the search will ask, with every goal.
size_search::size_search(std::vector<std::vector<std::size_t>> lines, std::size_t points,
                         const std::vector<size_goal>& goals, const limits& l)
    : m_lines(std::move(lines)),
      m_error((1 - l.confidence) / static_cast<double>(std::max<std::size_t>(1, points * goals.size()))),
      m_judges(points, place_judge(goals, m_error)) {
    for (const std::vector<std::size_t>& line : m_lines) {
        m_searches.emplace_back(line.size(), l);
    }
    advance();
}

std::vector<wanted_run> size_search::wanted() const {
    std::vector<wanted_run> runs;
    for (const std::size_t point : m_demanded) {
        const place_judge& judge = m_judges[point];
        for (std::size_t index = judge.runs(); index < judge.needed(); ++index) {
            runs.push_back({point, index});
        }
    }
    return runs;
}

bool size_search::wants(const wanted_run& run) const {
    const bool demanded = std::find(m_demanded.begin(), m_demanded.end(), run.point) != m_demanded.end();
    const place_judge& judge = m_judges[run.point];
    return demanded && run.index >= judge.runs() && run.index < judge.needed();
}

void size_search::add(std::size_t point, std::size_t index, run_outcome outcome) {
    m_judges[point].add(index, std::move(outcome));
    if (m_judges[point].settled() || m_judges[point].failure()) {
        advance();
    }
}

void size_search::advance() {
    // Runs that came early may settle a place as soon as it may have more of them.
    for (bool again = true; again;) {
        m_demanded.clear();
        again = false;
        bool failed = false;
        for (std::size_t l = 0; l < m_lines.size() && !failed; ++l) {
            for (const place_demand& demand : next_of(l)) {
                const std::size_t point = m_lines[l][demand.position];
                m_judges[point].allow(demand.runs);
                m_demanded.push_back(point);
                again = again || m_judges[point].settled();
            }
            failed = has_failed(l);
        }
    }
}

bool size_search::finished() const {
    return std::all_of(m_demanded.begin(), m_demanded.end(),
                       [&](std::size_t point) { return m_judges[point].failure().has_value(); });
}

std::optional<wanted_run> size_search::failure() const {
    for (std::size_t point = 0; point < m_judges.size(); ++point) {
        if (m_judges[point].failure()) {
            return wanted_run{point, m_judges[point].runs()};
        }
    }
    return std::nullopt;
}

bool size_search::has_failed(std::size_t l) const {
    return std::any_of(m_lines[l].begin(), m_lines[l].end(),
                       [&](std::size_t point) { return m_judges[point].failure().has_value(); });
}

std::vector<place_demand> size_search::next_of(std::size_t l) {
    return m_searches[l].next([&](std::size_t position, std::size_t runs) {
        const place_judge& judge = m_judges[m_lines[l][position]];
        const bool decided = judge.state() != verdict::not_decided;
        return line_search::place_state{judge.state(), decided || judge.runs() >= runs};
    });
}

}  // namespace weir::tb
