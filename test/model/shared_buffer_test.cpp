// The shared memory's accounting against a literal one that keeps a list of frames and adds everything up anew,
// and against what hardware tests measured on one slice.
#include "weir/model/shared_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "weir/base/rng.h"

namespace weir {
namespace {

using group_set = std::set<std::pair<unsigned, unsigned>>;

/// Every rule from the list of stored frames; nothing is remembered but who is paused, and which cells of a
/// group are headroom.
class literal_buffer {
 public:
    literal_buffer(const shared_buffer& real, const shared_buffer_config& config, unsigned ports,
                   unsigned classes)
        : m_real(real), m_config(config), m_ports(ports), m_classes(classes) {}

    admission admit(const buffer_flow& f, unsigned cells) {
        const unsigned slice = m_real.slice_of(f);
        const bool lossless = m_real.is_lossless(f.frame_class);
        if (!lossless) {
            const unsigned queued = queue(slice, f.egress_port, f.frame_class);
            const unsigned minimum = m_real.cells_of(m_config.queue_minimum);
            const unsigned shared = beyond(queued, minimum);
            const unsigned more = beyond(queued + cells, minimum) - shared;
            const unsigned free = queue_free(slice);
            if (more > 0 && (more > free || shared >= std::floor(m_config.queue_alpha * free))) {
                return admission::egress_full;
            }
        }
        parts& p = m_parts[key(slice, f.ingress_port, f.frame_class)];
        const unsigned to_minimum = std::min(cells, m_real.group_minimum() - p.minimum);
        const unsigned rest = cells - to_minimum;
        const unsigned left = free(slice, lossless);
        const bool shared = rest == 0 || (p.shared < threshold(slice, lossless) && rest <= left);
        if (!shared) {
            const bool pool_has_room =
                !m_real.headroom_pool() || headroom(slice) + rest <= *m_real.headroom_pool();
            if (!lossless || p.headroom + rest > m_real.headroom_limit(f.ingress_port) || !pool_has_room) {
                if (lossless) {
                    m_paused.insert({f.ingress_port, f.frame_class});
                }
                return admission::ingress_full;
            }
        }
        p.minimum += to_minimum;
        (shared ? p.shared : p.headroom) += rest;
        m_queues[key(slice, f.egress_port, f.frame_class)] += cells;
        for (unsigned port = 0; port < m_ports; ++port) {
            for (unsigned c = 0; c < m_classes; ++c) {
                const parts& each = m_parts[key(slice, port, c)];
                if (m_real.is_lossless(static_cast<pfc_class>(c)) &&
                    (each.headroom > 0 ||
                     (each.shared >= threshold(slice, true) && each.minimum == m_real.group_minimum() &&
                      each.minimum + each.shared > m_real.cells_of(m_config.xon)))) {
                    m_paused.insert({port, c});
                }
            }
        }
        return admission::stored;
    }

    void release(const buffer_flow& f, unsigned cells) {
        const unsigned slice = m_real.slice_of(f);
        parts& p = m_parts[key(slice, f.ingress_port, f.frame_class)];
        for (; cells > 0; --cells) {
            --(p.headroom > 0 ? p.headroom : p.shared > 0 ? p.shared : p.minimum);
            --m_queues[key(slice, f.egress_port, f.frame_class)];
        }
        if (!m_real.is_lossless(f.frame_class)) {
            return;
        }
        const group_set before = m_paused;
        for (const auto& [port, c] : before) {
            bool may = true;
            for (unsigned k = 0; k < m_real.slices(); ++k) {
                const parts& each = m_parts[key(k, port, c)];
                const unsigned total = each.minimum + each.shared + each.headroom;
                const double below = m_real.group_minimum() + threshold(k, true) -
                                     static_cast<double>(m_real.cells_of(m_config.xon_offset));
                may = may && each.headroom == 0 && (total <= m_real.cells_of(m_config.xon) || total < below);
            }
            if (may) {
                m_paused.erase({port, c});
            }
        }
    }
    const group_set& paused() const { return m_paused; }

