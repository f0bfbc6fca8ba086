#include "weir/model/memory/egress_share.h"

#include <gtest/gtest.h>

#include <random>

#include "weir/model/memory/egress_buffer.h"

using namespace weir;
using namespace weir::model;

namespace {

TEST(egress_share, the_default_lets_a_class_alone_pass_details_upper_threshold_and_leaves_others_frames) {
    const switch_config device;
    // 8/9 of what is free, to within a frame: (2048 x 131,072 - 256 x 1,530) / 2304 = 116,338.
    EXPECT_EQ(lone_class_fill(device).most, 116'338_B + 1'530_B);
    EXPECT_EQ(lone_class_fill(device).sustained, 116'338_B - 1'530_B);
    EXPECT_GT(lone_class_fill(device).sustained, device.balance_thresholds.back());
    EXPECT_GE(device.egress_buffer - lone_class_fill(device).most, device.max_frame * 8);
}

TEST(egress_share, with_alpha_1_details_upper_threshold_is_met_by_the_last_frame_only) {
    switch_config device;
    device.share_alpha = 1;
    EXPECT_EQ(lone_class_fill(device).most, 66'301_B);  // (131,072 - 1,530) / 2 + 1,530
    EXPECT_LT(lone_class_fill(device).sustained, 64_KiB);
}

TEST(egress_share, one_class_and_the_whole_share_fill_the_memory_and_a_fixed_share_its_part) {
    switch_config device;
    device.share = egress_share::whole;
    EXPECT_EQ(lone_class_fill(device).most, 131'072_B);
    device.share = egress_share::fixed;
    EXPECT_EQ(lone_class_fill(device).most, 16'384_B);
    EXPECT_EQ(lone_class_fill(device).sustained, 16'384_B - 2 * 1'530_B);
    device.classes = 1;
    EXPECT_EQ(lone_class_fill(device).most, 131'072_B);
}

// Byte by byte, so that room ends as high as it can; then the longest frame comes.
TEST(egress_share, a_class_alone_fills_the_egress_buffer_just_so_far) {
    std::mt19937_64 random(11);
    const egress_share shares[] = {egress_share::whole, egress_share::fixed, egress_share::dynamic};
    const double alphas[] = {1.0 / 16, 0.1, 0.5, 1, 3.3, 8, 64};
    int refused = 0;
    for (int round = 0; round < 200; ++round) {
        switch_config device;
        device.max_frame = bytes{static_cast<std::int64_t>(64 + random() % 2'000)};
        device.memory_cell = random() % 3 == 0 ? 80_B : 0_B;
        device.classes = 1 + static_cast<std::uint32_t>(random() % 8);
        device.share = shares[random() % 3];
        device.share_alpha = alphas[random() % 7];
        device.egress_buffer = device.max_frame + bytes{static_cast<std::int64_t>(random() % 30'000)};
        if (!device.validate().empty()) {
            ++refused;
            continue;
        }
        frame_slab slab;
        egress_buffer buffer(slab, device, 1);
        const auto longest =
            static_cast<std::uint32_t>(memory_of(device.max_frame, device.memory_cell).count());
        ASSERT_EQ(buffer.room(0) & 1, 1);
        std::int64_t held = 0;
        while ((buffer.reserve(0, 0, 1) & 1) != 0) {
            ++held;
        }
        EXPECT_EQ(lone_class_fill(device).most, bytes{held + longest}) << "round " << round;
        EXPECT_EQ(lone_class_fill(device).sustained, bytes{std::max<std::int64_t>(0, held - longest)});
    }
    EXPECT_LT(refused, 60);
}

}  // namespace
