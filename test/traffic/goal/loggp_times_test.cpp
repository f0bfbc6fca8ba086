// LogGP's times against closed forms and a literal reading of the rules; the replay of goldens is in
// test/tb/replay.
#include "weir/traffic/goal/loggp_times.h"

#include <algorithm>
#include <array>

#include "traffic/goal/goal_test_files.h"
#include "weir/base/rng.h"
#include "weir/traffic/goal/message_matching.h"

namespace weir::traffic {
namespace {

constexpr loggp_accounting all_accountings[] = {loggp_accounting::logp, loggp_accounting::goalsim,
                                                loggp_accounting::loggopsim};

std::vector<std::int64_t> ends_ns(const loggp_times& times) {
    std::vector<std::int64_t> all;
    for (const picoseconds end : times.end) {
        EXPECT_EQ(end % picoseconds{1ns}, 0_ps);
        all.push_back(end / picoseconds{1ns});
    }
    return all;
}

TEST(loggp_times, a_message_takes_its_overheads_its_latency_and_a_gap_for_each_byte_but_one) {
    const goal_schedule s =
        good_goal_of("num_ranks 2\nrank 0 {\nsend 1001b to 1\n}\nrank 1 {\nrecv 1001b from 0\n}\n");
    for (const loggp_accounting accounting : all_accountings) {
        const loggp_times times = evaluate_loggp(s, {2500ns, 1500ns, 1000ns, 6ns}, accounting);
        EXPECT_EQ(ends_ns(times), (std::vector<std::int64_t>{1500, 2 * 1500 + 2500 + 6000}));
    }
    EXPECT_EQ(evaluate_loggp(s, {0_ps, 0_ps, 0_ps, 80_ps}, loggp_accounting::logp).end[1], 80_ps * 1000);
}

// k messages of one rank: the i-th begins i (g + (k - 1) G) after the first.
TEST(loggp_times, a_nic_sends_and_receives_one_train_of_bytes_after_the_other) {
    const goal_schedule s = good_goal_of(
        "num_ranks 3\nrank 0 {\nsend 101b to 1\nsend 101b to 1 tag 1\n}\n"
        "rank 1 {\nrecv 101b from 0\nrecv 101b from 0 tag 1\nrecv 101b from 2\n}\n"
        "rank 2 {\ncalc 1\nl: send 101b to 1\n}\n");
    // Rank 1's NIC takes them from 50 + 200 on, each 30 + 100 after the other; the one of rank 2 waits for the
    // first, and takes the place of the second, which has the same distance.
    EXPECT_EQ(ends_ns(evaluate_loggp(s, {200ns, 50ns, 30ns, 1ns}, loggp_accounting::logp))[1],
              50 + 200 + 2 * 130 + 100 + 50);
}

TEST(loggp_times, accountings_part_where_a_message_finds_the_cpu_busy) {
    const goal_schedule s =
        good_goal_of("num_ranks 2\nrank 0 {\nsend 101b to 1\n}\nrank 1 {\ncalc 400\nrecv 101b from 0\n}\n");
    const loggp_parameters p{200ns, 50ns, 0_ps, 1ns};
    // The bytes come while it computes, from 250 to 350; goalsim lets them wait for the CPU.
    EXPECT_EQ(ends_ns(evaluate_loggp(s, p, loggp_accounting::logp))[1], 400 + 50);
    EXPECT_EQ(ends_ns(evaluate_loggp(s, p, loggp_accounting::goalsim))[1], 400 + 100 + 50);
}

TEST(loggp_times, cpus_of_a_rank_work_beside_each_other) {
    const goal_schedule s = good_goal_of(
        "num_ranks 1\nrank 0 {\na: calc 400\nb: calc 300 cpu 1\nc: calc 5 cpu 1\n"
        "c requires a\nc requires b\n}\n");
    for (const loggp_accounting accounting : all_accountings) {
        EXPECT_EQ(ends_ns(evaluate_loggp(s, {}, accounting)), (std::vector<std::int64_t>{405}));
    }
}

TEST(loggp_times, messages_and_receives_without_each_other_are_told) {
    const goal_schedule s = good_goal_of(
        "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 5\nrecv 1b from 1\n}\nrank 1 {\nl: recv 1b from 0 tag 6\n}\n");
    const loggp_times times = evaluate_loggp(s, {}, loggp_accounting::logp);
    EXPECT_EQ(times.sends_left, (std::vector<goal_index>{0}));
    EXPECT_EQ(times.receives_left, (std::vector<goal_index>{1, 2}));
}

TEST(loggp_times, more_than_a_time_can_hold_is_told) {
    const goal_schedule s =
        good_goal_of("num_ranks 2\nrank 0 {\nsend 281474976710656b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n");
    EXPECT_TRUE(evaluate_loggp(s, {0_ps, 0_ps, 0_ps, 1us}, loggp_accounting::goalsim).is_too_long);
    std::string chain = "num_ranks 1\nrank 0 {\n";
    for (int i = 0; i < 20; ++i) {
        chain += "calc 281474976710656\n";
    }
    EXPECT_TRUE(evaluate_loggp(good_goal_of(chain + "}\n"), {}, loggp_accounting::logp).is_too_long);
}

/// Upper limit of the CPUs and of the NICs per rank in `random_schedule`.
constexpr std::uint32_t most_units = 3;

/// The rules, ns by ns: at each of them whatever can happen happens, one thing after the other, in the order
/// that they state.
class literal_loggp {
 public:
    literal_loggp(const goal_schedule& schedule, const loggp_parameters& parameters,
                  loggp_accounting accounting)
        : m_schedule(schedule),
          m_l(parameters.latency / picoseconds{1ns}),
          m_o(parameters.overhead / picoseconds{1ns}),
          m_g(parameters.gap / picoseconds{1ns}),
          m_byte(parameters.byte_gap / picoseconds{1ns}),
          m_logp(accounting == loggp_accounting::logp),
          m_stages(accounting != loggp_accounting::loggopsim),
          m_ranks(schedule.ranks()),
          m_ready(schedule.size()) {}

