// Values of single groups and queues, and slices of pairs of ports, against the literal account and by hand.
#include "shared_comparison.h"
#include "support/errors_said.h"

namespace weir::model {
namespace {

/// Values of its own for about half of what can have one; slices by pairs of ports.
shared_profiles random_profiles(random_stream& chance, const shared_buffer_config& config) {
    shared_profiles made;
    const auto perhaps = [&](auto value) {
        return chance.below(2) == 0 ? std::optional<decltype(value)>(value) : std::nullopt;
    };
    const auto some_bytes = [&](unsigned most) {
        return bytes{50 * static_cast<std::int64_t>(chance.below(most))};
    };
    const auto threshold = [&](auto& profile) {
        switch (chance.below(3)) {
            case 0:
                profile.alpha = 0.0625 * (1 + chance.below(64));
                break;
            case 1:
                profile.threshold = some_bytes(60);
                break;
            default:
                break;
        }
    };
    for (unsigned g = 0; g < compared_ports * compared_classes; ++g) {
        group_profile group;
        group.minimum = perhaps(some_bytes(10));
        group.xon = perhaps(some_bytes(20));
        group.xon_offset = perhaps(some_bytes(8));
        group.headroom = perhaps(bytes{100 * static_cast<std::int64_t>(chance.below(12))});
        threshold(group);
        made.groups.push_back(group);
        queue_profile queue;
        queue.minimum = perhaps(some_bytes(10));
        threshold(queue);
        made.queues.push_back(queue);
    }
    for (unsigned pair = 0; pair < compared_ports * compared_ports; ++pair) {
        made.slices.push_back(static_cast<std::uint8_t>(chance.below(config.slices)));
    }
    return made;
}

void expect_same_with_profiles(unsigned settings, int steps) {
    for (std::uint64_t seed = 1; seed <= settings; ++seed) {
        random_stream chance(seed, 1, random_purpose::arrivals);
        shared_buffer_config c = small_memory();
        c.slices = 1 + chance.below(3);
        c.alpha = 0.125 * (1 + chance.below(16));
        c.minimum = bytes{100 * static_cast<std::int64_t>(chance.below(3))};
        c.queue_minimum = bytes{100 * static_cast<std::int64_t>(chance.below(3))};
        c.xon = bytes{100 * static_cast<std::int64_t>(chance.below(4))};
        switch (chance.below(5)) {
            case 0:
                c.headroom_pool = 2'000_B;
                break;
            case 1:
                c.threshold = 1'500_B;
                break;
            case 2:
                c.lossless_queue_pool = 5'000_B;
                break;
            case 3:
                c.lossless_queue_alpha = 0.5;
                c.lossless_queue_pool = 12'000_B;
                break;
            default:
                c.lossless_queue_threshold = 1'200_B;
                break;
        }
        shared_profiles profiles = random_profiles(chance, c);
        // Each part also without the others.
        switch (seed % 5) {
            case 0:
                profiles.queues.clear();
                profiles.slices.clear();
                break;
            case 1:
                profiles.groups.clear();
                profiles.slices.clear();
                break;
            case 2:
                profiles.groups.clear();
                profiles.queues.clear();
                break;
            default:
                break;
        }
        const auto lossless = static_cast<class_mask>(1 + chance.below(7));
        SCOPED_TRACE(testing::Message() << "setting " << seed);
        expect_same(c, lossless, seed, steps, profiles);
    }
}

TEST(shared_groups, values_of_single_groups_and_queues_and_pairs_of_ports_are_those_of_a_literal_one) {
    expect_same_with_profiles(80, 1'500);
    EXPECT_GT(all_refused, 5'000U);
    EXPECT_GT(all_pauses, 2'000U);
    EXPECT_GT(all_lossless_at_egress, 500U);
}

TEST(shared_groups, pools_that_both_kinds_share_are_those_of_a_literal_one) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        random_stream chance(seed, 3, random_purpose::arrivals);
        shared_buffer_config c = small_memory();
        c.slices = 1 + chance.below(3);
        c.lossy_alpha = 0.25 * (1 + chance.below(16));
        c.common_pool = seed % 3 != 0;
        c.common_queue_pool = seed % 3 != 1;
        c.lossless_queue_pool = 9'000_B;
        c.xon_offset = bytes{100 * static_cast<std::int64_t>(chance.below(3))};
        const shared_profiles profiles = seed % 2 == 0 ? random_profiles(chance, c) : shared_profiles{};
        SCOPED_TRACE(testing::Message() << "setting " << seed);
        expect_same(c, static_cast<class_mask>(1 + chance.below(7)), seed, 1'500, profiles);
    }
}

// 1,000 cells, alpha 1. The lossless group has 300 of them, T is 700. Lossy frames take 400 more: T is 300, and
// the group has to wait although it has sent nothing.
TEST(shared_groups, a_lossy_frame_in_a_common_pool_pauses_a_lossless_group) {
    shared_buffer_config c = small_memory();
    c.lossless_pool = 100'000_B;
    c.queue_pool = 100'000_B;
    c.common_pool = true;
    shared_buffer b(c, 2, 2, 0b10, 100_B, std::vector<bytes>(2, 0_B));
    EXPECT_EQ(b.pool(false), 1'000U);
    ASSERT_EQ(b.admit({0, 1, 1}, 300), admission::stored);
    ASSERT_EQ(b.admit({1, 0, 1}, 80), admission::stored);
    EXPECT_FALSE(b.paused(0, 1));
    for (unsigned i = 0; i < 4; ++i) {
        ASSERT_EQ(b.admit({1, 0, 0}, 80), admission::stored);
        EXPECT_EQ(b.paused(0, 1), i == 3) << i;
    }
    b.release({1, 0, 0}, 80);
    EXPECT_FALSE(b.paused(0, 1));
    EXPECT_EQ(b.pool_marks().shared[0], 0U);
    EXPECT_EQ(b.pool_marks().shared[1], 700U);
}

// SONiC's Trident2: a pool of 12,766,208 B that includes size (56,368 B, 271 cells) of two groups at each of 32
// ports: 61,376 - 64 x 271 = 44,032 cells, with which its hardware tests agree. The profile says it, and an
// option that is not auto stands above it.
TEST(shared_groups, a_pool_that_includes_what_is_reserved_shares_the_rest) {
    shared_buffer_config c;
    c.memory = 12'779'520_B;
    c.lossy_pool = 0_B;
    shared_profiles profiles;
    profiles.groups.resize(32 * 8);
    for (std::size_t g = 0; g < profiles.groups.size(); ++g) {
        if (g % 8 == 3 || g % 8 == 4) {
            profiles.groups[g].minimum = 1'248_B;
            profiles.groups[g].headroom = 55'120_B;
        }
    }
    profiles.pools.lossless_pool = 12'766'208_B;
    profiles.pools.pools_include_reserved = true;
    const auto made = [&] {
        return shared_buffer(c, 32, 8, 0b0001'1000, 208_B, std::vector<bytes>(32, 0_B), profiles);
    };
    EXPECT_EQ(made().pool(true), 44'032U);
    profiles.pools.pools_include_reserved = false;
    EXPECT_EQ(made().errors().size(), 1U);
    c.lossless_pool = 208'000_B;
    EXPECT_EQ(made().pool(true), 1'000U);
    c.pools_include_reserved = true;
    const shared_buffer small = made();
    EXPECT_TRUE(errors_are(small.errors(),
                           {"shared.lossless_pool: 208KB, relation shared.pools_include_reserved, 3523KiB"}));
}

TEST(shared_groups, a_lossless_queue_that_is_not_at_risk_refuses_nothing) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        random_stream chance(seed, 2, random_purpose::arrivals);
        shared_buffer_config c = small_memory();
        c.slices = 1 + chance.below(2);
        c.lossless_pool = 3'000_B;
        c.headroom = 300_B;
        if (chance.below(2) == 0) {
            c.threshold = bytes{100 * static_cast<std::int64_t>(1 + chance.below(6))};
        }
        c.lossless_queue_threshold = bytes{100 * static_cast<std::int64_t>(10 + chance.below(60))};
        expect_same(c, 0b011, seed, 1'500);
    }
    EXPECT_GT(all_safe, 10U);
    EXPECT_LT(all_safe, 50U);
}

TEST(shared_groups, long_run_values_of_single_groups_and_queues_are_those_of_a_literal_one) {
    expect_same_with_profiles(300, 15'000);
}

TEST(shared_groups, sums_are_those_of_each_groups_and_queues_own_values) {
    shared_buffer_config c;
    c.memory = 100'000_B;
    c.minimum = 1'000_B;
    const std::vector<bytes> headroom{2'000_B, 3'000_B};
    shared_profiles own;
    own.groups.resize(4);
    own.groups[0].minimum = 4'050_B;    // port 0, class 0: 41 cells
    own.groups[3].headroom = 10'000_B;  // port 1, class 1, lossless
    own.groups[2].headroom = 10'000_B;  // a lossy group has none
    // Class 0 is lossy.
    const shared_buffer b(c, 2, 2, 0b10, 100_B, headroom, own);
    EXPECT_TRUE(b.errors().empty());
    EXPECT_EQ(b.private_headroom(), 20U + 100U);
    EXPECT_EQ(b.pool(true) + b.pool(false), 1'000U - 41 - 3 * 10 - 120);
    EXPECT_EQ(b.limits(1, 1).headroom, 100U);
    EXPECT_EQ(b.limits(1, 0).headroom, 0U);
    EXPECT_EQ(b.limits(0, 1).headroom, 20U);
    // Minima of queues, and a pool of the lossless ones that lies over that of the lossy ones.
    c.queue_minimum = 500_B;
    own.queues.resize(4);
    own.queues[1].minimum = 2'000_B;
    own.queues[2].minimum = 0_B;
    const shared_buffer queues(c, 2, 2, 0b10, 100_B, headroom, own);
    EXPECT_TRUE(queues.errors().empty());
    EXPECT_EQ(queues.queue_pool(false), 1'000U - 5 - 20);
    EXPECT_EQ(queues.queue_pool(true), 1'000U);
    EXPECT_FALSE(queues.queue_at_risk(1));
    c.lossless_queue_pool = 97'600_B;
    const shared_buffer full(c, 2, 2, 0b10, 100_B, headroom, own);
    ASSERT_EQ(full.errors().size(), 1U);
    EXPECT_EQ(full.errors()[0].key, "shared.lossless_queue_pool");
    c.lossless_queue_pool = 97'500_B;
    EXPECT_TRUE(shared_buffer(c, 2, 2, 0b10, 100_B, headroom, own).errors().empty());
}

}  // namespace
}  // namespace weir::model
