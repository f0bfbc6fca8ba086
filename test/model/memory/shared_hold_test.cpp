// What holds a paused group of a shared memory back for good, worked out by hand; and against all that can
// happen.
#include <gtest/gtest.h>

#include <array>

#include "weir/base/rng.h"
#include "weir/model/memory/shared_hold.h"

using namespace weir;
using namespace weir::model;

namespace {

/// Two ports, one class, one slice, bytes as cells: a pool of 1,000, 100 of headroom, alpha 1.
shared_buffer_config small() {
    shared_buffer_config config;
    config.memory = 2_KB;
    config.lossless_pool = 1000_B;
    config.lossy_pool = 0_B;
    config.headroom = 100_B;
    config.alpha = 1;
    return config;
}
shared_buffer make(const shared_buffer_config& config, unsigned ports = 2) {
    shared_buffer memory(config, ports, 1, 1, 0_B, std::vector<bytes>(ports, *config.headroom));
    EXPECT_TRUE(memory.errors().empty());
    return memory;
}
std::vector<std::uint32_t> held(const shared_buffer& memory, std::vector<std::uint32_t> cells) {
    cells.resize(memory.places());
    return cells;
}

TEST(shared_hold, a_group_that_is_not_paused_is_not_held) {
    shared_buffer memory = make(small());
    memory.admit({0, 0, 1}, 400);
    ASSERT_FALSE(memory.paused(0, 0));
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {400})));
}

// Port 0 has 500 of 1,000, so T is 500 and it is paused. When part of it leaves, T rises as it falls.
TEST(shared_hold, a_group_is_held_by_as_much_as_the_threshold_when_all_else_has_left) {
    shared_buffer memory = make(small());
    memory.admit({0, 0, 1}, 500);
    ASSERT_TRUE(memory.paused(0, 0));
    const auto hold = hold_of(memory, 0, 0, held(memory, {500}));
    ASSERT_TRUE(hold);
    EXPECT_EQ(hold->stays, 500U);
    EXPECT_EQ(hold->most_free, 500U);
    EXPECT_EQ(hold->threshold, 500U);
    EXPECT_EQ(hold->headroom, 0U);
    // 499 of 1,000 are below 501.
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {499})));
}

TEST(shared_hold, what_others_never_give_back_keeps_the_threshold_low) {
    shared_buffer memory = make(small());
    memory.admit({1, 0, 0}, 400);
    memory.admit({0, 0, 1}, 300);
    ASSERT_TRUE(memory.paused(0, 0));
    // With 400 of port 1 gone for good, T is 300 and not above 300. With 399 T is 301.
    EXPECT_TRUE(hold_of(memory, 0, 0, held(memory, {300, 400})));
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {300, 399})));
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {300, 0})));
}

TEST(shared_hold, headroom_that_stays_holds_whatever_the_threshold) {
    shared_buffer memory = make(small());
    memory.admit({1, 0, 0}, 450);
    memory.admit({0, 0, 1}, 280);  // T was 550, is 270: paused
    memory.admit({0, 0, 1}, 60);   // headroom
    ASSERT_EQ(memory.group_usage(0, 0, 0).headroom, 60U);
    // All stay: the headroom does, though T would be 1,000 - 280.
    const auto all = hold_of(memory, 0, 0, held(memory, {340}));
    ASSERT_TRUE(all);
    EXPECT_EQ(all->headroom, 60U);
    EXPECT_EQ(all->most_free, 720U);
    // What leaves empties headroom first: 281 stay, one of them in headroom; 280, none.
    EXPECT_TRUE(hold_of(memory, 0, 0, held(memory, {281})));
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {280})));
}

TEST(shared_hold, xon_and_offset_and_static_thresholds_count) {
    shared_buffer_config config = small();
    config.threshold = 200_B;
    shared_buffer memory = make(config);
    memory.admit({0, 0, 1}, 250);
    EXPECT_TRUE(hold_of(memory, 0, 0, held(memory, {200})));
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {199})));
    config.xon_offset = 50_B;
    shared_buffer with_offset = make(config);
    with_offset.admit({0, 0, 1}, 250);
    EXPECT_TRUE(hold_of(with_offset, 0, 0, held(with_offset, {150})));
    EXPECT_FALSE(hold_of(with_offset, 0, 0, held(with_offset, {149})));
    config.xon = 180_B;
    shared_buffer with_xon = make(config);
    with_xon.admit({0, 0, 1}, 250);
    EXPECT_TRUE(hold_of(with_xon, 0, 0, held(with_xon, {181})));
    EXPECT_FALSE(hold_of(with_xon, 0, 0, held(with_xon, {180})));
}

TEST(shared_hold, a_slice_is_enough) {
    shared_buffer_config config = small();
    config.slices = 2;
    shared_buffer memory = make(config);
    memory.admit({0, 0, 1}, 300);  // slice 1: 500 cells, T 200
    ASSERT_TRUE(memory.paused(0, 0));
    const auto hold = hold_of(memory, 0, 0, held(memory, {0, 0, 300}));
    ASSERT_TRUE(hold);
    EXPECT_EQ(hold->slice, 1U);
    EXPECT_FALSE(hold_of(memory, 0, 0, held(memory, {0, 0, 100})));
}