    std::vector<std::int64_t> run() {
        for (std::uint32_t r = 0; r < m_schedule.ranks(); ++r) {
            std::vector<goal_index> freed;
            for (goal_index i = m_schedule.first(r); i < m_schedule.first(r + 1); ++i) {
                m_missing.push_back(m_schedule[i].requirements);
                if (m_missing.back() == 0) {
                    freed.push_back(i);
                }
            }
            queue(freed);
        }
        for (; !m_things.empty(); ++m_now) {
            while (step()) {
            }
        }
        std::vector<std::int64_t> ends;
        for (const rank& r : m_ranks) {
            ends.push_back(r.end);
        }
        return ends;
    }

 private:
    enum what { ends, message, received, begins };
    struct thing {
        what is;
        goal_index operation;
        std::int64_t from;
        int number;
    };
    struct rank {
        /// When each CPU is free, and each NIC for sending and for receiving.
        std::array<std::int64_t, most_units> cpu{};
        std::array<std::int64_t, most_units> out{};
        std::array<std::int64_t, most_units> in{};
        std::int64_t end = 0;
        message_matching<std::int64_t> queues;
    };

    std::int64_t free_at(const thing& t) const {
        const goal_operation& o = m_schedule[t.operation];
        const rank& here = m_ranks[t.is == message ? o.peer : m_schedule.rank_of(t.operation)];
        switch (t.is) {
            case ends:
                return 0;
            case message:
                return m_logp ? here.in[o.nic] : std::max(here.in[o.nic], here.cpu[o.cpu]);
            case received:
                return here.cpu[o.cpu];
            case begins:
                break;
        }
        return o.kind == goal_kind::recv   ? 0
               : o.kind == goal_kind::send ? std::max(here.cpu[o.cpu], here.out[o.nic])
                                           : here.cpu[o.cpu];
    }
    int stage_of(const thing& t) const { return !m_stages ? 0 : t.is == ends ? 0 : t.is == begins ? 2 : 1; }
    bool step() {
        auto next = m_things.end();
        for (auto t = m_things.begin(); t != m_things.end(); ++t) {
            const bool can = t->from <= m_now && free_at(*t) <= m_now;
            if (can && (next == m_things.end() || std::make_pair(stage_of(*t), t->number) <
                                                      std::make_pair(stage_of(*next), next->number))) {
                next = t;
            }
        }
        if (next == m_things.end()) {
            return false;
        }
        const thing t = *next;
        m_things.erase(next);
        happen(t);
        return true;
    }
    void happen(const thing& t) {
        const goal_operation& o = m_schedule[t.operation];
        rank& own = m_ranks[m_schedule.rank_of(t.operation)];
        std::vector<goal_index> freed;
        const auto bytes = [&] { return (static_cast<std::int64_t>(o.amount) - 1) * m_byte; };
        if (t.is == ends) {
            end(t.operation, m_now, freed);
        } else if (t.is == received) {
            own.cpu[o.cpu] = m_now + m_o;
            add(ends, t.operation, own.cpu[o.cpu]);
        } else if (t.is == message) {
            rank& there = m_ranks[o.peer];
            there.in[o.nic] = m_now + m_g + bytes();
            const std::int64_t done = m_now + bytes() + (m_logp ? 0 : m_o);
            if (!m_logp) {
                there.cpu[o.cpu] = done;
                there.end = std::max(there.end, done);
            }
            if (const auto match = there.queues.arrive({m_schedule.rank_of(t.operation), o.tag}, done)) {
                meet(*match, done, freed);
            }
        } else {
            tell(t.operation, goal_event::start, m_now, freed);
            if (o.kind == goal_kind::recv) {
                if (const auto done = own.queues.post({o.peer, o.tag}, t.operation)) {
                    meet(t.operation, std::max(m_now, *done), freed);
                }
            } else {
                std::int64_t& cpu = own.cpu[o.cpu];
                cpu = m_now + (o.kind == goal_kind::send ? m_o : static_cast<std::int64_t>(o.amount));
                if (o.kind == goal_kind::send) {
                    own.out[o.nic] = m_now + m_g + bytes();
                    add(message, t.operation, cpu + m_l);
                }
                finish(t.operation, cpu, freed);
            }
        }
        queue(freed);
    }
    void meet(goal_index receive, std::int64_t done, std::vector<goal_index>& freed) {
        m_logp ? add(received, receive, done) : finish(receive, done, freed);
    }
    void finish(goal_index operation, std::int64_t at, std::vector<goal_index>& freed) {
        m_logp ? add(ends, operation, at) : end(operation, at, freed);
    }
    void end(goal_index operation, std::int64_t at, std::vector<goal_index>& freed) {
        rank& own = m_ranks[m_schedule.rank_of(operation)];
        own.end = std::max(own.end, at);
        tell(operation, goal_event::end, at, freed);
    }
    void tell(goal_index operation, goal_event event, std::int64_t at, std::vector<goal_index>& freed) {
        m_schedule.for_each_waiting(operation, event, [&](goal_index waiting) {
            m_ready[waiting] = std::max(m_ready[waiting], at);
            if (--m_missing[waiting] == 0) {
                freed.push_back(waiting);
            }
        });
    }
    void queue(const std::vector<goal_index>& freed) {
        for (const goal_kind kind : {goal_kind::send, goal_kind::recv, goal_kind::calc}) {
            for (const goal_index i : freed) {
                const rank& own = m_ranks[m_schedule.rank_of(i)];
                if (m_schedule[i].kind == kind) {
                    add(begins, i, m_logp ? m_now : std::max(m_ready[i], own.cpu[m_schedule[i].cpu]));
                }
            }
        }
    }
    void add(what is, goal_index operation, std::int64_t from) {
        m_things.push_back({is, operation, from, m_number++});
    }

