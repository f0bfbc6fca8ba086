#include "weir/traffic/goal/programs.h"

namespace weir::traffic {

registry<program_kind, program_traits>& programs() {
    static registry<program_kind, program_traits> list{
        {"ring_all_reduce", "a sum over all ranks, along a ring", {ring_all_reduce}},
        {"tree_all_reduce", "a sum over all ranks, up and down a binary tree", {tree_all_reduce, false, true}},
        {"all_to_all", "mixture of experts: two all-to-all exchanges", {expert_all_to_all}},
        {"pipeline", "pipeline parallelism: micro-batches forward, then backward", {pipeline}},
        {"nas_bt", "NAS BT: faces of six neighbours, and sweeps in three directions", {nas_bt}},
        {"nas_cg", "NAS CG: sums across rows, transposes, dot products", {nas_cg}},
        {"nas_ft", "NAS FT: the transpose of a grid", {nas_ft}},
        {"nas_is", "NAS IS: exchange of keys to be sorted", {nas_is}},
        {"nas_mg", "NAS MG: faces of six neighbours at each level of a V-cycle", {nas_mg}},
        {"file", "a GOAL schedule, in its text or binary form", {}},
        {"traces", "traces of an MPI program, as liballprof writes them", {nullptr, true}},
    };
    return list;
}

std::string generated_programs() {
    return programs().condition("traffic.program",
                                [](const program_traits& traits) { return traits.iterate != nullptr; });
}

goal_schedule make_program(program_kind kind, const program_setup& setup) {
    goal_builder builder;
    for (std::uint32_t rank = 0; rank < setup.ranks; ++rank) {
        builder.begin_rank();
        rank_program program(builder, rank, setup.ranks);
        for (std::uint32_t i = 0; i < setup.iterations; ++i) {
            programs()[kind].iterate(setup, rank, program);
            const std::uint64_t so_far = rank == 0 && i == 0 ? builder.size() : 0;
            if (builder.full() || so_far * setup.ranks * setup.iterations > most_goal_operations) {
                return {};
            }
        }
        builder.end_rank();
    }
    return builder.take();
}

}  // namespace weir::traffic
