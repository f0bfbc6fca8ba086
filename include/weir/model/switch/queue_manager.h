// A part of a switch: what its egress queues hold and what is bound for them, and what depends on it: marking
// (marker.h), what happens where a port is full (overflow_action.h), in-band telemetry (frame_annex.h). Works
// with any organisation of the memory. A switch without any of these has no queue manager.
//
// A frame's way: `place` when its port is selected, `expect` when it enters its VOQ, `arrive` when it has
// crossed, `offer` before its egress queue takes it, `enter` when that has, `depart` when its first bit leaves
// (then `record`, where it has an annex), `leave` when it gives its egress memory back. In a shared memory
// there are no VOQs: no `expect` and `arrive`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/model/forwarding/port_choice.h"
#include "weir/model/marking/marker.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/memory_path.h"
#include "weir/model/switch/switch_parameters.h"

namespace weir::model {

class queue_manager {
 public:
    /// Null where there is nothing to do. All outlive the result. `node`: index of the switch among the nodes.
    static std::unique_ptr<queue_manager> make(const switch_parameters& parameters, unsigned node,
                                               const std::vector<port_config>& ports, const memory_path& memory,
                                               frame_origin& origin);

    /// Which ports have room for this frame. Holds until the next call.
    const egress_room& room_for(const frame_route& route) {
        m_room.asked = &route;
        return m_room;
    }
    /// Its egress port is selected. Where it goes.
    frame_action place(const port_choice& choice, unsigned selected, ethernet_frame& frame);
    /// Memory of the frames that the port holds and will get. Unit: B.
    std::uint64_t held(unsigned port) const { return m_port_bytes[port]; }
    void expect(const frame_route& route);
    void arrive(const frame_route& route);
    /// Marks the frame, if its marker says so. Returns what else is to be done: it is kept, trimmed or dropped.
    frame_action offer(stored_frame& stored, picoseconds now);
    void enter(const frame_route& route);
    void depart(stored_frame& stored, picoseconds now);
    /// Appends what the port, which sends at `rate`, says to the frame that departs.
    void record(const stored_frame& stored, bit_rate rate, picoseconds now, frame_annex& annex);
    void leave(const frame_route& route, picoseconds at);

 private:
    struct frame_count {
        std::uint64_t bytes = 0;
        std::uint32_t frames = 0;
        void add(const frame_route& route) {
            bytes += route.charged_bytes;
            ++frames;
        }
        void remove(const frame_route& route) {
            bytes -= route.charged_bytes;
            --frames;
        }
    };
    struct queue {
        frame_count held;
        // In VOQs and crossing.
        frame_count bound;
        picoseconds empty_since{0};
    };
    struct room final : egress_room {
        explicit room(const queue_manager& all) : manager(all) {}
        bool has_room(unsigned port) const override;
        std::uint64_t held(unsigned port) const override { return manager.held(port); }
        double fill(unsigned port) const override {
            return manager.m_memory.fill(*asked, port, manager.held(port));
        }
        const queue_manager& manager;
        const frame_route* asked = nullptr;
    };

    queue_manager(const switch_parameters& parameters, unsigned node, unsigned ports,
                  const memory_path& memory);
    queue& queue_of(const frame_route& route) {
        return m_queues[std::size_t{route.egress_port} * m_classes + route.frame_class];
    }
    frame_action decide(stored_frame& stored, const frame_count& held, picoseconds now);
    bool is_marked(const frame_route& route) const { return (m_marked_classes >> route.frame_class & 1) != 0; }

    const memory_path& m_memory;
    unsigned m_node;
    unsigned m_classes;
    class_mask m_marked_classes = 0;
    marking_time m_at = marking_time::enqueue;
    marking_count m_counts = marking_count::egress;
    // By port and class.
    std::vector<queue> m_queues;
    // Of all classes of a port.
    std::vector<std::uint64_t> m_port_bytes;
    // By port: of frames, with telemetry.
    std::vector<std::uint64_t> m_sent_bytes;
    room m_room{*this};
    // Null where nothing is marked.
    std::unique_ptr<marker> m_marker;
    // Null where frames are held.
    std::unique_ptr<overflow_action> m_overflow;
    bool m_overflow_sees_all = false;
    random_stream m_chance;
};

}  // namespace weir::model
