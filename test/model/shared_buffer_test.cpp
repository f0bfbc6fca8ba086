// The shared memory's accounting against a literal one that keeps a list of frames and adds everything up anew,
// and against what hardware tests measured on one slice.
#include "weir/model/shared_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "literal_shared_buffer.h"
#include "weir/base/rng.h"

namespace weir {
namespace {

struct stored_flow {
    buffer_flow flow;
    unsigned cells;
};

/// Of all comparisons of a test, so that it is known to have seen what it is about.
std::size_t all_refused = 0;
std::size_t all_pauses = 0;
std::size_t all_lossless_at_egress = 0;
std::size_t all_safe = 0;

constexpr unsigned ports = 6;
constexpr unsigned classes = 3;

/// Random arrivals and departures; every answer and every pause has to be the literal one's.
void expect_same(const shared_buffer_config& config, class_mask lossless, std::uint64_t seed, int steps,
                 const shared_profiles& profiles = {}) {
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

shared_buffer_config small_memory() {
    shared_buffer_config c;
    c.kind = buffer_kind::shared;
    c.memory = 200'000_B;
    c.lossless_pool = 12'000_B;
    c.lossy_pool = 9'000_B;
    c.queue_pool = 8'000_B;
    c.headroom = 700_B;
    return c;
}

void expect_same_everywhere(int steps) {
    std::uint64_t seed = 1;
    for (const unsigned slices : {1U, 2U, 3U}) {
        for (const double alpha : {0.125, 0.3, 1.0, 3.7}) {
            for (const int lossless : {0b000, 0b001, 0b110, 0b111}) {
                for (const bool pool : {false, true}) {
                    shared_buffer_config c = small_memory();
                    c.slices = slices;
                    c.alpha = alpha;
                    c.lossy_alpha = 2 * alpha;
                    c.queue_alpha = alpha;
                    c.map = seed % 3 == 0 ? slice_map::ingress : slice_map::egress;
                    c.minimum = bytes{100 * static_cast<std::int64_t>(seed % 4)};
                    c.queue_minimum = bytes{150 * static_cast<std::int64_t>(seed % 3)};
                    c.xon = bytes{100 * static_cast<std::int64_t>(seed % 5)};
                    c.xon_offset = bytes{100 * static_cast<std::int64_t>(seed % 3)};
                    if (pool) {
                        c.headroom_pool = 2'000_B;
                    }
                    SCOPED_TRACE(testing::Message() << slices << " slices, alpha " << alpha << ", lossless "
                                                    << lossless << ", pool " << pool << ", seed " << seed);
                    expect_same(c, static_cast<class_mask>(lossless), seed++, steps);
                }
            }
        }
    }
}

TEST(shared_buffer, answers_and_pauses_are_those_of_a_literal_one) {
    expect_same_everywhere(1'500);
    EXPECT_GT(all_refused, 5'000U);
    EXPECT_GT(all_pauses, 2'000U);
}

TEST(shared_buffer, long_run_answers_and_pauses_are_those_of_a_literal_one) {
    expect_same_everywhere(20'000);
}

TEST(shared_buffer, a_static_threshold_is_that_of_the_literal_one) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
        shared_buffer_config c = small_memory();
        c.threshold = bytes{500 * static_cast<std::int64_t>(seed)};
        c.xon_offset = 200_B;
        c.slices = seed % 2 == 0 ? 2 : 1;
        expect_same(c, 0b011, seed, 3'000);
    }
}

/// Values of its own for about half of what can have one; slices by pairs of ports.
shared_profiles random_profiles(random_stream& chance, const shared_buffer_config& config) {
    shared_profiles made;
    const auto perhaps = [&](auto value) {
        return chance.below(2) == 0 ? std::optional<decltype(value)>(value) : std::nullopt;
    };
    const auto some_bytes = [&](unsigned most) {
        return bytes{50 * static_cast<std::int64_t>(chance.below(most))};
    };
    const auto threshold = [&](auto& profile) {
        switch (chance.below(3)) {
            case 0:
                profile.alpha = 0.0625 * (1 + chance.below(64));
                break;
            case 1:
                profile.threshold = some_bytes(60);
                break;
            default:
                break;
        }
    };
    for (unsigned g = 0; g < ports * classes; ++g) {
        group_profile group;
        group.minimum = perhaps(some_bytes(10));
        group.xon = perhaps(some_bytes(20));
        group.xon_offset = perhaps(some_bytes(8));
        group.headroom = perhaps(bytes{100 * static_cast<std::int64_t>(chance.below(12))});
        threshold(group);
        made.groups.push_back(group);
        queue_profile queue;
        queue.minimum = perhaps(some_bytes(10));
        threshold(queue);
        made.queues.push_back(queue);
    }
    for (unsigned pair = 0; pair < ports * ports; ++pair) {
        made.slices.push_back(static_cast<std::uint8_t>(chance.below(config.slices)));
    }
    return made;
}

void expect_same_with_profiles(unsigned settings, int steps) {
    for (std::uint64_t seed = 1; seed <= settings; ++seed) {
        random_stream chance(seed, 1, random_purpose::arrivals);
        shared_buffer_config c = small_memory();
        c.slices = 1 + chance.below(3);
        c.alpha = 0.125 * (1 + chance.below(16));
        c.minimum = bytes{100 * static_cast<std::int64_t>(chance.below(3))};
        c.queue_minimum = bytes{100 * static_cast<std::int64_t>(chance.below(3))};
        c.xon = bytes{100 * static_cast<std::int64_t>(chance.below(4))};
        switch (chance.below(5)) {
            case 0:
                c.headroom_pool = 2'000_B;
                break;
            case 1:
                c.threshold = 1'500_B;
                break;
            case 2:
                c.lossless_queue_pool = 5'000_B;
                break;
            case 3:
                c.lossless_queue_alpha = 0.5;
                c.lossless_queue_pool = 12'000_B;
                break;
            default:
                c.lossless_queue_threshold = 1'200_B;
                break;
        }
        shared_profiles profiles = random_profiles(chance, c);
        // Each part also without the others.
        switch (seed % 5) {
            case 0:
                profiles.queues.clear();
                profiles.slices.clear();
                break;
            case 1:
                profiles.groups.clear();
                profiles.slices.clear();
                break;
            case 2:
                profiles.groups.clear();
                profiles.queues.clear();
                break;
            default:
                break;
        }
        const auto lossless = static_cast<class_mask>(1 + chance.below(7));
        SCOPED_TRACE(testing::Message() << "setting " << seed);
        expect_same(c, lossless, seed, steps, profiles);
    }
}

TEST(shared_buffer, values_of_single_groups_and_queues_and_pairs_of_ports_are_those_of_a_literal_one) {
    expect_same_with_profiles(60, 1'500);
    EXPECT_GT(all_refused, 5'000U);
    EXPECT_GT(all_pauses, 2'000U);
    EXPECT_GT(all_lossless_at_egress, 500U);
}

TEST(shared_buffer, a_lossless_queue_that_is_not_at_risk_refuses_nothing) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        random_stream chance(seed, 2, random_purpose::arrivals);
        shared_buffer_config c = small_memory();
        c.slices = 1 + chance.below(2);
        c.lossless_pool = 3'000_B;
        c.headroom = 300_B;
        if (chance.below(2) == 0) {
            c.threshold = bytes{100 * static_cast<std::int64_t>(1 + chance.below(6))};
        }
        c.lossless_queue_threshold = bytes{100 * static_cast<std::int64_t>(10 + chance.below(60))};
        expect_same(c, 0b011, seed, 1'500);
    }
    EXPECT_GT(all_safe, 10U);
    EXPECT_LT(all_safe, 50U);
}

TEST(shared_buffer, long_run_values_of_single_groups_and_queues_are_those_of_a_literal_one) {
    expect_same_with_profiles(300, 15'000);
}

/// One slice of Tomahawk: 10,875,072 B / 4 / 208 B = 13,071 cells, alpha 1, minimum 6 cells.
shared_buffer_config tomahawk() {
    shared_buffer_config c;
    c.kind = buffer_kind::shared;
    c.memory = 64_MiB;
    c.slices = 4;
    c.lossless_pool = 10'875'072_B;
    c.lossy_pool = 0_B;
    c.minimum = 6 * 208_B;
    c.headroom = 268'736_B;
    c.headroom_pool = 4'194'112_B;
    return c;
}

TEST(shared_buffer, one_group_of_tomahawk_is_paused_by_its_6542nd_cell_and_loses_its_7835th) {
    shared_buffer b(tomahawk(), 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    ASSERT_TRUE(b.errors().empty());
    for (int cell = 1; cell <= 7'834; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 6'542) << cell;
    }
    EXPECT_EQ(b.admit({1, 3, 0}, 1), admission::ingress_full);
    EXPECT_EQ(b.group_usage(0, 1, 3).headroom, 1'292U);
    EXPECT_EQ(b.marks(1, 3).headroom, 1'292U);
    EXPECT_EQ(b.pool_mark(0, true), 6'536U);
    // Another slice is another memory.
    EXPECT_EQ(b.free_shared(3, true), 13'071U);
    EXPECT_EQ(b.admit({1, 3, 63}, 1), admission::stored);
}

TEST(shared_buffer, one_group_of_trident2_is_paused_by_its_4898th_cell_and_loses_its_5164th) {
    // One slice, alpha 1/8: 12,766,208 B - 64 x 56,368 B = 44,032 cells; headroom 55,120 B.
    shared_buffer_config c;
    c.memory = 12'766'208_B;
    c.lossless_pool = 44'032 * 208_B;
    c.alpha = 0.125;
    c.minimum = 6 * 208_B;
    c.headroom_pool = 64 * 40'000_B;
    shared_buffer b(c, 32, 8, 0b11000, 208_B, std::vector<bytes>(32, 55'120_B));
    ASSERT_TRUE(b.errors().empty()) << b.errors()[0].message;
    for (int cell = 1; cell <= 5'163; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 4'898) << cell;
    }
    EXPECT_EQ(b.admit({1, 3, 0}, 1), admission::ingress_full);
}

TEST(shared_buffer, a_factor_that_is_no_multiple_of_1_1024_is_kept_exactly) {
    // s >= 0.0015 x (13,071 - s) from s = 19 on; 2/1024 would be 25.
    shared_buffer_config c = tomahawk();
    c.alpha = 0.0015;
    shared_buffer b(c, 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    for (int cell = 1; cell <= 40; ++cell) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored) << cell;
        ASSERT_EQ(b.paused(1, 3), cell >= 6 + 19) << cell;
    }
    // 0.3 x 10 is 3, so that of 12 cells a third one is stored; 307/1024 x 10 would be 2.
    shared_buffer_config lossy;
    lossy.memory = 12'000_B;
    lossy.lossy_alpha = 0.3;
    shared_buffer few(lossy, 1, 1, 0, 1'000_B, {0_B});
    for (int cell = 1; cell <= 3; ++cell) {
        ASSERT_EQ(few.admit({0, 0, 0}, 1), admission::stored) << cell;
    }
    EXPECT_EQ(few.admit({0, 0, 0}, 1), admission::ingress_full);
    for (const double alpha : {0.0015, 0.000977, 0.0009765625 * 3, 1023.999999}) {
        c.alpha = alpha;
        const bool in_range = alpha >= 0.001;
        EXPECT_EQ(c.validate().empty(), in_range) << alpha;
    }
    c.alpha = 0.12345678;
    ASSERT_EQ(c.validate().size(), 1U);
    EXPECT_NE(c.validate()[0].message.find("up to six decimals, or a multiple of 1/1024"), std::string::npos);
}

TEST(shared_buffer, slices_are_blocks_of_neighbouring_ports_as_equal_as_possible) {
    shared_buffer_config c = small_memory();
    c.slices = 4;
    for (const slice_map map : {slice_map::egress, slice_map::ingress}) {
        c.map = map;
        const shared_buffer b(c, 6, 1, 0, 100_B, std::vector<bytes>(6, 0_B));
        std::vector<unsigned> slices;
        for (unsigned port = 0; port < 6; ++port) {
            slices.push_back(map == slice_map::egress ? b.slice_of({5, 0, port}) : b.slice_of({port, 0, 5}));
        }
        EXPECT_EQ(slices, (std::vector<unsigned>{0, 0, 1, 2, 2, 3}));
    }
}

TEST(shared_buffer, a_flat_memory_pauses_tomahawks_group_four_times_later) {
    shared_buffer_config c = tomahawk();
    c.slices = 1;
    shared_buffer b(c, 64, 8, 0b11000, 208_B, std::vector<bytes>(64, 268'736_B));
    int cell = 0;
    while (!b.paused(1, 3)) {
        ASSERT_EQ(b.admit({1, 3, 0}, 1), admission::stored);
        ++cell;
    }
    EXPECT_EQ(cell, 6 + 52'284 / 2);
}

TEST(shared_buffer, what_is_left_open_is_what_the_rest_leaves_and_too_much_is_refused) {
    shared_buffer_config c;
    c.memory = 1'000'000_B;
    c.minimum = 1'000_B;
    c.headroom = 2'000_B;
    const std::vector<bytes> headroom(4, 2'000_B);
    shared_buffer b(c, 4, 8, 0b11, 100_B, headroom);
    EXPECT_TRUE(b.errors().empty());
    // Classes of both kinds: each kind gets half.
    const unsigned left = 10'000U - 32 * 10 - 8 * 20;
    EXPECT_EQ(b.pool(true), left / 2);
    EXPECT_EQ(b.pool(false), left / 2);
    EXPECT_EQ(shared_buffer(c, 4, 2, 0b11, 100_B, headroom).pool(true), 10'000U - 8 * 10 - 8 * 20);
    EXPECT_EQ(shared_buffer(c, 4, 2, 0b11, 100_B, headroom).pool(false), 0U);
    c.lossy_pool = 100'000_B;
    EXPECT_EQ(shared_buffer(c, 4, 8, 0b11, 100_B, headroom).pool(true), left - 1'000);
    c.lossy_pool.reset();
    EXPECT_EQ(shared_buffer(c, 4, 8, 0, 100_B, headroom).pool(false), 10'000U - 32 * 10);
    c.lossless_pool = 990'000_B;
    c.lossy_pool = 0_B;
    const shared_buffer full(c, 4, 8, 0b11, 100_B, headroom);
    ASSERT_EQ(full.errors().size(), 1U);
    EXPECT_EQ(full.errors()[0].key, "shared.memory");
    EXPECT_NE(full.errors()[0].message.find("allowed: at least 1038KB"), std::string::npos)
        << full.errors()[0].message;
}

TEST(shared_buffer, sums_are_those_of_each_groups_and_queues_own_values) {
    shared_buffer_config c;
    c.memory = 100'000_B;
    c.minimum = 1'000_B;
    const std::vector<bytes> headroom{2'000_B, 3'000_B};
    shared_profiles own;
    own.groups.resize(4);
    own.groups[0].minimum = 4'050_B;    // port 0, class 0: 41 cells
    own.groups[3].headroom = 10'000_B;  // port 1, class 1, lossless
    own.groups[2].headroom = 10'000_B;  // a lossy group has none
    // Class 0 is lossy.
    const shared_buffer b(c, 2, 2, 0b10, 100_B, headroom, own);
    EXPECT_TRUE(b.errors().empty());
    EXPECT_EQ(b.private_headroom(), 20U + 100U);
    EXPECT_EQ(b.pool(true) + b.pool(false), 1'000U - 41 - 3 * 10 - 120);
    EXPECT_EQ(b.limits(1, 1).headroom, 100U);
    EXPECT_EQ(b.limits(1, 0).headroom, 0U);
    EXPECT_EQ(b.limits(0, 1).headroom, 20U);
    // Minima of queues, and a pool of the lossless ones that lies over that of the lossy ones.
    c.queue_minimum = 500_B;
    own.queues.resize(4);
    own.queues[1].minimum = 2'000_B;
    own.queues[2].minimum = 0_B;
    const shared_buffer queues(c, 2, 2, 0b10, 100_B, headroom, own);
    EXPECT_TRUE(queues.errors().empty());
    EXPECT_EQ(queues.queue_pool(false), 1'000U - 5 - 20);
    EXPECT_EQ(queues.queue_pool(true), 1'000U);
    EXPECT_FALSE(queues.queue_at_risk(1));
    c.lossless_queue_pool = 97'600_B;
    const shared_buffer full(c, 2, 2, 0b10, 100_B, headroom, own);
    ASSERT_EQ(full.errors().size(), 1U);
    EXPECT_EQ(full.errors()[0].key, "shared.lossless_queue_pool");
    c.lossless_queue_pool = 97'500_B;
    EXPECT_TRUE(shared_buffer(c, 2, 2, 0b10, 100_B, headroom, own).errors().empty());
}

TEST(shared_buffer_config, values_out_of_range_are_named) {
    EXPECT_TRUE(shared_buffer_config{}.validate().empty());
    shared_buffer_config c;
    c.memory = 0_B;
    c.slices = 0;
    c.alpha = 0;
    c.lossless_classes = std::vector<std::uint32_t>{3, 8};
    std::vector<std::string> keys;
    for (const config_error& error : c.validate()) {
        keys.push_back(error.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"shared.memory", "shared.slices", "shared.lossless_classes",
                                              "shared.alpha"}));
}

}  // namespace
}  // namespace weir