    /// Of all slices together, beyond minima.
    struct sums {
        unsigned shared = 0, headroom = 0, queue = 0;
    };
    sums sums_of(unsigned port, pfc_class c) {
        sums all;
        const unsigned minimum = m_real.is_lossless(c) ? 0 : m_real.cells_of(m_config.queue_minimum);
        for (unsigned slice = 0; slice < m_real.slices(); ++slice) {
            all.shared += m_parts[key(slice, port, c)].shared;
            all.headroom += m_parts[key(slice, port, c)].headroom;
            all.queue += beyond(queue(slice, port, c), minimum);
        }
        return all;
    }

 private:
    struct parts {
        unsigned minimum = 0, shared = 0, headroom = 0;
    };
    static unsigned beyond(unsigned cells, unsigned minimum) { return cells > minimum ? cells - minimum : 0; }
    std::size_t key(unsigned slice, unsigned port, unsigned c) const { return (slice * 1000 + port) * 8 + c; }
    unsigned queue(unsigned slice, unsigned port, unsigned c) { return m_queues[key(slice, port, c)]; }
    template <class Of>
    unsigned sum(unsigned slice, Of&& of) {
        unsigned all = 0;
        for (unsigned port = 0; port < m_ports; ++port) {
            for (unsigned c = 0; c < m_classes; ++c) {
                all += of(port, c, m_parts[key(slice, port, c)]);
            }
        }
        return all;
    }
    unsigned free(unsigned slice, bool lossless) {
        return m_real.pool(lossless) - sum(slice, [&](unsigned, unsigned c, const parts& p) {
                   return m_real.is_lossless(static_cast<pfc_class>(c)) == lossless ? p.shared : 0;
               });
    }
    unsigned headroom(unsigned slice) {
        return sum(slice, [](unsigned, unsigned, const parts& p) { return p.headroom; });
    }
    unsigned queue_free(unsigned slice) {
        const unsigned minimum = m_real.cells_of(m_config.queue_minimum);
        return m_queue_pool - sum(slice, [&](unsigned port, unsigned c, const parts&) {
                   return m_real.is_lossless(static_cast<pfc_class>(c))
                              ? 0
                              : beyond(queue(slice, port, c), minimum);
               });
    }
    double threshold(unsigned slice, bool lossless) {
        if (lossless && m_config.threshold) {
            return m_real.cells_of(*m_config.threshold);
        }
        return std::floor((lossless ? m_config.alpha : m_config.lossy_alpha) * free(slice, lossless));
    }

    const shared_buffer& m_real;
    const shared_buffer_config& m_config;
    unsigned m_ports;
    unsigned m_classes;
    std::map<std::size_t, parts> m_parts;
    std::map<std::size_t, unsigned> m_queues;
    group_set m_paused;

 public:
    unsigned m_queue_pool = 0;
};

struct stored_flow {
    buffer_flow flow;
    unsigned cells;
};

/// Of all comparisons of a test, so that it is known to have seen what it is about.
std::size_t all_refused = 0;
std::size_t all_pauses = 0;

/// Random arrivals and departures; every answer and every pause has to be the literal one's.
void expect_same(const shared_buffer_config& config, class_mask lossless, std::uint64_t seed, int steps) {
    constexpr unsigned ports = 6;
    constexpr unsigned classes = 3;
    constexpr bytes cell{100};
    const bytes headroom = config.headroom.value_or(700_B);
    shared_buffer real(config, ports, classes, lossless, cell, std::vector<bytes>(ports, headroom));
    ASSERT_TRUE(real.errors().empty()) << real.errors()[0].message;
    literal_buffer literal(real, config, ports, classes);
    literal.m_queue_pool = static_cast<unsigned>(config.queue_pool->count() / 100 / config.slices);
    random_stream chance(seed, 0, random_purpose::arrivals);
    std::vector<stored_flow> stored;
    group_set paused;
    std::map<std::pair<unsigned, unsigned>, literal_buffer::sums> marks;
    std::size_t refused = 0;
    std::size_t pauses = 0;
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
        }
        for (unsigned port = 0; port < ports; ++port) {
            for (unsigned c = 0; c < classes; ++c) {
                literal_buffer::sums& mark = marks[{port, c}];
                const literal_buffer::sums now = literal.sums_of(port, static_cast<pfc_class>(c));
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
        for (const double alpha : {0.125, 1.0, 4.0}) {
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
