#include "weir/model/link/inbox.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

using namespace weir;
using namespace weir::model;

namespace {

ethernet_frame frame_of(std::uint16_t length) {
    ethernet_frame frame;
    frame.frame_bytes = length;
    return frame;
}

/// Lengths by port, in the order in which an inbox hands them out.
std::map<unsigned, std::vector<unsigned>> lengths_by_port(const inbox& mail, unsigned side) {
    std::map<unsigned, std::vector<unsigned>> lengths;
    mail.for_each(side, [&](const wire_arrival& a) { lengths[a.port()].push_back(a.frame.frame_bytes); });
    return lengths;
}

TEST(inbox, hands_out_what_was_put_by_port_in_order_for_any_number_of_lanes) {
    std::mt19937 random(1);
    for (unsigned lanes = 1; lanes <= 4; ++lanes) {
        inbox mail;
        mail.set_lanes(lanes);
        for (unsigned quantum = 0; quantum < 50; ++quantum) {
            const unsigned side = quantum % 2;
            std::map<unsigned, std::vector<unsigned>> expected;
            const auto frames = static_cast<unsigned>(random() % 100);
            for (unsigned f = 0; f < frames; ++f) {
                const auto port = static_cast<unsigned>(random() % 8);
                // In a quantum one thread runs the sender of a port.
                const auto length = static_cast<std::uint16_t>(64 + random() % 1'400);
                mail.put(port % lanes, side, make_event_key(picoseconds{f}, 0, port), 0ns, frame_of(length));
                expected[port].push_back(length);
            }
            EXPECT_EQ(mail.size(side), frames);
            EXPECT_EQ(mail.any(side), frames != 0);
            EXPECT_EQ(lengths_by_port(mail, side), expected);
            mail.clear(side);
            EXPECT_EQ(mail.size(side), 0U);
            EXPECT_FALSE(mail.any(side));
        }
    }
}

TEST(inbox, a_frame_comes_when_its_receiver_first_uses_it_and_has_both_ends) {
    inbox mail;
    mail.put(0, 0, arrival_key(first_use::last_bit, 5ns, 2ns, 3), 2ns, frame_of(100));
    mail.put(0, 0, arrival_key(first_use::first_bit, 5ns, 2ns, 4), 2ns, frame_of(100));
    mail.for_each(0, [](const wire_arrival& arrival) {
        EXPECT_EQ(arrival.first_used(), arrival.port() == 3 ? 7ns : 5ns);
        EXPECT_EQ(arrival.first_bit(), 5ns);
        EXPECT_EQ(arrival.last_bit(), 7ns);
    });
}

TEST(inbox, its_sides_do_not_know_of_each_other) {
    inbox mail;
    mail.put(0, 0, make_event_key(5ns, 0, 3), 0ns, frame_of(100));
    mail.put(0, 1, make_event_key(6ns, 0, 4), 0ns, frame_of(200));
    mail.clear(0);
    EXPECT_FALSE(mail.any(0));
    ASSERT_TRUE(mail.any(1));
    mail.for_each(1, [](const wire_arrival& arrival) {
        EXPECT_EQ(arrival.last_bit(), 6ns);
        EXPECT_EQ(arrival.port(), 4U);
        EXPECT_EQ(arrival.frame.frame_bytes, 200);
    });
}

TEST(inbox, looks_at_each_frame_ahead_of_its_turn) {
    inbox mail;
    for (unsigned f = 0; f < 20; ++f) {
        mail.put(0, 0, make_event_key(picoseconds{f}, 0, f), 0ns, frame_of(64));
    }
    std::vector<unsigned> ahead;
    unsigned visited = 0;
    mail.for_each(
        0, [&](const wire_arrival& arrival) { EXPECT_EQ(arrival.port(), visited++); },
        [&](const wire_arrival& arrival, std::uint32_t others) {
            EXPECT_EQ(arrival.port(), visited + others);
            EXPECT_LE(others, inbox::look_ahead);
            EXPECT_EQ(arrival.port(), ahead.size()) << "each once, in order";
            ahead.push_back(arrival.port());
        });
    EXPECT_EQ(visited, 20U);
    EXPECT_EQ(ahead.size(), 20U);
}

TEST(inbox, the_first_frame_tells_the_group_and_all_above_it) {
    node_group above;
    node_group group;
    group.above = &above;
    inbox mail;
    mail.join(group);
    mail.put(0, 1, make_event_key(1ns, 0, 0), 0ns, frame_of(64));
    EXPECT_TRUE(group.mail[1]);
    EXPECT_TRUE(above.mail[1]);
    EXPECT_FALSE(group.mail[0]);
}

}  // namespace
