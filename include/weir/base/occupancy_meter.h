// Statistics of a memory's fill over time: watermark, time-weighted mean, and percentiles by dwell time.
//
// Costs a few additions per change. The mean is exact (bytes x picoseconds in 128 bits). A percentile is
// the upper edge of a bucket; a bucket spans at most 1/4 of its value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "weir/base/prefetch.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// What most changes touch is in here, 48 B; the rest is allocated when the memory first holds something, and
/// when it holds more than before.
class occupancy_meter {
 public:
    occupancy_meter() = default;
    /// Empty since `start`.
    explicit occupancy_meter(picoseconds start) : m_since(start) {}

    /// The memory has held something.
    bool used() const { return m_rest != nullptr; }

    /// The fill is `occupancy` bytes from `now` on. Times must not go back.
    void change(std::uint32_t occupancy, picoseconds now) {
        settle(now);
        m_current = occupancy;
        if (__builtin_expect(occupancy > m_watermark, 0)) {
            raise(occupancy);
        }
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
        if (__builtin_expect(occupancy > m_watermark, 0)) {
            raise(occupancy);
        }
        m_empty_dwell += static_cast<std::uint64_t>((begin - m_since).count());
        m_since = end;
        dwell(occupancy, static_cast<std::uint64_t>((end - begin).count()));
    }
    /// The fill may go to another bucket soon.
    void prefetch_history() const { prefetch_lines<3>(m_rest.get()); }
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
    void restart(picoseconds now);

    bytes current() const { return bytes{m_current}; }
    bytes watermark() const { return bytes{m_watermark}; }
    /// Time-weighted mean since the start. Unit: B. Settle first. `idle`: this much of the time in which the
    /// memory was empty does not count.
    double mean(picoseconds idle = picoseconds{0}) const;
    /// Smallest bucket edge that the fill did not exceed for `share` (0-1) of the time. Settle first. `idle`:
    /// as for `mean`.
    bytes percentile(double share, picoseconds idle = picoseconds{0}) const;

 private:
    __extension__ using wide = unsigned __int128;
    // Values 0-3 have a bucket each, larger ones four per power of two: a bucket's number is the highest bit of
    // 2 v + 1, and the two bits after it. Some numbers stay unused.
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

    // A fill above 0 has lasted for so long. Fills of one bucket often follow each other, with the empty memory
    // between them: their time is summed up here.
    void dwell(std::uint32_t occupancy, std::uint64_t time) {
        const wide product = static_cast<wide>(occupancy) * time;
        const auto low = static_cast<std::uint64_t>(product);
        m_integral += low;
        const std::uint64_t carried = static_cast<std::uint64_t>(product >> 64) + (m_integral < low ? 1 : 0);
        if (__builtin_expect(carried != 0, 0)) {
            m_rest->integral_high += carried;
        }
        const unsigned bucket = bucket_of(occupancy);
        if (bucket != last_bucket()) {
            m_rest->dwell_in(last_bucket()) += last_dwell();
            m_last = std::uint64_t{bucket} << last_dwell_bits;
            if (__builtin_expect(bucket < m_rest->first, 0)) {
                resize(bucket, m_rest->end - 1);
            }
        }
        m_last += time;
    }
    unsigned last_bucket() const { return static_cast<unsigned>(m_last >> last_dwell_bits); }
    std::uint64_t last_dwell() const { return m_last & ((std::uint64_t{1} << last_dwell_bits) - 1); }
    std::uint64_t dwell_in(unsigned bucket, picoseconds idle) const;
    std::uint64_t empty_dwell(picoseconds idle) const {
        return m_empty_dwell - std::min(m_empty_dwell, static_cast<std::uint64_t>(idle.count()));
    }
    /// Time since the start, without `idle`. Unit: ps.
    std::uint64_t span(picoseconds idle) const;
    // A fill above all before. The history gets the buckets of its power of two, and all between.
    [[gnu::noinline, gnu::cold]] void raise(std::uint32_t occupancy) {
        m_watermark = occupancy;
        const unsigned bucket = bucket_of(occupancy);
        if (m_rest == nullptr) {
            m_last = std::uint64_t{bucket} << last_dwell_bits;
            resize(bucket, bucket);
        } else if (bucket >= m_rest->end) {
            resize(m_rest->first, bucket);
        }
    }
    // Buckets from one to another, the whole powers of two.
    [[gnu::noinline, gnu::cold]] void resize(unsigned first, unsigned last) {
        history_ptr larger = make_history(first / 4 * 4, last / 4 * 4 + 4);
        if (m_rest != nullptr) {
            larger->integral_high = m_rest->integral_high;
            for (unsigned b = m_rest->first; b < m_rest->end; ++b) {
                larger->dwell_in(b) = m_rest->dwell_in(b);
            }
        }
        m_rest = std::move(larger);
    }

