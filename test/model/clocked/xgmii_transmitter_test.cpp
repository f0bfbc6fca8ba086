#include "weir/model/clocked/xgmii_transmitter.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace weir::model {
namespace {

/// Sends frames of these lengths; `pause` cycles without a beat stand before each.
std::vector<xgmii_frame> send(const xgmii_config& config, const std::vector<unsigned>& lengths,
                              const std::vector<int>& pauses = {}) {
    xgmii_transmitter wire(config);
    const unsigned lanes = config.data_width / 8;
    std::vector<xgmii_frame> frames;
    std::int64_t cycle = 0;
    for (std::size_t f = 0; f < lengths.size(); ++f) {
        for (int p = 0; f < pauses.size() && p < pauses[f]; ++p) {
            wire.clock(cycle++, {});
        }
        for (unsigned sent = 0; sent < lengths[f];) {
            xgmii_beat beat{true, false, std::min(lanes, lengths[f] - sent)};
            beat.last = sent + beat.octets == lengths[f];
            const bool taken = wire.ready();
            EXPECT_EQ(wire.clock(cycle++, beat), taken && beat.last);
            sent += taken ? beat.octets : 0;
        }
        frames.push_back(wire.frame());
    }
    return frames;
}

std::int64_t octet(std::int64_t cycle, unsigned lane, const xgmii_config& config) {
    return cycle * config.data_width / 8 + lane;
}

xgmii_config width(unsigned bits) {
    xgmii_config config;
    config.data_width = bits;
    return config;
}

TEST(xgmii_config, defaults_are_valid_and_impossible_values_are_named) {
    EXPECT_TRUE(xgmii_config{}.validate("x").empty());
    const config_errors errors = xgmii_config{128, 11, 300, true}.validate("wire");
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].key, "wire.data_width");
    EXPECT_EQ(errors[1].key, "wire.idle_octets");
}

TEST(xgmii_transmitter, an_idle_transmitter_starts_in_lane_0_a_cycle_after_it_sees_a_beat) {
    for (const unsigned bits : {32U, 64U}) {
        const std::vector<xgmii_frame> frames = send(width(bits), {60, 61}, {20, 40});
        EXPECT_EQ(frames[0].start_cycle, 21);
        EXPECT_EQ(frames[0].start_lane, 0U);
        EXPECT_EQ(frames[0].octets, 72U);
        EXPECT_EQ(frames[0].term_cycle, 21 + 72 * 8 / bits);
        EXPECT_EQ(frames[0].term_lane, 0U);
        EXPECT_EQ(frames[1].start_lane, 0U);
        EXPECT_EQ(frames[1].term_lane, 1U);
    }
}

TEST(xgmii_transmitter, short_frames_are_padded) {
    for (const unsigned length : {14U, 59U, 60U}) {
        EXPECT_EQ(send(width(64), {length})[0].octets, 72U);
    }
    EXPECT_EQ(send(width(64), {61})[0].octets, 73U);
    xgmii_config longer = width(32);
    longer.minimum_frame = 128;
    EXPECT_EQ(send(longer, {61})[0].octets, 136U);
}

/// With the deficit idle count, what 802.3 clause 46.3.1.4 says of it: no gap is shorter than 9 octets, what
/// the gaps fall short of 12 is never more than 3 in all, and a sender that always has a frame sends at 12 on
/// average.
TEST(xgmii_transmitter, gaps_of_a_busy_link_follow_the_deficit_idle_count) {
    std::mt19937 random(7);
    for (const unsigned bits : {32U, 64U}) {
        for (const bool deficit : {true, false}) {
            SCOPED_TRACE(std::to_string(bits) + (deficit ? " with" : " without"));
            xgmii_config config = width(bits);
            config.deficit_idle_count = deficit;
            std::vector<unsigned> lengths;
            for (int f = 0; f < 2000; ++f) {
                lengths.push_back(60 + static_cast<unsigned>(random()) % 200);
            }
            const std::vector<xgmii_frame> frames = send(config, lengths);
            std::int64_t short_of = 0;
            bool swapped = false;
            for (std::size_t f = 0; f + 1 < frames.size(); ++f) {
                const std::int64_t gap = octet(frames[f + 1].start_cycle, frames[f + 1].start_lane, config) -
                                         octet(frames[f].term_cycle, frames[f].term_lane, config);
                ASSERT_EQ(octet(frames[f].term_cycle, frames[f].term_lane, config) -
                              octet(frames[f].start_cycle, frames[f].start_lane, config),
                          frames[f].octets);
                ASSERT_EQ(frames[f].start_lane % 4, 0U);
                ASSERT_GE(gap, deficit ? 9 : 12);
                ASSERT_LE(gap, 15);
                short_of += 12 - gap;
                if (deficit) {
                    ASSERT_GE(short_of, 0);
                    ASSERT_LE(short_of, 3);
                }
                swapped |= frames[f].start_lane == 4;
            }
            EXPECT_EQ(swapped, bits == 64);
        }
    }
}

}  // namespace
}  // namespace weir::model
