// When a lookup is done: the timing of a forwarding engine that serves a whole switch, without its contents.
//
// The engine takes one lookup per initiation interval and finishes it a fixed latency later; any number may
// be in flight. A lookup that arrives before the next issue slot waits for it.
//
//   lookup_pipeline pipeline(3100ns, 10ns);
//   picoseconds done = pipeline.issue(now);   // schedule the frame's enqueueing at `done`
//
// Arrivals at the same time are issued in the order of the calls, each one interval after the one before: the
// node's agenda has decided that order (time, stage, port XOR hash of the time), so no port is favoured.
// An arrival at the very time of the issue slot does not wait. Slots are not tied to a clock's grid: an idle
// engine issues at the arrival. Completions are in the order of the calls and, with an interval above 0,
// never at the same time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/base/time.h"

namespace weir::model {

struct lookup_pipeline_stats {
    std::uint64_t lookups = 0;
    /// Lookups that had to wait for an issue slot.
    std::uint64_t waited = 0;
    /// Sum and maximum of the times from arrival to issue.
    picoseconds wait_time{0};
    picoseconds longest_wait{0};
};

class lookup_pipeline {
 public:
    /// `latency`: from issue to completion; range >= 0. `interval`: between two issues; 0 = no limit.
    /// Sources: `switch_config::lookup_delay` and `lookup_interval`, which are checked there.
    constexpr lookup_pipeline(picoseconds latency, picoseconds interval)
        : m_latency(latency), m_interval(interval) {}

    /// Takes a lookup and returns when its result is there, `latest_time` where a queue reaches beyond it.
    /// Arrivals must not go back in time.
    picoseconds issue(picoseconds arrival) {
        ++m_stats.lookups;
        picoseconds start = arrival;
        if (arrival < m_next_issue) {
            start = m_next_issue;
            const picoseconds wait = start - arrival;
            ++m_stats.waited;
            m_stats.wait_time += wait;
            m_stats.longest_wait = wait > m_stats.longest_wait ? wait : m_stats.longest_wait;
        }
        m_next_issue = start + m_interval;
        return std::min(start + m_latency, latest_time);
    }

    /// A lookup of an engine without an interval, whose completion the caller has computed.
    void count() { ++m_stats.lookups; }

    picoseconds latency() const { return m_latency; }
    picoseconds interval() const { return m_interval; }
    const lookup_pipeline_stats& stats() const { return m_stats; }
    /// Ends the warm-up: counts anew; lookups under way stay so.
    void reset_stats() { m_stats = {}; }

 private:
    picoseconds m_latency;
    picoseconds m_interval;
    picoseconds m_next_issue{0};
    lookup_pipeline_stats m_stats;
};

}  // namespace weir::model
