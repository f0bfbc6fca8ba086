// Statistics of a memory's fill over time: watermark, time-weighted mean, and percentiles by dwell time.
//
// Costs a few additions per change. The mean is exact (bytes x picoseconds in 128 bits). A percentile is
// the upper edge of a bucket; a bucket spans at most 1/4 of its value.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

// What most changes touch is one cache line.
class alignas(64) occupancy_meter {
 public:
    occupancy_meter() = default;
    /// Empty since `start`.
    explicit occupancy_meter(picoseconds start) : m_since(start), m_start(start) {}

    /// The fill is `occupancy` bytes from `now` on. Times must not go back.
    void change(std::uint32_t occupancy, picoseconds now) {
        settle(now);
        m_current = occupancy;
        m_watermark = occupancy > m_watermark ? occupancy : m_watermark;
    }
    /// As `change` to less than before; quicker where the last change was in this instant.
    void decrease(std::uint32_t occupancy, picoseconds now) {
        if (now != m_since) {
            settle(now);
        }
        m_current = occupancy;
    }
    /// The memory was empty, held `occupancy` bytes from `begin` to `end`, and is empty again: the same as two
    /// changes.
    void pass(std::uint32_t occupancy, picoseconds begin, picoseconds end) {
        m_empty_dwell += static_cast<std::uint64_t>((begin - m_since).count());
        m_since = end;
        dwell(occupancy, static_cast<std::uint64_t>((end - begin).count()));
        m_watermark = occupancy > m_watermark ? occupancy : m_watermark;
    }
    /// Accounts for the time up to `now`.
    void settle(picoseconds now) {
        const auto time = static_cast<std::uint64_t>((now - m_since).count());
        m_since = now;
        if (m_current == 0) {
            m_empty_dwell += time;
        } else {
            dwell(m_current, time);
        }
    }
    /// Forgets what was, keeps the fill: the end of the warm-up.
    void restart(picoseconds now) {
        const std::uint32_t current = m_current;
        *this = occupancy_meter{now};
        m_current = m_watermark = current;
    }

    bytes current() const { return bytes{m_current}; }
    bytes watermark() const { return bytes{m_watermark}; }
    /// Time-weighted mean since the start. Unit: B. Settle first.
    double mean() const {
        const auto span = static_cast<double>((m_since - m_start).count());
        return span > 0 ? static_cast<double>(m_integral) / span : 0.0;
    }
    /// Smallest bucket edge that the fill did not exceed for `share` (0-1) of the time. Settle first.
    bytes percentile(double share) const {
        const auto span = static_cast<double>((m_since - m_start).count());
        double below = 0;
        for (unsigned b = 0; b < buckets; ++b) {
            below += static_cast<double>(dwell_in(b));
            if (below >= share * span) {
                const std::uint64_t edge = upper_edge(b);
                return bytes{static_cast<std::int64_t>(edge < m_watermark ? edge : m_watermark)};
            }
        }
        return watermark();
    }

 private:
    __extension__ using wide = unsigned __int128;
    // Values 0-3 have a bucket each, larger ones four per power of two: a bucket's number is the highest bit of
    // 2 v + 1, and the two bits after it. Some numbers stay unused.
    static constexpr unsigned buckets = 33 * 4;

    // A fill above 0 has lasted for so long. Fills of one bucket often follow each other, with the empty memory
    // between them: their time is summed up beside the rest of what a change touches.
    void dwell(std::uint32_t occupancy, std::uint64_t time) {
        m_integral += static_cast<wide>(occupancy) * time;
        const unsigned bucket = bucket_of(occupancy);
        if (__builtin_expect(bucket != m_last_bucket, 0)) {
            m_dwell[m_last_bucket] += m_last_dwell;
            m_last_bucket = bucket;
            m_last_dwell = 0;
        }
        m_last_dwell += time;
    }
    std::uint64_t dwell_in(unsigned bucket) const {
        return m_dwell[bucket] + (bucket == 0 ? m_empty_dwell : 0) + (bucket == m_last_bucket ? m_last_dwell : 0);
    }
    static unsigned bucket_of(std::uint32_t v) {
        const std::uint64_t odd = 2 * std::uint64_t{v} + 1;
        const auto top = static_cast<unsigned>(__builtin_clzll(odd)) ^ 63U;
        return 4 * top + static_cast<unsigned>(4 * odd >> top) - 4;
    }
    static std::uint64_t upper_edge(unsigned bucket) {
        // Where the next bucket's odd numbers begin.
        const std::uint64_t next = (((std::uint64_t{bucket} % 4 + 5) << (bucket / 4)) + 3) / 4;
        return next / 2 - 1;
    }

    wide m_integral = 0;
    std::uint32_t m_current = 0;
    std::uint32_t m_watermark = 0;
    picoseconds m_since{0};
    std::uint64_t m_empty_dwell = 0;
    std::uint64_t m_last_dwell = 0;
    unsigned m_last_bucket = 0;
    // Not touched by most changes.
    picoseconds m_start{0};
    std::array<std::uint64_t, buckets> m_dwell{};
};

/// `classes`: what each port has of its classes, with a pointer `meter`, which is null until the class holds
/// something.
template <class Ports, class Classes, class Port, class Visit>
void for_each_meter(Ports& ports, Classes Port::*classes, Visit visit) {
    for (Port& port : ports) {
        for (auto& of_class : port.*classes) {
            if (of_class.meter) {
                visit(*of_class.meter);
            }
        }
    }
}

}  // namespace weir
