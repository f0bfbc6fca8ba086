// What a fabric's nodes and their ports record of frames, each on its own thread until the next barrier,
// brought into one order at barriers, on rank 0. The other ranks hand over what theirs have recorded, and visit
// nothing.
//
//   journey_records records(config, changes, network, nodes, taps);
//   records.take(sure, [](const journey_record& r) { ... });      // at barriers
//   records.finish(end, [](const journey_record& r) { ... });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/verify/capture/wire_taps.h"
#include "tb/verify/perfetto/journey_book.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/engine/node_watch.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/link/link_history.h"
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

/// What a node, or one of its ports, has done; filled by the node's thread.
class journey_recorder {
 public:
    /// `chosen` outlives this.
    journey_recorder(std::uint32_t source, std::uint32_t node, const frame_filter& chosen)
        : m_source(source), m_node(node), m_chosen(chosen) {}
    virtual ~journey_recorder() = default;

    /// Records nothing from now on. At a barrier.
    void stop() { m_stopped = true; }
    std::vector<journey_record>& records() { return m_records; }

 protected:
    bool takes_all() const { return !m_stopped && !m_chosen; }
    bool takes(const ethernet_frame& frame) const { return !m_stopped && (!m_chosen || m_chosen(frame)); }
    journey_record& add(picoseconds now, unsigned port, journey_record::what kind) {
        journey_record& r = m_records.emplace_back();
        r.time = now;
        r.source = m_source;
        r.node = m_node;
        r.port = static_cast<std::uint16_t>(port);
        r.kind = kind;
        return r;
    }
    journey_record& add(picoseconds now, unsigned port, journey_record::what kind,
                        const ethernet_frame& frame) {
        journey_record& r = add(now, port, kind);
        r.frame = frame;
        return r;
    }

 private:
    std::uint32_t m_source;
    std::uint32_t m_node;
    const frame_filter& m_chosen;
    bool m_stopped = false;
    std::vector<journey_record> m_records;
};

/// What a node tells beside its transmissions.
class node_recorder final : public journey_recorder, public node_watch {
 public:
    using journey_recorder::journey_recorder;

    void on_pauses(unsigned port, class_mask paused, picoseconds now) override {
        if (takes_all()) {
            add(now, port, journey_record::what::pauses).paused = paused;
        }
    }
    void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) override {
        if (takes(frame)) {
            add(now, port, journey_record::what::drop, frame).reason = reason;
        }
    }
    // Frames that are not told apart are not followed from port to port.
    void on_placed(unsigned wanted, unsigned placed, std::uint64_t held_bytes, const ethernet_frame& frame,
                   picoseconds now) override {
        if (!takes_all() && takes(frame)) {
            journey_record& r = add(now, placed, journey_record::what::placed, frame);
            r.wanted = static_cast<std::uint16_t>(wanted);
            r.held_bytes = held_bytes;
        }
    }
};

/// What leaves at one port, within the window.
class port_recorder final : public journey_recorder, public wire_tap {
 public:
    port_recorder(std::uint32_t source, std::uint32_t node, unsigned port, const wire_output& wire,
                  picoseconds start, picoseconds end, const frame_filter& chosen)
        : journey_recorder(source, node, chosen), m_port(port), m_wire(wire), m_start(start), m_end(end) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_start && first_bit < m_end && takes(frame)) {
            add(first_bit, m_port, journey_record::what::sent, frame).duration =
                m_wire.wire_time(frame.length());
        }
    }

 private:
    unsigned m_port;
    const wire_output& m_wire;
    picoseconds m_start;
    picoseconds m_end;
};

class journey_records {
 public:
    /// Before the simulation starts. Only frames that pass `filter`, and then without pauses; none: all.
    journey_records(const run_config& config, const std::vector<fabric_change>& changes, fabric& network,
                    const std::vector<std::uint32_t>& nodes, wire_taps& taps, frame_filter filter = {});

    using visitor = std::function<void(const journey_record&)>;
    /// Visits, in order of time, what came up to `sure`: nodes have reached a later time, and the run does not
    /// end before. Collective, as the next.
    void take(picoseconds sure, const visitor& visit);
    /// The run has ended, at `end`: nothing that happened later is visited.
    void finish(picoseconds end, const visitor& visit);
    /// While `take` visits: nothing more need be recorded, or visited from the next `take` on.
    void stop() { m_stopped = true; }

    /// Where a frame that is sent goes, and when its last bit is there.
    node_ref far_end(const journey_record& sent) const;
    frame_arrival arrival_of(const journey_record& sent) const;

 private:
    void gather();
    void visit_until(picoseconds until, const visitor& visit);
    const link_end& far_port(const journey_record& sent, link_id& link) const;

    fabric& m_network;
    const topology& m_plan;
    frame_filter m_filter;
    /// Of the nodes that are here.
    std::vector<std::unique_ptr<journey_recorder>> m_recorders;
    std::vector<link_history> m_links;
    /// Sorted, not certain yet.
    std::vector<journey_record> m_pending;
    bool m_stopped = false;
};

}  // namespace weir::tb
