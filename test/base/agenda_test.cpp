#include "weir/base/agenda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace weir;

namespace {

struct stages {
    enum : unsigned { first, second, third, fourth, fifth, count };
    static constexpr unsigned rows = 3;
    static constexpr std::array<std::uint8_t, count> row_of{0, 1, 2, 2, 1};
};

/// What an event is, written out.
struct wanted {
    picoseconds time;
    unsigned stage;
    unsigned port;
    std::uint32_t payload;
};

/// The order as docs/decisions/0002-keys-of-events.md words it.
bool wanted_first(const wanted& a, const wanted& b) {
    if (a.time != b.time) {
        return a.time < b.time;
    }
    if (a.stage != b.stage) {
        return a.stage < b.stage;
    }
    return (a.port ^ tie_hash(a.time)) < (b.port ^ tie_hash(b.time));
}

void expect_same(const event& e, const wanted& w) {
    EXPECT_EQ(e.time(), w.time);
    EXPECT_EQ(e.stage(), w.stage);
    EXPECT_EQ(e.port(), w.port);
    EXPECT_EQ(e.payload, w.payload);
}

/// Distinct (time, stage, port), with many ties of time.
std::vector<wanted> random_events(std::mt19937_64& random, std::size_t count, std::int64_t times,
                                  std::int64_t step) {
    std::set<std::tuple<std::int64_t, unsigned, unsigned>> taken;
    std::vector<wanted> events;
    while (events.size() < count) {
        const auto time = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(times)) * step;
        const auto stage = static_cast<unsigned>(random() % stages::count);
        const auto port = static_cast<unsigned>(random() % 256);
        if (taken.emplace(time, stage, port).second) {
            events.push_back({picoseconds{time}, stage, port, static_cast<std::uint32_t>(random())});
        }
    }
    return events;
}

TEST(agenda, events_come_in_the_order_of_time_stage_and_port_xor_hash_however_they_were_scheduled) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<wanted> events = random_events(random, 300, 40, 12'240'000);
        agenda<stages> a;
        for (const wanted& w : events) {
            a.schedule(w.time, w.stage, w.port, w.payload);
        }
        std::sort(events.begin(), events.end(), wanted_first);
        for (const wanted& w : events) {
            ASSERT_EQ(a.next_time(), w.time);
            expect_same(a.pop(), w);
        }
        EXPECT_EQ(a.next_key(), no_event);
        EXPECT_EQ(a.next_time(), never);
    }
}

TEST(agenda, rows_and_the_literal_oracle_give_the_same_events_while_events_schedule_others) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 50; ++round) {
        agenda<stages> fast;
        agenda<stages> literal;
        literal.use_literal();
        std::set<event_key> pending;
        std::size_t scheduled = 0;
        const auto schedule = [&](picoseconds time, unsigned stage, unsigned port) {
            if (!pending.insert(make_event_key(time, stage, port)).second) {
                return;
            }
            const auto payload = static_cast<std::uint32_t>(scheduled++);
            fast.schedule(time, stage, port, payload);
            literal.schedule(time, stage, port, payload);
        };
        schedule(0_ps, stages::first, 0);
        std::size_t taken = 0;
        while (fast.next_key() != no_event) {
            ASSERT_EQ(fast.next_key(), literal.next_key());
            const event a = fast.pop();
            const event b = literal.pop();
            ASSERT_EQ(a.key, b.key);
            ASSERT_EQ(a.payload, b.payload);
            pending.erase(a.key);
            ++taken;
            for (unsigned more = static_cast<unsigned>(random() % 4); more > 0 && scheduled < 4000; --more) {
                // As a node does: mostly a constant delay per stage, at times none, but a later stage then.
                const auto stage = static_cast<unsigned>(random() % stages::count);
                const bool now = random() % 5 == 0 && stage > a.stage();
                const picoseconds delay = now ? 0_ps : picoseconds{(1 + stage) * 3'060'000};
                schedule(a.time() + delay, stage, static_cast<unsigned>(random() % 64));
            }
        }
        EXPECT_EQ(literal.next_key(), no_event);
        EXPECT_EQ(taken, scheduled);
    }
}

TEST(agenda, first_key_at_separates_an_instant_from_the_one_before) {
    const picoseconds t = 123'456_ps;
    for (unsigned port = 0; port < 256; ++port) {
        EXPECT_LT(make_event_key(t - 1_ps, 15, port), first_key_at(t));
        EXPECT_GE(make_event_key(t, 0, port), first_key_at(t));
    }
    EXPECT_EQ(time_of(make_event_key(latest_time, 15, 255)), latest_time);
    EXPECT_LT(make_event_key(latest_time, 15, 255), no_event);
}

TEST(agenda, a_row_keeps_its_order_while_it_grows_and_wraps_around) {
    std::mt19937_64 random(3);
    agenda_row row;
    std::multiset<event_key> oracle;
    event_key taken = 0;
    for (int step = 0; step < 20'000; ++step) {
        // Fills slowly, so that heads wander through the memory between doublings.
        if (oracle.empty() || random() % 100 < 51) {
            const event_key key = taken + 256 + (random() >> 24);
            if (row.is_full()) {
                row.make_room();
            }
            const bool is_first = row.insert({key, static_cast<std::uint32_t>(key)});
            ASSERT_EQ(is_first, oracle.empty() || key < *oracle.begin());
            oracle.insert(key);
        } else {
            ASSERT_EQ(row.head_key(), *oracle.begin());
            const event e = row.pop();
            ASSERT_EQ(e.key, *oracle.begin());
            ASSERT_EQ(e.payload, static_cast<std::uint32_t>(e.key));
            taken = e.key;
            oracle.erase(oracle.begin());
        }
        ASSERT_EQ(row.head_key() == no_event, oracle.empty());
    }
}

