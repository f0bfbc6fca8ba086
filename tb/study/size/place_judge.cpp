#include "tb/study/size/place_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
    if (!outcome.values[goal]) {
        return true;
    }
    const std::optional<bool> holds = m_goals[goal].holds(*outcome.values[goal]);
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

std::uint64_t place_judge::unfinished(std::uint64_t most_of_a_run) const {
    return std::accumulate(m_counted.begin(), m_counted.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const run_outcome& run) {
                               return sum + std::min(most_of_a_run, run.unfinished);
                           });
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

std::optional<goal_estimate> place_judge::value(std::size_t goal) const {
    if (m_counted.empty() || m_goals[goal].is_lossless()) {
        return std::nullopt;
    }
    std::vector<std::optional<value_range>> values;
    for (const run_outcome& outcome : m_counted) {
        values.push_back(outcome.end == run_end::whole ? outcome.values[goal] : std::nullopt);
    }
    return estimate_of(values, m_goals[goal].wants_small(), m_tests[goal]);
}

goal_estimate estimate_of(const std::vector<std::optional<value_range>>& values, bool wants_small,
                          const share_test& test) {
    // Mirrored where large values are good, so that bad ones are the large ones.
    std::vector<double> at_best;
    std::vector<double> at_worst;
    for (const std::optional<value_range>& each : values) {
        const value_range value = each.value_or(value_range(wants_small ? HUGE_VAL : -HUGE_VAL));
        at_best.push_back(wants_small ? value.low : -value.high);
        at_worst.push_back(wants_small ? value.high : -value.low);
    }
    const quantile_interval best = quantile_of(at_best, test);
    const quantile_interval worst = quantile_of(at_worst, test);
    goal_estimate found{wants_small ? value_range(best.value, worst.value)
                                    : value_range(-worst.value, -best.value)};
    if (test.rule().strict) {
        return found;
    }
    const auto end = [](const std::optional<double>& proven, double sign) {
        return proven && std::isfinite(*proven) ? std::optional(sign * *proven) : std::nullopt;
    };
    found.low = wants_small ? end(best.low, 1) : end(worst.high, -1);
    found.high = wants_small ? end(worst.high, 1) : end(best.low, -1);
    return found;
}

}  // namespace weir::tb
