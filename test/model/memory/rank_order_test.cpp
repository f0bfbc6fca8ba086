// Order by rank against a literal reading of pFabric's rule, on random queues.
#include "weir/model/memory/queue_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/base/rng.h"

using namespace weir;
using namespace weir::model;

namespace {

struct ranked_queue {
    frame_slab slab;
    frame_queue queue;
    // In the order of their arrival.
    std::vector<frame_slot> all;

    frame_slot make(std::uint64_t flow, std::uint32_t rank) {
        ethernet_frame frame;
        frame.kind = frame_kind::tcp_data;
        frame.transfer.flow = flow & transfer_fields::flow_mask;
        frame.transfer.set_rank(rank);
        return slab.put(frame);
    }
    std::uint32_t rank(frame_slot slot) const { return slab.frame(slot).transfer.rank(); }
    std::uint64_t flow(frame_slot slot) const { return slab.frame(slot).transfer.flow; }
    void push(frame_slot slot) {
        queue.push(slab, slot);
        all.push_back(slot);
    }
    void remove(frame_slot slot) {
        queue.remove(slab, slot);
        all.erase(std::find(all.begin(), all.end(), slot));
        slab.release(slot);
    }
    /// "The packet with the highest priority (lowest remaining size); then the earliest packet of its flow."
    frame_slot expected_next() const {
        const frame_slot lowest = *std::min_element(
            all.begin(), all.end(), [&](frame_slot a, frame_slot b) { return rank(a) < rank(b); });
        return *std::find_if(all.begin(), all.end(), [&](frame_slot s) { return flow(s) == flow(lowest); });
    }
    /// The last of those of highest rank, the newcomer included.
    frame_slot expected_victim(frame_slot newcomer) const {
        std::vector<frame_slot> with = all;
        with.push_back(newcomer);
        std::reverse(with.begin(), with.end());
        return *std::max_element(with.begin(), with.end(),
                                 [&](frame_slot a, frame_slot b) { return rank(a) < rank(b); });
    }
};

TEST(rank_order, serves_and_evicts_as_pfabric_says_in_random_queues) {
    random_stream random(3, 1, random_purpose::adversary);
    const rank_order order;
    ranked_queue q;
    for (int step = 0; step < 20'000; ++step) {
        if (q.all.empty() || random.below(100) < 52) {
            const frame_slot newcomer = q.make(random.below(5), random.below(8));
            if (q.all.size() == 24) {
                const frame_slot victim = order.victim(q.slab, q.queue, newcomer);
                ASSERT_EQ(victim, q.expected_victim(newcomer));
                if (victim == newcomer) {
                    q.slab.release(newcomer);
                    continue;
                }
                q.remove(victim);
            }
            q.push(newcomer);
        } else {
            const frame_slot next = order.next(q.slab, q.queue);
            ASSERT_EQ(next, q.expected_next());
            q.remove(next);
        }
        // The list is whole: the frames that are left, in their order.
        std::size_t n = 0;
        for (frame_slot slot = q.queue.head(); slot != no_slot; slot = q.slab.route(slot).next) {
            ASSERT_EQ(slot, q.all[n++]);
        }
        ASSERT_EQ(n, q.all.size());
    }
}

TEST(rank_order, keeps_the_frames_of_a_flow_in_order_though_later_ones_have_a_lower_rank) {
    const rank_order order;
    ranked_queue q;
    const frame_slot first = q.make(1, 9);
    const frame_slot second = q.make(1, 2);
    const frame_slot other = q.make(2, 5);
    q.push(first);
    q.push(other);
    q.push(second);
    EXPECT_EQ(order.next(q.slab, q.queue), first);
}

TEST(rank_order, a_notification_goes_before_any_transfer_but_one_of_rank_0_that_came_earlier) {
    const rank_order order;
    ethernet_frame notification;
    notification.kind = frame_kind::qcn;
    notification.notification = notification_fields{};
    for (const std::uint32_t rank : {0U, 1U}) {
        ranked_queue q;
        const frame_slot transfer = q.make(1, rank);
        q.push(transfer);
        const frame_slot told = q.slab.put(notification);
        q.push(told);
        EXPECT_EQ(order.next(q.slab, q.queue), rank == 0 ? transfer : told);
    }
}

TEST(rank, beyond_its_range_is_the_largest) {
    transfer_fields t;
    t.set_rank(1U << 20);
    EXPECT_EQ(t.rank(), (1U << 20) - 1);
    t.set_rank(0x54321);
    EXPECT_EQ(t.rank(), 0x54321U);
    t.set_start(latest_time);
    t.connection = transfer_fields::connection_mask;
    t.job = transfer_fields::job_mask;
    t.flow = transfer_fields::flow_mask;
    EXPECT_EQ(t.rank(), 0x54321U);
    EXPECT_EQ(t.start(), latest_time);
    EXPECT_EQ(t.tag, 0);
}

}  // namespace
