#include "weir/model/host/class_queues.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <random>

using namespace weir;
using namespace weir::model;

namespace {

struct queues_rig {
    explicit queues_rig(bytes nic_buffer = 0_B) : queues({configured(nic_buffer), 1_Gbps, slab}) {}
    static host_config configured(bytes nic_buffer) {
        host_config config;
        config.nic_buffer = nic_buffer;
        return config;
    }
    frame_slot put(pfc_class c, std::uint16_t length = 64, std::uint64_t flow = 0) {
        ethernet_frame frame;
        frame.frame_bytes = length;
        frame.transfer = {flow, 0, 0, length};
        const frame_slot slot = slab.put(frame);
        slab.route(slot).frame_class = c;
        EXPECT_EQ(queues.enqueue(slot, 0_ps), no_slot) << "nothing gives way";
        return slot;
    }

    frame_slab slab;
    class_queues queues;
};

TEST(class_queues, the_most_urgent_class_that_may_send_comes_first_and_its_frames_in_order) {
    queues_rig r;
    std::mt19937_64 random(7);
    std::array<std::deque<frame_slot>, pfc_classes> oracle;
    for (int step = 0; step < 20'000; ++step) {
        const auto c = static_cast<pfc_class>(random() % pfc_classes);
        if (random() % 2 == 0) {
            oracle[c].push_back(r.put(c));
        }
        const auto may_send = static_cast<class_mask>(random());
        frame_slot expected = no_slot;
        for (unsigned k = pfc_classes; k-- > 0 && expected == no_slot;) {
            if ((may_send >> k & 1) != 0 && !oracle[k].empty()) {
                expected = oracle[k].front();
                oracle[k].pop_front();
            }
        }
        ASSERT_EQ(r.queues.dequeue(may_send, 0_ps), expected) << "step " << step;
        if (expected != no_slot) {
            r.slab.release(expected);
        }
        unsigned backlog = 0;
        for (unsigned k = 0; k < pfc_classes; ++k) {
            backlog |= oracle[k].empty() ? 0U : 1U << k;
        }
        ASSERT_EQ(r.queues.backlog(), backlog) << "step " << step;
    }
}

TEST(class_queues, what_does_not_fit_beside_what_is_held_is_dropped) {
    queues_rig r(2000_B);
    EXPECT_TRUE(r.queues.may_refuse());
    ethernet_frame frame;
    frame.frame_bytes = 1000;
    EXPECT_EQ(r.queues.admit(frame, 1000_B, 0_ps), send_outcome::taken);
    EXPECT_EQ(r.queues.admit(frame, 1001_B, 0_ps), send_outcome::dropped);
    EXPECT_FALSE(r.queues.takes_again()) << "it never says `not_now`";
}

TEST(class_queues, without_a_limit_every_frame_fits) {
    queues_rig r;
    EXPECT_FALSE(r.queues.may_refuse());
    EXPECT_EQ(r.queues.admit(ethernet_frame{}, 1000_MB, 0_ps), send_outcome::taken);
}

TEST(class_queues, time_alone_releases_nothing) {
    queues_rig r;
    r.put(3);
    EXPECT_EQ(r.queues.next_release(1us), never);
}

TEST(class_queues, the_flows_of_a_class_are_those_of_its_frames) {
    queues_rig r;
    r.put(3, 100, 5);
    r.put(3, 200, 6);
    r.put(3, 300, 5);
    r.put(4, 900, 7);
    flow_bytes_list flows;
    r.queues.add_flows(3, flows);
    const std::vector<flow_bytes> sorted = flows.sorted();
    ASSERT_EQ(sorted.size(), 2U);
    EXPECT_EQ(sorted[0].flow, 5U);
    EXPECT_EQ(sorted[0].bytes, 400U);
    EXPECT_EQ(sorted[1].flow, 6U);
    EXPECT_EQ(sorted[1].bytes, 200U);
}

}  // namespace
