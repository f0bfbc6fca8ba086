// Why a shared memory refuses a frame: the limit that it met, as it is at that moment. By hand, bytes as cells.
#include <gtest/gtest.h>

#include "weir/model/memory/shared_buffer.h"

using namespace weir;
using namespace weir::model;

namespace {

using limits = shared_refusal::limits;

/// Two ports; class 0 is lossy, class 1 lossless.
shared_buffer_config both_kinds() {
    shared_buffer_config config;
    config.memory = 4_KB;
    config.lossy_pool = 1000_B;
    config.lossless_pool = 1000_B;
    config.headroom = 100_B;
    config.lossy_alpha = 1024;
    config.queue_alpha = 1024;
    return config;
}
shared_buffer two_ports(const shared_buffer_config& config) {
    return {config, 2, 2, 0b10, 0_B, std::vector<bytes>(2, *config.headroom)};
}
void expect_refused(shared_buffer& memory, const buffer_flow& flow, std::uint32_t cells, admission how,
                    const shared_refusal& why) {
    ASSERT_EQ(memory.admit(flow, cells), how);
    const shared_refusal said = memory.refusal(flow, cells);
    EXPECT_EQ(said.limit, why.limit);
    EXPECT_EQ(said.cells, why.cells);
    EXPECT_EQ(said.in_use, why.in_use);
}

TEST(shared_refusal, of_a_queue_at_its_threshold) {
    shared_buffer_config config = both_kinds();
    config.queue_alpha = 0.5;
    config.queue_pool = 900_B;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 0, 1}, 300);
    // Half of the 600 that are free.
    expect_refused(memory, {1, 0, 1}, 1, admission::egress_full, {limits::queue_threshold, 300, 300});
}
TEST(shared_refusal, of_a_queue_counts_what_is_beyond_its_minimum) {
    shared_buffer_config config = both_kinds();
    config.queue_alpha = 0.5;
    config.queue_pool = 900_B;
    config.queue_minimum = 50_B;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 0, 1}, 350);
    expect_refused(memory, {1, 0, 1}, 1, admission::egress_full, {limits::queue_threshold, 300, 300});
}
TEST(shared_refusal, of_a_full_pool_of_queues) {
    shared_buffer_config config = both_kinds();
    config.queue_pool = 500_B;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 0, 1}, 450);
    expect_refused(memory, {1, 0, 0}, 51, admission::egress_full, {limits::queue_pool, 500, 450});
}
TEST(shared_refusal, of_a_lossless_queue_is_its_threshold_or_the_pool_of_lossless_queues) {
    shared_buffer_config config = both_kinds();
    config.lossless_queue_pool = 600_B;
    config.lossless_queue_alpha = 0.5;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 1, 1}, 200);
    // Half of the 400 that are free. Its group is at ingress only.
    expect_refused(memory, {1, 1, 1}, 1, admission::egress_full, {limits::queue_threshold, 200, 200});
    EXPECT_FALSE(memory.paused(1, 1));
    EXPECT_EQ(memory.admit({1, 1, 0}, 1), admission::stored);
    EXPECT_EQ(memory.admit({1, 0, 1}, 1), admission::stored);  // a lossy queue has another pool
    config.lossless_queue_alpha.reset();
    shared_buffer pool = two_ports(config);
    pool.admit({0, 1, 1}, 500);
    expect_refused(pool, {1, 1, 0}, 101, admission::egress_full, {limits::queue_pool, 600, 500});
    config.lossless_queue_threshold = 150_B;
    shared_profiles own;
    own.queues.resize(4);
    own.queues[1].minimum = 50_B;    // port 0, class 1
    own.queues[3].threshold = 80_B;  // port 1, class 1
    shared_buffer fixed(config, 2, 2, 0b10, 0_B, std::vector<bytes>(2, *config.headroom), own);
    fixed.admit({0, 1, 0}, 200);
    fixed.admit({0, 1, 1}, 80);
    expect_refused(fixed, {1, 1, 0}, 1, admission::egress_full, {limits::queue_threshold, 150, 150});
    expect_refused(fixed, {1, 1, 1}, 1, admission::egress_full, {limits::queue_threshold, 80, 80});
}
// Ingress lets 1,000 cells of the pool and 2 x 100 of headroom in.
TEST(shared_refusal, of_a_lossless_queue_is_foreseen_where_ingress_may_bring_more_than_it_holds) {
    shared_buffer_config config = both_kinds();
    EXPECT_FALSE(two_ports(config).queue_at_risk(100));
    config.lossless_queue_pool = 1'200_B;
    EXPECT_FALSE(two_ports(config).queue_at_risk(100));
    config.lossless_queue_pool = 1'199_B;
    ASSERT_TRUE(two_ports(config).queue_at_risk(100));
    EXPECT_TRUE(two_ports(config).queue_at_risk(100)->of_pool);
    EXPECT_EQ(two_ports(config).queue_at_risk(100)->limit, 1'199U);
    EXPECT_EQ(two_ports(config).queue_at_risk(100)->admitted, 1'200U);
    config.lossless_queue_pool.reset();
    config.lossless_queue_threshold = 1'200_B;
    EXPECT_FALSE(two_ports(config).queue_at_risk(100));
    config.lossless_queue_threshold = 1'199_B;
    ASSERT_TRUE(two_ports(config).queue_at_risk(100));
    EXPECT_FALSE(two_ports(config).queue_at_risk(100)->of_pool);
    // Static thresholds of 200 let a last frame begin below: 299 each, and their headroom.
    config.threshold = 200_B;
    config.lossless_queue_threshold = 800_B;
    EXPECT_FALSE(two_ports(config).queue_at_risk(100));
    config.lossless_queue_threshold = 799_B;
    EXPECT_TRUE(two_ports(config).queue_at_risk(100));
    // With others' cells in the pool a factor gives less: half of 4,000 - 800.
    config.lossless_queue_threshold.reset();
    config.lossless_queue_alpha = 0.5;
    EXPECT_FALSE(two_ports(config).queue_at_risk(100));
    config.lossless_queue_alpha = 0.249;
    EXPECT_TRUE(two_ports(config).queue_at_risk(100));
}
TEST(shared_refusal, of_a_lossy_group_at_its_threshold_and_of_its_pool) {
    shared_buffer_config config = both_kinds();
    config.lossy_alpha = 0.25;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 0, 1}, 200);
    // A quarter of the 800 that are free.
    expect_refused(memory, {0, 0, 0}, 1, admission::ingress_full, {limits::group_threshold, 200, 200});
    shared_buffer other = two_ports(both_kinds());
    other.admit({0, 0, 1}, 950);
    expect_refused(other, {1, 0, 0}, 51, admission::ingress_full, {limits::pool, 1000, 950});
}
TEST(shared_refusal, of_a_lossless_group_is_its_headroom_or_the_pool_of_that) {
    shared_buffer_config config = both_kinds();
    config.threshold = 200_B;
    shared_buffer memory = two_ports(config);
    memory.admit({0, 1, 1}, 200);
    memory.admit({0, 1, 1}, 60);
    expect_refused(memory, {0, 1, 1}, 41, admission::ingress_full, {limits::headroom, 100, 60});
    config.headroom_pool = 150_B;
    shared_buffer pooled = two_ports(config);
    for (const unsigned port : {0U, 1U}) {
        pooled.admit({port, 1, 1}, 200);
    }
    pooled.admit({0, 1, 1}, 90);
    expect_refused(pooled, {1, 1, 1}, 61, admission::ingress_full, {limits::headroom_pool, 150, 90});
    expect_refused(pooled, {0, 1, 1}, 11, admission::ingress_full, {limits::headroom, 100, 90});
}

}  // namespace
