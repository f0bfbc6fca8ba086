// A node's fill and pauses over time, at equal intervals, in bounded memory.
//
// When the store is full every second sample is dropped and the interval doubles; all nodes of a fabric do
// so at the same times, since they start with the same interval and capacity. Samples are events of the
// node, so they do not depend on the quantum; and at the end the interval is set by the length of the run
// alone, however far past it the nodes have run.
//
// A node that is empty sleeps: it has no events of this kind, and when it wakes up the samples that it has
// missed are filled in, all of them alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir {

/// One node at one time, summed over its ports. All but `time` is cumulative since the start.
struct node_sample {
    picoseconds time{0};
    /// By class: time that this node's transmitters were paused.
    std::array<picoseconds, pfc_classes> paused_time{};
    /// By class: XOFF announcements sent so far.
    std::array<std::uint64_t, pfc_classes> xoff_sent{};
    /// PFC and PAUSE frames sent so far.
    std::uint64_t pfc_frames_sent = 0;
};

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

    /// Takes the sample that is due; `fill(column)` gives a port's bytes.
    template <class Fill>
    void take(const node_sample& sample, Fill&& fill) {
        m_samples.push_back(sample);
        m_fills.resize(m_fills.size() + m_columns);
        std::uint32_t* const row = m_fills.data() + m_fills.size() - m_columns;
        for (std::uint32_t c = 0; c < m_columns; ++c) {
            row[c] = fill(c);
        }
        m_due += m_interval;
        if (m_samples.size() == m_capacity) {
            // The last sample was at an odd multiple of the old interval, so the next one is in step.
            thin_out();
        }
    }

    /// The sample just taken says all until the node's next event: nothing is inside, and no one pauses it.
    void sleep() { m_asleep = true; }
    bool asleep() const { return m_asleep; }
    /// Fills in the samples that were due before `until`.
    void wake(picoseconds until) {
        m_asleep = false;
        node_sample sample = m_samples.back();
        while (m_due < until) {
            for (; m_due < until && m_samples.size() < m_capacity; m_due += m_interval) {
                sample.time = m_due;
                m_samples.push_back(sample);
            }
            m_fills.resize(m_samples.size() * m_columns);
            if (m_samples.size() == m_capacity) {
                thin_out();
            }
        }
    }

    /// The run was over at `end`: drops what was taken after it.
    void finish(picoseconds end) {
        while (!m_samples.empty() && m_samples.back().time > end) {
            m_samples.pop_back();
        }
        m_fills.resize(m_samples.size() * m_columns);
        while (m_samples.size() >= m_capacity / 2 && m_samples.size() > 1) {
            thin_out();
        }
    }

    const std::vector<node_sample>& samples() const { return m_samples; }
    /// Bytes in use at sample `i`.
    std::uint32_t fill(std::size_t i, std::uint32_t column) const { return m_fills[i * m_columns + column]; }

 private:
    // Keeps samples 0, 2, 4, ...: those at multiples of the doubled interval.
    void thin_out() {
        const std::size_t kept = (m_samples.size() + 1) / 2;
        for (std::size_t i = 0; i < kept; ++i) {
            m_samples[i] = m_samples[2 * i];
            for (std::uint32_t c = 0; c < m_columns; ++c) {
                m_fills[i * m_columns + c] = m_fills[2 * i * m_columns + c];
            }
        }
        m_samples.resize(kept);
        m_fills.resize(kept * m_columns);
        m_interval *= 2;
    }

    picoseconds m_interval{0};
    picoseconds m_due{0};
    std::uint32_t m_capacity = 0;
    std::uint32_t m_columns = 0;
    bool m_asleep = false;
    std::vector<node_sample> m_samples;
    std::vector<std::uint32_t> m_fills;
};

}  // namespace weir
