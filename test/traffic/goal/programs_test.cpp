// Generated programs against closed forms: that every message has its receive, how many bytes travel, and how
// long they take where a message takes L and nothing else counts.
#include "weir/traffic/goal/programs.h"

#include <cmath>
#include <numeric>

#include "weir/traffic/goal/loggp_times.h"

namespace weir::traffic {
namespace {

constexpr picoseconds latency = 1us;

std::vector<program_kind> generators() {
    std::vector<program_kind> all;
    for (std::size_t i = 0; i < programs().entries().size(); ++i) {
        const auto kind = static_cast<program_kind>(i);
        if (programs()[kind].iterate) {
            all.push_back(kind);
        }
    }
    return all;
}

goal_schedule made(program_kind kind, std::uint32_t ranks, bytes length, std::uint32_t micro_batches = 4,
                   picoseconds compute = 0_ps, bytes piece = 1000_MB) {
    program_setup setup;
    setup.ranks = ranks;
    setup.message_bytes = length;
    setup.micro_batches = micro_batches;
    setup.compute = compute;
    setup.piece_bytes = piece;
    setup.problem = nas_class::S;
    return make_program(kind, setup);
}

picoseconds last_end(const goal_schedule& schedule) {
    const loggp_times times = evaluate_loggp(schedule, {latency, 0_ps, 0_ps, 0_ps}, loggp_accounting::logp);
    EXPECT_TRUE(times.sends_left.empty());
    EXPECT_TRUE(times.receives_left.empty());
    return *std::max_element(times.end.begin(), times.end.end());
}

std::uint64_t bytes_sent(const goal_schedule& schedule) {
    std::uint64_t sum = 0;
    for (goal_index i = 0; i < schedule.size(); ++i) {
        sum += schedule[i].kind == goal_kind::send ? schedule[i].amount : 0;
    }
    return sum;
}

std::uint64_t sends_of(const goal_schedule& schedule, std::uint32_t rank) {
    std::uint64_t count = 0;
    for (goal_index i = schedule.first(rank); i < schedule.first(rank + 1); ++i) {
        count += schedule[i].kind == goal_kind::send ? 1 : 0;
    }
    return count;
}

TEST(programs, give_every_message_its_receive_for_any_number_of_ranks) {
    for (const program_kind kind : generators()) {
        for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
            const goal_schedule schedule = made(kind, ranks, 10'000_B);
            ASSERT_EQ(schedule.ranks(), ranks);
            last_end(schedule);
            for (goal_index i = 0; i < schedule.size(); ++i) {
                ASSERT_FALSE(schedule[i].kind == goal_kind::send && schedule[i].peer == schedule.rank_of(i));
            }
        }
    }
}

TEST(programs, repeat_their_iterations) {
    program_setup setup;
    setup.ranks = 9;
    setup.problem = nas_class::W;
    for (const program_kind kind : generators()) {
        setup.iterations = 1;
        const goal_schedule once = make_program(kind, setup);
        setup.iterations = 3;
        const goal_schedule three = make_program(kind, setup);
        EXPECT_EQ(three.size(), 3 * once.size());
        EXPECT_EQ(bytes_sent(three), 3 * bytes_sent(once));
    }
}

// In each of 2 (n - 1) steps every part of the vector moves once.
TEST(programs, ring_all_reduce_moves_the_vector_in_two_rounds_of_the_ring) {
    for (std::uint32_t ranks = 2; ranks <= 17; ++ranks) {
        for (const bytes length : {1_B, 16_B, 1'000'003_B}) {
            const goal_schedule schedule = made(named<program_kind>("ring_all_reduce"), ranks, length);
            EXPECT_EQ(bytes_sent(schedule), 2 * (ranks - 1) * static_cast<std::uint64_t>(length.count()));
            EXPECT_EQ(last_end(schedule), 2 * (ranks - 1) * latency);
        }
    }
}

// The vector of n parts is summed literally: what rank r sends in a step has the length of the part that the
// algorithm says, the received part is added in the first round and copied in the second, and at the end all
// ranks have all sums.
TEST(programs, ring_all_reduce_leaves_the_sum_on_every_rank) {
    constexpr std::uint32_t ranks = 6;
    constexpr std::uint64_t length = 6 * 100 + 4;  // parts 0 to 3 have a byte more
    const goal_schedule schedule =
        made(named<program_kind>("ring_all_reduce"), ranks, bytes{static_cast<std::int64_t>(length)});
    const auto part_length = [](std::uint32_t part) { return 100U + (part < 4 ? 1U : 0U); };
    // Which ranks' values each rank's part holds, as bits.
    std::vector<std::vector<unsigned>> held(ranks, std::vector<unsigned>(ranks));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        std::fill(held[rank].begin(), held[rank].end(), 1U << rank);
    }
    const auto nth_send = [&](std::uint32_t rank, std::uint32_t n) {
        for (goal_index i = schedule.first(rank);; ++i) {
            if (schedule[i].kind == goal_kind::send && n-- == 0) {
                return schedule[i];
            }
        }
    };
    for (std::uint32_t step = 0; step < 2 * (ranks - 1); ++step) {
        auto next = held;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const bool adds = step < ranks - 1;
            const std::uint32_t part =
                adds ? (rank + ranks - step) % ranks : (rank + 1 + 2 * ranks - (step - (ranks - 1))) % ranks;
            const goal_operation sent = nth_send(rank, step);
            EXPECT_EQ(sent.peer, (rank + 1) % ranks);
            EXPECT_EQ(sent.amount, part_length(part));
            unsigned& there = next[(rank + 1) % ranks][part];
            there = adds ? there | held[rank][part] : held[rank][part];
        }
        held = next;
    }
    for (const auto& vector : held) {
        for (const unsigned part : vector) {
            EXPECT_EQ(part, (1U << ranks) - 1);
        }
    }
}

