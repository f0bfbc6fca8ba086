#include "weir/model/memory/ingress_buffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

using namespace weir;
using namespace weir::model;

namespace {

constexpr unsigned ports = 3;

/// Every frame in memory, kept; all counts summed afresh each time.
struct literal_buffer {
    struct held {
        pfc_class c;
        std::uint32_t length;
    };
    ingress_limits limits;
    unsigned classes = 8;
    std::vector<held> frames;
    class_mask paused = 0;

    std::uint32_t total() const { return sum(0, 7); }
    std::uint32_t sum(unsigned lowest, unsigned highest) const {
        std::uint32_t bytes_held = 0;
        for (const held& f : frames) {
            bytes_held += f.c >= lowest && f.c <= highest ? f.length : 0;
        }
        return bytes_held;
    }
    std::uint32_t count_of(unsigned c) const {
        if (limits.one_class) {
            return total();
        }
        return limits.count == threshold_count::drain_bytes ? sum(c, 7) : sum(c, c);
    }
    bool charge(pfc_class c, std::uint32_t length, class_mask& xoff) {
        xoff = 0;
        if (total() + length > limits.capacity) {
            return false;
        }
        frames.push_back({c, length});
        for (unsigned k = 0; k < classes; ++k) {
            if (limits.xoff != ingress_limits::no_threshold && (paused >> k & 1) == 0 &&
                count_of(k) >= limits.xoff) {
                xoff = static_cast<class_mask>(xoff | (1U << k));
            }
        }
        paused |= xoff;
        return true;
    }
    class_mask release(std::size_t index) {
        frames.erase(frames.begin() + static_cast<long>(index));
        class_mask xon = 0;
        for (unsigned k = 0; k < classes; ++k) {
            if ((paused >> k & 1) != 0 && count_of(k) < limits.xon) {
                xon = static_cast<class_mask>(xon | (1U << k));
            }
        }
        paused = static_cast<class_mask>(paused & ~xon);
        return xon;
    }
};

void compare_with_literal(std::mt19937_64& random, const ingress_limits& limits, unsigned classes) {
    frame_slab slab;
    ingress_buffer buffer(slab, ports, classes);
    std::vector<literal_buffer> oracle(ports);
    for (unsigned p = 0; p < ports; ++p) {
        buffer.set_limits(p, limits);
        oracle[p].limits = limits;
        oracle[p].classes = classes;
    }
    // Phases of filling and draining, so that both thresholds are crossed often.
    bool filling = true;
    picoseconds now{0};
    for (int step = 0; step < 600; ++step) {
        now += picoseconds{static_cast<std::int64_t>(random() % 100'000)};
        filling = random() % 40 == 0 ? !filling : filling;
        const auto p = static_cast<unsigned>(random() % ports);
        literal_buffer& o = oracle[p];
        if ((random() % 10 < (filling ? 8U : 2U)) || o.frames.empty()) {
            const auto c = static_cast<pfc_class>(random() % classes);
            const auto length = static_cast<std::uint32_t>(64 + random() % 1467);
            class_mask xoff = 0;
            const bool admitted = o.charge(c, length, xoff);
            const charge_result r = buffer.charge(p, c, length, now);
            ASSERT_EQ(r.admitted, admitted);
            ASSERT_EQ(r.xoff, xoff);
        } else {
            const std::size_t gone = random() % o.frames.size();
            const literal_buffer::held f = o.frames[gone];
            const class_mask xon = o.release(gone);
            ASSERT_EQ(buffer.release(p, f.c, f.length, now), xon);
        }
        ASSERT_EQ(buffer.paused(p), o.paused);
        ASSERT_EQ(buffer.occupancy(p), bytes{o.total()});
        for (unsigned c = 0; c < classes; ++c) {
            const auto k = static_cast<pfc_class>(c);
            ASSERT_EQ(buffer.occupancy(p, k), bytes{o.sum(c, c)});
            ASSERT_EQ(buffer.drain_bytes(p, k), bytes{o.sum(c, 7)});
        }
    }
}

TEST(ingress_buffer, counts_pauses_and_refusals_are_those_of_all_frames_summed_afresh) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        ingress_limits limits;
        limits.capacity = static_cast<std::uint32_t>(4'000 + random() % 60'000);
        limits.xoff = static_cast<std::uint32_t>(1 + random() % limits.capacity);
        limits.xon = static_cast<std::uint32_t>(1 + random() % limits.xoff);
        limits.count = random() % 2 == 0 ? threshold_count::drain_bytes : threshold_count::class_bytes;
        limits.one_class = random() % 4 == 0;
        compare_with_literal(random, limits, 1 + static_cast<unsigned>(random() % 8));
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(ingress_buffer, without_flow_control_nothing_is_ever_paused) {
    std::mt19937_64 random(2);
    ingress_limits limits;
    limits.capacity = 20'000;
    limits.xoff = limits.xon = ingress_limits::no_threshold;
    for (int round = 0; round < 20; ++round) {
        compare_with_literal(random, limits, 8);
    }
}

struct detail_buffer {
    detail_buffer() {
        ingress_limits limits;
        limits.capacity = 131'072;
        limits.xoff = 11'546;  // DeTail 6.1
        limits.xon = 4'838;
        buffer.set_limits(0, limits);
    }
    frame_slab slab;
    ingress_buffer buffer{slab, 1, 8};
};

TEST(ingress_buffer, a_backlog_of_urgent_frames_pauses_the_less_urgent_classes_too) {
    detail_buffer d;
    EXPECT_EQ(d.buffer.charge(0, 5, 11'545, 0_ps).xoff, 0);
    EXPECT_EQ(d.buffer.charge(0, 7, 1, 1_ps).xoff, 0b0011'1111);  // classes 0-5; 6 and 7 have 1 B
    EXPECT_EQ(d.buffer.paused(0), 0b0011'1111);
}

TEST(ingress_buffer, a_class_stays_paused_between_the_thresholds_and_is_announced_once) {
    detail_buffer d;
    EXPECT_EQ(d.buffer.charge(0, 0, 11'546, 0_ps).xoff, 1);
    EXPECT_EQ(d.buffer.charge(0, 0, 1'530, 1_ps).xoff, 0) << "already paused";
    EXPECT_EQ(d.buffer.release(0, 0, 8'238, 2_ps), 0) << "4,838 B are not below 4,838 B";
    EXPECT_EQ(d.buffer.release(0, 0, 1, 3_ps), 1);
    EXPECT_EQ(d.buffer.charge(0, 0, 6'708, 4_ps).xoff, 0) << "11,545 B";
    EXPECT_EQ(d.buffer.charge(0, 0, 1, 5_ps).xoff, 1);
}

TEST(ingress_buffer, memory_is_refused_to_the_byte_and_a_refusal_charges_nothing) {
    frame_slab slab;
    ingress_buffer buffer(slab, 2, 8);
    ingress_limits limits;
    limits.capacity = 3'000;
    limits.xoff = limits.xon = ingress_limits::no_threshold;
    buffer.set_limits(0, limits);
    buffer.set_limits(1, limits);
    EXPECT_TRUE(buffer.charge(0, 0, 1'500, 0_ps).admitted);
    EXPECT_FALSE(buffer.charge(0, 1, 1'501, 0_ps).admitted);
    EXPECT_EQ(buffer.occupancy(0), 1'500_B);
    EXPECT_TRUE(buffer.charge(0, 1, 1'500, 0_ps).admitted);
    EXPECT_TRUE(buffer.charge(1, 1, 3'000, 0_ps).admitted) << "ports have memories of their own";
}

TEST(ingress_buffer, virtual_output_queues_keep_order_and_do_not_mix) {
    std::mt19937_64 random(3);
    frame_slab slab;
    ingress_buffer buffer(slab, ports, 4);
    using queue_of = std::tuple<unsigned, unsigned, unsigned>;
    std::map<queue_of, std::deque<frame_slot>> oracle;
    for (int step = 0; step < 20'000; ++step) {
        const auto in = static_cast<unsigned>(random() % ports);
        const auto out = static_cast<unsigned>(random() % ports);
        const auto c = static_cast<pfc_class>(random() % 4);
        std::deque<frame_slot>& queue = oracle[{in, out, c}];
        ASSERT_EQ(buffer.head(in, out, c), queue.empty() ? no_slot : queue.front());
        if (queue.empty() || random() % 2 == 0) {
            const frame_slot slot = slab.put(ethernet_frame{});
            slab.route(slot).ingress_port = static_cast<std::uint8_t>(in);
            slab.route(slot).egress_port = static_cast<std::uint8_t>(out);
            slab.route(slot).frame_class = c;
            ASSERT_EQ(buffer.enqueue(slot), queue.empty());
            queue.push_back(slot);
        } else {
            const frame_slot slot = queue.front();
            queue.pop_front();
            ASSERT_EQ(buffer.dequeue(in, out, c), queue.empty());
            slab.release(slot);
        }
    }
}

TEST(ingress_buffer, meters_follow_each_class_and_exist_only_where_frames_were) {
    detail_buffer d;
    d.buffer.charge(0, 3, 1'000, 1us);
    d.buffer.charge(0, 3, 500, 2us);
    d.buffer.release(0, 3, 1'000, 4us);
    d.buffer.settle(5us);
    ASSERT_NE(d.buffer.meter(0, 3), nullptr);
    EXPECT_EQ(d.buffer.meter(0, 3)->watermark(), 1'500_B);
    EXPECT_DOUBLE_EQ(d.buffer.meter(0, 3)->mean(), (0 + 1'000 + 2 * 1'500 + 500) / 5.0);
    EXPECT_EQ(d.buffer.meter(0, 2), nullptr);
}

}  // namespace
