#include "tb/study/size/size_search.h"

#include <algorithm>
#include <utility>

namespace weir::tb {

std::vector<place_demand> line_search::next(const look& at) {
    m_look = &at;
    m_demands.clear();
    m_answer = {};
    if (m_places == 0) {
        m_answer.state = verdict::not_possible;
        return {};
    }
    const std::size_t best = m_places - 1;
    const bool best_settled = settle(best, m_limits.runs);
    const bool worst_settled = best == 0 ? best_settled : settle(0, m_limits.runs);
    if (!best_settled || !worst_settled) {
        return m_demands;
    }
    if (state(best) == verdict::met) {
        m_answer.place = state(0) == verdict::met ? std::optional<std::size_t>(0) : bisect(0, best);
    }
    if (!m_demands.empty() || !settle_curve()) {
        return m_demands;
    }
    conclude();
    return m_demands;
}

bool line_search::settle(std::size_t position, std::size_t runs) {
    const bool settled = (*m_look)(position, runs).settled;
    if (!settled) {
        m_demands.push_back({position, runs});
    }
    return settled;
}

std::optional<std::size_t> line_search::bisect(std::size_t low, std::size_t high) {
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        if (!settle(middle, m_limits.runs)) {
            return std::nullopt;
        }
        (state(middle) == verdict::met ? high : low) = middle;
    }
    return high;
}

bool line_search::settle_curve() {
    bool all = true;
    for (std::size_t i = 0; i < m_limits.curve && m_limits.curve > 1; ++i) {
        const std::size_t position = (i * (m_places - 1) + (m_limits.curve - 1) / 2) / (m_limits.curve - 1);
        const bool seen_before = !m_demands.empty() && m_demands.back().position == position;
        all = (seen_before || settle(position, m_limits.curve_runs)) && all;
    }
    return all;
}

void line_search::conclude() {
    std::optional<std::size_t> first_met;
    for (std::size_t p = 0; p < m_places; ++p) {
        if (state(p) == verdict::met && !first_met) {
            first_met = p;
        }
        if (state(p) == verdict::not_met) {
            m_answer.late_miss = p;
        }
    }
    if (first_met && m_answer.late_miss && *first_met < *m_answer.late_miss) {
        m_answer.early_met = first_met;
    }
    if (m_answer.place && m_answer.late_miss && *m_answer.late_miss > *m_answer.place) {
        // The best end is met, so there is a met place beyond.
        std::size_t high = *m_answer.late_miss + 1;
        while (state(high) != verdict::met) {
            ++high;
        }
        m_answer.place = bisect(*m_answer.late_miss, high);
        if (!m_answer.place) {
            return;
        }
        // Values beyond the last miss that the bisection has looked at.
        for (std::size_t p = *m_answer.late_miss; p < *m_answer.place; ++p) {
            if (state(p) == verdict::not_met) {
                m_answer.late_miss = p;
            }
        }
    }
    if (m_answer.place) {
        m_answer.state = verdict::met;
        for (std::size_t p = 0; p < *m_answer.place; ++p) {
            if (state(p) == verdict::not_met) {
                m_answer.refuted = p;
            }
        }
        m_answer.sharp = *m_answer.place == 0 || m_answer.refuted == *m_answer.place - 1;
    } else if (state(m_places - 1) == verdict::not_met && !first_met) {
        m_answer.state = verdict::not_met;
    }
}

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
        const std::size_t needed = judge.needed();
        for (std::size_t index = judge.runs(); index < needed; ++index) {
            runs.push_back({point, index});
        }
    }
    return runs;
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

line_answer size_search::answer(std::size_t line) const {
    line_answer found = m_searches[line].answer();
    for (std::optional<std::size_t>* place :
         {&found.place, &found.refuted, &found.early_met, &found.late_miss}) {
        if (*place) {
            *place = m_lines[line][**place];
        }
    }
    return found;
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
