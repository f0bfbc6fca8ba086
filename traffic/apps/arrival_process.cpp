#include "weir/traffic/apps/arrival_process.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "weir/base/portable_math.h"

namespace weir::traffic {

namespace {

constexpr double picoseconds_per_second = 1e12;
constexpr double farthest = static_cast<double>(latest_time.count());

}  // namespace

arrival_process::arrival_process(const arrival_spec& spec, random_stream stream)
    : m_spec(spec), m_stream(stream), m_time(spec.start) {
    if (m_spec.kind == arrival_kind::bernoulli) {
        m_log_empty = log_one_plus(-m_spec.probability);
        m_slots = farthest / static_cast<double>(m_spec.slot.count());
    }
}

picoseconds arrival_process::next() {
    picoseconds time = never;
    switch (m_spec.kind) {
        case arrival_kind::none:
            break;
        case arrival_kind::poisson:
            time = next_poisson();
            break;
        case arrival_kind::bernoulli:
            time = next_bernoulli();
            break;
        case arrival_kind::deterministic:
            time = next_deterministic();
            break;
    }
    if (time >= m_spec.stop || time > latest_time) {
        m_spec.kind = arrival_kind::none;
        return never;
    }
    return time;
}

arrival_process::segment arrival_process::segment_at(picoseconds time) const {
    if (m_spec.burst_period == picoseconds{0}) {
        return {m_spec.rate / picoseconds_per_second, never};
    }
    const picoseconds since_burst =
        (time - m_spec.start + m_spec.burst_period - m_spec.phase) % m_spec.burst_period;
    if (since_burst < m_spec.burst_duration) {
        return {m_spec.burst_rate / picoseconds_per_second, time - since_burst + m_spec.burst_duration};
    }
    return {m_spec.rate / picoseconds_per_second, time - since_burst + m_spec.burst_period};
}

picoseconds arrival_process::next_poisson() {
    const bool bursts = m_spec.burst_period > picoseconds{0} && m_spec.burst_rate > 0;
    if (!(m_spec.rate > 0) && !bursts) {
        return never;
    }
    const boost::random::exponential_distribution<double> unit(1.0);
    double rest = unit(m_stream);
    while (m_time < m_spec.stop && m_time <= latest_time) {
        const segment now = segment_at(m_time);
        const double span = now.end == never ? 2 * farthest : static_cast<double>((now.end - m_time).count());
        const double share = (span - m_fraction) * now.per_picosecond;
        if (rest < share) {
            const double offset = m_fraction + rest / now.per_picosecond;
            const double whole = std::floor(offset);
            m_time += picoseconds{static_cast<std::int64_t>(whole)};
            m_fraction = offset - whole;
            if (m_time >= now.end) {
                // Rounding of the last bit; an arrival of a burst stays in it.
                m_time = now.end - picoseconds{1};
                m_fraction = 0;
            }
            return m_time;
        }
        if (now.end == never) {
            break;
        }
        rest -= share;
        m_time = now.end;
        m_fraction = 0;
    }
    return never;
}

picoseconds arrival_process::next_bernoulli() {
    if (!(m_spec.probability > 0)) {
        return never;
    }
    if (m_spec.probability < 1) {
        // Slots without an arrival, at once: geometric, by inversion.
        const double empty = std::floor(log_one_plus(-m_stream.uniform()) / m_log_empty);
        if (!(static_cast<double>(m_count) + empty < m_slots)) {
            return never;
        }
        m_count += static_cast<std::int64_t>(empty);
    }
    return m_spec.start + m_spec.phase + m_spec.slot * m_count++;
}

picoseconds arrival_process::next_deterministic() {
    if (!(m_spec.rate > 0)) {
        return never;
    }
    // From the count, not from the last time, so that rounding does not add up.
    const long double offset = std::round(static_cast<long double>(m_count++) * 1e12L / m_spec.rate);
    return offset > farthest ? never
                             : m_spec.start + m_spec.phase + picoseconds{static_cast<std::int64_t>(offset)};
}

}  // namespace weir::traffic
