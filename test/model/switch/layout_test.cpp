// What a hop touches lies in as few cache lines as docs/performance.md draws.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "weir/base/occupancy_meter.h"
#include "weir/base/prefetch.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/link/inbox.h"
#include "weir/model/link/wire.h"
#include "weir/model/switch/switch_port.h"

using namespace weir;
using namespace weir::model;

namespace {

template <class Object, class Part>
std::size_t line_of(const Object& object, const Part& part) {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&part) -
                                    reinterpret_cast<const char*>(&object)) /
           cache_line;
}

TEST(layout, the_path_of_a_port_and_its_transmitter_are_one_cache_line) {
    const switch_port port(pause_config{}, 10_Gbps, 1us);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&port) % cache_line, 0U);
    EXPECT_EQ(line_of(port, port.wire), 0U);
    EXPECT_EQ(line_of(port, port.egress_memory), 0U);
    EXPECT_EQ(line_of(port, port.first_arrived), 0U);
    EXPECT_EQ(line_of(port, port.incoming_bytes), 0U);
    EXPECT_EQ(line_of(port, port.arrivals_are_events), 0U);
    EXPECT_EQ(line_of(port, port.sending.end), 0U);
    EXPECT_EQ(line_of(port, port.sending.wire_overhead), 0U);
    EXPECT_EQ(line_of(port, port.sending.needs_attention), 0U);
    EXPECT_EQ(line_of(port, port.timers), 0U);
}

TEST(layout, timers_of_pauses_begin_with_the_mask_of_paused_classes) {
    pause_timers timers;
    pause_fields pause;
    pause.class_enable = 0x28;
    pause.quanta[3] = pause.quanta[5] = 100;
    timers.apply(pause, 1us, 10_Gbps);
    EXPECT_EQ(timers.paused_mask(), 0x28);
    class_mask first = 0;
    std::memcpy(&first, &timers, sizeof first);
    EXPECT_EQ(first, 0x28);
}

TEST(layout, what_a_frame_counts_at_a_port_lies_together) {
    const mac_stats stats;
    const class_traffic& counts = stats.classes[3];
    EXPECT_EQ(sizeof counts, 40U);
    EXPECT_LT(
        reinterpret_cast<const char*>(&counts.rx_bytes) - reinterpret_cast<const char*>(&counts.tx_frames),
        static_cast<std::ptrdiff_t>(cache_line));
}

TEST(layout, a_stored_frame_is_two_cache_lines_wherever_it_lies) {
    EXPECT_EQ(alignof(stored_frame), cache_line / 2);
    EXPECT_EQ(sizeof(stored_frame), 3 * cache_line / 2);
    frame_slab slab;
    for (int i = 0; i < 10; ++i) {
        const auto at = reinterpret_cast<std::uintptr_t>(&slab[slab.put(ethernet_frame{})]);
        EXPECT_EQ((at + sizeof(stored_frame) - 1) / cache_line - at / cache_line, 1U);
    }
}

TEST(layout, inboxes_and_wires_begin_a_cache_line_and_records_have_no_gaps) {
    EXPECT_EQ(sizeof(inbox), cache_line);
    EXPECT_EQ(alignof(inbox), cache_line);
    EXPECT_EQ(alignof(wire_output), cache_line);
    EXPECT_EQ(sizeof(wire_arrival), sizeof(ethernet_frame) + sizeof(event_key) + sizeof(picoseconds));
}

TEST(layout, parts_of_memories_do_not_straddle) {
    EXPECT_EQ(sizeof(occupancy_meter), 48U);
    EXPECT_EQ(cache_line % sizeof(egress_buffer::port_state), 0U);
    EXPECT_EQ(alignof(egress_buffer::port_state), sizeof(egress_buffer::port_state));
    EXPECT_EQ(sizeof(ingress_buffer::port_state), cache_line / 2);
    EXPECT_EQ(alignof(ingress_buffer::port_state), sizeof(ingress_buffer::port_state));
}

}  // namespace
