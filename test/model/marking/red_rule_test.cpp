// RED against figure 2 of its paper, read literally, and as a marker of a switch.
#include "weir/model/marking/red_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/model/marking/red_marker.h"

using namespace weir;
using namespace weir::model;

namespace {

/// Floyd and Jacobson 1993, figure 2, with Floyd's gentle slope; time in mean frames.
struct figure_2 {
    red_parameters red;
    double avg = 0;
    int count = -1;
    double q_time = 0;

    char arrive(double q, double bytes, double time, double draw) {
        if (q > 0) {
            avg = (1 - red.weight) * avg + red.weight * q;
        } else {
            avg = std::pow(1 - red.weight, time - q_time) * avg;
        }
        const double all = red.gentle ? 2 * red.max : red.max;
        if (red.min <= avg && avg < all) {
            ++count;
            double pb = avg < red.max ? red.p_max * (avg - red.min) / (red.max - red.min)
                                      : red.p_max + (avg / red.max - 1) * (1 - red.p_max);
            if (red.in_bytes) {
                pb = pb * bytes / red.mean_frame;
            }
            pb = pb > 1 ? 1 : pb;
            const double left = 1 - count * pb;
            const double pa = left <= 0 || pb / left > 1 ? 1 : pb / left;
            if (draw <= pa) {
                count = 0;
                return 'e';
            }
            return 'p';
        }
        count = avg < red.min ? -1 : 0;
        return avg < red.min ? 'p' : 'f';
    }
};

TEST(red_rule, is_its_papers_figure_for_any_arrivals) {
    random_stream chance{5, 0, random_purpose::marking};
    for (int round = 0; round < 24; ++round) {
        red_parameters red;
        red.weight = round % 4 == 3 ? 1 : 0.002 * (1 + chance.below(20));
        red.in_bytes = round % 2 == 0;
        red.gentle = round % 3 == 0;
        red.min = red.in_bytes ? 10'000 : 8;
        red.max = red.min * (1.5 + chance.uniform());
        red.p_max = 0.01 + 0.2 * chance.uniform();
        red.mean_frame = 1000;
        const red_rule rule(red);
        red_state s;
        figure_2 paper{red};
        double length = 0;
        double time = 0;
        int answers[3] = {};
        for (int i = 0; i < 4'000; ++i) {
            const double bytes = 64 + chance.below(1'437);
            const double draw = chance.uniform();
            const bool is_empty = length == 0;
            time += 1 + (is_empty ? chance.below(400) : 0);
            rule.arrive(s, length, is_empty ? time - paper.q_time : 0);
            const red_answer answer = rule.decide(s, bytes, draw);
            const char expected = paper.arrive(length, bytes, time, draw);
            ++answers[static_cast<unsigned>(answer)];
            ASSERT_EQ(answer == red_answer::pass    ? 'p'
                      : answer == red_answer::early ? 'e'
                                                    : 'f',
                      expected)
                << "round " << round << ", arrival " << i;
            ASSERT_NEAR(s.average, paper.avg, 1e-9 * paper.avg);
            ASSERT_EQ(s.count, paper.count);
            const double step = red.in_bytes ? bytes : 1;
            const bool grows = chance.below(1000) < (i / 500 % 2 == 0 ? 600U : 420U);
            length = grows ? length + step : std::max(length - 1.3 * step, 0.0);
            if (length == 0 && !is_empty) {
                paper.q_time = time;
            }
        }
        EXPECT_GT(answers[0], 0);
        EXPECT_GT(answers[1], 0) << round;
    }
}

TEST(red_rule, that_waits_marks_after_one_to_two_times_the_expected_number_of_frames) {
    red_parameters red;
    red.weight = 1;
    red.min = 10;
    red.max = 20;
    red.p_max = 0.2;
    red.wait = true;
    red.in_bytes = false;
    const red_rule rule(red);
    random_stream chance{9, 0, random_purpose::marking};
    red_state s;
    int since = 0;
    int marks = 0;
    for (int i = 0; i < 20'000; ++i) {
        rule.arrive(s, 15, 0);  // p = 0.1
        ++since;
        if (rule.decide(s, 1000, chance.uniform()) == red_answer::early) {
            EXPECT_TRUE(marks == 0 || (since >= 10 && since <= 20)) << since;
            since = 0;
            ++marks;
        }
    }
    EXPECT_GT(marks, 1'000);
}

// --- the marker ------------------------------------------------------------------------------------------

struct one_queue {
    explicit one_queue(class_mask lossy, double min = 1'000, double max = 2'000) {
        red_parameters red;
        red.weight = 1;
        red.min = min;
        red.max = max;
        red.p_max = 1;
        rule = std::make_unique<red_marker>(std::vector<red_rule>{red_rule(red), red_rule(red)},
                                            std::vector<picoseconds>(2, 1us), red_options{false, true, lossy});
        frame.kind = frame_kind::tcp_data;
        frame.frame_bytes = 1500;
    }
    frame_action decide(std::uint64_t bytes, std::uint8_t flags) {
        frame.flags = flags;
        return rule->decide({1us, 1, 1, frame, bytes, 1, never, chance});
    }
    std::unique_ptr<red_marker> rule;
    ethernet_frame frame;
    random_stream chance{1, 0, random_purpose::marking};
};

TEST(red_marker, marks_what_can_be_marked_drops_the_rest_and_all_above_the_maximum) {
    one_queue lossy(0xFF);
    EXPECT_EQ(lossy.decide(999, ecn_capable), frame_action::keep);
    EXPECT_EQ(lossy.decide(1'999, ecn_capable), frame_action::mark);  // p is 1 for 1,500 B
    EXPECT_EQ(lossy.decide(1'999, 0), frame_action::drop);
    EXPECT_EQ(lossy.decide(2'000, ecn_capable), frame_action::drop);
    EXPECT_EQ(lossy.decide(2'000, 0), frame_action::drop);
}

TEST(red_marker, drops_nothing_of_a_class_that_may_not_lose_frames) {
    one_queue lossless(0x01);
    EXPECT_EQ(lossless.decide(1'999, 0), frame_action::keep);
    EXPECT_EQ(lossless.decide(9'000, 0), frame_action::keep);
    EXPECT_EQ(lossless.decide(9'000, ecn_capable), frame_action::mark);
}

TEST(red_marker, spares_frames_without_payload_up_to_the_maximum) {
    for (const frame_kind kind : {frame_kind::tcp_ack, frame_kind::tcp_syn, frame_kind::tcp_syn_ack,
                                  frame_kind::roce_ack, frame_kind::cnp, frame_kind::pfabric_probe}) {
        one_queue lossy(0xFF);
        lossy.frame.kind = kind;
        EXPECT_EQ(lossy.decide(1'999, 0), frame_action::keep);
        EXPECT_EQ(lossy.rule->average(1, 1), 1'999);
        EXPECT_EQ(lossy.decide(2'000, 0), frame_action::drop);
    }
}

TEST(red_marker, lets_the_average_decay_by_what_the_link_could_have_sent) {
    red_parameters red;
    red.weight = 0.5;
    red.min = 100;
    red.max = 1e9;
    red_marker rule({red_rule(red)}, {2us}, {});
    ethernet_frame frame;
    random_stream chance{1, 0, random_purpose::marking};
    rule.decide({10us, 0, 0, frame, 800, 1, never, chance});
    EXPECT_EQ(rule.average(0, 0), 400);
    rule.decide({30us, 0, 0, frame, 0, 0, 24us, chance});
    EXPECT_DOUBLE_EQ(rule.average(0, 0), 400 / 8.0) << "three frames of 2 us";
    // That one was dropped: the queue is still empty since then, but has not been idle since.
    rule.decide({32us, 0, 0, frame, 0, 0, 24us, chance});
    EXPECT_DOUBLE_EQ(rule.average(0, 0), 400 / 16.0) << "one more";
}

}  // namespace
