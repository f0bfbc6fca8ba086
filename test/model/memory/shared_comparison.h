// The shared memory's accounting beside the literal one, over random arrivals and departures.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "literal_shared_buffer.h"
#include "weir/base/rng.h"

namespace weir::model {

struct stored_flow {
    buffer_flow flow;
    unsigned cells;
};

/// Of all comparisons of a test, so that it is known to have seen what it is about.
inline std::size_t all_refused = 0;
inline std::size_t all_pauses = 0;
inline std::size_t all_lossless_at_egress = 0;
/// Memories whose lossless queues have limits that ingress cannot reach.
inline std::size_t all_safe = 0;

inline constexpr unsigned compared_ports = 6;
inline constexpr unsigned compared_classes = 3;

/// Random arrivals and departures; every answer and every pause has to be the literal one's.
inline void expect_same(const shared_buffer_config& config, class_mask lossless, std::uint64_t seed, int steps,
                        const shared_profiles& profiles = {}) {
    constexpr unsigned ports = compared_ports;
    constexpr unsigned classes = compared_classes;
    constexpr bytes cell{100};
    const bytes headroom = config.headroom.value_or(700_B);
    shared_buffer real(config, ports, classes, lossless, cell, std::vector<bytes>(ports, headroom), profiles);
    ASSERT_TRUE(real.errors().empty()) << real.errors()[0].message;
    literal_shared_buffer literal(config, ports, classes, lossless, 100,
                                  static_cast<unsigned>(headroom.count()), profiles);
    std::array<unsigned, 5> pool_marks{};
    random_stream chance(seed, 0, random_purpose::arrivals);
    std::vector<stored_flow> stored;
    group_set paused;
    std::map<std::pair<unsigned, unsigned>, literal_shared_buffer::sums> marks;
    std::size_t refused = 0;
    std::size_t pauses = 0;
    // The longest frame below.
    const bool queues_are_safe = !real.queue_at_risk(7);
    all_safe += queues_are_safe && config.lossless_queue_threshold ? 1 : 0;
    unsigned bias = 6;
    for (int step = 0; step < steps; ++step) {
        if (step % 500 == 0) {
            bias = 2 + chance.below(7);
        }
        if (stored.empty() || chance.below(10) < bias) {
            const buffer_flow f{chance.below(ports), static_cast<pfc_class>(chance.below(classes)),
                                chance.below(ports)};
            const unsigned cells = 1 + chance.below(4) * chance.below(3);
            const admission answer = real.admit(f, cells);
            ASSERT_EQ(answer, literal.admit(f, cells)) << "step " << step;
            if (answer == admission::stored) {
                stored.push_back({f, cells});
            } else {
                ++refused;
                ASSERT_FALSE(queues_are_safe && answer == admission::egress_full &&
                             real.is_lossless(f.frame_class));
                all_lossless_at_egress +=
                    answer == admission::egress_full && real.is_lossless(f.frame_class) ? 1 : 0;
            }
        } else {
            const std::size_t n = chance.below(static_cast<std::uint32_t>(stored.size()));
            real.release(stored[n].flow, stored[n].cells);
            literal.release(stored[n].flow, stored[n].cells);
            stored[n] = stored.back();
            stored.pop_back();
        }
        for (const shared_buffer::group_change& change : real.changes()) {
            const std::pair<unsigned, unsigned> g{change.ingress_port, change.frame_class};
            ASSERT_EQ(paused.count(g), change.paused ? 0U : 1U);
            change.paused ? static_cast<void>(paused.insert(g)) : static_cast<void>(paused.erase(g));
            pauses += change.paused ? 1 : 0;
        }
        ASSERT_EQ(paused, literal.paused()) << "step " << step;
        if (step == steps / 2) {
            real.restart_statistics();
            marks.clear();
            pool_marks = {};
        }
        const std::array<unsigned, 5> pools = literal.pools();
        for (unsigned k = 0; k < 5; ++k) {
            pool_marks[k] = std::max(pool_marks[k], pools[k]);
        }
        const shared_buffer::pool_sums& real_pools = real.pool_marks();
        ASSERT_EQ(real_pools.shared[0], pool_marks[0]) << "step " << step;
        ASSERT_EQ(real_pools.shared[1], pool_marks[1]) << "step " << step;
        ASSERT_EQ(real_pools.headroom, pool_marks[2]) << "step " << step;
        ASSERT_EQ(real_pools.queue[0], pool_marks[3]) << "step " << step;
        ASSERT_EQ(real_pools.queue[1], pool_marks[4]) << "step " << step;
        for (unsigned port = 0; port < ports; ++port) {
            for (unsigned c = 0; c < classes; ++c) {
                literal_shared_buffer::sums& mark = marks[{port, c}];
                const literal_shared_buffer::sums now = literal.sums_of(port, static_cast<pfc_class>(c));
                mark.shared = std::max(mark.shared, now.shared);
                mark.headroom = std::max(mark.headroom, now.headroom);
                mark.queue = std::max(mark.queue, now.queue);
                const group_marks& real_mark = real.marks(port, static_cast<pfc_class>(c));
                ASSERT_EQ(real_mark.shared, mark.shared) << "step " << step;
                ASSERT_EQ(real_mark.headroom, mark.headroom) << "step " << step;
                ASSERT_EQ(real.queue_mark(port, static_cast<pfc_class>(c)), mark.queue) << "step " << step;
            }
        }
        ASSERT_TRUE(real.adds_up()) << "step " << step;
        if (step % 64 == 0) {
            ASSERT_EQ(real.check(), "") << "step " << step;
        }
    }
    for (const stored_flow& each : stored) {
        real.release(each.flow, each.cells);
    }
    EXPECT_EQ(real.check(), "");
    for (unsigned port = 0; port < ports; ++port) {
        for (unsigned c = 0; c < classes; ++c) {
            EXPECT_FALSE(real.paused(port, static_cast<pfc_class>(c))) << port << ' ' << c;
        }
    }
    all_refused += refused;
    all_pauses += pauses;
}

inline shared_buffer_config small_memory() {
    shared_buffer_config c;
    c.memory = 200'000_B;
    c.lossless_pool = 12'000_B;
    c.lossy_pool = 9'000_B;
    c.queue_pool = 8'000_B;
    c.headroom = 700_B;
    return c;
}

}  // namespace weir::model
