#include "weir/traffic/goal/programs.h"

#include <algorithm>
#include <vector>

namespace weir::traffic {

void ring_all_reduce(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const std::uint32_t ranks = setup.ranks;
    const auto total = static_cast<std::uint64_t>(setup.message_bytes.count());
    const auto part = [&](std::uint32_t number) { return total / ranks + (number < total % ranks ? 1 : 0); };
    const std::uint32_t next = (rank + 1) % ranks;
    const std::uint32_t before = (rank + ranks - 1) % ranks;
    program.compute(compute_ns(setup));
    // In the second half part r + 1 is complete, and goes on.
    for (std::uint32_t step = 0; step < 2 * (ranks - 1); ++step) {
        const std::uint32_t back = step < ranks - 1 ? step : step - ranks;
        const std::uint32_t sent = (rank + 2 * ranks - back) % ranks;
        program.exchange(next, part(sent), before, part((sent + ranks - 1) % ranks), 0, 0);
    }
}

void tree_all_reduce(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const auto total = static_cast<std::uint64_t>(setup.message_bytes.count());
    const auto piece = static_cast<std::uint64_t>(setup.piece_bytes.count());
    std::vector<std::uint32_t> children;
    for (std::uint64_t child = 2 * std::uint64_t{rank} + 1; child <= 2 * std::uint64_t{rank} + 2; ++child) {
        if (child < setup.ranks) {
            children.push_back(static_cast<std::uint32_t>(child));
        }
    }
    const std::uint32_t parent = rank == 0 ? 0 : (rank - 1) / 2;
    program.compute(compute_ns(setup));
    constexpr std::uint32_t up = 0;
    constexpr std::uint32_t down = 1;
    std::vector<goal_index> started;
    // All receives are posted; each piece goes on as soon as it is there, whatever the others do.
    for (std::uint64_t done = 0; done < total; done += piece) {
        const std::uint64_t length = std::min(piece, total - done);
        std::vector<goal_index> come;
        for (const std::uint32_t child : children) {
            come.push_back(program.start_recv(child, length, up));
        }
        if (rank != 0) {
            started.push_back(children.empty() ? program.start_send(parent, length, up)
                                               : program.send_after(come, parent, length, up));
            come = {program.start_recv(parent, length, down)};
        }
        for (const std::uint32_t child : children) {
            started.push_back(program.send_after(come, child, length, down));
        }
        // A leaf waits for what it has asked for.
        started.insert(started.end(), come.begin(), come.end());
    }
    for (const goal_index each : started) {
        program.wait(each);
    }
}

void expert_all_to_all(const program_setup& setup, std::uint32_t, rank_program& program) {
    const auto length = static_cast<std::uint64_t>(setup.message_bytes.count());
    program.all_to_all(length, 0);
    program.compute(compute_ns(setup));
    program.all_to_all(length, 1);
}

void pipeline(const program_setup& setup, std::uint32_t rank, rank_program& program) {
    const auto length = static_cast<std::uint64_t>(setup.message_bytes.count());
    std::vector<goal_index> sends;
    const auto pass = [&](bool has_before, std::uint32_t before, bool has_next, std::uint32_t next,
                          std::uint32_t tag) {
        for (std::uint32_t i = 0; i < setup.micro_batches; ++i) {
            if (has_before) {
                program.recv(before, length, tag);
            }
            program.compute(compute_ns(setup));
            if (has_next) {
                sends.push_back(program.start_send(next, length, tag));
            }
        }
    };
    const bool is_first = rank == 0;
    const bool is_last = rank + 1 == setup.ranks;
    pass(!is_first, rank - 1, !is_last, rank + 1, 0);
    pass(!is_last, rank + 1, !is_first, rank - 1, 1);
    for (const goal_index sent : sends) {
        program.wait(sent);
    }
}

}  // namespace weir::traffic
