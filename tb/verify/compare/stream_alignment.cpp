#include "tb/verify/compare/stream_alignment.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace weir::tb {

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

/// Which pairs may be made.
enum class pairs : std::uint8_t {
    any,       ///< where order counts
    good,      ///< where it does not: in order first, as nothing else may take a partner from what has moved
    late,      ///< of what has no good partner in any order
    different  ///< of what is not late either
};

class aligner {
 public:
    aligner(const std::vector<stream_event>& expected, const std::vector<stream_event>& actual,
            const match_limits& limits, std::int64_t offset)
        : m_expected(expected), m_actual(actual), m_limits(limits), m_offset(offset) {}

    alignment run() {
        for (std::size_t e = 0; e < m_expected.size(); ++e) {
            m_rows.push_back({e, 0, 0});
        }
        for (std::size_t a = 0; a < m_actual.size(); ++a) {
            m_columns.push_back({a, 0, 0});
        }
        align_in_order(m_limits.reorder_depth > 0 ? pairs::good : pairs::any);
        m_result.steps = std::move(m_found);
        if (m_limits.reorder_depth > 0) {
            pair_reordered();
            pair_left_over(pairs::late);
            pair_left_over(pairs::different);
        }
        count_errors();
        return std::move(m_result);
    }

 private:
    /// An event that is to be aligned.
    struct candidate {
        std::size_t event;
        /// Its step, and the steps before that which are good pairs.
        std::size_t step;
        std::size_t pairs_before;
    };

    /// Finds `m_found`, of places in `m_rows` and `m_columns`.
    void align_in_order(pairs allowed) {
        m_allowed = allowed;
        m_found.clear();
        m_e = 0;
        m_a = 0;
        while (m_e < m_rows.size() || m_a < m_columns.size()) {
            if (m_e == m_rows.size() || m_a == m_columns.size()) {
                step(m_e < m_rows.size(), m_a < m_columns.size());
            } else if (weight(m_e, m_a) == 0) {
                step(true, true);
            } else {
                align_window();
            }
        }
    }

    bool may_pair(const candidate& e, const candidate& a, const pair_check& check) const {
        // Between the two, with reordering.
        const std::size_t crossed =
            std::max(e.pairs_before, a.pairs_before) - std::min(e.pairs_before, a.pairs_before);
        switch (m_allowed) {
            case pairs::good:
                return check.good();
            case pairs::late:
                return !check.in_time && check.same_values && crossed <= m_limits.reorder_depth;
            case pairs::different:
                return check.in_time && !check.good() && crossed == 0;
            default:
                return check.in_time || check.same_values;
        }
    }

    std::uint32_t weight(std::size_t row, std::size_t column) const {
        const stream_event& e = m_expected[m_rows[row].event];
        const stream_event& a = m_actual[m_columns[column].event];
        const pair_check check = check_pair(e, a, m_limits, m_offset);
        if (!may_pair(m_rows[row], m_columns[column], check)) {
            return no_pair;
        }
        if (check.in_time) {
            return check.good() ? 0 : different_weight;
        }
        const std::int64_t distance = std::abs(a.time - m_offset - e.time);
        return late_weight +
               static_cast<std::uint32_t>(most_distance_weight * static_cast<double>(distance) /
                                          static_cast<double>(distance + half_late)) +
               (check.same_durations ? 0 : late_and_longer_weight);
    }

    void step(bool expected, bool actual) {
        m_found.push_back(
            {expected ? static_cast<std::int64_t>(m_e++) : -1, actual ? static_cast<std::int64_t>(m_a++) : -1});
    }

    /// The lightest alignment of the next events of both streams; follows it until they agree again.
    void align_window() {
        const std::size_t rows = std::min(window, m_rows.size() - m_e);
        const std::size_t columns = std::min(window, m_columns.size() - m_a);
        const bool whole = m_e + rows == m_rows.size() && m_a + columns == m_columns.size();
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
            // No farther than as many steps of either stream as may lie between.
            const std::size_t reach = std::min(m_limits.reorder_depth, steps.size()) * 2 + 1;
            const std::vector<std::size_t>& places = found->second;
            auto place = std::lower_bound(places.begin(), places.end(), s - std::min(s, reach));
            for (; place != places.end() && *place <= s + reach; ++place) {
                const std::size_t other = *place;
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

    /// What is still missing and what is still extra, each in its order.
    void pair_left_over(pairs allowed) {
        std::vector<alignment_step>& steps = m_result.steps;
        m_rows.clear();
        m_columns.clear();
        std::size_t good = 0;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (steps[s].actual < 0) {
                m_rows.push_back({static_cast<std::size_t>(steps[s].expected), s, good});
            } else if (steps[s].expected < 0) {
                m_columns.push_back({static_cast<std::size_t>(steps[s].actual), s, good});
            } else {
                good += is_good(steps[s]) ? 1 : 0;
            }
        }
        align_in_order(allowed);
        std::vector<bool> taken(steps.size());
        for (const alignment_step& pair : m_found) {
            if (pair.expected >= 0 && pair.actual >= 0) {
                const candidate& actual = m_columns[static_cast<std::size_t>(pair.actual)];
                steps[m_rows[static_cast<std::size_t>(pair.expected)].step].actual =
                    static_cast<std::int64_t>(actual.event);
                taken[actual.step] = true;
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
            m_result.errors += is_good(s) ? 0 : 1;
        }
    }

    bool is_good(const alignment_step& s) const {
        return s.expected >= 0 && s.actual >= 0 &&
               check_pair(m_expected[s.expected], m_actual[s.actual], m_limits, m_offset).good();
    }

    const std::vector<stream_event>& m_expected;
    const std::vector<stream_event>& m_actual;
    const match_limits& m_limits;
    std::int64_t m_offset;
    /// Events of both streams that are being aligned, the places that were reached, and what was found.
    std::vector<candidate> m_rows;
    std::vector<candidate> m_columns;
    std::size_t m_e = 0;
    std::size_t m_a = 0;
    pairs m_allowed = pairs::any;
    std::vector<alignment_step> m_found;
    std::vector<std::uint32_t> m_rest;
    alignment m_result;
};

}  // namespace

alignment align(const std::vector<stream_event>& expected, const std::vector<stream_event>& actual,
                const match_limits& limits, std::int64_t offset) {
    return aligner(expected, actual, limits, offset).run();
}

}  // namespace weir::tb
