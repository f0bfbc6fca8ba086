#include "weir/traffic/goal/rank_program.h"

#include <algorithm>
#include <utility>

namespace weir::traffic {

goal_index rank_program::add(const goal_operation& operation) {
    const goal_index added = m_builder.add(operation);
    for (const awaited_event& each : m_before) {
        m_builder.require(added, each.operation, each.event);
    }
    return added;
}

void rank_program::compute(std::uint64_t ns) {
    if (ns > 0) {
        m_before = {{add(goal_operation::calc(ns)), goal_event::end}};
    }
}

void rank_program::send(std::uint32_t dst, std::uint64_t bytes, std::uint32_t tag) {
    m_before = {{add(goal_operation::send(dst, bytes, tag)), goal_event::end}};
}

void rank_program::recv(std::uint32_t src, std::uint64_t bytes, std::uint32_t tag) {
    m_before = {{add(goal_operation::recv(src, bytes, tag)), goal_event::end}};
}

goal_index rank_program::start_send(std::uint32_t dst, std::uint64_t bytes, std::uint32_t tag) {
    const goal_index added = add(goal_operation::send(dst, bytes, tag));
    m_before = {{added, goal_event::start}};
    return added;
}

goal_index rank_program::start_recv(std::uint32_t src, std::uint64_t bytes, std::uint32_t tag) {
    const goal_index added = add(goal_operation::recv(src, bytes, tag));
    m_before = {{added, goal_event::start}};
    return added;
}

void rank_program::wait(goal_index started) {
    m_before.push_back({started, goal_event::end});
}

goal_index rank_program::send_after(const std::vector<goal_index>& awaited, std::uint32_t dst,
                                    std::uint64_t bytes, std::uint32_t tag) {
    const goal_index added = m_builder.add(goal_operation::send(dst, bytes, tag));
    for (const goal_index each : awaited) {
        m_builder.require(added, each, goal_event::end);
    }
    return added;
}

void rank_program::exchange(std::uint32_t dst, std::uint64_t bytes, std::uint32_t src, std::uint64_t bytes_back,
                            std::uint32_t tag, std::uint32_t tag_back) {
    const goal_index back = add(goal_operation::recv(src, bytes_back, tag_back));
    const goal_index out = add(goal_operation::send(dst, bytes, tag));
    m_before = {{out, goal_event::end}, {back, goal_event::end}};
}

void rank_program::all_reduce(std::uint64_t bytes, std::uint32_t tag) {
    for (std::uint32_t distance = 1; distance < m_ranks; distance *= 2) {
        exchange((m_rank + distance) % m_ranks, bytes, (m_rank + m_ranks - distance) % m_ranks, bytes, tag,
                 tag);
    }
}

void rank_program::all_gather(std::uint64_t bytes, std::uint32_t tag) {
    for (std::uint32_t distance = 1; distance < m_ranks; distance *= 2) {
        const std::uint64_t blocks = std::min(distance, m_ranks - distance) * bytes;
        exchange((m_rank + distance) % m_ranks, blocks, (m_rank + m_ranks - distance) % m_ranks, blocks, tag,
                 tag);
    }
}

void rank_program::all_to_all(std::uint64_t bytes, std::uint32_t tag) {
    std::vector<awaited_event> messages;
    for (std::uint32_t i = 1; i < m_ranks; ++i) {
        const std::uint32_t src = (m_rank + m_ranks - i) % m_ranks;
        messages.push_back({add(goal_operation::recv(src, bytes, tag)), goal_event::end});
    }
    for (std::uint32_t i = 1; i < m_ranks; ++i) {
        const std::uint32_t dst = (m_rank + i) % m_ranks;
        messages.push_back({add(goal_operation::send(dst, bytes, tag)), goal_event::end});
    }
    if (!messages.empty()) {
        // Later operations wait for one computation of 0 ns. If each operation of a second all-to-all waited
        // for each of the first, a rank would have 4 (ranks - 1)^2 requirements.
        m_before = std::move(messages);
        const goal_index all_ended = add(goal_operation::calc(0));
        m_before = {{all_ended, goal_event::end}};
    }
}

void rank_program::broadcast(std::uint32_t root, std::uint64_t bytes, std::uint32_t tag) {
    const std::uint32_t number = (m_rank + m_ranks - root) % m_ranks;
    const auto rank_of = [&](std::uint32_t n) { return (n + root) % m_ranks; };
    std::uint32_t step = 1;
    while (step < m_ranks && (number & step) == 0) {
        step *= 2;
    }
    if (number != 0) {
        recv(rank_of(number - step), bytes, tag);
    }
    for (step /= 2; step > 0; step /= 2) {
        if (number + step < m_ranks) {
            send(rank_of(number + step), bytes, tag);
        }
    }
}

void rank_program::reduce(std::uint32_t root, std::uint64_t bytes, std::uint32_t tag) {
    const std::uint32_t number = (m_rank + m_ranks - root) % m_ranks;
    const auto rank_of = [&](std::uint32_t n) { return (n + root) % m_ranks; };
    std::uint32_t step = 1;
    for (; step < m_ranks && (number & step) == 0; step *= 2) {
        if (number + step < m_ranks) {
            recv(rank_of(number + step), bytes, tag);
        }
    }
    if (number != 0) {
        send(rank_of(number - step), bytes, tag);
    }
}

}  // namespace weir::traffic
