// Parallel programs by name (`traffic.program`). Those with a name of their own are *generators*: they make the
// messages that the program is known to exchange, for any number of ranks, from its published structure; they
// are no traces, and what is computed between messages is `program_setup::compute` alone.
//
//   program_setup setup;
//   setup.ranks = 256;
//   setup.message_bytes = 64_MB;
//   const goal_schedule schedule = make_program(program_kind::ring_all_reduce, setup);
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {

class rank_program;

/// Ours; `programs` registers them.
enum class program_kind : std::uint8_t {
    file,             ///< a GOAL schedule
    traces,           ///< of liballprof
    ring_all_reduce,  ///< reduce-scatter, then all-gather, each in ranks - 1 steps
    tree_all_reduce,  ///< to the root of a binary tree and back, in pieces
    all_to_all,       ///< of experts: dispatch, then combine
    pipeline,         ///< of stages: forward, then backward, micro-batch by micro-batch
    nas_bt,
    nas_cg,
    nas_ft,
    nas_is,
    nas_mg
};

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
    /// What rank `rank` does in one iteration. None: the schedule comes from a file.
    std::function<void(const program_setup&, std::uint32_t rank, rank_program&)> iterate;
};

registry<program_kind, program_traits>& programs();
constexpr registered_names<program_kind, programs> names_of(program_kind) {
    return {};
}

/// For conditions of options: the kinds that are generators.
std::string generated_programs();

/// Range: a generator. One that would have more than `most_goal_operations` has no ranks.
goal_schedule make_program(program_kind kind, const program_setup& setup);

}  // namespace weir::traffic
