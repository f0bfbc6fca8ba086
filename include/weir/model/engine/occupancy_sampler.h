// A node's fill and pauses over time, at equal intervals, in bounded memory.
//
// When the store is full every second sample is dropped and the interval doubles; all nodes of a fabric do
// so at the same times, since they start with the same interval and capacity. Samples are events of the
// node, so they do not depend on the quantum; and at the end the interval is set by the length of the run
// alone, however far past it the nodes have run.
//
// A node that is empty sleeps: it has no events of this kind, and when it wakes up the samples that it has
// missed are filled in, all of them alike. Pauses take memory from the first one on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/model/flow_control/pause_sample.h"

namespace weir::model {

class occupancy_sampler {
 public:
    /// `columns`: values per sample (ingress fill of each port, then egress fill of each port). `capacity`:
    /// most samples in the store; half of it, or fewer, remain in the end. Range: a multiple of 4.
    void enable(picoseconds interval, std::uint32_t capacity, std::uint32_t columns) {
        m_interval = interval;
        m_capacity = capacity;
        m_columns = columns;
    }
    bool enabled() const { return m_capacity != 0; }
    /// When the next sample is due, which may be later than a run can last: then `latest_time`.
    picoseconds due() const { return enabled() ? std::min(m_due, latest_time) : never; }
    std::uint32_t columns() const { return m_columns; }

    /// Takes the sample that is due; `fill(column)` gives a port's bytes. `pauses`: null where there was none.
    template <class Fill>
    void take(const pause_sample* pauses, Fill&& fill) {
        if (pauses != nullptr) {
            m_pauses.resize(size());
            m_pauses.push_back(*pauses);
        }
        m_times.push_back(due());
        make_room();
        std::uint32_t* const row = &m_fills[(size() - 1) * m_columns];
        for (std::uint32_t c = 0; c < m_columns; ++c) {
            row[c] = fill(c);
        }
        m_due += m_interval;
        if (size() == m_capacity) {
            // The last sample was at an odd multiple of the old interval, so the next one is in step.
            thin_out();
        }
    }

    /// The sample just taken holds until the node's next event: nothing is inside, and no one pauses it.
    void sleep() { m_asleep = true; }
    bool asleep() const { return m_asleep; }
    /// Fills in the samples that were due before `until`.
    void wake(picoseconds until) {
        m_asleep = false;
        while (m_due < until) {
            const std::size_t before = size();
            for (; m_due < until && size() < m_capacity; m_due += m_interval) {
                m_times.push_back(m_due);
            }
            if (!m_pauses.empty()) {
                m_pauses.resize(size(), pause_sample{m_pauses.back()});
            }
            make_room();
            std::fill(m_fills.begin() + static_cast<std::ptrdiff_t>(before * m_columns),
                      m_fills.begin() + static_cast<std::ptrdiff_t>(size() * m_columns), 0);
            if (size() == m_capacity) {
                thin_out();
            }
        }
    }

    /// The run was over at `end`: drops what was taken after it.
    void finish(picoseconds end) {
        while (!m_times.empty() && m_times.back() > end) {
            m_times.pop_back();
        }
        keep(size());
        while (size() >= m_capacity / 2 && size() > 1) {
            thin_out();
        }
    }

    std::size_t size() const { return m_times.size(); }
    picoseconds time(std::size_t i) const { return m_times[i]; }
    const pause_sample& pauses(std::size_t i) const {
        static constexpr pause_sample none{};
        return m_pauses.empty() ? none : m_pauses[i];
    }
    /// What the samples hold, for another process.
    template <class Octets>
    void fields(Octets& o) {
        o(m_columns, m_times, m_pauses, m_fills);
    }
    /// Bytes in use at sample `i`.
    std::uint32_t fill(std::size_t i, std::uint32_t column) const { return m_fills[i * m_columns + column]; }

 private:
    // First: it is read in every quantum.
    bool m_asleep = false;

    // Keeps samples 0, 2, 4, ...: those at multiples of the doubled interval.
    void thin_out() {
        const std::size_t kept = (size() + 1) / 2;
        for (std::size_t i = 0; i < kept; ++i) {
            m_times[i] = m_times[2 * i];
            if (!m_pauses.empty()) {
                m_pauses[i] = m_pauses[2 * i];
            }
            for (std::uint32_t c = 0; c < m_columns; ++c) {
                m_fills[i * m_columns + c] = m_fills[2 * i * m_columns + c];
            }
        }
        keep(kept);
        m_interval *= 2;
    }
    void keep(std::size_t count) {
        m_times.resize(count);
        m_pauses.resize(m_pauses.empty() ? 0 : count);
    }
    void make_room() {
        if (m_fills.size() < size() * m_columns) {
            m_fills.resize(2 * size() * m_columns);
        }
    }

    picoseconds m_interval{0};
    picoseconds m_due{0};
    std::uint32_t m_capacity = 0;
    std::uint32_t m_columns = 0;
    std::vector<picoseconds> m_times;
    // As many as there are times; empty before the first pause.
    std::vector<pause_sample> m_pauses;
    // By sample and column. There may be more rows than samples.
    std::vector<std::uint32_t> m_fills;
};

}  // namespace weir::model
