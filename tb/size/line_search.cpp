#include "tb/size/line_search.h"

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
        // What the bisection found beyond the last miss.
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

}  // namespace weir::tb
