// Ternary memories wider than a slice. Random tables against the definition, bit by bit, are in
// test/tb/replay/replay_forms_test.cpp.
#include "weir/model/forwarding/wide_tcam.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

wide_tcam make(std::uint32_t key_bits) {
    tcam_config config;
    config.entries = 16;
    config.key_bits = key_bits;
    return wide_tcam(config);
}

TEST(wide_bits, length_ones_and_complement_cross_words) {
    EXPECT_EQ(bit_length({}), 0U);
    EXPECT_EQ(bit_length({0, 0}), 0U);
    EXPECT_EQ(bit_length({0, 1}), 65U);
    EXPECT_EQ(ones(3, 63), (wide_bits{std::uint64_t{1} << 63, 3}));
    EXPECT_EQ(ones(0), wide_bits{});
    EXPECT_EQ(complement({5}, 66), (wide_bits{~std::uint64_t{5}, 3}));
    EXPECT_EQ(complement({~std::uint64_t{0}, 7}, 2), wide_bits{0});
}

TEST(wide_tcam, a_line_matches_when_it_matches_in_every_slice) {
    wide_tcam table = make(130);
    ASSERT_EQ(table.write(3, {{1, 2, 3}, ones(130), 0, true}), tcam_status::done);
    EXPECT_EQ(table.lookup({1, 2, 3}), 3);
    EXPECT_EQ(table.lookup({0, 2, 3}), tcam::no_match);
    EXPECT_EQ(table.lookup({1, 0, 3}), tcam::no_match);
    EXPECT_EQ(table.lookup({1, 2}), tcam::no_match);
    EXPECT_EQ(table.lookup({1, 2, 3 + 4}), tcam::no_match) << "a bit above the key's width";
    EXPECT_EQ(table.lookup({1, 2, 3, 0}), 3);
}

TEST(wide_tcam, the_highest_priority_wins_and_of_equals_the_lowest_index) {
    for (const std::uint32_t width : {8U, 100U}) {
        wide_tcam table = make(width);
        for (const std::uint32_t index : {5U, 2U, 9U}) {
            ASSERT_EQ(table.write(index, {{}, {}, index == 9 ? 7U : 1U, true}), tcam_status::done);
        }
        EXPECT_EQ(table.lookup({1}), 9);
        EXPECT_EQ(table.all_matches({1}), (std::vector<std::uint32_t>{2, 5, 9}));
        EXPECT_EQ(table.erase(9), tcam_status::done);
        EXPECT_EQ(table.erase(9), tcam_status::slot_vacant);
        EXPECT_EQ(table.lookup({1}), 2);
        ASSERT_EQ(table.write(2, {{}, {}, 0, true}), tcam_status::done);
        EXPECT_EQ(table.lookup({1}), 5);
    }
}

TEST(wide_tcam, a_write_that_is_refused_changes_no_slice) {
    wide_tcam table = make(70);
    ASSERT_EQ(table.write(0, {{1}, ones(70), 0, true}), tcam_status::done);
    EXPECT_EQ(table.write(0, {{2, 64}, ones(70), 0, true}), tcam_status::bits_beyond_key);
    EXPECT_EQ(table.write(0, {{2}, ones(71), 0, true}), tcam_status::bits_beyond_key);
    EXPECT_EQ(table.write(16, {{2}, ones(70), 0, true}), tcam_status::beyond_capacity);
    EXPECT_EQ(table.lookup({1}), 0);
    EXPECT_EQ(table.lookup({2}), tcam::no_match);
}

}  // namespace
}  // namespace weir::model
