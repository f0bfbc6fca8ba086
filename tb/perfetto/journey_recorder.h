// What nodes and their ports do while journeys are recorded, each kept by its own thread until the next
// barrier.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tb/capture/wire_taps.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/engine/node_watch.h"
#include "weir/model/link/wire.h"

namespace weir::tb {

/// One thing that a node has done. `source` orders what happens at one time.
struct journey_record {
    enum class what : std::uint8_t { placed, sent, pauses, drop };
    picoseconds time{0};
    std::uint32_t source = 0;
    std::uint32_t node = 0;
    std::uint16_t port = 0;
    what kind = what::sent;
    class_mask paused = 0;
    drop_reason reason = drop_reason::count;
    /// Of a frame that is placed: the port that was selected for it, and what that holds. Unit: B.
    std::uint16_t wanted = 0;
    std::uint64_t held_bytes = 0;
    /// Of a frame that is sent: how long it is on the wire.
    picoseconds duration{0};
    ethernet_frame frame;
};

/// Which frames are recorded; none: all.
using frame_filter = std::function<bool(const ethernet_frame&)>;

/// What a node tells beside its transmissions; filled by the node's thread.
class node_recorder final : public node_watch {
 public:
    /// `filter` outlives this.
    node_recorder(std::uint32_t source, std::uint32_t node, const frame_filter& filter)
        : m_source(source), m_node(node), m_filter(filter) {}

    void on_pauses(unsigned port, class_mask paused, picoseconds now) override {
        if (!m_stopped && !m_filter) {
            add(now, port, journey_record::what::pauses).paused = paused;
        }
    }
    void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) override {
        if (!m_stopped && (!m_filter || m_filter(frame))) {
            journey_record& r = add(now, port, journey_record::what::drop);
            r.reason = reason;
            r.frame = frame;
        }
    }
    // Frames that are not told apart are not followed from port to port.
    void on_placed(unsigned wanted, unsigned placed, std::uint64_t held_bytes, const ethernet_frame& frame,
                   picoseconds now) override {
        if (!m_stopped && m_filter && m_filter(frame)) {
            journey_record& r = add(now, placed, journey_record::what::placed);
            r.wanted = static_cast<std::uint16_t>(wanted);
            r.held_bytes = held_bytes;
            r.frame = frame;
        }
    }
    /// Records nothing from now on. At a barrier.
    void stop() { m_stopped = true; }
    std::vector<journey_record>& records() { return m_records; }

 private:
    journey_record& add(picoseconds now, unsigned port, journey_record::what kind) {
        journey_record& r = m_records.emplace_back();
        r.time = now;
        r.source = m_source;
        r.node = m_node;
        r.port = static_cast<std::uint16_t>(port);
        r.kind = kind;
        return r;
    }

    std::uint32_t m_source;
    std::uint32_t m_node;
    const frame_filter& m_filter;
    bool m_stopped = false;
    std::vector<journey_record> m_records;
};

/// What leaves at one port, within the window; filled by the node's thread.
class port_recorder final : public wire_tap {
 public:
    port_recorder(std::uint32_t source, std::uint32_t node, unsigned port, const wire_output& wire,
                  picoseconds start, picoseconds end, const frame_filter& filter)
        : m_source(source),
          m_node(node),
          m_port(port),
          m_wire(wire),
          m_start(start),
          m_end(end),
          m_filter(filter) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_start && first_bit < m_end && (!m_filter || m_filter(frame))) {
            journey_record& r = m_records.emplace_back();
            r.time = first_bit;
            r.source = m_source;
            r.node = m_node;
            r.port = static_cast<std::uint16_t>(m_port);
            r.duration = m_wire.wire_time(frame.length());
            r.frame = frame;
        }
    }
    /// As above.
    void stop() { m_end = picoseconds{0}; }
    std::vector<journey_record>& records() { return m_records; }

 private:
    std::uint32_t m_source;
    std::uint32_t m_node;
    unsigned m_port;
    const wire_output& m_wire;
    picoseconds m_start;
    picoseconds m_end;
    const frame_filter& m_filter;
    std::vector<journey_record> m_records;
};

}  // namespace weir::tb
