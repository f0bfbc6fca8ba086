// Communication of distributed training, one iteration of one rank: generators (programs.h), not traces.
#pragma once

#include <cstdint>

#include "weir/traffic/goal/programs.h"
#include "weir/traffic/goal/rank_program.h"

namespace weir::traffic {

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

}  // namespace weir::traffic
