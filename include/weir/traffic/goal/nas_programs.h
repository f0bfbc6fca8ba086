// Communication of five NAS Parallel Benchmarks (Bailey et al., RNR-94-007; sizes and message lengths as in
// NPB 3's MPI version), one iteration of one rank: generators (programs.h), not traces.
//
// NPB wants numbers of ranks that are squares (BT) or powers of two. Here any number goes: ranks form the grid
// with the sides that are nearest to each other, and lengths are rounded up. Where NPB adds across a row of
// ranks by halving it, ranks exchange with one that is 1, 2, 4, ... on, as in any number.
#pragma once

#include <array>
#include <cstdint>

#include "weir/traffic/goal/programs.h"
#include "weir/traffic/goal/rank_program.h"

namespace weir::traffic {

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