// Some frames never leave; of all others any may leave, and new ones may come for groups that are not said to
// be held. The group that is held never goes on.
TEST(shared_hold, holds_whatever_happens) {
    unsigned holds = 0;
    unsigned others = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        random_stream chance(seed, 0, random_purpose::adversary);
        const auto below = [&](unsigned n) { return chance.below(n); };
        const unsigned ports = 3;
        shared_buffer_config config = small();
        config.memory = 4_KB;
        config.alpha = std::array{0.25, 0.5, 1.0, 4.0}[below(4)];
        config.slices = 1 + below(2);
        config.minimum = bytes{std::array{0, 0, 40}[below(3)]};
        config.xon = bytes{std::array{0, 0, 90}[below(3)]};
        config.xon_offset = bytes{std::array{0, 0, 30}[below(3)]};
        if (below(4) == 0) {
            config.threshold = bytes{150 + 50 * below(4)};
        }
        if (below(3) == 0) {
            config.headroom_pool = 250_B;
        }
        shared_buffer memory = make(config, ports);
        struct frame {
            buffer_flow flow;
            std::uint32_t cells;
            bool stays;
        };
        std::vector<frame> frames;
        const auto come = [&](unsigned port) {
            const buffer_flow flow{port, 0, below(ports)};
            const std::uint32_t cells = 1 + below(60);
            if (memory.admit(flow, cells) == admission::stored) {
                frames.push_back({flow, cells, false});
            }
        };
        const auto leave = [&](std::size_t which) {
            memory.release(frames[which].flow, frames[which].cells);
            frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(which));
        };
        for (unsigned i = 0; i < 80; ++i) {
            if (frames.empty() || below(4) != 0) {
                come(below(ports));
            } else {
                leave(below(static_cast<unsigned>(frames.size())));
            }
        }
        std::vector<std::uint32_t> stuck(memory.places(), 0);
        const unsigned share = below(4);
        for (frame& f : frames) {
            f.stays = below(4) < share;
            stuck[memory.place(memory.slice_of(f.flow), f.flow.ingress_port, 0)] += f.stays ? f.cells : 0;
        }
        std::vector<bool> held(ports);
        for (unsigned port = 0; port < ports; ++port) {
            held[port] = hold_of(memory, port, 0, stuck).has_value();
            (held[port] ? holds : others) += memory.paused(port, 0) ? 1 : 0;
        }
        const auto check = [&] {
            for (unsigned port = 0; port < ports; ++port) {
                ASSERT_TRUE(!held[port] || memory.paused(port, 0)) << "seed " << seed << ", port " << port;
            }
        };
        for (unsigned i = 0; i < 120; ++i) {
            const unsigned port = below(ports);
            if (below(3) == 0 && !memory.paused(port, 0)) {
                come(port);
            } else if (!frames.empty()) {
                const std::size_t which = below(static_cast<unsigned>(frames.size()));
                if (!frames[which].stays) {
                    leave(which);
                }
            }
            check();
        }
        for (std::size_t which = frames.size(); which-- > 0;) {
            if (!frames[which].stays) {
                leave(which);
                check();
            }
        }
    }
    EXPECT_GT(holds, 500U);
    EXPECT_GT(others, 500U);
}

// Nothing more comes: then who is not held goes on in the end.
TEST(shared_hold, who_is_not_held_goes_on_when_all_that_may_leave_has_left) {
    unsigned released = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        random_stream chance(seed, 1, random_purpose::adversary);
        const auto below = [&](unsigned n) { return chance.below(n); };
        const unsigned ports = 3;
        shared_buffer_config config = small();
        config.memory = 4_KB;
        config.alpha = std::array{0.25, 0.5, 1.0, 4.0}[below(4)];
        config.slices = 1 + below(2);
        config.minimum = bytes{std::array{0, 0, 40}[below(3)]};
        config.xon_offset = bytes{std::array{0, 0, 30}[below(3)]};
        shared_buffer memory = make(config, ports);
        std::vector<std::pair<buffer_flow, std::uint32_t>> leaving;
        std::vector<std::uint32_t> stuck(memory.places(), 0);
        for (unsigned i = 0; i < 60; ++i) {
            const buffer_flow flow{below(ports), 0, below(ports)};
            const std::uint32_t cells = 1 + below(60);
            if (memory.admit(flow, cells) != admission::stored) {
                continue;
            }
            if (below(3) == 0) {
                stuck[memory.place(memory.slice_of(flow), flow.ingress_port, 0)] += cells;
            } else {
                leaving.emplace_back(flow, cells);
            }
        }
        std::vector<bool> held(ports);
        for (unsigned port = 0; port < ports; ++port) {
            held[port] = hold_of(memory, port, 0, stuck).has_value();
            released += memory.paused(port, 0) && !held[port] ? 1 : 0;
        }
        for (const auto& [flow, cells] : leaving) {
            memory.release(flow, cells);
        }
        for (unsigned port = 0; port < ports; ++port) {
            EXPECT_EQ(memory.paused(port, 0), held[port]) << "seed " << seed << ", port " << port;
        }
    }
    EXPECT_GT(released, 500U);
}

}  // namespace
