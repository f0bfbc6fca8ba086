#include "tb/compare/stream_alignment.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace weir {

const char* name_of(mismatch_kind kind) {
    switch (kind) {
        case mismatch_kind::missing:
            return "missing";
        case mismatch_kind::extra:
            return "extra";
        case mismatch_kind::late:
            return "late";
        default:
            return "different";
    }
}

pair_check check_pair(const stream_event& expected, const stream_event& actual, const match_limits& limits,
                      std::int64_t offset) {
    pair_check check;
    check.same_values = expected.values == actual.values;
    check.in_time = std::abs(actual.time - offset - expected.time) <= limits.tolerance;
    check.same_durations = true;
    for (std::size_t d = 0; d < expected.durations.size() && check.same_durations; ++d) {
        const std::int64_t e = expected.durations[d];
        const std::int64_t a = actual.durations[d];
        check.same_durations =
            e == no_duration || a == no_duration ? e == a : std::abs(a - e) <= limits.duration_tolerance;
    }
    return check;
}

namespace {

/// Weights of errors. A missing and an extra event together weigh more than one pair that is late or
/// different, so that a shifted or changed event is called that; two late ones weigh more than one that is
/// missing, so that a dropped event is the one that is named. What is different in its place weighs less than
/// what is the same elsewhere: in a slotted trace equal lines come again and again.
constexpr std::uint32_t gap_weight = 1000;
/// Of events at the end of a window whose partners may be beyond it.
constexpr std::uint32_t beyond_weight = 750;
constexpr std::uint32_t different_weight = 1100;
constexpr std::uint32_t late_weight = 1300;
/// Grows with the distance towards this and never reaches it. The half of it is at `half_late` cycles.
constexpr std::uint32_t most_distance_weight = 600;
constexpr std::int64_t half_late = 64;
constexpr std::uint32_t late_and_longer_weight = 50;
constexpr std::uint32_t no_pair = 1u << 30;

/// Events of each stream that are looked at together; more are taken in steps of half a window.
/// A longer run of missing events is still found, but may be called late in part.
constexpr std::size_t window = 256;
/// So many matches in a row end a window early: the streams agree again.
constexpr std::size_t enough_matches = 16;

class aligner {
 public:
    aligner(const std::vector<stream_event>& expected, const std::vector<stream_event>& actual,
            const match_limits& limits, std::int64_t offset)
        : m_expected(expected), m_actual(actual), m_limits(limits), m_offset(offset) {}

    alignment run() {
        while (m_e < m_expected.size() || m_a < m_actual.size()) {
            if (m_e == m_expected.size() || m_a == m_actual.size()) {
                step(m_e < m_expected.size(), m_a < m_actual.size());
            } else if (weight(m_e, m_a) == 0) {
                step(true, true);
            } else {
                align_window();
            }
        }
        if (m_limits.reorder_depth > 0) {
            pair_reordered();
            pair_neighbours();
        }
        count_errors();
        return std::move(m_result);
    }

 private:
    std::uint32_t weight(std::size_t e, std::size_t a) const {
        const pair_check check = check_pair(m_expected[e], m_actual[a], m_limits, m_offset);
        if (check.good()) {
            return 0;
        }
        if (check.in_time) {
            // With reordering, a swap must not look like two different events.
            return m_limits.reorder_depth > 0 ? no_pair : different_weight;
        }
        if (!check.same_values) {
            return no_pair;
        }
        const std::int64_t distance = std::abs(m_actual[a].time - m_offset - m_expected[e].time);
        return late_weight +
               static_cast<std::uint32_t>(most_distance_weight * static_cast<double>(distance) /
                                          static_cast<double>(distance + half_late)) +
               (check.same_durations ? 0 : late_and_longer_weight);
    }

    void step(bool expected, bool actual) {
        m_result.steps.push_back(
            {expected ? static_cast<std::int64_t>(m_e++) : -1, actual ? static_cast<std::int64_t>(m_a++) : -1});
    }

