// Cells that cross without a rival.
//
// A VOQ is alone when no other VOQ of its ingress port, and none for its egress port, has a frame. Once its
// first frame has begun to cross, the arbiter matches it in each slot until the frame ends or a rival comes,
// and such matches move no round-robin pointer after the first and change no other match. So the rest of the
// frame is one timed transfer, a stream: no slot has to be run for it, and its ports are busy for the arbiter.
// A rival that comes before the last cell has begun to cross ends the stream; what is left competes, cell by
// cell.
//
//   cell_streams streams(8, 6400_ps);
//   streams.begin({0, 2, 7}, 64ns);                  // in the slot at 0 ps: ten cells
//   streams.cells_left(2, 33ns);                     // 4: the slots at 38.4, 44.8, 51.2 and 57.6 ns
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/model/crossbar/arbiter.h"

namespace weir::model {

class cell_streams {
 public:
    /// No stream. Range of ports: 0 (no cells are moved) to max_ports.
    cell_streams(unsigned ports, picoseconds slot_time)
        : m_slot_time(slot_time), m_at_egress(ports), m_egress_of(ports) {}

    std::uint32_t count() const { return m_count; }

    /// Neither port has a stream. `end`: of the last cell's slot.
    void begin(const crossbar_match& pair, picoseconds end) {
        ++m_count;
        m_at_egress[pair.egress_port] = {end, pair};
        m_egress_of[pair.ingress_port] = pair.egress_port;
    }
    /// The stream to this egress port, which there is, is over.
    void finish(unsigned egress_port) {
        --m_count;
        m_at_egress[egress_port].end = 0_ps;
    }

    /// Of the stream that this ingress port has.
    unsigned egress_port(unsigned ingress_port) const { return m_egress_of[ingress_port]; }
    /// Of the stream that this egress port has.
    const crossbar_match& pair(unsigned egress_port) const { return m_at_egress[egress_port].pair; }
    picoseconds end(unsigned egress_port) const { return m_at_egress[egress_port].end; }
    /// Cells whose slots begin at `now` or later.
    std::int64_t cells_left(unsigned egress_port, picoseconds now) const {
        return (m_at_egress[egress_port].end - now) / m_slot_time;
    }
    /// Those of all streams. No stream has ended before `now`.
    std::int64_t cells_left(picoseconds now) const {
        std::int64_t cells = 0;
        for (const stream& s : m_at_egress) {
            cells += s.end > now ? (s.end - now) / m_slot_time : 0;
        }
        return cells;
    }

 private:
    struct stream {
        picoseconds end{0};
        crossbar_match pair{};
    };

    picoseconds m_slot_time;
    std::uint32_t m_count = 0;
    std::vector<stream> m_at_egress;
    std::vector<std::uint8_t> m_egress_of;
};

}  // namespace weir::model
