// When groups of a shared memory are paused and released, beside all numbers of free cells that there can be.
#include "weir/model/memory/group_pauses.h"

#include <gtest/gtest.h>

#include "weir/base/rng.h"

namespace weir::model {
namespace {

constexpr std::uint32_t most_free = 400;

group_limits random_limits(random_stream& chance) {
    const cell_threshold threshold =
        chance.below(4) == 0 ? cell_threshold::of_number(chance.below(100))
                             : cell_threshold::of_factor(0.125 * static_cast<double>(1U << chance.below(7)));
    return {chance.below(20), chance.below(50), chance.below(40), chance.below(10), threshold};
}

/// Headroom comes after the minimum.
group_cells random_cells(random_stream& chance, const group_limits& limits) {
    if (chance.below(3) == 0) {
        return {chance.below(limits.minimum + 1), 0, 0};
    }
    return {limits.minimum, chance.below(150), chance.below(2) * chance.below(limits.headroom + 1)};
}

TEST(group_pauses, a_group_without_headroom_in_use_waits_from_its_threshold_on_and_above_xon) {
    const group_limits limits{10, 50, 12, 3, cell_threshold::of_factor(0.5)};
    EXPECT_FALSE(must_wait(limits, {10, 2, 0}, 0)) << "no more than xon";
    EXPECT_FALSE(must_wait(limits, {9, 20, 0}, 0)) << "its minimum is not full";
    EXPECT_FALSE(must_wait(limits, {10, 20, 0}, 42));
    EXPECT_TRUE(must_wait(limits, {10, 20, 0}, 41));
    EXPECT_TRUE(must_wait(limits, {10, 2, 1}, 1000));
    // It goes on at xon, or with less than minimum + T - xon_offset.
    EXPECT_TRUE(may_go_on(limits, {10, 2, 0}, 0));
    EXPECT_FALSE(may_go_on(limits, {10, 20, 0}, 47));
    EXPECT_TRUE(may_go_on(limits, {10, 20, 0}, 48));
    EXPECT_FALSE(may_go_on(limits, {10, 0, 1}, 1000));
}

TEST(group_pauses, the_answers_turn_where_they_are_said_to) {
    random_stream chance(1, 0, random_purpose::sizes);
    unsigned paused_later = 0;
    unsigned resumed_later = 0;
    for (int i = 0; i < 2'000; ++i) {
        const group_limits limits = random_limits(chance);
        const group_cells held = random_cells(chance, limits);
        const std::uint32_t below = pause_below(limits, held);
        const std::uint32_t from = resume_from(limits, held);
        const bool always_waits = must_wait(limits, held, most_free);
        const bool never_goes_on = !may_go_on(limits, held, most_free);
        paused_later += below > 0 && below <= most_free ? 1 : 0;
        resumed_later += from > 0 && from <= most_free ? 1 : 0;
        for (std::uint32_t free = 0; free <= most_free; ++free) {
            const bool waits = held.headroom > 0 || (below == 0 ? always_waits : free < below);
            ASSERT_EQ(must_wait(limits, held, free), waits) << free << " free, below " << below;
            const bool moved_by_others = held.total() > limits.xon && !limits.threshold.is_static();
            const bool goes_on = held.headroom == 0 && (moved_by_others ? free >= from : !never_goes_on);
            ASSERT_EQ(may_go_on(limits, held, free), goes_on) << free << " free, from " << from;
        }
    }
    EXPECT_GT(paused_later, 200U);
    EXPECT_GT(resumed_later, 200U);
}

}  // namespace
}  // namespace weir::model
