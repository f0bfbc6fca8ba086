// The shared memory's accounting against a literal one that keeps a list of frames and adds everything up anew,
// and against what hardware tests measured on one slice.
#include "weir/model/memory/shared_buffer.h"

#include <gtest/gtest.h>

#include "shared_comparison.h"
#include "support/errors_said.h"

namespace weir::model {
namespace {

void expect_same_everywhere(int steps) {
    std::uint64_t seed = 1;
    for (const unsigned slices : {1U, 2U, 3U}) {
        for (const double alpha : {0.125, 0.3, 1.0, 3.7}) {
            for (const int lossless : {0b000, 0b001, 0b110, 0b111}) {
                for (const bool pool : {false, true}) {
                    shared_buffer_config c = small_memory();
                    c.slices = slices;
                    c.alpha = alpha;
                    c.lossy_alpha = 2 * alpha;
                    c.queue_alpha = alpha;
                    c.map = seed % 3 == 0 ? slice_map::ingress : slice_map::egress;
                    c.minimum = bytes{100 * static_cast<std::int64_t>(seed % 4)};
                    c.queue_minimum = bytes{150 * static_cast<std::int64_t>(seed % 3)};
                    c.xon = bytes{100 * static_cast<std::int64_t>(seed % 5)};
                    c.xon_offset = bytes{100 * static_cast<std::int64_t>(seed % 3)};
                    if (pool) {
                        c.headroom_pool = 2'000_B;
                    }
                    SCOPED_TRACE(testing::Message() << slices << " slices, alpha " << alpha << ", lossless "
                                                    << lossless << ", pool " << pool << ", seed " << seed);
                    expect_same(c, static_cast<class_mask>(lossless), seed++, steps);
                }
            }
        }
    }
}

TEST(shared_buffer, answers_and_pauses_are_those_of_a_literal_one) {
    expect_same_everywhere(1'500);
    EXPECT_GT(all_refused, 5'000U);
    EXPECT_GT(all_pauses, 2'000U);
}

TEST(shared_buffer, long_run_answers_and_pauses_are_those_of_a_literal_one) {
    expect_same_everywhere(20'000);
}

// A queue with room takes a frame of one cell; one without takes none beyond what its minimum has left.
TEST(shared_buffer, a_queue_has_room_exactly_while_it_takes_a_cell) {
    shared_buffer_config c = small_memory();
    c.lossy_alpha = 1000;
    c.queue_alpha = 0.25;
    c.queue_minimum = 300_B;
    shared_buffer b(c, 4, 2, 0, 100_B, std::vector<bytes>(4, 0_B));
    unsigned with = 0;
    unsigned without = 0;
    for (unsigned step = 0; step < 2'000; ++step) {
        const buffer_flow flow{step % 4, static_cast<pfc_class>(step % 2), step * 7 / 3 % 4};
        const bool room = b.queue_room(0, flow.egress_port, flow.frame_class) > 0;
        EXPECT_EQ(b.would_admit(flow, 1) != admission::egress_full, room) << step;
        ++(room ? with : without);
        b.admit(flow, 1 + step % 3);
    }
    EXPECT_GT(with, 10U);
    EXPECT_GT(without, 100U);
}

TEST(shared_buffer, a_static_threshold_is_that_of_the_literal_one) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
        shared_buffer_config c = small_memory();
        c.threshold = bytes{500 * static_cast<std::int64_t>(seed)};
        c.xon_offset = 200_B;
        c.slices = seed % 2 == 0 ? 2 : 1;
        expect_same(c, 0b011, seed, 3'000);
    }
}

/// One slice of Tomahawk: 10,875,072 B / 4 / 208 B = 13,071 cells, alpha 1, minimum 6 cells.
shared_buffer_config tomahawk() {
    shared_buffer_config c;
    c.memory = 64_MiB;
    c.slices = 4;
    c.lossless_pool = 10'875'072_B;
    c.lossy_pool = 0_B;
    c.minimum = 6 * 208_B;
    c.headroom = 268'736_B;
    c.headroom_pool = 4'194'112_B;
    return c;
}

TEST(shared_buffer, one_group_of_tomahawk_is_paused_by_its_6542nd_cell_and_loses_its_7835th) {
    shared_buffer b(tomahawk(), 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    ASSERT_TRUE(b.errors().empty());
    for (int cell = 1; cell <= 7'834; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 6'542) << cell;
    }
    EXPECT_EQ(b.admit({1, 3, 0}, 1), admission::ingress_full);
    EXPECT_EQ(b.group_usage(0, 1, 3).headroom, 1'292U);
    EXPECT_EQ(b.marks(1, 3).headroom, 1'292U);
    EXPECT_EQ(b.pool_mark(0, true), 6'536U);
    // Another slice is another memory.
    EXPECT_EQ(b.free_shared(3, true), 13'071U);
    EXPECT_EQ(b.admit({1, 3, 63}, 1), admission::stored);
}

TEST(shared_buffer, one_group_of_trident2_is_paused_by_its_4898th_cell_and_loses_its_5164th) {
    // One slice, alpha 1/8: 12,766,208 B - 64 x 56,368 B = 44,032 cells; headroom 55,120 B.
    shared_buffer_config c;
    c.memory = 12'766'208_B;
    c.lossless_pool = 44'032 * 208_B;
    c.alpha = 0.125;
    c.minimum = 6 * 208_B;
    c.headroom_pool = 64 * 40'000_B;
    shared_buffer b(c, 32, 8, 0b11000, 208_B, std::vector<bytes>(32, 55'120_B));
    ASSERT_TRUE(b.errors().empty()) << b.errors()[0].message;
    for (int cell = 1; cell <= 5'163; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 4'898) << cell;
    }
    EXPECT_EQ(b.admit({1, 3, 0}, 1), admission::ingress_full);
}

TEST(shared_buffer, a_factor_that_is_no_multiple_of_1_1024_is_kept_exactly) {
    // s >= 0.0015 x (13,071 - s) from s = 19 on; 2/1024 would be 25.
    shared_buffer_config c = tomahawk();
    c.alpha = 0.0015;
    shared_buffer b(c, 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    for (int cell = 1; cell <= 40; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 6 + 19) << cell;
    }
    // 0.3 x 10 is 3, so that of 12 cells a third one is stored; 307/1024 x 10 would be 2.
    shared_buffer_config lossy;
    lossy.memory = 12'000_B;
    lossy.lossy_alpha = 0.3;
    shared_buffer few(lossy, 1, 1, 0, 1'000_B, {0_B});
    for (int cell = 1; cell <= 3; ++cell) {
        ASSERT_EQ(few.admit({0, 0, 0}, 1), admission::stored) << cell;
    }
    EXPECT_EQ(few.admit({0, 0, 0}, 1), admission::ingress_full);
    for (const double alpha : {0.0015, 0.000977, 0.0009765625 * 3, 1023.999999}) {
        c.alpha = alpha;
        const bool in_range = alpha >= 0.001;
        EXPECT_EQ(c.validate().empty(), in_range) << alpha;
    }
    c.alpha = 0.12345678;
    ASSERT_EQ(c.validate().size(), 1U);
    EXPECT_NE(c.validate()[0].message.find("up to six decimals, or a multiple of 1/1024"), std::string::npos);
}

TEST(shared_buffer, slices_are_blocks_of_neighbouring_ports_as_equal_as_possible) {
    shared_buffer_config c = small_memory();
    c.slices = 4;
    for (const slice_map map : {slice_map::egress, slice_map::ingress}) {
        c.map = map;
        const shared_buffer b(c, 6, 1, 0, 100_B, std::vector<bytes>(6, 0_B));
        std::vector<unsigned> slices;
        for (unsigned port = 0; port < 6; ++port) {
            slices.push_back(map == slice_map::egress ? b.slice_of({5, 0, port}) : b.slice_of({port, 0, 5}));
        }
        EXPECT_EQ(slices, (std::vector<unsigned>{0, 0, 1, 2, 2, 3}));
    }
}

TEST(shared_buffer, a_flat_memory_pauses_tomahawks_group_four_times_later) {
    shared_buffer_config c = tomahawk();
    c.slices = 1;
    shared_buffer b(c, 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    int cell = 0;
    while (!b.paused(1, 3)) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored);
        ++cell;
    }
    EXPECT_EQ(cell, 6 + 52'284 / 2);
}

TEST(shared_buffer, what_is_left_open_is_what_the_rest_leaves_and_too_much_is_refused) {
    shared_buffer_config c;
    c.memory = 1'000'000_B;
    c.minimum = 1'000_B;
    c.headroom = 2'000_B;
    const std::vector<bytes> headroom(4, 2'000_B);
    shared_buffer b(c, 4, 8, 0b11, 100_B, headroom);
    EXPECT_TRUE(b.errors().empty());
    // Classes of both kinds: each kind gets half.
    const unsigned left = 10'000U - 32 * 10 - 8 * 20;
    EXPECT_EQ(b.pool(true), left / 2);
    EXPECT_EQ(b.pool(false), left / 2);
    EXPECT_EQ(shared_buffer(c, 4, 2, 0b11, 100_B, headroom).pool(true), 10'000U - 8 * 10 - 8 * 20);
    EXPECT_EQ(shared_buffer(c, 4, 2, 0b11, 100_B, headroom).pool(false), 0U);
    c.lossy_pool = 100'000_B;
    EXPECT_EQ(shared_buffer(c, 4, 8, 0b11, 100_B, headroom).pool(true), left - 1'000);
    c.lossy_pool.reset();
    EXPECT_EQ(shared_buffer(c, 4, 8, 0, 100_B, headroom).pool(false), 10'000U - 32 * 10);
    c.lossless_pool = 990'000_B;
    c.lossy_pool = 0_B;
    const shared_buffer full(c, 4, 8, 0b11, 100_B, headroom);
    ASSERT_EQ(full.errors().size(), 1U);
    EXPECT_TRUE(errors_are(
        full.errors(),
        {"shared.memory: at least 1038KB, relation shared.headroom shared.lossless_pool shared.lossy_pool"}));
}

TEST(shared_buffer_config, values_out_of_range_are_named) {
    EXPECT_TRUE(shared_buffer_config{}.validate().empty());
    shared_buffer_config c;
    c.memory = 0_B;
    c.slices = 0;
    c.alpha = 0;
    c.lossless_classes = std::vector<std::uint32_t>{3, 8};
    std::vector<std::string> keys;
    for (const config_error& error : c.validate()) {
        keys.push_back(error.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"shared.memory", "shared.slices", "shared.lossless_classes",
                                              "shared.alpha"}));
}

// Groups fill the pool one after another with the smallest frames that there are: the bound is met exactly.
TEST(shared_buffer, most_queued_is_what_groups_can_store_one_after_another) {
    std::uint64_t at_queue_limit = 0;
    for (const int lossless : {0b00, 0b01, 0b11}) {
        for (const double alpha : {0.125, 0.3, 1.0, 3.7}) {
            for (const unsigned slices : {1U, 3U}) {
                for (const slice_map map : {slice_map::egress, slice_map::ingress}) {
                    for (const bool pool : {false, true}) {
                        shared_buffer_config c = small_memory();
                        c.slices = slices;
                        c.map = map;
                        c.alpha = alpha;
                        c.lossy_alpha = alpha;
                        c.queue_alpha = 1.0;
                        c.minimum = 200_B;
                        c.queue_minimum = 300_B;
                        if (pool) {
                            c.headroom_pool = 2'000_B;
                        }
                        constexpr unsigned ports = 6;
                        shared_buffer memory(c, ports, 2, static_cast<class_mask>(lossless), 100_B,
                                             std::vector<bytes>(ports, 900_B));
                        ASSERT_TRUE(memory.errors().empty());
                        constexpr unsigned egress = 2;
                        std::uint64_t cells = 0;
                        for (unsigned port = 0; port < ports; ++port) {
                            while (port != egress && memory.admit({port, 0, egress}, 1) == admission::stored) {
                                ++cells;
                            }
                        }
                        EXPECT_EQ(memory.most_queued(egress, 0, 1, false), memory.bytes_of(cells))
                            << lossless << ", alpha " << alpha << ", " << slices << " slices, pool " << pool;
                        at_queue_limit += lossless == 0 && alpha > 3 ? 1 : 0;
                    }
                }
            }
        }
    }
    EXPECT_GT(at_queue_limit, 0U);
}

}  // namespace
}  // namespace weir::model
