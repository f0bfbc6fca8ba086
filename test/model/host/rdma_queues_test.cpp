// Queues of an RDMA adapter: what they take, and when they take more.
#include "weir/model/host/rdma_queues.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

ethernet_frame frame_of(frame_kind kind, pfc_class priority) {
    ethernet_frame frame;
    frame.kind = kind;
    frame.priority = priority;
    frame.frame_bytes = 1'086;
    return frame;
}

struct adapter {
    explicit adapter(host_config with = {}) : config(with), queues({config, 10_Gbps, slab}) {}

    /// As the NIC does: admitted, and at once through the stack.
    bool send(const ethernet_frame& frame) {
        if (queues.admit(frame, 0_B, 0_ps) != send_outcome::taken) {
            return false;
        }
        const frame_slot slot = slab.put(frame);
        slab.route(slot).frame_class = frame.priority;
        EXPECT_EQ(queues.enqueue(slot, 0_ps), no_slot);
        return true;
    }
    frame_kind sent(class_mask classes = 0xFF) {
        const frame_slot slot = queues.dequeue(classes, 0_ps);
        if (slot == no_slot) {
            return frame_kind::count;
        }
        const frame_kind kind = slab.frame(slot).kind;
        slab.release(slot);
        return kind;
    }

    host_config config;
    frame_slab slab;
    rdma_queues queues;
};

TEST(rdma_queues, one_frame_of_a_priority_is_ready_and_the_next_is_fetched_when_it_has_left) {
    for (const frame_kind kind : {frame_kind::roce_data, frame_kind::pfabric_data}) {
        adapter a;
        EXPECT_TRUE(a.send(frame_of(kind, 3)));
        EXPECT_FALSE(a.send(frame_of(kind, 3)));
        EXPECT_FALSE(a.queues.takes_again());
        EXPECT_TRUE(a.send(frame_of(kind, 5))) << "each priority has its own";
        EXPECT_EQ(a.sent(1U << 5), kind);
        EXPECT_FALSE(a.queues.takes_again()) << "3 was refused, and waits: its class is paused";
        EXPECT_EQ(a.sent(), kind);
        EXPECT_TRUE(a.queues.takes_again());
        EXPECT_FALSE(a.queues.takes_again()) << "nobody has been refused since";
        EXPECT_TRUE(a.send(frame_of(kind, 3)));
    }
}

TEST(rdma_queues, what_is_no_data_of_a_queue_pair_is_taken_as_it_comes) {
    adapter a;
    for (const frame_kind kind : {frame_kind::tcp_data, frame_kind::udp, frame_kind::roce_ack, frame_kind::cnp,
                                  frame_kind::pfabric_ack, frame_kind::pfabric_probe}) {
        EXPECT_TRUE(a.send(frame_of(kind, 3)));
        EXPECT_TRUE(a.send(frame_of(kind, 3)));
    }
    EXPECT_TRUE(a.send(frame_of(frame_kind::roce_data, 3)));
    EXPECT_EQ(a.sent(), frame_kind::tcp_data) << "in the order in which they came";
    EXPECT_EQ(a.queues.backlog(), 1U << 3);
}

TEST(rdma_queues, so_much_more_is_fetched_as_the_line_sends_while_a_frame_passes_the_stack) {
    host_config config;
    config.stack_out = 2us;  // 2,500 B at 10 Gb/s
    adapter a(config);
    int taken = 0;
    while (a.send(frame_of(frame_kind::roce_data, 0))) {
        ++taken;
    }
    EXPECT_EQ(taken, 3) << "0, 1,086 and 2,172 B were fetched before each";
}

TEST(rdma_queues, a_full_adapter_drops_what_it_would_have_fetched) {
    host_config config;
    config.nic_buffer = 9_KB;
    adapter a(config);
    EXPECT_EQ(a.queues.admit(frame_of(frame_kind::roce_data, 0), 8_KB, 0_ps), send_outcome::dropped);
    EXPECT_TRUE(a.send(frame_of(frame_kind::roce_data, 0))) << "what was dropped does not count";
}

}  // namespace
}  // namespace weir::model
