// Banks of a packet memory: against a memory that is stepped through time, and against queueing theory.
#include "weir/model/memory/packet_sram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>
#include <vector>

namespace weir::model {
namespace {

sram_config config_of(unsigned banks, picoseconds access_time, sram_ports ports) {
    sram_config config;
    config.access_time = access_time;
    config.banks = banks;
    config.ports = ports;
    return config;
}

TEST(packet_sram, a_memory_that_is_fast_enough_makes_nobody_wait) {
    packet_sram memory(config_of(1, 10_ps, sram_ports::one_read_or_write));
    // One cell each 20 ps in, one each 20 ps out, in turn.
    for (int i = 1; i <= 100; ++i) {
        const picoseconds now{20 * i};
        EXPECT_EQ(memory.write(1, now, 20_ps).wait, 0_ps);
        EXPECT_EQ(memory.read(0, 1, now + 10_ps, now + 10_ps, 20_ps), 0_ps);
    }
    EXPECT_EQ(memory.writes().accesses, 100U);
    EXPECT_EQ(memory.reads().waited_frames, 0U);
}

TEST(packet_sram, a_memory_slower_than_the_wire_makes_each_cell_wait_longer) {
    packet_sram memory(config_of(1, 30_ps, sram_ports::one_read_one_write));
    // Cells come at 60, 80 and 100 and are written at 60, 90 and 120.
    EXPECT_EQ(memory.write(3, 100_ps, 20_ps).wait, 20_ps);
    // Written until 150: the next frame, of one cell, at 150 and not at 110.
    EXPECT_EQ(memory.write(1, 110_ps, 20_ps).wait, 40_ps);
    // A wire that wants cells at 200, 220 and 240 gets them at 200, 230 and 260.
    EXPECT_EQ(memory.read(0, 3, 200_ps, 200_ps, 20_ps), 20_ps);
    // Until 180; a wait of 5 ps is not the longest.
    EXPECT_EQ(memory.write(1, 175_ps, 20_ps).wait, 5_ps);
    EXPECT_EQ(memory.writes().longest_wait, 40_ps);
    EXPECT_EQ(memory.writes().wait_time, 65_ps);
    EXPECT_EQ(memory.writes().waited_frames, 3U);
}

TEST(packet_sram, what_is_read_ahead_does_not_wait) {
    packet_sram memory(config_of(1, 30_ps, sram_ports::one_read_one_write));
    // Asked 20 ps early, cells are there at 180, 210 and 240.
    EXPECT_EQ(memory.read(0, 3, 180_ps, 200_ps, 20_ps), 0_ps);
}

TEST(packet_sram, banks_work_side_by_side_and_a_reader_has_no_choice) {
    packet_sram memory(config_of(4, 30_ps, sram_ports::one_read_or_write));
    const auto first = memory.write(3, 100_ps, 0_ps);
    EXPECT_EQ(first.wait, 0_ps);
    // One bank is left, then all are busy until 130.
    const auto second = memory.write(1, 100_ps, 0_ps);
    EXPECT_EQ(second.wait, 0_ps);
    EXPECT_NE(second.first_bank, first.first_bank);
    EXPECT_EQ(memory.write(1, 100_ps, 0_ps).wait, 30_ps);
    // At 140 three banks are idle, but not the one that has what is wanted.
    EXPECT_EQ(memory.read(first.first_bank, 1, 140_ps, 140_ps, 0_ps), 20_ps);
    EXPECT_EQ(memory.reads().conflicts, 1U);
    EXPECT_EQ(memory.writes().conflicts, 0U);
}

TEST(packet_sram, a_bank_that_is_done_just_then_is_one_that_could_have_served) {
    packet_sram memory(config_of(2, 30_ps, sram_ports::one_read_or_write));
    memory.write(1, 100_ps, 0_ps);
    memory.write(1, 110_ps, 0_ps);
    EXPECT_EQ(memory.read(1, 1, 130_ps, 130_ps, 0_ps), 10_ps);
    EXPECT_EQ(memory.reads().conflicts, 1U);
    // Here neither could.
    EXPECT_EQ(memory.read(0, 1, 159_ps, 159_ps, 0_ps), 0_ps);
    EXPECT_EQ(memory.read(1, 1, 169_ps, 169_ps, 0_ps), 1_ps);
    EXPECT_EQ(memory.reads().conflicts, 1U);
}

TEST(packet_sram, writes_go_round_all_banks) {
    packet_sram memory(config_of(3, 10_ps, sram_ports::one_read_or_write));
    std::vector<unsigned> seen;
    for (int i = 0; i < 6; ++i) {
        seen.push_back(memory.write(1, picoseconds{1'000 * (i + 1)}, 0_ps).first_bank);
    }
    EXPECT_EQ(seen, (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

/// The same memory, stepped picosecond by picosecond: a bank takes the first of its queue as soon as it may.
class stepped_memory {
 public:
    explicit stepped_memory(const sram_config& config) : m_config(config), m_banks(config.banks * 2) {}

    std::int64_t access(bool read, unsigned bank, std::int64_t asked) {
        const bool apart = m_config.ports == sram_ports::one_read_one_write;
        lane& l = m_banks[bank + (read && apart ? m_config.banks : 0)];
        // Busy is each picosecond in which an access is under way.
        std::int64_t begin = asked;
        while (begin < l.busy_until) {
            ++begin;
        }
        l.busy_until = begin + m_config.access_time.count();
        return begin;
    }
    unsigned bank_for_write(std::int64_t asked) const {
        for (unsigned i = 0; i < m_config.banks; ++i) {
            const unsigned bank = (m_next + i) % m_config.banks;
            if (m_banks[bank].busy_until <= asked) {
                return bank;
            }
        }
        unsigned best = m_next;
        for (unsigned i = 1; i < m_config.banks; ++i) {
            const unsigned bank = (m_next + i) % m_config.banks;
            if (m_banks[bank].busy_until < m_banks[best].busy_until) {
                best = bank;
            }
        }
        return best;
    }
    void next(unsigned bank) { m_next = bank % m_config.banks; }

 private:
    struct lane {
        std::int64_t busy_until = 0;
    };
    sram_config m_config;
    std::vector<lane> m_banks;
    unsigned m_next = 0;
};

TEST(packet_sram, agrees_with_a_memory_that_is_stepped_through_time) {
    std::mt19937 chance(7);
    const auto below = [&](int n) { return static_cast<int>(chance() % static_cast<unsigned>(n)); };
    for (int run = 0; run < 200; ++run) {
        const sram_config config =
            config_of(1 + static_cast<unsigned>(below(6)), picoseconds{1 + below(40)},
                      below(2) == 0 ? sram_ports::one_read_or_write : sram_ports::one_read_one_write);
        packet_sram memory(config);
        stepped_memory literal(config);
        std::int64_t now = 1'000;
        for (int i = 0; i < 200; ++i) {
            now += below(60);
            const unsigned cells = 1 + static_cast<unsigned>(below(5));
            const std::int64_t pace = below(30);
            if (below(2) == 0) {
                const auto put = memory.write(cells, picoseconds{now}, picoseconds{pace});
                const std::int64_t first_comes = now - pace * (cells - 1);
                const unsigned first = literal.bank_for_write(first_comes);
                ASSERT_EQ(put.first_bank, first);
                std::int64_t written = now;
                for (unsigned c = 0; c < cells; ++c) {
                    written = std::max(
                        written, literal.access(false, (first + c) % config.banks, first_comes + pace * c));
                }
                literal.next(first + cells);
                ASSERT_EQ(put.wait.count(), written - now);
            } else {
                const auto first = static_cast<unsigned>(below(static_cast<int>(config.banks)));
                const std::int64_t asked = now - below(50);
                const picoseconds wait =
                    memory.read(first, cells, picoseconds{asked}, picoseconds{now}, picoseconds{pace});
                std::int64_t late = 0;
                for (unsigned c = 0; c < cells; ++c) {
                    late = std::max(late,
                                    literal.access(true, (first + c) % config.banks, asked) - (now + pace * c));
                }
                ASSERT_EQ(wait.count(), late);
            }
        }
    }
}

// One bank with random arrivals is M/D/1: mean wait = load x service / (2 (1 - load)).
TEST(packet_sram, random_writes_to_one_bank_wait_as_in_an_m_d_1_queue) {
    for (const double load : {0.3, 0.6, 0.8}) {
        const std::int64_t service = 10'000;
        packet_sram memory(config_of(1, picoseconds{service}, sram_ports::one_read_or_write));
        std::mt19937_64 chance(11);
        std::exponential_distribution<double> gap(load / static_cast<double>(service));
        double now = 0;
        const int count = 400'000;
        for (int i = 0; i < count; ++i) {
            now += gap(chance);
            memory.write(1, picoseconds{static_cast<std::int64_t>(now)}, 0_ps);
        }
        const double mean = static_cast<double>(memory.writes().wait_time.count()) / count;
        const double expected = load * static_cast<double>(service) / (2 * (1 - load));
        EXPECT_NEAR(mean / expected, 1, 0.03) << load;
    }
}

/// Readers that ask for a random bank as soon as they have their last cell; the share of banks that is busy.
double busy_share(unsigned count, int rounds) {
    const std::int64_t step = 1'000;
    packet_sram memory(config_of(count, picoseconds{step}, sram_ports::one_read_one_write));
    std::mt19937 chance(5);
    using reader = std::pair<std::int64_t, unsigned>;  // when it asks, and in which order of that time
    std::priority_queue<reader, std::vector<reader>, std::greater<>> next;
    for (unsigned i = 0; i < count; ++i) {
        next.push({step, static_cast<unsigned>(chance())});
    }
    const std::int64_t end = step * rounds;
    std::uint64_t served = 0;
    while (next.top().first < end) {
        const picoseconds asked{next.top().first};
        next.pop();
        const picoseconds wait = memory.read(static_cast<unsigned>(chance() % count), 1, asked, asked, 0_ps);
        next.push({(asked + wait).count() + step, static_cast<unsigned>(chance())});
        ++served;
    }
    return static_cast<double>(served) / (static_cast<double>(rounds) * count);
}

// As many readers as banks, each with one read at a time, are an input-queued switch with head-of-line
// blocking. Karol, Hluchyj and Morgan 1987: 0.75, 0.6825 and 0.6553 for 2, 3 and 4; 2 - sqrt(2) for very many.
TEST(packet_sram, random_readers_lose_to_bank_conflicts_what_head_of_line_blocking_loses) {
    EXPECT_NEAR(busy_share(1, 2'000), 1, 0.001);
    EXPECT_NEAR(busy_share(2, 200'000), 0.75, 0.003);
    EXPECT_NEAR(busy_share(3, 200'000), 0.6825, 0.003);
    EXPECT_NEAR(busy_share(4, 200'000), 325.0 / 496, 0.003);
    EXPECT_NEAR(busy_share(128, 5'000), 2 - std::sqrt(2.0), 0.006);
}

TEST(packet_sram, bandwidth_is_banks_times_cell_per_access_time) {
    EXPECT_EQ(config_of(8, 1ns, sram_ports::one_read_or_write).bandwidth(208_B), 13'312_Gbps);
    EXPECT_EQ(config_of(1, 3ns, sram_ports::one_read_or_write).bandwidth(64_B).count(), 170'666'666'000);
}

}  // namespace
}  // namespace weir::model
