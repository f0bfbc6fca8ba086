#include "weir/model/frame/frame_slab.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

using namespace weir;
using namespace weir::model;

namespace {

TEST(frame_slab, slots_in_use_are_distinct_and_keep_their_frames) {
    std::mt19937_64 random(1);
    frame_slab slab;
    std::map<frame_slot, std::uint64_t> oracle;
    std::size_t most = 0;
    for (int step = 0; step < 50'000; ++step) {
        if (oracle.empty() || random() % 100 < 50) {
            ethernet_frame frame;
            frame.transfer.flow = random() & transfer_fields::flow_mask;
            const frame_slot slot = slab.put(frame);
            ASSERT_TRUE(oracle.emplace(slot, std::uint64_t{frame.transfer.flow}).second) << "slot given twice";
        } else {
            auto it = oracle.lower_bound(static_cast<frame_slot>(random() % (oracle.rbegin()->first + 1)));
            ASSERT_EQ(slab.frame(it->first).transfer.flow, it->second);
            slab.release(it->first);
            oracle.erase(it);
        }
        most = std::max(most, oracle.size());
        ASSERT_EQ(slab.used(), oracle.size());
    }
    EXPECT_LT(oracle.empty() ? 0 : oracle.rbegin()->first / frame_slab::slot_step, most)
        << "freed slots are used again";
}

TEST(frame_slab, a_used_slots_link_does_not_come_back_with_it) {
    frame_slab slab;
    const frame_slot a = slab.put(ethernet_frame{});
    const frame_slot b = slab.put(ethernet_frame{});
    frame_queue queue;
    queue.push(slab, a);
    queue.push(slab, b);
    queue.pop(slab);
    queue.pop(slab);
    slab.release(b);
    slab.release(a);
    EXPECT_EQ(slab.route(slab.put(ethernet_frame{})).next, no_slot);
    EXPECT_EQ(slab.route(slab.put(ethernet_frame{})).next, no_slot);
}

TEST(frame_slab, queues_over_one_store_are_first_in_first_out) {
    std::mt19937_64 random(2);
    frame_slab slab;
    std::array<frame_queue, 5> queues;
    std::array<std::deque<frame_slot>, 5> oracle;
    for (int step = 0; step < 50'000; ++step) {
        const std::size_t q = random() % queues.size();
        ASSERT_EQ(queues[q].empty(), oracle[q].empty());
        if (oracle[q].empty() || random() % 2 == 0) {
            oracle[q].push_back(slab.put(ethernet_frame{}));
            queues[q].push(slab, oracle[q].back());
        } else {
            ASSERT_EQ(queues[q].head(), oracle[q].front());
            ASSERT_EQ(queues[q].pop(slab), oracle[q].front());
            slab.release(oracle[q].front());
            oracle[q].pop_front();
        }
    }
}

}  // namespace
