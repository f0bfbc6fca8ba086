// Rules that trim frames, in whole switches with each organisation of the packet memory: an overflow action, a
// marker and a queue order. Each frame arrives whole or trimmed, or is dropped; no memory is left over.
#include <gtest/gtest.h>

#include <string>

#include "support/fabric_rig.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::test {

using namespace model;

namespace {

constexpr int per_sender = 40;  // frames of each of two senders
constexpr trim_order headers_only{64, 7, 46};

/// Trims before the port is full, so that there is room for headers.
class trimmer final : public overflow_action {
 public:
    frame_action resolve(const port_choice& choice, unsigned selected, ethernet_frame&) override {
        return choice.ports.room->held(selected) < 5'000 ? frame_action::keep
                                                         : frame_action::trim_to(headers_only);
    }
    bool sees_all() const override { return true; }
};

class trimming_marker final : public marker {
 public:
    frame_action decide(const queue_sight& queue) override {
        return queue.frames > 3 ? frame_action::trim_to(headers_only) : frame_action::keep;
    }
};

/// The last frame of the queue gives way.
class trimming_order final : public queue_order {
 public:
    frame_slot next(const frame_slab&, const frame_queue& queue) const override { return queue.head(); }
    frame_slot victim(const frame_slab& slab, const frame_queue& queue, frame_slot) const override {
        frame_slot last = queue.head();
        while (slab.route(last).next != no_slot) {
            last = slab.route(last).next;
        }
        return last;
    }
    frame_action action() const override { return frame_action::trim_to(headers_only); }
};

struct trimming_case {
    const char* memory;
    const char* rule;
    engine_kind engine = engine_kind::fast;
};

void PrintTo(const trimming_case& c, std::ostream* out) {
    *out << c.memory << "_" << c.rule;
}

class trimming : public testing::TestWithParam<trimming_case> {
 protected:
    static fabric_parameters parameters() {
        static const overflow_kind overflow = overflow_kinds().add(
            {"trimmer", "", {[](const overflow_setup&) { return std::make_unique<trimmer>(); }}});
        static const marker_kind marks = marker_kinds().add(
            {"trimming_marker", "", {[](const marker_setup&) { return std::make_unique<trimming_marker>(); }}});
        static const queue_order_kind evicts =
            queue_orders().add({"trimming_order", "", {[] { return std::make_unique<trimming_order>(); }}});
        fabric_parameters p;
        p.wire_overhead = 0_B;
        p.device.buffer = named<buffer_kind>(GetParam().memory);
        p.device.lookup_delay = 1us;
        p.device.classes = 8;
        p.device.max_frame = 1000_B;
        p.device.ingress_buffer = 10'000_B;
        p.device.egress_buffer = 10'000_B;
        p.device.share = egress_share::whole;
        p.device.drop = drop_policy::egress_tail;
        p.shared.memory = 20'000_B;
        const std::string rule = GetParam().rule;
        p.device.overflow = rule == "overflow" ? overflow : p.device.overflow;
        p.marking.kind = rule == "marker" ? marks : p.marking.kind;
        p.device.queue_order = rule == "order" ? evicts : p.device.queue_order;
        return p;
    }
};

TEST_P(trimming, each_frame_arrives_whole_or_trimmed_or_is_dropped) {
    single_config config;
    config.hosts = 3;
    fabric_rig rig(make_topology(config), parameters());
    for (host_id src = 0; src < 2; ++src) {
        ethernet_frame frame = rig.frame(src, 2, 1000);
        frame.kind = frame_kind::udp;
        rig.stream(0us, per_sender, frame, src);
    }
    rig.run(2ms, 0_ps, GetParam().engine);
    int trimmed_frames = 0;
    for (const auto& a : rig.ends[2].arrivals) {
        if (!a.frame.is_trimmed()) {
            EXPECT_EQ(a.frame.frame_bytes, 1000);
            EXPECT_EQ(a.frame.dscp(), 0);
            continue;
        }
        ++trimmed_frames;
        EXPECT_EQ(a.frame.frame_bytes, headers_only.frame_bytes);
        EXPECT_EQ(a.frame.untrimmed_bytes(), 1000);
        EXPECT_EQ(a.frame.priority, headers_only.queue);
        EXPECT_EQ(a.frame.dscp(), headers_only.dscp);
    }
    EXPECT_GT(trimmed_frames, 10);
    switch_node& device = rig.made.device(0);
    std::uint64_t drops = 0;
    for (const std::uint64_t count : device.stats().drops) {
        drops += count;
    }
    EXPECT_EQ(rig.ends[2].arrivals.size() + drops, 2U * per_sender);
    EXPECT_EQ(device.ingress_memory().occupancy(0), 0_B);
    EXPECT_EQ(device.egress_memory().occupancy(2), 0_B);
    EXPECT_FALSE(device.broken()) << device.first_violation().message;
}

INSTANTIATE_TEST_SUITE_P(
    memories, trimming,
    testing::Values(trimming_case{"partitioned", "overflow"}, trimming_case{"partitioned", "marker"},
                    trimming_case{"partitioned", "order"},
                    trimming_case{"partitioned", "overflow", engine_kind::literal},
                    trimming_case{"shared", "overflow"}, trimming_case{"shared", "marker"},
                    trimming_case{"shared", "order"}, trimming_case{"output_queued", "overflow"},
                    trimming_case{"output_queued", "marker"}, trimming_case{"output_queued", "order"},
                    trimming_case{"input_buffered", "marker"}));

}  // namespace

}  // namespace weir::test