    const goal_schedule& m_schedule;
    std::int64_t m_l;
    std::int64_t m_o;
    std::int64_t m_g;
    std::int64_t m_byte;
    bool m_logp;
    bool m_stages;
    std::int64_t m_now = 0;
    int m_number = 0;
    std::vector<rank> m_ranks;
    std::vector<std::uint32_t> m_missing;
    /// For each operation, the latest time of the requirements that are met.
    std::vector<std::int64_t> m_ready;
    std::vector<thing> m_things;
};

/// Every message has its receive, with or without its source and tag; later operations may wait for earlier
/// ones.
goal_schedule random_schedule(random_stream& dice) {
    const std::uint32_t ranks = 2 + dice.below(5);
    const std::uint32_t units = 1 + dice.below(most_units);
    std::vector<std::vector<goal_operation>> of(ranks);
    for (std::uint32_t m = 1 + dice.below(40); m > 0; --m) {
        const std::uint32_t src = dice.below(ranks);
        const std::uint32_t dst = (src + 1 + dice.below(ranks - 1)) % ranks;
        const std::uint32_t tag = dice.below(3);
        const std::uint64_t length = 1 + dice.below(40);
        of[src].push_back(goal_operation::send(dst, length, tag));
        const bool is_open = dice.below(5) == 0;
        of[dst].push_back(goal_operation::recv(is_open ? any_rank : src, length, is_open ? any_tag : tag));
    }
    goal_builder builder;
    for (std::vector<goal_operation>& own : of) {
        // Many without duration: an operation that has waited may leave what it takes free at once.
        for (std::uint32_t i = dice.below(9); i > 0; --i) {
            own.push_back(goal_operation::calc(dice.below(3) == 0 ? dice.below(200) : 0));
        }
        for (std::size_t i = own.size(); i > 1; --i) {
            std::swap(own[i - 1], own[dice.below(static_cast<std::uint32_t>(i))]);
        }
        builder.begin_rank();
        for (goal_operation& o : own) {
            o.cpu = static_cast<std::uint8_t>(dice.below(units));
            o.nic = static_cast<std::uint8_t>(dice.below(units));
            const goal_index waiting = builder.add(o);
            for (goal_index awaited = 0; awaited < waiting; ++awaited) {
                if (dice.below(8) == 0) {
                    builder.require(waiting, awaited, dice.below(4) == 0 ? goal_event::start : goal_event::end);
                }
            }
        }
        EXPECT_FALSE(builder.end_rank());
    }
    return builder.take();
}

TEST(loggp_times, are_those_of_a_literal_reading_on_random_schedules) {
    random_stream dice{17, 0, random_purpose::adversary};
    for (int round = 0; round < 1000; ++round) {
        const goal_schedule s = random_schedule(dice);
        const auto ns = [&](std::uint32_t most) {
            return dice.below(3) == 0 ? 0_ps : static_cast<std::int64_t>(dice.below(most)) * picoseconds{1ns};
        };
        const loggp_parameters p{ns(300), ns(60), ns(60), ns(5)};
        for (const loggp_accounting accounting : all_accountings) {
            ASSERT_EQ(ends_ns(evaluate_loggp(s, p, accounting)), literal_loggp(s, p, accounting).run())
                << "round " << round << ", " << name_of(accounting);
        }
    }
}

}  // namespace
}  // namespace weir::traffic
