// QCN's congestion point: what is sampled, what the notification says, and that nothing else is sent.
#include "weir/model/marking/qcn_point.h"

#include <gtest/gtest.h>

#include "weir/model/marking/qcn_marker.h"

using namespace weir;
using namespace weir::model;

namespace {

qcn_config without_jitter() {
    qcn_config config;
    config.jitter = 0;
    return config;
}

/// The definition in whole numbers. Range: whole weights.
std::int64_t literal_feedback(std::int64_t set_point, std::int64_t weight, std::int64_t length,
                              std::int64_t before) {
    return (set_point - length) - weight * (length - before);
}

TEST(qcn_point, quantises_as_defined_for_any_length) {
    random_stream chance{3, 0, random_purpose::marking};
    for (const std::int64_t set_point : {100, 20'000, 26'000, 33'792, 66'000, 1'000'000}) {
        for (const std::int64_t weight : {1, 2, 8}) {
            for (const qcn_quantiser quantiser : {qcn_quantiser::msb, qcn_quantiser::scaled}) {
                qcn_config config;
                config.set_point = bytes{set_point};
                config.weight = static_cast<double>(weight);
                config.quantiser = quantiser;
                const qcn_point rule(config);
                const std::int64_t largest = set_point * (2 * weight + 1);
                unsigned bits = 0;
                while (largest >> bits != 0) {
                    ++bits;
                }
                for (int i = 0; i < 300; ++i) {
                    qcn_point_state s;
                    s.length = chance.below(static_cast<std::uint32_t>(3 * set_point));
                    const std::uint64_t length = chance.below(static_cast<std::uint32_t>(4 * set_point));
                    const std::int64_t raw =
                        literal_feedback(set_point, weight, static_cast<std::int64_t>(length),
                                         static_cast<std::int64_t>(s.length));
                    const std::int64_t excess = -std::min<std::int64_t>(0, std::max(raw, -largest));
                    const std::int64_t expected = quantiser == qcn_quantiser::scaled ? excess * 63 / largest
                                                  : bits > 6                         ? excess >> (bits - 6)
                                                                                     : excess;
                    const qcn_feedback said = rule.feedback(s, length);
                    ASSERT_EQ(said.raw, static_cast<double>(raw));
                    ASSERT_EQ(said.clamped, static_cast<double>(-excess));
                    ASSERT_EQ(said.quantised, expected) << set_point << " " << weight << " " << length;
                    ASSERT_LE(said.quantised, 63);
                }
            }
        }
    }
}

TEST(qcn_point, a_queue_far_above_any_set_point_gets_63_by_default) {
    struct largest_notification {
        bytes set_point;
        std::uint8_t scaled;
        std::uint8_t msb;
    };
    // The standard's set-point and the cross-layer study's two. Q_eq (2 w + 1) is 130,000, 100,000 and 330,000:
    // its six most significant bits are 63, 48 and 40.
    for (const largest_notification& each :
         {largest_notification{26'000_B, 63, 63}, {20'000_B, 63, 48}, {66'000_B, 63, 40}}) {
        qcn_config config;
        config.set_point = each.set_point;
        EXPECT_EQ(qcn_point(config).feedback({}, 10'000'000).quantised, each.scaled);
        config.quantiser = qcn_quantiser::msb;
        EXPECT_EQ(qcn_point(config).feedback({}, 10'000'000).quantised, each.msb);
    }
}

// Pan's table: the interval without congestion, and the shortest.
TEST(qcn_point, is_sampled_the_more_often_the_more_congested_it_was) {
    const qcn_point rule(without_jitter());
    const double intervals[8] = {150'000, 75'000, 50'000, 37'500, 30'000, 25'000, 21'500, 18'500};
    for (unsigned level = 0; level < 8; ++level) {
        qcn_point_state s;
        qcn_feedback said;
        said.quantised = static_cast<std::uint8_t>(8 * level + 3);
        rule.sample(s, 5'000, said, 1);
        EXPECT_NEAR(s.left, intervals[level], 1e-9);
        EXPECT_EQ(s.length, 5'000U);
        rule.sample(s, 5'000, said, 0.9);
        EXPECT_NEAR(s.left, 0.9 * intervals[level], 1e-9);
    }
    qcn_point_state s = rule.open();
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(qcn_point::is_sampled(s, 1'500));
    }
    EXPECT_EQ(s.left, 0) << "not yet below 0";
    EXPECT_TRUE(qcn_point::is_sampled(s, 64));
}

struct sent_messages final : frame_origin {
    std::vector<ethernet_frame> frames;
    void originate(const ethernet_frame& frame) override { frames.push_back(frame); }
};

TEST(qcn_marker, tells_the_source_of_the_sampled_frame_how_congested_its_queue_is) {
    qcn_config config = without_jitter();
    config.set_point = 20'000_B;
    config.sample_interval = 3'000_B;
    sent_messages sent;
    qcn_marker rule(config, 4, 2, 17, sent);
    ethernet_frame frame;
    frame.kind = frame_kind::tcp_data;
    frame.src = ipv4_address{1};
    frame.dst = ipv4_address{2};
    frame.path_tag = 5;
    frame.frame_bytes = 1'500;
    frame.flags = ecn_capable;
    frame.transfer.flow = 77;
    random_stream chance{1, 0, random_purpose::marking};
    const auto arrive = [&](std::uint64_t bytes) {
        EXPECT_EQ(rule.decide({1us, 1, 1, frame, bytes, 9, never, chance}), frame_action::keep);
    };
    arrive(30'000);
    arrive(30'000);
    EXPECT_TRUE(sent.frames.empty());
    arrive(30'000);  // 4,500 B have come: 31,500 B with the frame
    ASSERT_EQ(sent.frames.size(), 1U);
    const ethernet_frame& message = sent.frames[0];
    EXPECT_EQ(message.kind, frame_kind::qcn);
    EXPECT_EQ(message.dst, frame.src);
    EXPECT_EQ(message.src, frame.dst);
    EXPECT_EQ(message.length(), 64_B);
    EXPECT_EQ(message.priority, 7);
    EXPECT_EQ(message.path_tag, 5);
    EXPECT_EQ(message.notification.flow, 77U);
    EXPECT_EQ(message.notification.sampled_dst, frame.dst);
    EXPECT_EQ(message.notification.node, 17U);
    EXPECT_EQ(message.notification.port, 1U);
    EXPECT_EQ(message.notification.sampled_class, 1U);
    EXPECT_EQ(message.notification.offset_bytes, 20'000 - 31'500);
    EXPECT_EQ(message.notification.delta_bytes, 31'500);
    // F_b = -11,500 - 2 x 31,500 = -74,500, of 100,000.
    EXPECT_EQ(message.notification.feedback, 74'500 * 63 / 100'000);
    EXPECT_TRUE(message.is_notification());
}

TEST(qcn_marker, sends_nothing_while_the_queue_is_short_and_does_not_sample_notifications) {
    qcn_config config = without_jitter();
    config.set_point = 20'000_B;
    config.sample_interval = 1'000_B;
    sent_messages sent;
    qcn_marker rule(config, 1, 1, 0, sent);
    ethernet_frame frame;
    frame.frame_bytes = 1'500;
    random_stream chance{1, 0, random_purpose::marking};
    for (int i = 0; i < 100; ++i) {
        rule.decide({1us, 0, 0, frame, 5'000, 9, never, chance});
    }
    EXPECT_TRUE(sent.frames.empty());
    frame.kind = frame_kind::qcn;
    frame.notification = notification_fields{};
    for (int i = 0; i < 100; ++i) {
        rule.decide({1us, 0, 0, frame, 500'000, 9, never, chance});
    }
    EXPECT_TRUE(sent.frames.empty());
}

TEST(qcn_marker, draws_intervals_from_within_the_jitter) {
    qcn_config config;
    config.set_point = 1'000'000_B;
    config.sample_interval = 100'000_B;
    config.jitter = 0.15;
    config.quantiser = qcn_quantiser::scaled;
    sent_messages sent;
    qcn_marker rule(config, 1, 1, 0, sent);
    ethernet_frame frame;
    frame.frame_bytes = 64;
    random_stream chance{8, 0, random_purpose::marking};
    // Frames come until one is sampled: a very long queue sends a message with each sample.
    std::vector<std::size_t> gaps;
    std::size_t since = 0;
    for (int i = 0; i < 200'000; ++i) {
        ++since;
        const std::size_t before = sent.frames.size();
        rule.decide({1us, 0, 0, frame, 100'000'000, 9, never, chance});
        if (sent.frames.size() != before) {
            gaps.push_back(since);
            since = 0;
        }
    }
    // The first interval is whole; later ones are those of the largest feedback.
    ASSERT_GT(gaps.size(), 100U);
    const double shortest = 100'000 * 18.5 / 150 / 64;
    double sum = 0;
    for (std::size_t i = 1; i < gaps.size(); ++i) {
        EXPECT_GE(static_cast<double>(gaps[i]), 0.85 * shortest);
        EXPECT_LE(static_cast<double>(gaps[i]), 1.15 * shortest + 2);
        sum += static_cast<double>(gaps[i]);
    }
    EXPECT_NEAR(sum / static_cast<double>(gaps.size() - 1), shortest, 0.02 * shortest);
}

}  // namespace
