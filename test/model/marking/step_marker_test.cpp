// The step: from the threshold on, in bytes or in frames, each queue its own.
#include "weir/model/marking/step_marker.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

marking decide(marker& rule, unsigned port, pfc_class c, std::uint64_t bytes, std::uint32_t frames) {
    random_stream chance{1, 1, random_purpose::marking};
    const ethernet_frame frame;
    return rule.decide({1us, port, c, frame, bytes, frames, never, chance});
}

TEST(step_marker, marks_from_the_threshold_of_its_queue_on) {
    step_marker rule({10, 20, 30, step_marker::never_marks}, 2);
    for (std::uint64_t bytes = 0; bytes < 100; ++bytes) {
        EXPECT_EQ(decide(rule, 0, 0, bytes, 0) == marking::mark, bytes >= 10);
        EXPECT_EQ(decide(rule, 0, 1, bytes, 0) == marking::mark, bytes >= 20);
        EXPECT_EQ(decide(rule, 1, 0, bytes, 0) == marking::mark, bytes >= 30);
        EXPECT_EQ(decide(rule, 1, 1, bytes, 0), marking::pass);
    }
}

TEST(step_marker, counts_frames_where_its_threshold_is_one_of_frames) {
    step_marker rule({3}, 1, step_marker::unit::frames);
    EXPECT_EQ(decide(rule, 0, 0, 1'000'000, 2), marking::pass);
    EXPECT_EQ(decide(rule, 0, 0, 192, 3), marking::mark);
}

}  // namespace
