// Parallel programs by name (`traffic.program`). Those with a name of their own are *generators*: they make the
// messages that the program is known to exchange, for any number of ranks, from its published structure; they
// are no traces, and what is computed between messages is `program_setup::compute` alone.
//
//   program_setup setup;
//   setup.ranks = 256;
//   setup.message_bytes = 64_MB;
//   const goal_schedule schedule = make_program(named<program_kind>("ring_all_reduce"), setup);
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/goal/goal_schedule.h"
#include "weir/traffic/goal/rank_program.h"

namespace weir::traffic {

class rank_program;

/// A kind of program that `programs` registers. The first one is an all-reduce along a ring.
enum class program_kind : std::uint8_t {};

/// Of NAS Parallel Benchmarks.
enum class nas_class : std::uint8_t { S, W, A, B, C, D };
constexpr auto names_of(nas_class) {
    return enum_names<nas_class>({{nas_class::S, "S"},
                                  {nas_class::W, "W"},
                                  {nas_class::A, "A"},
                                  {nas_class::B, "B"},
                                  {nas_class::C, "C"},
                                  {nas_class::D, "D"}});
}

struct program_setup {
    /// Range: 1 to `most_goal_ranks`.
    std::uint32_t ranks = 1;
    std::uint32_t iterations = 1;
    bytes message_bytes{1_MB};
    bytes piece_bytes{512_KiB};
    std::uint32_t micro_batches = 8;
    nas_class problem = nas_class::A;
    picoseconds compute{0};
};

/// What `compute` is in a schedule, rounded up to whole ns.
inline std::uint64_t compute_ns(const program_setup& setup) {
    return static_cast<std::uint64_t>((setup.compute + 1ns - 1_ps) / 1ns);
}

struct program_traits {
    /// Adds the operations of rank `rank` in one iteration. None: the schedule comes from a file.
    std::function<void(const program_setup&, std::uint32_t rank, rank_program&)> iterate;
    /// The file is a set of traces of liballprof, one for each rank, and not a GOAL schedule.
    bool reads_traces = false;
    /// Messages are sent in pieces (`traffic.program_piece`), of which a message has at most `most_pieces`.
    bool cuts_pieces = false;
};

registry<program_kind, program_traits>& programs();
constexpr registered_names<program_kind, programs> names_of(program_kind) {
    return {};
}

/// For conditions of options: the kinds that are generators.
std::string generated_programs();

/// Range: a generator. One that would have more than `most_goal_operations` has no ranks.
goal_schedule make_program(program_kind kind, const program_setup& setup);

// Communication of distributed training, one iteration of one rank.

/// Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms (2009). The vector has a part for each rank, the
/// first ones a byte longer where it does not divide. In step s rank r sends part r - s to rank r + 1 and
/// receives part r - s - 1; after ranks - 1 steps it has the sum of part r + 1, which goes round in as many.
void ring_all_reduce(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// A binary tree, rank r below (r - 1) / 2: each piece goes up when both children's have come, and down from
/// rank 0, while the next ones follow.
void tree_all_reduce(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// Mixture of experts, one expert a rank: tokens go to their experts and come back (GShard, 2020): two
/// all-to-alls, each of `message_bytes` between any two ranks.
void expert_all_to_all(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// GPipe (2019): a stage a rank. All micro-batches pass forward, then all backward in the opposite order; a
/// stage computes one at a time, and goes on to the next while the one before is sent.
void pipeline(const program_setup& setup, std::uint32_t rank, rank_program& program);

// Communication of five NAS Parallel Benchmarks (Bailey et al., RNR-94-007; sizes and message lengths as in
// NPB 3's MPI version), one iteration of one rank.
//
// NPB wants numbers of ranks that are squares (BT) or powers of two. Here any number goes: ranks form the grid
// with the sides that are nearest to each other, and lengths are rounded up. Where NPB adds across a row of
// ranks by halving it, ranks exchange with one that is 1, 2, 4, ... on, as in any number.

/// Sides of a grid of so many ranks, the largest first: those whose sum is the smallest.
std::array<std::uint32_t, 3> grid_of(std::uint32_t ranks, unsigned dimensions);

/// Block tridiagonal: faces with six neighbours, then a sweep forward and back along each of three directions.
void nas_bt(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// Conjugate gradient: 25 products of a matrix and a vector, whose parts are added across rows and transposed,
/// with two dot products each, and one more for the residual.
void nas_cg(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// Fourier transform: the transpose of a grid of complex numbers (all-to-all), and a checksum.
void nas_ft(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// Sort of integers: sizes of buckets (all-reduce), how many keys go where, and the keys (all-to-all).
void nas_is(const program_setup& setup, std::uint32_t rank, rank_program& program);
/// Multigrid: a V-cycle, with faces to six neighbours at each level, and a norm.
void nas_mg(const program_setup& setup, std::uint32_t rank, rank_program& program);

}  // namespace weir::traffic