TEST(agenda, an_event_that_is_cancelled_does_not_come_and_the_others_keep_their_order) {
    std::mt19937_64 random(4);
    agenda<stages> a;
    std::map<event_key, std::uint32_t> left;
    picoseconds now{0};
    for (int step = 0; step < 20'000; ++step) {
        const auto action = static_cast<unsigned>(random() % 100);
        if (left.empty() || action < 50) {
            // Of one port: the order needs no hash.
            const event_key key =
                make_event_key(now + picoseconds{1 + static_cast<std::int64_t>(random() % 1'000)},
                               static_cast<unsigned>(random() % stages::count), 0);
            const auto payload = static_cast<std::uint32_t>(step);
            if (left.emplace(key, payload).second) {
                a.schedule(time_of(key), stage_of(key), 0, payload);
            }
        } else if (action < 75) {
            const auto some = std::next(left.begin(), static_cast<long>(random() % left.size()));
            a.cancel(time_of(some->first), stage_of(some->first), 0);
            left.erase(some);
        } else {
            const event e = a.pop();
            ASSERT_EQ(e.key, left.begin()->first);
            ASSERT_EQ(e.payload, left.begin()->second);
            now = e.time();
            left.erase(left.begin());
        }
        ASSERT_EQ(a.next_key(), left.empty() ? no_event : left.begin()->first);
    }
}

TEST(agenda, shows_the_first_events_of_a_stages_row_without_taking_them) {
    std::mt19937_64 random(5);
    agenda<stages> a;
    EXPECT_EQ(a.peek<stages::first>(0), nullptr);
    std::map<event_key, std::uint32_t> left;
    for (std::uint32_t n = 0; n < 2'000; ++n) {
        const event_key key =
            make_event_key(picoseconds{n + static_cast<std::int64_t>(random() % 50)}, stages::first, 0);
        if (random() % 3 != 0 && left.emplace(key, n).second) {
            a.schedule(time_of(key), stages::first, 0, n);
        } else if (!left.empty() && time_of(left.begin()->first) <= picoseconds{n}) {
            a.pop();
            left.erase(left.begin());
        }
        std::vector<std::uint32_t> seen;
        a.for_first<stages::first>(4, [&](const event& e) { seen.push_back(e.payload); });
        std::vector<std::uint32_t> expected;
        for (const auto& [of_key, payload] : left) {
            if (expected.size() < 4) {
                expected.push_back(payload);
            }
        }
        ASSERT_EQ(seen, expected);
        for (std::ptrdiff_t at = 0; at < 4; ++at) {
            const event* const e = a.peek<stages::first>(at);
            ASSERT_EQ(e != nullptr, at < static_cast<std::ptrdiff_t>(expected.size()));
            if (e != nullptr) {
                ASSERT_EQ(e->payload, expected[static_cast<std::size_t>(at)]);
            }
        }
    }
}

/// How often each of `ports` comes first when all tie, at `count` times `step` apart.
std::vector<int> wins(unsigned ports, picoseconds step, int count) {
    std::vector<int> first(ports);
    for (int i = 1; i <= count; ++i) {
        agenda<stages> a;
        for (unsigned port = 0; port < ports; ++port) {
            a.schedule(step * i, stages::first, port, 0);
        }
        ++first[a.pop().port()];
    }
    return first;
}

TEST(agenda_statistical, ties_favour_no_port_at_the_periods_of_real_traffic) {
    // Full and minimum frames at 1, 10 and 100 Gb/s, DeTail's frame, a prime, and whole microseconds (800 us
    // and 50 us are where a plain multiplicative hash repeats itself). With independent fair draws a port's
    // share lies within 5 standard deviations.
    for (const std::int64_t step : {12'304'000LL, 12'240'000LL, 672'000LL, 1'230'400LL, 123'040LL, 6'720LL,
                                    1'000'003LL, 1'000'000LL, 50'000'000LL, 800'000'000LL, 1'600'000'000LL}) {
        for (const unsigned ports : {2U, 3U, 4U, 16U, 64U}) {
            const int count = 20'000;
            const double fair = static_cast<double>(count) / ports;
            // Three ports of four values of the two bits that tell them apart: the absent fourth leaves its
            // turn to its neighbour, so a port may win up to half of the time.
            const double most = ports == 3 ? count * 0.5 : fair;
            const double least = ports == 3 ? count * 0.25 : fair;
            const double sigma = 5 * std::sqrt(fair * (1 - 1.0 / ports));
            for (const int n : wins(ports, picoseconds{step}, count)) {
                EXPECT_LT(n, most + sigma) << ports << " ports, step " << step;
                EXPECT_GT(n, least - sigma) << ports << " ports, step " << step;
            }
        }
    }
}

TEST(agenda_statistical, each_of_two_ports_comes_first_in_half_of_the_ties) {
    for (unsigned a = 0; a < 32; ++a) {
        for (unsigned b = a + 1; b < 32; ++b) {
            int a_first = 0;
            for (int i = 0; i < 4000; ++i) {
                const picoseconds t = 12'240ns * i;
                a_first += weir::comes_before(make_event_key(t, 0, a), make_event_key(t, 0, b)) ? 1 : 0;
            }
            EXPECT_NEAR(a_first, 2000, 5 * 32) << a << " and " << b;  // sigma = sqrt(4000) / 2 = 32
        }
    }
}

}  // namespace
