#include "tb/run/setup/parallel_program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/completions/ideal_times.h"
#include "tb/support/files/schedule_file.h"
#include "weir/base/unit_text.h"
#include "weir/traffic/goal/loggp_times.h"

namespace weir::tb {

namespace {

goal_file make_schedule(const run_config& config, host_id hosts) {
    const program_config& program = config.traffic.program;
    if (programs()[program.kind].reads_traces) {
        return read_traces(config.files.schedule, config.files.request_handle, "traffic.schedule");
    }
    if (!programs()[program.kind].iterate) {
        return read_schedule(config.files.schedule, "traffic.schedule");
    }
    program_setup setup;
    setup.ranks = program.ranks.value_or(hosts);
    setup.iterations = program.iterations;
    setup.message_bytes = program.message_bytes;
    setup.piece_bytes = program.piece_bytes;
    setup.micro_batches = program.micro_batches;
    setup.problem = program.problem;
    setup.compute = program.compute;
    goal_file made{make_program(program.kind, setup), {}};
    if (made.schedule.ranks() == 0) {
        made.errors.push_back({"", 0, "traffic.program_iterations",
                               out_of_range(std::to_string(program.iterations),
                                            "fewer: the program has more than " +
                                                std::to_string(most_goal_operations) + " operations")});
    }
    return made;
}

picoseconds farthest_byte(const run_config& config, const topology& plan) {
    const ideal_delays delays = ideal_delays_of(config, shortest_lookup(config, plan));
    const unloaded_delays& own = delays[static_cast<std::size_t>(config.traffic.transport)];
    const bytes frame = own.frame_length(1_B);
    return unloaded_paths(plan, own).longest_round_trip(frame, frame) / 2;
}

loggp_parameters ideal_network(const run_config& config, const topology& plan) {
    loggp_parameters ideal;
    const auto& given = config.traffic.program.ideal_latency;
    ideal.latency = given ? *given : farthest_byte(config, plan);
    ideal.overhead = config.traffic.program.overhead;
    bit_rate fastest{1};
    for (host_id h = 0; h < plan.hosts(); ++h) {
        fastest = std::max(fastest, plan.link(plan.ports(node_ref::of_host(h))[0]).rate);
    }
    // 8 bits at so many bit/s, in 1/1000 ps.
    const std::int64_t gap = 8'000'000'000'000'000 / fastest.count();
    ideal.byte_gap = picoseconds{gap / 1000};
    ideal.byte_gap_rest = gap % 1000;
    return ideal;
}

/// Sends and arrivals of a rank do not share a NIC, whose directions are apart.
bool any_rank_uses_several_nics(const goal_schedule& schedule) {
    constexpr int none = -1;
    std::vector<int> out(schedule.ranks(), none);
    std::vector<int> in(schedule.ranks(), none);
    const auto is_second = [](int& first, int nic) {
        first = first == none ? nic : first;
        return first != nic;
    };
    for (goal_index i = 0; i < schedule.size(); ++i) {
        const goal_operation& each = schedule[i];
        if (each.kind == goal_kind::send &&
            (is_second(out[schedule.rank_of(i)], each.nic) || is_second(in[each.peer], each.nic))) {
            return true;
        }
    }
    return false;
}

}  // namespace

parallel_program prepare_program(const run_config& config, const topology& plan) {
    parallel_program program;
    goal_file made = make_schedule(config, plan.hosts());
    program.errors = made.errors;
    if (!program.errors.empty()) {
        return program;
    }
    const std::string& file = config.files.schedule;
    const std::string name = file.empty() ? std::string(name_of(config.traffic.program.kind)) : file;
    const bool is_read = !programs()[config.traffic.program.kind].iterate;
    if (is_read && made.schedule.ranks() > plan.hosts()) {
        program.errors.push_back(
            option_error("traffic.schedule",
                         "'" + file + "' has {} ranks, and the fabric {} hosts; expected a host for each",
                         {std::to_string(made.schedule.ranks()), std::to_string(plan.hosts())}));
        return program;
    }
    if (const unsigned nics = made.schedule.nics(); nics > 1 && any_rank_uses_several_nics(made.schedule)) {
        program.warnings.push_back(
            "traffic.schedule: the ranks of '" + name + "' use up to " + std::to_string(nics) + " NICs (0 to " +
            std::to_string(nics - 1) +
            "), but a host has one. The messages of a rank share it, so the fabric and the ideal network take "
            "longer. `weir replay goal` gives the times of an ideal network with " +
            std::to_string(nics) + " NICs per rank");
    }
    made.schedule.use_one_nic();
    loggp_times times = evaluate_loggp(made.schedule, ideal_network(config, plan), loggp_accounting::logp);
    const picoseconds last = *std::max_element(times.end.begin(), times.end.end());
    if (times.is_too_long || last > longest_time - config.traffic.start) {
        program.errors.push_back({"", 0, "traffic.program",
                                  "'" + name + "' cannot end within " + to_text(longest_time) +
                                      ", the longest run, even on an ideal network; expected less"});
        return program;
    }
    program.errors.add(unmatched_messages(made.schedule, times, name));
    for (std::uint32_t rank = 0; rank < made.schedule.ranks(); ++rank) {
        if (made.schedule.first(rank) == made.schedule.first(rank + 1)) {
            times.end[rank] = never;
        }
    }
    program.schedule = std::make_shared<const goal_schedule>(std::move(made.schedule));
    program.ideal_ends = std::move(times.end);
    return program;
}

}  // namespace weir::tb
