// When each segment under way was sent, for congestion controls that want a round-trip time with each ACK.
//
// One ring for each sender slot, by segment number; it doubles when more segments are under way than it holds.
// What was sent again has no time: its ACK may be for either copy (Karn).
//
//   send_times times;
//   times.open(slot);
//   times.note(slot, 7, 5, now, false);               // segment 7; 5 is the first that is under way
//   picoseconds sent = times.of(slot, 7);             // `never` for what was sent again
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"

namespace weir::traffic {

class send_times {
 public:
    /// A transfer begins in this slot.
    void open(std::uint32_t slot) {
        if (slot >= m_rings.size()) {
            m_rings.resize(slot + std::size_t{1});
        }
    }
    /// Range: first <= segment.
    void note(std::uint32_t slot, std::uint64_t segment, std::uint64_t first, picoseconds now, bool again) {
        ring& times = m_rings[slot];
        if (segment - first >= times.size()) {
            grow(times, segment, first);
        }
        at(times, segment) = again ? never : now;
    }
    /// Of a segment under way.
    picoseconds of(std::uint32_t slot, std::uint64_t segment) { return at(m_rings[slot], segment); }

 private:
    using ring = std::vector<picoseconds>;

    static picoseconds& at(ring& times, std::uint64_t segment) { return times[segment & (times.size() - 1)]; }
    [[gnu::cold]] static void grow(ring& times, std::uint64_t segment, std::uint64_t first) {
        std::size_t size = times.empty() ? 16 : times.size();
        while (segment - first >= size) {
            size *= 2;
        }
        ring larger(size, never);
        for (std::uint64_t each = first; !times.empty() && each < first + times.size() && each < segment;
             ++each) {
            at(larger, each) = at(times, each);
        }
        times.swap(larger);
    }

    std::vector<ring> m_rings;
};

}  // namespace weir::traffic
