#include "tb/size/place_judge.h"

#include <algorithm>
#include <cmath>

namespace weir::tb {

place_judge::place_judge(const std::vector<size_goal>& goals, double error)
    : m_goals(goals),
      m_misses(goals.size()),
      m_undecided(goals.size()),
      m_goal_states(goals.size(), verdict::not_decided) {
    for (const size_goal& goal : goals) {
        m_tests.emplace_back(goal.rule, error);
    }
}

void place_judge::allow(std::size_t runs) {
    m_most = std::max(m_most, runs);
    while (!settled() && !m_failure && !m_early.empty() && m_early.begin()->first == m_counted.size()) {
        count(std::move(m_early.begin()->second));
        m_early.erase(m_early.begin());
    }
}

void place_judge::add(std::size_t index, run_outcome outcome) {
    if (index >= m_counted.size()) {
        m_early.emplace(index, std::move(outcome));
        allow(m_most);
    }
}

std::optional<bool> place_judge::misses_goal(const run_outcome& outcome, std::size_t goal) const {
    if (outcome.end != run_end::whole || m_goals[goal].is_lossless()) {
        return outcome.end != run_end::whole;
    }
    const std::optional<double>& value = outcome.values[goal];
    if (!value) {
        return true;
    }
    const std::optional<bool> holds = outcome.lower_bounds.count(goal) == 0
                                          ? std::optional(m_goals[goal].holds(*value))
                                          : m_goals[goal].holds_from(*value);
    return holds ? std::optional(!*holds) : std::nullopt;
}

verdict place_judge::decide(std::size_t goal) const {
    const std::size_t runs = m_counted.size();
    const verdict at_best = m_tests[goal].decide(m_misses[goal], runs);
    const verdict at_worst = m_tests[goal].decide(m_misses[goal] + m_undecided[goal], runs);
    return at_best == at_worst ? at_best : verdict::not_decided;
}

std::size_t place_judge::ended(run_end how) const {
    return static_cast<std::size_t>(std::count_if(m_counted.begin(), m_counted.end(),
                                                  [&](const run_outcome& run) { return run.end == how; }));
}

void place_judge::count(run_outcome outcome) {
    if (outcome.end == run_end::failure) {
        m_failure = std::move(outcome.message);
        return;
    }
    m_counted.push_back(std::move(outcome));
    bool all_met = true;
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        const std::optional<bool> misses = misses_goal(m_counted.back(), g);
        m_misses[g] += misses == true ? 1 : 0;
        m_undecided[g] += misses ? 0 : 1;
        verdict& state = m_goal_states[g];
        const bool late_miss = m_goals[g].rule.strict && m_misses[g] > 0;
        if (state == verdict::not_decided || late_miss) {
            state = decide(g);
        }
        all_met = all_met && state == verdict::met;
        if (state == verdict::not_met) {
            m_state = verdict::not_met;
        }
    }
    if (all_met) {
        m_state = verdict::met;
    }
}

std::size_t place_judge::needed() const {
    if (settled() || m_failure) {
        return m_counted.size();
    }
    const std::size_t n = m_counted.size();
    const std::size_t most = m_most - n;
    std::size_t more = 0;
    std::size_t refuting = most;
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        if (m_goal_states[g] == verdict::not_decided) {
            const std::size_t further = m_tests[g].least_further(m_misses[g], n, most);
            more = std::max(more, further);
            refuting = m_tests[g].rule().strict ? refuting : std::min(refuting, further);
        }
    }
    return n + std::max<std::size_t>(1, std::min(more, refuting));
}

share_interval place_judge::miss_share(std::size_t goal) const {
    const std::size_t at_worst = m_misses[goal] + m_undecided[goal];
    return {proven_share(m_misses[goal], m_counted.size(), m_tests[goal]).low,
            proven_share(at_worst, m_counted.size(), m_tests[goal]).high};
}

std::optional<quantile_interval> place_judge::value(std::size_t goal) const {
    if (m_counted.empty() || m_goals[goal].is_lossless()) {
        return std::nullopt;
    }
    // Mirrored where large values are good, so that bad ones are the large ones.
    const double sign = m_goals[goal].wants_small() ? 1 : -1;
    std::vector<double> at_best;
    std::vector<double> at_worst;
    for (const run_outcome& outcome : m_counted) {
        const bool has = outcome.end == run_end::whole && outcome.values[goal];
        const double value = has ? sign * *outcome.values[goal] : HUGE_VAL;
        const bool is_bound = has && outcome.lower_bounds.count(goal) > 0;
        at_best.push_back(is_bound && sign < 0 ? -HUGE_VAL : value);
        at_worst.push_back(is_bound && sign > 0 ? HUGE_VAL : value);
    }
    quantile_interval found = quantile_of(at_worst, m_tests[goal]);
    found.low = quantile_of(at_best, m_tests[goal]).low;
    if (m_tests[goal].rule().strict) {
        return quantile_interval{sign * found.value, {}, {}};
    }
    found.value *= sign;
    if (sign < 0) {
        std::swap(found.low, found.high);
    }
    for (std::optional<double>* end : {&found.low, &found.high}) {
        if (*end) {
            **end *= sign;
        }
        if (*end && !std::isfinite(**end)) {
            end->reset();
        }
    }
    return found;
}

}  // namespace weir::tb