    /// What is touched when the fill goes to another bucket, or the integral beyond 64 bits. The time in each
    /// bucket from the first one on follows it in memory. Unit: ps.
    struct history {
        std::uint64_t integral_high = 0;
        std::uint32_t first = 0;
        std::uint32_t end = 0;

        std::uint64_t& dwell_in(unsigned bucket) {
            return reinterpret_cast<std::uint64_t*>(this + 1)[bucket - first];
        }
        std::uint64_t dwell_in(unsigned bucket) const {
            return reinterpret_cast<const std::uint64_t*>(this + 1)[bucket - first];
        }
    };
    struct free_history {
        void operator()(history* h) const;
    };
    using history_ptr = std::unique_ptr<history, free_history>;
    static history_ptr make_history(unsigned first, unsigned end);

    static_assert(time_bits <= 56);
    static constexpr unsigned last_dwell_bits = 56;

    // Low 64 bits. Unit: B ps.
    std::uint64_t m_integral = 0;
    std::uint32_t m_current = 0;
    std::uint32_t m_watermark = 0;
    picoseconds m_since{0};
    std::uint64_t m_empty_dwell = 0;
    // The bucket of the last fill above 0, and the time in it that its count in the history lacks.
    std::uint64_t m_last = 0;
    // Null as long as the memory was empty.
    history_ptr m_rest;
};
static_assert(sizeof(occupancy_meter) == 48);

inline occupancy_meter::history_ptr occupancy_meter::make_history(unsigned first, unsigned end) {
    void* const memory = ::operator new(sizeof(history) + (end - first) * sizeof(std::uint64_t));
    history_ptr made(new (memory) history{0, first, end});
    std::uninitialized_fill_n(&made->dwell_in(first), end - first, std::uint64_t{0});
    return made;
}

inline void occupancy_meter::free_history::operator()(history* h) const {
    ::operator delete(h);
}

inline void occupancy_meter::restart(picoseconds now) {
    m_integral = 0;
    m_since = now;
    m_empty_dwell = 0;
    m_last = std::uint64_t{last_bucket()} << last_dwell_bits;
    m_watermark = m_current;
    if (m_rest != nullptr) {
        m_rest->integral_high = 0;
        std::fill_n(&m_rest->dwell_in(m_rest->first), m_rest->end - m_rest->first, std::uint64_t{0});
    }
}

inline std::uint64_t occupancy_meter::dwell_in(unsigned bucket, picoseconds idle) const {
    const bool is_kept = m_rest != nullptr && m_rest->first <= bucket && bucket < m_rest->end;
    return (is_kept ? m_rest->dwell_in(bucket) : 0) + (bucket == 0 ? empty_dwell(idle) : 0) +
           (bucket == last_bucket() ? last_dwell() : 0);
}

inline std::uint64_t occupancy_meter::span(picoseconds idle) const {
    std::uint64_t sum = empty_dwell(idle) + last_dwell();
    for (unsigned b = m_rest != nullptr ? m_rest->first : 0; m_rest != nullptr && b < m_rest->end; ++b) {
        sum += m_rest->dwell_in(b);
    }
    return sum;
}

inline double occupancy_meter::mean(picoseconds idle) const {
    const auto time = static_cast<double>(span(idle));
    const wide integral = (static_cast<wide>(m_rest != nullptr ? m_rest->integral_high : 0) << 64) + m_integral;
    return time > 0 ? static_cast<double>(integral) / time : 0.0;
}

inline bytes occupancy_meter::percentile(double share, picoseconds idle) const {
    const auto time = static_cast<double>(span(idle));
    const unsigned end = m_rest != nullptr ? m_rest->end : 1U;
    double below = 0;
    for (unsigned b = 0; b < end; ++b) {
        below += static_cast<double>(dwell_in(b, idle));
        if (below >= share * time) {
            return bytes{static_cast<std::int64_t>(std::min<std::uint64_t>(upper_edge(b), m_watermark))};
        }
    }
    return watermark();
}

}  // namespace weir
