#include "tb/verify/compare/comparison.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace weir::tb {

namespace {

// Constant offsets of whole streams: what a block with more latency, or a recording that began at another time,
// makes of every event.

constexpr std::size_t most_sampled = 1024;
/// Events before and after, of those with the same values.
constexpr std::ptrdiff_t reach = 64;
/// Of the likely distances, those that are tried.
constexpr std::size_t most_tried = 3;

using votes = std::unordered_map<std::int64_t, std::size_t>;

bool is_smaller(std::int64_t a, std::int64_t b) {
    return std::abs(a) < std::abs(b) || (std::abs(a) == std::abs(b) && a < b);
}

std::vector<std::int64_t> most_voted(const votes& counted, std::size_t most) {
    std::vector<std::pair<std::int64_t, std::size_t>> all(counted.begin(), counted.end());
    const std::size_t kept = std::min(most, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      [](const auto& a, const auto& b) {
                          return a.second != b.second ? a.second > b.second : is_smaller(a.first, b.first);
                      });
    std::vector<std::int64_t> distances;
    for (std::size_t i = 0; i < kept; ++i) {
        distances.push_back(all[i].first);
    }
    return distances;
}

/// Times of events by their values, in order.
using times_by_value = std::unordered_map<std::uint32_t, std::vector<std::int64_t>>;

times_by_value times_of(const std::vector<stream_event>& events) {
    times_by_value times;
    for (const stream_event& e : events) {
        times[e.values].push_back(e.time);
    }
    return times;
}

/// The n-th of the equal events is compared with those round the n-th of the other side, counted from the
/// front, and from the back, where one side has many more.
void vote(votes& counted, std::int64_t time, std::ptrdiff_t place, std::ptrdiff_t from_back,
          const std::vector<std::int64_t>& others) {
    const auto size = static_cast<std::ptrdiff_t>(others.size());
    const std::ptrdiff_t back = size - from_back;
    std::ptrdiff_t next = 0;
    for (const std::ptrdiff_t middle : {std::min(place, back), std::max(place, back)}) {
        next = std::max(next, middle - reach);
        for (; next < std::min(size, middle + reach + 1); ++next) {
            ++counted[others[static_cast<std::size_t>(next)] - time];
        }
    }
}

/// Distances (actual less expected time) that most pairs of events with equal values have, the most frequent
/// first, of equally frequent ones the smallest. Of long streams, and of events that are all alike, a sample is
/// looked at: 1,024 events, with 64 others each before and after. Unit: cycle.
std::vector<std::int64_t> likely_distances(const event_stream& stream, std::size_t most) {
    const times_by_value expected = times_of(stream.expected);
    const times_by_value actual = times_of(stream.actual);
    const std::size_t step = 1 + stream.expected.size() / most_sampled;
    std::unordered_map<std::uint32_t, std::size_t> passed;
    votes counted;
    for (std::size_t i = 0; i < stream.expected.size(); ++i) {
        const stream_event& event = stream.expected[i];
        const std::size_t place = passed[event.values]++;
        const auto others = actual.find(event.values);
        if (i % step == 0 && others != actual.end()) {
            const std::size_t from_back = expected.at(event.values).size() - place;
            vote(counted, event.time, static_cast<std::ptrdiff_t>(place),
                 static_cast<std::ptrdiff_t>(from_back), others->second);
        }
    }
    return most_voted(counted, most);
}

/// Of the first and of the last events, and the likely ones; each once. Unit: cycle.
std::vector<std::int64_t> distances_to_try(const event_stream& stream) {
    std::vector<std::int64_t> distances;
    if (!stream.expected.empty() && !stream.actual.empty()) {
        distances = likely_distances(stream, most_tried);
        distances.insert(distances.begin(), stream.actual.front().time - stream.expected.front().time);
        distances.push_back(stream.actual.back().time - stream.expected.back().time);
    }
    std::vector<std::int64_t> once;
    for (const std::int64_t d : distances) {
        if (std::find(once.begin(), once.end(), d) == once.end()) {
            once.push_back(d);
        }
    }
    return once;
}

/// Aligns a stream whose times may all be off by the same: a shift must not be taken for events that are
/// missing at one end and extra at the other. The steps are the alignment; errors still count without offset.
alignment align_shifted(const event_stream& stream, const match_limits& limits) {
    /// An offset has to explain much more than no offset does, or a missing event at an end would look like
    /// one.
    constexpr std::size_t clearly_fewer = 4;
    alignment as_is = align(stream.expected, stream.actual, limits, 0);
    if (as_is.errors == 0) {
        return as_is;
    }
    std::optional<alignment> best;
    for (const std::int64_t shift : distances_to_try(stream)) {
        if (std::abs(shift) > limits.tolerance) {
            alignment shifted = align(stream.expected, stream.actual, limits, shift);
            if (shifted.errors == 0) {
                return shifted;
            }
            if (!best || shifted.errors < best->errors) {
                best = std::move(shifted);
            }
        }
    }
    return best && clearly_fewer * best->errors < as_is.errors ? std::move(*best) : std::move(as_is);
}

/// Of the distances of the first and of the last events, the likely ones and 0 the one with the fewest errors;
/// of several such the smallest. Unit: cycle.
std::int64_t best_offset(const event_stream& stream, const match_limits& limits) {
    std::vector<std::int64_t> distances = distances_to_try(stream);
    distances.push_back(0);
    std::int64_t best = 0;
    std::optional<std::size_t> fewest;
    for (const std::int64_t distance : distances) {
        const std::size_t errors = align(stream.expected, stream.actual, limits, distance).errors;
        if (!fewest || errors < *fewest || (errors == *fewest && is_smaller(distance, best))) {
            best = distance;
            fewest = errors;
        }
        if (errors == 0) {
            break;
        }
    }
    return best;
}

/// The likeliest distance of most streams; of several such the smallest. Unit: cycle.
std::int64_t common_offset(const event_streams& streams) {
    votes counted;
    for (const event_stream& s : streams) {
        for (const std::int64_t distance : likely_distances(s, 1)) {
            ++counted[distance];
        }
    }
    const std::vector<std::int64_t> best = most_voted(counted, 1);
    return best.empty() ? 0 : best.front();
}

class stream_comparer {
 public:
    stream_comparer(const compared_events& events, const comparison_options& options, waivers& accepted)
        : m_events(events), m_streams(events.streams), m_options(options), m_accepted(accepted) {}

