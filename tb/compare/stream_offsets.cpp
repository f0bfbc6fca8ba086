#include "tb/compare/stream_offsets.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace weir::tb {

namespace {

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

}  // namespace

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

std::int64_t common_offset(const event_streams& streams) {
    votes counted;
    for (const event_stream& s : streams.all) {
        for (const std::int64_t distance : likely_distances(s, 1)) {
            ++counted[distance];
        }
    }
    const std::vector<std::int64_t> best = most_voted(counted, 1);
    return best.empty() ? 0 : best.front();
}

}  // namespace weir::tb
