// The parallel program that a run's hosts execute (goal_app.h), and how its messages travel. Keys: [traffic],
// as `program`.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/traffic/apps/workload_choices.h"
#include "weir/traffic/goal/programs.h"

namespace weir::traffic {

/// Which host executes which rank.
enum class rank_placement : std::uint8_t { linear, random };
constexpr auto names_of(rank_placement) {
    return enum_names<rank_placement>({
        {rank_placement::linear, "linear", "rank r on the host with the number r"},
        {rank_placement::random, "random", "on hosts drawn with run.seed"},
    });
}

/// How messages share a host's way out.
enum class message_turns : std::uint8_t { beside, in_turn };
constexpr auto names_of(message_turns) {
    return enum_names<message_turns>({
        {message_turns::beside, "beside",
         "as soon as each can be sent; of those above traffic.eager_limit one at a time to each rank"},
        {message_turns::in_turn, "in_turn",
         "one after the other: each starts when the transport has finished the previous one. With UDP this is "
         "LogGP's NIC; others add a round trip per message"},
    });
}

struct program_config {
    program_kind kind{};
    std::optional<std::uint32_t> ranks;
    std::uint32_t iterations = 1;
    bytes message_bytes{1_MB};
    bytes piece_bytes{512_KiB};
    std::uint32_t micro_batches = 8;
    nas_class problem = nas_class::A;
    picoseconds compute{0};
    rank_placement placement = rank_placement::linear;
    bytes eager_limit{64_KiB};
    message_turns turns = message_turns::beside;
    picoseconds overhead{0};
    std::optional<picoseconds> ideal_latency;

    static constexpr const char* used = "traffic.kind = goal";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr field_range time_range{0_ps, picoseconds{1'000'000'000'000}};
        constexpr field_range length_range{1_B, largest_flow};
        fields.all_need(used);
        fields(field("program", &self::kind)
                   .help("The program that the hosts execute. Those with a name of their own are generators of "
                         "its communication, not traces.")
                   .source("cross-layer study III-C2: five of NAS, as traces"));
        fields(field("ranks", &self::ranks)
                   .range(1U, most_goal_ranks)
                   .needs(generated_programs().c_str())
                   .help("Ranks of the program, each on a host of its own. auto: as many as there are hosts."));
        fields(field("program_iterations", &self::iterations)
                   .range(1U, 1'000'000U)
                   .needs(generated_programs().c_str())
                   .help("How often the program repeats its communication."));
        fields(
            field("program_bytes", &self::message_bytes)
                .range(length_range)
                .needs("traffic.program = ring_all_reduce or tree_all_reduce or all_to_all or pipeline")
                .help("All-reduce: the vector that is summed. all_to_all: what each rank sends to each other "
                      "one. pipeline: the activations of one micro-batch, and as much of gradients."));
        fields(field("program_piece", &self::piece_bytes)
                   .range(length_range)
                   .needs("traffic.program = tree_all_reduce")
                   .help("Pieces in which the vector passes along the tree, so that its levels work at the "
                         "same time. Above traffic.eager_limit, pieces to one rank follow each other; others "
                         "share the path."));
        fields(field("micro_batches", &self::micro_batches)
                   .range(1U, 65'536U)
                   .needs("traffic.program = pipeline")
                   .help("Micro-batches that pass through the pipeline in an iteration.")
                   .source("GPipe 3.2: at least 4 times the stages"));
        fields(field("program_class", &self::problem)
                   .needs("traffic.program = nas_bt or nas_cg or nas_ft or nas_is or nas_mg")
                   .help("Size of the problem.")
                   .source("NAS Parallel Benchmarks 3, tables of problem sizes"));
        fields(field("program_compute", &self::compute)
                   .range(time_range)
                   .needs(generated_programs().c_str())
                   .help("What a rank computes in an iteration before it communicates; pipeline: for a "
                         "micro-batch, in each direction."));
        fields(field("rank_placement", &self::placement).help("Which host executes which rank."));
        fields(field("eager_limit", &self::eager_limit)
                   .range(0_B, largest_flow)
                   .help("Longest message that is sent at once. For a longer one the sender first asks the "
                         "receiver, which answers when a receive is posted (rendezvous).")
                   .source("Open MPI, btl_tcp_eager_limit: 64 KiB"));
        fields(field("message_turns", &self::turns)
                   .help("How the messages of a rank share its host's way out.")
                   .source("project; LogGP 2"));
        fields(
            field("message_overhead", &self::overhead)
                .range(time_range)
                .help("o of LogGP: time for which a CPU is busy with each message that it sends or receives.")
                .source("LogGP 2"));
        fields(field("ideal_latency", &self::ideal_latency)
                   .range(time_range)
                   .help("L of LogGP, of the ideal network that the program's slowdown is measured against. "
                         "auto: what a message of 1 B takes in the empty fabric between the two hosts that "
                         "are farthest apart.")
                   .source("cross-layer study V-D: a perfect transport without loss"));
    }
};

}  // namespace weir::traffic
