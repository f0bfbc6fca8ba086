#include "weir/model/engine/quantum_runner.h"

#include <algorithm>

namespace weir::model {

namespace {

/// Nodes of a group: what a thread takes at a time.
constexpr std::size_t group_size = 4;
/// Groups of a group of groups.
constexpr std::size_t upper_group_size = 16;
/// Quanta after which shares are cut anew, in the long run.
constexpr std::uint64_t cut_interval = 4096;

}  // namespace

quantum_runner::quantum_runner(const std::vector<node*>& nodes, const thread_config& threads)
    : m_workers(std::max(1U, threads.team())),
      m_team(threads.team()),
      m_worth_it(threads.grain * m_team.size()) {
    for (unsigned worker = 0; worker < m_team.size(); ++worker) {
        m_shares.push_back(std::make_unique<share>());
    }
    if (m_team.size() > 1) {
        for (unsigned worker = 0; worker < m_team.size(); ++worker) {
            m_workers[worker].lane = worker + 1;
        }
    }
    std::size_t ports = 0;
    for (const node* n : nodes) {
        ports += n->ports();
    }
    m_fetches_ahead = threads.fetches_ahead(ports);
    std::vector<node*> on_calling_thread;
    std::vector<node*> on_any_thread;
    for (node* n : nodes) {
        (n->needs_kernel_thread() ? on_calling_thread : on_any_thread).push_back(n);
    }
    make_groups(on_calling_thread, m_on_calling_thread);
    make_groups(on_any_thread, m_on_any_thread);
    for (const auto& g : m_groups) {
        if (m_upper_groups.empty() || m_upper_groups.back()->members.size() == upper_group_size) {
            m_upper_groups.push_back(std::make_unique<group_of_groups>());
        }
        m_upper_groups.back()->members.push_back(g.get());
        g->above = m_upper_groups.back().get();
        // From before the first quantum.
        for (unsigned side = 0; side < 2; ++side) {
            g->set_mail(side);
        }
    }
    cut_shares();
}

// Neighbours in the order of the nodes: hosts of one rack are often busy together.
void quantum_runner::make_groups(const std::vector<node*>& nodes, std::vector<group*>& to) {
    for (node* n : nodes) {
        if (to.empty() || to.back()->members.size() == group_size) {
            m_groups.push_back(std::make_unique<group>());
            to.push_back(m_groups.back().get());
        }
        group& g = *to.back();
        g.members.push_back(n);
        g.weight += n->ports();
        n->join(g, m_workers.back().lane + 1);
        if (m_fetches_ahead) {
            n->fetch_ahead();
        }
    }
}

// A group without mail and without an event before the end of the quantum is skipped with two reads.
inline void quantum_runner::run_group(group& g, const simulation_clock& clock, unsigned worker,
                                      quantum_outcome& outcome) {
    const event_key end = first_key_at(clock.end);
    const unsigned side = clock.writing ^ 1;
    if (g.next.load(std::memory_order_relaxed) < end || g.mail[side].load(std::memory_order_relaxed)) {
        run_members(g, end, side, worker, outcome);
    }
}

// Its nodes are fetched while those of another group run.
inline void quantum_runner::expect_group(const group& g, event_key end, unsigned side) const {
    if (m_fetches_ahead &&
        (g.next.load(std::memory_order_relaxed) < end || g.mail[side].load(std::memory_order_relaxed))) {
        for (const node* n : g.members) {
            n->prefetch();
        }
    }
}

[[gnu::noinline]] void quantum_runner::run_members(group& g, event_key end, unsigned side, unsigned worker,
                                                   quantum_outcome& outcome) {
    g.mail[side].store(false, std::memory_order_relaxed);
    if (m_fetches_ahead) {
        g.members.front()->prefetch_next(side);
    }
    event_key next = no_event;
    for (std::size_t k = 0; k < g.members.size(); ++k) {
        node* const n = g.members[k];
        if (m_fetches_ahead && k + 1 < g.members.size()) {
            g.members[k + 1]->prefetch_next(side);
        }
        if (n->has_work(side, end)) {
            n->set_lane(m_workers[worker].lane, m_workers[worker].order);
            n->advance();
            outcome.add(*n);
        }
        next = std::min(next, n->next_key());
    }
    g.next.store(next, std::memory_order_relaxed);
}

quantum_outcome quantum_runner::run(const simulation_clock& clock) {
    quantum_outcome all;
    if (m_team.size() == 1 || m_nodes_run < m_worth_it) {
        run_alone(clock, all);
    } else {
        run_together(clock, all);
    }
    m_nodes_run = all.nodes;
    return all;
}

void quantum_runner::run_alone(const simulation_clock& clock, quantum_outcome& outcome) {
    const event_key end = first_key_at(clock.end);
    const unsigned side = clock.writing ^ 1;
    for (const auto& upper : m_upper_groups) {
        if (upper->next.load(std::memory_order_relaxed) >= end &&
            !upper->mail[side].load(std::memory_order_relaxed)) {
            continue;
        }
        upper->mail[side].store(false, std::memory_order_relaxed);
        event_key next = no_event;
        for (std::size_t k = 0; k < upper->members.size(); ++k) {
            group& g = *upper->members[k];
            if (k + 1 < upper->members.size()) {
                expect_group(*upper->members[k + 1], end, side);
            }
            run_group(g, clock, 0, outcome);
            next = std::min(next, g.next.load(std::memory_order_relaxed));
        }
        upper->next.store(next, std::memory_order_relaxed);
    }
}

void quantum_runner::run_together(const simulation_clock& clock, quantum_outcome& outcome) {
    if (++m_quanta == m_next_cut) {
        m_next_cut += std::min(m_next_cut, cut_interval);
        weigh_groups();
        cut_shares();
    }
    for (const auto& s : m_shares) {
        s->next.store(0, std::memory_order_relaxed);
    }
    for (worker_state& w : m_workers) {
        w.outcome = {};
    }
    m_team.run([this, &clock](unsigned worker) { work(worker, clock); });
    for (worker_state& w : m_workers) {
        if (w.error) {
            std::rethrow_exception(w.error);
        }
        outcome.add(w.outcome);
    }
    const unsigned side = clock.writing ^ 1;
    for (const auto& upper : m_upper_groups) {
        upper->mail[side].store(false, std::memory_order_relaxed);
        event_key next = no_event;
        for (const group* g : upper->members) {
            next = std::min(next, g->next.load(std::memory_order_relaxed));
        }
        upper->next.store(next, std::memory_order_relaxed);
    }
}

picoseconds quantum_runner::next_time(const simulation_clock& clock) const {
    event_key next = no_event;
    for (const auto& upper : m_upper_groups) {
        if (upper->mail[clock.writing].load(std::memory_order_relaxed)) {
            return clock.end;
        }
        next = std::min(next, upper->next.load(std::memory_order_relaxed));
    }
    return next == no_event ? never : time_of(next);
}

// Own share first, then the others'. Who runs a group does not matter: nodes of one quantum do not affect each
// other.
void quantum_runner::work(unsigned worker, const simulation_clock& clock) {
    worker_state& self = m_workers[worker];
    quantum_outcome outcome;
    try {
        if (worker == 0) {
            for (group* g : m_on_calling_thread) {
                run_group(*g, clock, worker, outcome);
            }
        }
        for (std::size_t k = 0; k < m_shares.size(); ++k) {
            share& from = *m_shares[(worker + k) % m_shares.size()];
            const std::size_t count = from.groups.size();
            for (;;) {
                const std::size_t at = from.next.fetch_add(1, std::memory_order_relaxed);
                if (at >= count) {
                    break;
                }
                // Of others' shares the next group is as likely to be run by its own thread.
                if (k == 0 && at + 1 < count) {
                    expect_group(*from.groups[at + 1], first_key_at(clock.end), clock.writing ^ 1);
                }
                run_group(*from.groups[at], clock, worker, outcome);
            }
        }
    } catch (...) {
        self.error = std::current_exception();
    }
    self.outcome = outcome;
}

// By the events since the last time.
void quantum_runner::weigh_groups() {
    for (group* g : m_on_any_thread) {
        std::uint64_t events = 0;
        for (const node* n : g->members) {
            events += n->events();
        }
        g->weight = events - g->events_before;
        g->events_before = events;
    }
}

// The heaviest group first, each to the share with the least so far. Worker 0 has what runs on the calling
// thread besides; the others take from its share in turn.
void quantum_runner::cut_shares() {
    for (const auto& s : m_shares) {
        s->groups.clear();
    }
    std::vector<group*> by_weight = m_on_any_thread;
    std::stable_sort(by_weight.begin(), by_weight.end(),
                     [](const group* a, const group* b) { return a->weight > b->weight; });
    std::vector<std::uint64_t> sum(m_shares.size());
    for (group* g : by_weight) {
        const auto least = static_cast<std::size_t>(std::min_element(sum.begin(), sum.end()) - sum.begin());
        sum[least] += g->weight + 1;
        m_shares[least]->groups.push_back(g);
    }
}

}  // namespace weir::model
