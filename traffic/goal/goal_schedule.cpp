#include "weir/traffic/goal/goal_schedule.h"

#include <algorithm>

namespace weir::traffic {

std::string operation_text(const goal_operation& operation) {
    if (operation.kind == goal_kind::calc) {
        return "calc of " + std::to_string(operation.amount) + " ns";
    }
    const bool is_send = operation.kind == goal_kind::send;
    const std::string peer = operation.peer == any_rank ? "any rank" : "rank " + std::to_string(operation.peer);
    const std::string tag = operation.tag == any_tag ? "any tag" : "tag " + std::to_string(operation.tag);
    return std::string(is_send ? "send to " : "recv from ") + peer + " with " + tag;
}

std::uint32_t goal_schedule::rank_of(goal_index operation) const {
    return static_cast<std::uint32_t>(std::upper_bound(m_first.begin(), m_first.end(), operation) -
                                      m_first.begin()) -
           1;
}

void goal_schedule::use_one_nic() {
    for (goal_operation& operation : m_operations) {
        operation.nic = 0;
    }
    m_nics = 1;
}

void goal_builder::begin_rank() {
    m_requirements.clear();
}

goal_index goal_builder::add(const goal_operation& operation) {
    m_schedule.m_operations.push_back(operation);
    m_schedule.m_operations.back().requirements = 0;
    m_schedule.m_cpus = std::max(m_schedule.m_cpus, operation.cpu + 1U);
    m_schedule.m_nics = std::max(m_schedule.m_nics, operation.nic + 1U);
    return m_schedule.size() - 1 - m_schedule.m_first.back();
}

void goal_builder::require(goal_index waiting, goal_index awaited, goal_event event) {
    m_requirements.push_back({waiting, awaited, event});
}

bool goal_builder::full() const {
    return m_schedule.size() >= most_goal_operations ||
           m_schedule.m_waiting.size() + m_requirements.size() >= std::size_t{2} * most_goal_operations;
}

std::optional<goal_index> goal_builder::end_rank() {
    goal_schedule& s = m_schedule;
    const goal_index first = s.m_first.back();
    const goal_index end = s.size();
    s.m_first.push_back(end);
    // Counting sort by the operation that is awaited: first their numbers, then where each begins.
    s.m_first_waiting.resize(end + std::size_t{1}, 0);
    const std::uint32_t before = s.m_first_waiting[first];
    std::fill(s.m_first_waiting.begin() + first + 1, s.m_first_waiting.end(), 0);
    for (const requirement& each : m_requirements) {
        ++s.m_first_waiting[first + each.awaited + std::size_t{1}];
        ++s.m_operations[first + each.waiting].requirements;
    }
    for (goal_index i = first; i < end; ++i) {
        s.m_first_waiting[i + std::size_t{1}] += s.m_first_waiting[i];
    }
    s.m_waiting.resize(before + m_requirements.size());
    std::vector<std::uint32_t> next(s.m_first_waiting.begin() + first, s.m_first_waiting.end());
    for (const requirement& each : m_requirements) {
        auto& place = s.m_waiting[next[each.awaited]++];
        place.operation = (first + each.waiting) & 0x7FFF'FFFF;
        place.for_start = each.event == goal_event::start;
    }
    m_requirements.clear();

    // Whatever cannot be taken out one after the other, those without requirements first, is in a cycle or
    // behind it.
    std::vector<std::uint32_t> left;
    std::vector<goal_index> ready;
    for (goal_index i = first; i < end; ++i) {
        left.push_back(s.m_operations[i].requirements);
        if (left.back() == 0) {
            ready.push_back(i);
        }
    }
    std::size_t taken = 0;
    while (taken < ready.size()) {
        const goal_index done = ready[taken++];
        for (const goal_event event : {goal_event::start, goal_event::end}) {
            s.for_each_waiting(done, event, [&](goal_index waiting) {
                if (--left[waiting - first] == 0) {
                    ready.push_back(waiting);
                }
            });
        }
    }
    if (ready.size() == left.size()) {
        return std::nullopt;
    }
    const auto stuck = std::find_if(left.begin(), left.end(), [](std::uint32_t count) { return count > 0; });
    return static_cast<goal_index>(stuck - left.begin());
}

}  // namespace weir::traffic
