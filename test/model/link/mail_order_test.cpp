#include "weir/model/link/mail_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace weir;
using namespace weir::model;

namespace {

std::uint16_t mark_of(event_key key) {
    return static_cast<std::uint16_t>((key * 0x9E3779B97F4A7C15U) >> 48);
}

std::vector<event_key> keys_in_order(const mail_order& order) {
    std::vector<event_key> keys;
    for (std::size_t at = 0; at < order.size(); ++at) {
        keys.push_back(order[at].key);
    }
    return keys;
}

/// Puts the frames, sorts them, and compares with what std::sort makes of the keys.
void expect_sorted(mail_order& order, const std::vector<event_key>& keys, unsigned lanes) {
    inbox mail;
    mail.set_lanes(lanes);
    for (const event_key key : keys) {
        ethernet_frame frame;
        frame.frame_bytes = mark_of(key);
        mail.put(port_of(key) % lanes, 1, key, 0ns, frame);
    }
    order.sort(mail, 1);
    std::vector<event_key> expected = keys;
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(keys_in_order(order), expected);
    for (std::size_t at = 0; at < order.size(); ++at) {
        ASSERT_EQ(order[at].frame.frame_bytes, mark_of(order[at].key)) << "the frame goes with its key";
    }
    EXPECT_EQ(order.empty(), keys.empty());
    EXPECT_EQ(mail.size(1), keys.size()) << "the frames stay";
    order.clear();
    EXPECT_TRUE(order.empty());
}

TEST(mail_order, is_the_order_of_last_bits_for_any_spread_of_them) {
    std::mt19937_64 random(1);
    mail_order order;
    for (unsigned round = 0; round < 400; ++round) {
        const std::uint64_t frames = random() % 600;
        // From all in one picosecond to spread over some seconds.
        const std::uint64_t spread = std::uint64_t{1} << (random() % 42);
        const picoseconds begin{static_cast<std::int64_t>(random() % 1'000'000'000)};
        std::vector<event_key> keys;
        for (std::uint64_t f = 0; f < frames; ++f) {
            const auto after = static_cast<std::int64_t>(random() % spread);
            keys.push_back(
                make_event_key(begin + picoseconds{after}, 0, static_cast<unsigned>(random() % 256)));
        }
        expect_sorted(order, keys, 1 + round % 3);
    }
}

TEST(mail_order, does_not_slow_down_or_fail_where_all_but_one_come_together) {
    std::mt19937_64 random(2);
    mail_order order;
    std::vector<event_key> keys{make_event_key(1s, 0, 7)};
    for (unsigned f = 0; f < 5'000; ++f) {
        keys.push_back(make_event_key(picoseconds{static_cast<std::int64_t>(random() % 4'000)}, 0, f % 32));
    }
    expect_sorted(order, keys, 1);
}

TEST(mail_order, of_one_frame_and_of_none) {
    mail_order order;
    expect_sorted(order, {make_event_key(5ns, 0, 3)}, 1);
    expect_sorted(order, {}, 1);
}

}  // namespace
