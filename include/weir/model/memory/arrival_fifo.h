// Frames of one port between their last bit and their place in a shared memory, where they may have to wait:
// for the lookup pipeline to take them, and for the memory's banks. A partitioned switch needs none: its frames
// wait in ingress memory.
//
// The frames that are in the lookup pipeline are not counted: its registers hold them, and they need room in
// here only when they come out and find the banks busy. That room is not kept for them, so the fill may pass
// the limit by what the pipeline holds; nothing new enters meanwhile.
//
//   arrival_fifo fifo(16_KiB);
//   if (!fifo.has_room(length, now)) { drop(); }
//   fifo.wait_for_lookup(length, starts);     // and, after it:
//   fifo.wait_for_memory(length, written);
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

class arrival_fifo {
 public:
    /// Range: at least a frame of the largest size.
    explicit arrival_fifo(bytes limit) : m_limit(limit) {}

    /// An empty one takes any frame. `now` must not go back.
    bool has_room(bytes length, picoseconds now) {
        return fill(now) == 0_B || m_for_lookup.held + m_for_memory.held + length <= m_limit;
    }
    /// What waits now. A frame that leaves now has left.
    bytes fill(picoseconds now) {
        m_for_lookup.settle(now);
        m_for_memory.settle(now);
        return m_for_lookup.held + m_for_memory.held;
    }
    /// More waits for the memory than for lookups.
    bool waits_for_memory() const { return m_for_memory.held > m_for_lookup.held; }
    /// The frame waits here until its lookup starts. In the order of these times.
    void wait_for_lookup(bytes length, picoseconds starts) { m_for_lookup.add(length, starts); }
    /// It waits here again until it is written. In the order of these times.
    void wait_for_memory(bytes length, picoseconds written) { m_for_memory.add(length, written); }

 private:
    struct waiting_frame {
        picoseconds until;
        bytes length;
    };
    struct waiting_line {
        boost::circular_buffer<waiting_frame> frames{64};
        bytes held{0};

        void add(bytes length, picoseconds until) {
            if (frames.full()) {
                frames.set_capacity(2 * frames.capacity());
            }
            frames.push_back({until, length});
            held += length;
        }
        void settle(picoseconds now) {
            while (!frames.empty() && frames.front().until <= now) {
                held -= frames.front().length;
                frames.pop_front();
            }
        }
    };

    bytes m_limit;
    waiting_line m_for_lookup;
    waiting_line m_for_memory;
};

}  // namespace weir::model
