// What nodes and their ports do while journeys are recorded, each kept by its own thread until the next
// barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/capture/wire_taps.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/engine/node_watch.h"
#include "weir/model/link/wire.h"

namespace weir::tb {

/// One thing that a node has done. `source` orders what happens at one time.
struct journey_record {
    enum class what : std::uint8_t { sent, pauses, drop };
    picoseconds time;
    std::uint32_t source;
    std::uint32_t node;
    std::uint16_t port;
    what kind;
    class_mask paused;
    drop_reason reason;
    /// Of a frame that is sent: how long it is on the wire.
    picoseconds duration;
    ethernet_frame frame;
};

/// What a node tells beside its transmissions; filled by the node's thread.
class node_recorder final : public node_watch {
 public:
    node_recorder(std::uint32_t source, std::uint32_t node) : m_source(source), m_node(node) {}

    void on_pauses(unsigned port, class_mask paused, picoseconds now) override {
        add(now, port, journey_record::what::pauses, {}).paused = paused;
    }
    void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) override {
        journey_record& r = add(now, port, journey_record::what::drop, frame);
        r.reason = reason;
    }
    std::vector<journey_record>& records() { return m_records; }

 private:
    journey_record& add(picoseconds now, unsigned port, journey_record::what kind,
                        const ethernet_frame& frame) {
        m_records.push_back({now, m_source, m_node, static_cast<std::uint16_t>(port), kind, 0,
                             drop_reason::count, picoseconds{0}, frame});
        return m_records.back();
    }

    std::uint32_t m_source;
    std::uint32_t m_node;
    std::vector<journey_record> m_records;
};

/// What leaves at one port, within the window; filled by the node's thread.
class port_recorder final : public wire_tap {
 public:
    port_recorder(std::uint32_t source, std::uint32_t node, unsigned port, const wire_output& wire,
                  picoseconds start, picoseconds end)
        : m_source(source), m_node(node), m_port(port), m_wire(wire), m_start(start), m_end(end) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_start && first_bit < m_end) {
            m_records.push_back({first_bit, m_source, m_node, static_cast<std::uint16_t>(m_port),
                                 journey_record::what::sent, 0, drop_reason::count,
                                 m_wire.wire_time(frame.length()), frame});
        }
    }
    void stop() { m_end = picoseconds{0}; }
    std::vector<journey_record>& records() { return m_records; }

 private:
    std::uint32_t m_source;
    std::uint32_t m_node;
    unsigned m_port;
    const wire_output& m_wire;
    picoseconds m_start;
    picoseconds m_end;
    std::vector<journey_record> m_records;
};

}  // namespace weir::tb