    /// The lightest alignment of the next events of both streams; follows it until they agree again.
    void align_window() {
        const std::size_t rows = std::min(window, m_expected.size() - m_e);
        const std::size_t columns = std::min(window, m_actual.size() - m_a);
        const bool whole = m_e + rows == m_expected.size() && m_a + columns == m_actual.size();
        // What the rest from (row, column) weighs.
        const std::size_t width = columns + 1;
        m_rest.assign((rows + 1) * width, 0);
        for (std::size_t r = rows + 1; r-- > 0;) {
            for (std::size_t c = columns + 1; c-- > 0;) {
                if (r == rows || c == columns) {
                    m_rest[r * width + c] = (whole ? gap_weight : beyond_weight) *
                                            static_cast<std::uint32_t>(rows - r + columns - c);
                    continue;
                }
                const std::uint32_t gap =
                    gap_weight + std::min(m_rest[(r + 1) * width + c], m_rest[r * width + c + 1]);
                m_rest[r * width + c] =
                    std::min(gap, weight(m_e + r, m_a + c) + m_rest[(r + 1) * width + c + 1]);
            }
        }
        const std::size_t far_enough = whole ? window : window / 2;
        std::size_t matches = 0;
        std::size_t r = 0;
        std::size_t c = 0;
        while (r < std::min(rows, far_enough) && c < std::min(columns, far_enough) &&
               matches < enough_matches) {
            const std::uint32_t rest = m_rest[r * width + c];
            const std::uint32_t pair = weight(m_e, m_a);
            if (rest == pair + m_rest[(r + 1) * width + c + 1]) {
                matches = pair == 0 ? matches + 1 : 0;
                step(true, true);
                ++r;
                ++c;
            } else if (rest == gap_weight + m_rest[(r + 1) * width + c]) {
                matches = 0;
                step(true, false);
                ++r;
            } else {
                matches = 0;
                step(false, true);
                ++c;
            }
        }
    }

    /// Number of steps before each step that have an expected, or an actual, event.
    std::vector<std::size_t> counts(std::int64_t alignment_step::*side) const {
        std::vector<std::size_t> before{0};
        for (const alignment_step& s : m_result.steps) {
            before.push_back(before.back() + (s.*side >= 0 ? 1 : 0));
        }
        return before;
    }

    /// A missing event and an extra one that are equal are one event that has moved.
    void pair_reordered() {
        std::vector<alignment_step>& steps = m_result.steps;
        const auto expected_before = counts(&alignment_step::expected);
        const auto actual_before = counts(&alignment_step::actual);
        std::map<std::uint32_t, std::vector<std::size_t>> extra;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (steps[s].expected < 0) {
                extra[m_actual[steps[s].actual].values].push_back(s);
            }
        }
        const auto between = [](const std::vector<std::size_t>& before, std::size_t a, std::size_t b) {
            return before[std::max(a, b)] - before[std::min(a, b) + 1];
        };
        std::vector<bool> taken(steps.size());
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (steps[s].actual >= 0) {
                continue;
            }
            const stream_event& event = m_expected[steps[s].expected];
            const auto found = extra.find(event.values);
            if (found == extra.end()) {
                continue;
            }
            for (const std::size_t other : found->second) {
                const std::size_t moved =
                    std::max(between(expected_before, s, other), between(actual_before, s, other));
                if (!taken[other] && moved <= m_limits.reorder_depth &&
                    check_pair(event, m_actual[steps[other].actual], m_limits, m_offset).good()) {
                    taken[other] = true;
                    steps[s].actual = steps[other].actual;
                    break;
                }
            }
        }
        remove(taken);
    }

    /// What is still missing and extra side by side, at the same time, is one event with other values.
    void pair_neighbours() {
        std::vector<alignment_step>& steps = m_result.steps;
        std::vector<bool> taken(steps.size());
        for (std::size_t s = 0; s + 1 < steps.size(); ++s) {
            alignment_step& here = steps[s];
            const alignment_step& next = steps[s + 1];
            const bool missing_extra = here.actual < 0 && next.expected < 0;
            const bool extra_missing = here.expected < 0 && next.actual < 0;
            if (taken[s] || (!missing_extra && !extra_missing)) {
                continue;
            }
            const alignment_step pair{std::max(here.expected, next.expected),
                                      std::max(here.actual, next.actual)};
            if (check_pair(m_expected[pair.expected], m_actual[pair.actual], m_limits, m_offset).in_time) {
                here = pair;
                taken[s + 1] = true;
            }
        }
        remove(taken);
    }

    void remove(const std::vector<bool>& taken) {
        std::size_t kept = 0;
        for (std::size_t s = 0; s < m_result.steps.size(); ++s) {
            if (!taken[s]) {
                m_result.steps[kept++] = m_result.steps[s];
            }
        }
        m_result.steps.resize(kept);
    }

    void count_errors() {
        for (const alignment_step& s : m_result.steps) {
            const bool good = s.expected >= 0 && s.actual >= 0 &&
                              check_pair(m_expected[s.expected], m_actual[s.actual], m_limits, m_offset).good();
            m_result.errors += good ? 0 : 1;
        }
    }

    const std::vector<stream_event>& m_expected;
    const std::vector<stream_event>& m_actual;
    const match_limits& m_limits;
    std::int64_t m_offset;
    std::size_t m_e = 0;
    std::size_t m_a = 0;
    std::vector<std::uint32_t> m_rest;
    alignment m_result;
};

}  // namespace

alignment align(const std::vector<stream_event>& expected, const std::vector<stream_event>& actual,
                const match_limits& limits, std::int64_t offset) {
    return aligner(expected, actual, limits, offset).run();
}

}  // namespace weir
