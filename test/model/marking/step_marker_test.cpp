// The step: from the threshold on, in bytes or in frames, each queue its own.
#include "weir/model/marking/step_marker.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/marking/marker.h"
#include "weir/model/marking/marking_config.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

frame_action decide(marker& rule, unsigned port, pfc_class c, std::uint64_t bytes, std::uint32_t frames) {
    random_stream chance{1, 1, random_purpose::marking};
    ethernet_frame frame;
    frame.frame_bytes = 100;
    return rule.decide({1us, port, c, frame, bytes, frames, never, chance});
}

TEST(step_marker, marks_from_the_threshold_of_its_queue_on) {
    step_marker rule({10, 20, 30, step_marker::never_marks}, 2);
    for (std::uint64_t bytes = 0; bytes < 100; ++bytes) {
        EXPECT_EQ(decide(rule, 0, 0, bytes, 0) == frame_action::mark, bytes >= 10);
        EXPECT_EQ(decide(rule, 0, 1, bytes, 0) == frame_action::mark, bytes >= 20);
        EXPECT_EQ(decide(rule, 1, 0, bytes, 0) == frame_action::mark, bytes >= 30);
        EXPECT_EQ(decide(rule, 1, 1, bytes, 0), frame_action::keep);
    }
}

TEST(step_marker, counts_frames_where_its_threshold_is_one_of_frames) {
    step_marker rule({3}, 1, step_marker::unit::frames);
    EXPECT_EQ(decide(rule, 0, 0, 1'000'000, 2), frame_action::keep);
    EXPECT_EQ(decide(rule, 0, 0, 192, 3), frame_action::mark);
}

TEST(step_marker, may_compare_by_more_than_the_threshold_with_or_without_the_frame_itself) {
    step_marker above({500}, 1, step_marker::unit::bytes, step_rule::above);
    step_marker with_frame({500}, 1, step_marker::unit::bytes, step_rule::above_with_frame);
    for (std::uint64_t bytes = 0; bytes < 700; ++bytes) {
        EXPECT_EQ(decide(above, 0, 0, bytes, 0) == frame_action::mark, bytes > 500) << bytes;
        EXPECT_EQ(decide(with_frame, 0, 0, bytes, 0) == frame_action::mark, bytes + 100 > 500) << bytes;
    }
    step_marker frames({3}, 1, step_marker::unit::frames, step_rule::above_with_frame);
    EXPECT_EQ(decide(frames, 0, 0, 0, 2), frame_action::keep);
    EXPECT_EQ(decide(frames, 0, 0, 0, 3), frame_action::mark);
    step_marker none({step_marker::never_marks}, 1, step_marker::unit::bytes, step_rule::above);
    EXPECT_EQ(decide(none, 0, 0, 1'000'000, 0), frame_action::keep);
}

TEST(marker_kinds, give_each_class_its_threshold_or_all_the_same) {
    marking_config config;
    config.kind = named<marker_kind>("step");
    config.step.threshold = {10_B, 20_B};
    struct : frame_origin {
        void originate(const ethernet_frame&) override {}
    } origin;
    const std::vector<port_config> links(3);
    const auto made = [&] { return marker_kinds()[config.kind].make({config, {}, 0, links, 2, 0, origin}); };
    for (unsigned port = 0; port < 3; ++port) {
        EXPECT_EQ(decide(*made(), port, 0, 10, 0), frame_action::mark);
        EXPECT_EQ(decide(*made(), port, 1, 10, 0), frame_action::keep);
        EXPECT_EQ(decide(*made(), port, 1, 20, 0), frame_action::mark);
    }
    config.step.threshold_frames = std::vector<std::uint32_t>{4};
    EXPECT_EQ(decide(*made(), 1, 1, 20, 3), frame_action::keep);
    EXPECT_EQ(decide(*made(), 1, 1, 0, 4), frame_action::mark);
    config.kind = named<marker_kind>("ramp");
    config.ramp.k_min = {100_B, 300_B};
    config.ramp.k_max = {300_B};
    EXPECT_EQ(decide(*made(), 1, 0, 301, 0), frame_action::mark);
    EXPECT_EQ(decide(*made(), 1, 1, 300, 0), frame_action::keep);
}

}  // namespace
