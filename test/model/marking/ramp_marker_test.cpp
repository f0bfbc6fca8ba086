// The ramp: DCQCN's figure 5, read literally.
#include "weir/model/marking/ramp_marker.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace weir;
using namespace weir::model;

namespace {

frame_action decide(marker& rule, std::uint64_t bytes, random_stream& chance) {
    const ethernet_frame frame;
    return rule.decide({1us, 0, 0, frame, bytes, 1, never, chance});
}

TEST(ramp_marker, never_marks_up_to_k_min_and_always_above_k_max) {
    ramp_marker rule({{5'000, 20'000, 0.5}}, 1);
    random_stream chance{1, 1, random_purpose::marking};
    for (unsigned i = 0; i < 1'000; ++i) {
        EXPECT_EQ(decide(rule, 5 * i, chance), frame_action::keep);
        EXPECT_EQ(decide(rule, 20'001 + i, chance), frame_action::mark);
    }
    // Neither draws: the stream is where it began.
    random_stream untouched{1, 1, random_purpose::marking};
    EXPECT_EQ(chance(), untouched());
}

TEST(ramp_marker, with_both_ends_at_one_length_is_a_step) {
    ramp_marker rule({{7'000, 7'000, 0.1}}, 1);
    random_stream chance{1, 1, random_purpose::marking};
    EXPECT_EQ(decide(rule, 7'000, chance), frame_action::keep);
    EXPECT_EQ(decide(rule, 7'001, chance), frame_action::mark);
}

// 99.99 % of the counts of 20,000 draws lie within 3.9 standard deviations; the seed is fixed.
TEST(ramp_marker_statistical, marks_with_a_probability_that_grows_linearly_between) {
    ramp_marker rule({{5'000, 25'000, 0.2}}, 1);
    random_stream chance{7, 1, random_purpose::marking};
    constexpr int draws = 20'000;
    for (const unsigned length : {6'000U, 10'000U, 15'000U, 20'000U, 25'000U}) {
        int marked = 0;
        for (int i = 0; i < draws; ++i) {
            marked += decide(rule, length, chance) == frame_action::mark ? 1 : 0;
        }
        const double p = 0.2 * (length - 5'000.0) / 20'000.0;
        EXPECT_NEAR(marked, draws * p, 3.9 * std::sqrt(draws * p * (1 - p))) << length;
    }
}

}  // namespace