    comparison run() {
        const std::int64_t common =
            m_options.offset == stream_offset::all ? common_offset(m_streams) : std::int64_t{0};
        for (std::size_t s = 0; s < m_streams.size(); ++s) {
            const event_stream& stream = m_streams[s];
            stream_result result;
            if (m_options.offset == stream_offset::none) {
                result.events = align_shifted(stream, m_options.limits);
            } else {
                result.offset =
                    m_options.offset == stream_offset::first ? best_offset(stream, m_options.limits) : common;
                result.events = align(stream.expected, stream.actual, m_options.limits, result.offset);
            }
            find_offset(stream, result);
            collect(s, result);
            m_found.streams.push_back(std::move(result));
        }
        std::stable_sort(m_found.mismatches.begin(), m_found.mismatches.end(),
                         [this](const event_mismatch& a, const event_mismatch& b) {
                             return std::tuple(m_streams[a.stream].scope, a.time) <
                                    std::tuple(m_streams[b.stream].scope, b.time);
                         });
        return std::move(m_found);
    }

 private:
    void find_offset(const event_stream& stream, stream_result& result) {
        bool same = true;
        for (const alignment_step& step : result.events.steps) {
            if (step.expected < 0 || step.actual < 0 ||
                stream.expected[step.expected].values != stream.actual[step.actual].values) {
                continue;
            }
            const std::int64_t distance = stream.actual[step.actual].time - stream.expected[step.expected].time;
            same = same && result.constant_offset.value_or(distance) == distance;
            result.constant_offset = distance;
        }
        if (!same) {
            result.constant_offset.reset();
        }
        if (result.constant_offset.value_or(0) != 0) {
            ++m_found.offsets[*result.constant_offset];
        }
    }

    void collect(std::size_t s, const stream_result& result) {
        const event_stream& stream = m_streams[s];
        std::int64_t last_time = 0;
        for (std::size_t i = 0; i < result.events.steps.size(); ++i) {
            const alignment_step& step = result.events.steps[i];
            event_mismatch found;
            found.stream = s;
            found.step = i;
            if (step.expected >= 0) {
                last_time = stream.expected[step.expected].time;
            }
            found.time = last_time;
            if (step.actual < 0) {
                found.kind = mismatch_kind::missing;
            } else if (step.expected < 0) {
                found.kind = mismatch_kind::extra;
                if (m_options.timed) {
                    found.time = stream.actual[step.actual].time - result.offset;
                }
            } else {
                const stream_event& e = stream.expected[step.expected];
                const stream_event& a = stream.actual[step.actual];
                const pair_check check = check_pair(e, a, m_options.limits, result.offset);
                if (check.good()) {
                    ++m_found.matched;
                    continue;
                }
                found.late_by = a.time - e.time - result.offset;
                // Where a shift was found, a pair may differ in both.
                found.kind =
                    check.same_values && !check.in_time ? mismatch_kind::late : mismatch_kind::different;
            }
            add(found, stream, step);
        }
    }

    void add(event_mismatch found, const event_stream& stream, const alignment_step& step) {
        const bool is_expected = step.expected >= 0;
        const event_table& table = is_expected ? m_events.expected : m_events.actual;
        const stream_event& event = is_expected ? stream.expected[step.expected] : stream.actual[step.actual];
        found.waived = m_accepted.waive(found.kind, table, table.rows[event.row]);
        if (found.waived) {
            ++m_found.waived;
        } else {
            ++m_found.count[static_cast<std::size_t>(found.kind)];
        }
        m_found.mismatches.push_back(found);
    }

    const compared_events& m_events;
    const event_streams& m_streams;
    const comparison_options& m_options;
    waivers& m_accepted;
    comparison m_found;
};

}  // namespace

comparison compare_events(const compared_events& events, const comparison_options& options, waivers& accepted) {
    return stream_comparer(events, options, accepted).run();
}

}  // namespace weir::tb
