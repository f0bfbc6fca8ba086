#include "weir/model/deadlock/wait_graph.h"

#include <algorithm>

namespace weir::model {

std::vector<class_queue> kept_up(const std::vector<seen_pause>& before, const std::vector<seen_pause>& now) {
    std::vector<class_queue> kept;
    auto old = before.begin();
    for (const seen_pause& pause : now) {
        while (old != before.end() && old->queue < pause.queue) {
            ++old;
        }
        if (pause.wanted && old != before.end() && old->queue == pause.queue &&
            old->xon_sent == pause.xon_sent) {
            kept.push_back(pause.queue);
        }
    }
    return kept;
}

wait_graph::wait_graph(std::vector<paused_queue> queues, room_rule room, shared_memory_rule* shared,
                       rank_team& team)
    : m_stuck(std::move(queues)), m_room(std::move(room)) {
    std::sort(m_stuck.begin(), m_stuck.end(),
              [](const paused_queue& a, const paused_queue& b) { return a.queue < b.queue; });
    do {
        m_at.clear();
        for (std::size_t i = 0; i < m_stuck.size(); ++i) {
            m_at.emplace(m_stuck[i].queue, i);
        }
        count_held();
        if (shared != nullptr) {
            shared->suppose(m_stuck);
        }
    } while (release_one_round(shared, team));
    find_waits(team);
}

// What an egress port holds when all that can leave it has left.
void wait_graph::count_held() {
    m_held.clear();
    for (const paused_queue& q : m_stuck) {
        m_held[{q.queue.device, q.queue.egress_port}][q.queue.frame_class] += q.queued_bytes;
    }
}

// If all of these queues are stuck, these frames never cross: the stuck queues of their port alone take the
// room that they need. In a shared memory they are in their queue already.
bool wait_graph::waits_for_good(const paused_queue& q, const paused_queue::waiting_frames& w) const {
    if (q.by_shared_memory) {
        return m_at.count({q.by_device, w.egress_port, w.frame_class}) != 0;
    }
    const auto held = m_held.find({q.by_device, w.egress_port});
    return held != m_held.end() && !m_room(q.by_device, w.egress_port, w.frame_class, held->second);
}

bool wait_graph::is_kept(const paused_queue& q, const shared_memory_rule* shared) const {
    if (q.by_shared_memory) {
        return shared->keeps(q);
    }
    std::uint64_t stays = 0;
    for (const paused_queue::waiting_frames& w : q.waiting) {
        stays += waits_for_good(q, w) ? w.bytes : 0;
    }
    return stays >= q.xon;
}

// True: some queue can send again, so others may. Repeated until nothing changes, this leaves the largest set
// of queues that keep each other paused.
bool wait_graph::release_one_round(const shared_memory_rule* shared, rank_team& team) {
    std::vector<std::int64_t> may_send;
    for (const paused_queue& q : m_stuck) {
        may_send.push_back(q.is_judged_here && !is_kept(q, shared) ? 1 : 0);
    }
    team.agree(may_send.data(), may_send.size());
    std::vector<paused_queue> still;
    for (std::size_t i = 0; i < m_stuck.size(); ++i) {
        if (may_send[i] == 0) {
            still.push_back(std::move(m_stuck[i]));
        }
    }
    m_stuck = std::move(still);
    return m_stuck.size() != may_send.size() && !m_stuck.empty();
}

// The queue that frames wait for which never cross: their own class's where it holds frames for good, else the
// one that holds most of their port.
std::size_t wait_graph::queue_in_the_way(const paused_queue& q, const paused_queue::waiting_frames& w) const {
    if (q.by_shared_memory) {
        return m_at.at({q.by_device, w.egress_port, w.frame_class});
    }
    const class_counts& held = m_held.at({q.by_device, w.egress_port});
    if (held[w.frame_class] > 0) {
        return m_at.at({q.by_device, w.egress_port, w.frame_class});
    }
    const auto most = std::max_element(held.begin(), held.end());
    return m_at.at({q.by_device, w.egress_port, static_cast<pfc_class>(most - held.begin())});
}

wait_graph::stuck_wait wait_graph::wait_of(std::size_t at) const {
    const paused_queue& q = m_stuck[at];
    const paused_queue::waiting_frames* most = nullptr;
    for (const paused_queue::waiting_frames& w : q.waiting) {
        if (waits_for_good(q, w) && (most == nullptr || w.bytes > most->bytes)) {
            most = &w;
        }
    }
    return {at, *most, queue_in_the_way(q, *most)};  // without such frames, the pause could end
}

void wait_graph::find_waits(rank_team& team) {
    if (m_stuck.empty()) {
        return;
    }
    std::vector<stuck_wait> here;
    for (std::size_t i = 0; i < m_stuck.size(); ++i) {
        if (m_stuck[i].is_judged_here) {
            here.push_back(wait_of(i));
        }
    }
    m_waits = model::shared(team, std::move(here));
    std::sort(m_waits.begin(), m_waits.end(),
              [](const stuck_wait& a, const stuck_wait& b) { return a.queue < b.queue; });
}

// From any stuck queue along the frames with most bytes that wait for good, until a queue comes again. The
// circle begins at its lowest queue, so that its text does not depend on where the search began.
std::vector<wait_graph::step> wait_graph::circle() const {
    std::vector<step> steps;
    constexpr std::size_t nowhere = ~std::size_t{0};
    std::vector<std::size_t> place(m_stuck.size(), nowhere);
    for (std::size_t at = 0; !m_stuck.empty() && place[at] == nowhere;) {
        place[at] = steps.size();
        steps.push_back({&m_stuck[at], &m_waits[at].frames});
        at = m_waits[at].next;
        if (place[at] != nowhere) {  // here the circle closes
            steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(place[at]));
        }
    }
    const auto first = std::min_element(steps.begin(), steps.end(), [](const step& a, const step& b) {
        return a.queue->queue < b.queue->queue;
    });
    std::rotate(steps.begin(), first, steps.end());
    return steps;
}

}  // namespace weir::model