TEST(programs, tree_all_reduce_goes_up_and_down_the_tree_and_its_pieces_follow_each_other) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks) {
        const goal_schedule schedule = made(named<program_kind>("tree_all_reduce"), ranks, 10'000_B);
        const auto levels = static_cast<std::int64_t>(std::floor(std::log2(ranks)));
        EXPECT_EQ(bytes_sent(schedule), 2 * (ranks - 1) * 10'000U);
        EXPECT_EQ(last_end(schedule), 2 * levels * latency);
        const goal_schedule pieces =
            made(named<program_kind>("tree_all_reduce"), ranks, 10'000_B, 1, 0_ps, 300_B);
        EXPECT_EQ(bytes_sent(pieces), bytes_sent(schedule));
        EXPECT_EQ(sends_of(pieces, ranks - 1), 34U);
        EXPECT_EQ(last_end(pieces), 2 * levels * latency);
    }
}

// An inner rank of a tree of seven receives and sends three vectors. That bounds the time from below, and
// pieces that pass up and down at the same time come close to it.
TEST(programs, tree_all_reduce_is_as_fast_as_its_inner_ranks_can_receive) {
    const goal_schedule schedule = made(named<program_kind>("tree_all_reduce"), 7, 8000_KB, 1, 0_ps, 100_KB);
    const loggp_times times = evaluate_loggp(schedule, {latency, 0_ps, 0_ps, 8ns}, loggp_accounting::logp);
    const picoseconds last = *std::max_element(times.end.begin(), times.end.end());
    const picoseconds bound = 3 * 8'000'000 * picoseconds{8ns};
    EXPECT_GT(last, bound * 99 / 100);
    EXPECT_LT(last, bound * 125 / 100);
}

TEST(programs, all_to_all_is_two_exchanges_with_the_experts_between) {
    const goal_schedule schedule = made(named<program_kind>("all_to_all"), 12, 500_B, 1, 30us);
    EXPECT_EQ(bytes_sent(schedule), 2U * 12 * 11 * 500);
    EXPECT_EQ(last_end(schedule), 2 * latency + 30us);
}

// (stages - 1) fill each direction, then a micro-batch ends with each computation.
TEST(programs, pipeline_takes_its_fill_and_its_micro_batches_in_both_directions) {
    for (std::uint32_t stages = 1; stages <= 9; ++stages) {
        for (const std::uint32_t batches : {1U, 8U}) {
            const goal_schedule schedule = made(named<program_kind>("pipeline"), stages, 700_B, batches, 20us);
            EXPECT_EQ(bytes_sent(schedule), 2U * (stages - 1) * batches * 700);
            EXPECT_EQ(last_end(schedule), 2 * ((stages - 1) * (20us + latency) + batches * 20us));
        }
    }
}

TEST(programs, grids_have_the_sides_that_are_nearest_to_each_other) {
    for (std::uint32_t ranks = 1; ranks <= 400; ++ranks) {
        for (const unsigned dimensions : {2U, 3U}) {
            std::uint32_t least = 3 * ranks;
            for (std::uint32_t a = 1; a <= ranks; ++a) {
                for (std::uint32_t b = 1; b <= ranks / a; ++b) {
                    const std::uint32_t c = ranks / a / b;
                    if (a * b * c == ranks && (dimensions == 3 || c == 1)) {
                        least = std::min(least, a + b + c);
                    }
                }
            }
            const auto sides = grid_of(ranks, dimensions);
            EXPECT_EQ(sides[0] * sides[1] * sides[2], ranks);
            EXPECT_EQ(sides[0] + sides[1] + sides[2], least);
            EXPECT_TRUE(sides[0] >= sides[1] && sides[1] >= sides[2]);
        }
    }
}

// Class S on 4 ranks, as NPB 3 counts them. BT: 6 faces, and a message forward and back in three directions
// for each stage but one. CG on 2 x 2: per product one step of the sum and one transpose (of the two ranks off
// the diagonal), per dot product one step. FT: all-to-all, and a binomial sum.
TEST(programs, nas_messages_are_those_of_npb) {
    EXPECT_EQ(sends_of(made(named<program_kind>("nas_bt"), 4, 1_B), 0), 6U + 3 * 2 * 1);
    EXPECT_EQ(sends_of(made(named<program_kind>("nas_bt"), 9, 1_B), 0), 6U + 3 * 2 * 2);
    const goal_schedule cg = made(named<program_kind>("nas_cg"), 4, 1_B);
    EXPECT_EQ(sends_of(cg, 0), 1U + 25 * (1 + 2) + 1 + 1);
    EXPECT_EQ(sends_of(cg, 1), 1U + 25 * (2 + 2) + 2 + 1);
    EXPECT_EQ(cg[cg.first(0) + 3].amount, 1400U / 2 * 8);
    const goal_schedule ft = made(named<program_kind>("nas_ft"), 4, 1_B);
    EXPECT_EQ(sends_of(ft, 0), 3U);
    EXPECT_EQ(sends_of(ft, 3), 3U + 1);
    EXPECT_EQ(bytes_sent(ft), 12U * (64 * 64 * 64 * 16 / 16) + 3U * 16);
    const goal_schedule is = made(named<program_kind>("nas_is"), 4, 1_B);
    EXPECT_EQ(sends_of(is, 0), 2U + 3 + 3);
    EXPECT_EQ(bytes_sent(is), 4U * 2 * (512 + 5) * 4 + 12 * 4 + 12U * (65'536 * 4 / 16));
    // MG: levels 5 to 1 down, 1 again, 2 to 5 twice; 2 x 2 x 1 ranks have neighbours in two directions, two
    // faces in each.
    const goal_schedule mg = made(named<program_kind>("nas_mg"), 4, 1_B);
    EXPECT_EQ(sends_of(mg, 0), (5U + 1 + 8) * 4 + 2);
}

// A send and a receive wait for at most two events each, and the computation that ends an all-to-all waits for
// both.
TEST(programs, successive_all_to_alls_have_at_most_six_requirements_per_message) {
    const goal_schedule is = made(named<program_kind>("nas_is"), 64, 1_B);
    std::uint64_t requirements = 0;
    std::uint64_t messages = 0;
    for (goal_index i = 0; i < is.size(); ++i) {
        requirements += is[i].requirements;
        messages += is[i].kind == goal_kind::send ? 1 : 0;
    }
    EXPECT_LE(requirements, 6 * messages);
}

}  // namespace
}  // namespace weir::traffic
