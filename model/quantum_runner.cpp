#include "weir/model/quantum_runner.h"

#include <algorithm>

namespace weir {

namespace {

/// Nodes that a thread takes at a time.
constexpr std::size_t grain = 4;
/// Quanta between two cuts of the shares, in the long run.
constexpr std::uint64_t cut_interval = 4096;

[[gnu::noinline]] void advance(node& n, quantum_outcome& outcome) {
    n.advance();
    outcome.add(n);
}

/// Most nodes of an idle fabric have nothing to do: to find that out costs a few instructions each.
struct quantum_work {
    event_key end;
    unsigned side;
    void operator()(node& n, quantum_outcome& outcome) const {
        if (n.has_work(side, end)) {
            advance(n, outcome);
        }
    }
};

quantum_work work_of(const simulation_clock& clock) {
    return {first_key_at(clock.end), clock.writing ^ 1};
}

}  // namespace

quantum_runner::quantum_runner(const std::vector<node*>& nodes, unsigned threads)
    : m_workers(std::max(1U, threads)), m_team(threads) {
    for (unsigned worker = 0; worker < m_team.size(); ++worker) {
        m_shares.push_back(std::make_unique<share>());
    }
    for (node* n : nodes) {
        if (m_team.size() > 1 && n->needs_kernel_thread()) {
            m_on_calling_thread.push_back(n);
        } else {
            m_loads.push_back({n, 0, n->ports()});
        }
    }
    cut_shares();
}

quantum_outcome quantum_runner::run(const simulation_clock& clock) {
    quantum_outcome all;
    if (m_team.size() == 1) {
        const quantum_work run_node = work_of(clock);
        for (node* n : m_shares[0]->nodes) {
            run_node(*n, all);
        }
        return all;
    }
    if (++m_quanta == m_next_cut) {
        m_next_cut += std::min(m_next_cut, cut_interval);
        for (load& l : m_loads) {
            l.weight = l.member->events() - l.events_before;
            l.events_before = l.member->events();
        }
        cut_shares();
    }
    for (const auto& s : m_shares) {
        s->next.store(0, std::memory_order_relaxed);
    }
    m_team.run([this, &clock](unsigned worker) { work(worker, clock); });
    for (worker_state& w : m_workers) {
        if (w.error) {
            std::rethrow_exception(w.error);
        }
        all.add(w.outcome);
    }
    return all;
}

void quantum_runner::work(unsigned worker, const simulation_clock& clock) {
    const quantum_work run_node = work_of(clock);
    worker_state& self = m_workers[worker];
    quantum_outcome outcome;
    try {
        if (worker == 0) {
            for (node* n : m_on_calling_thread) {
                run_node(*n, outcome);
            }
        }
        for (std::size_t k = 0; k < m_shares.size(); ++k) {
            share& from = *m_shares[(worker + k) % m_shares.size()];
            const std::size_t count = from.nodes.size();
            for (;;) {
                const std::size_t first = from.next.fetch_add(grain, std::memory_order_relaxed);
                if (first >= count) {
                    break;
                }
                for (std::size_t i = first; i < std::min(first + grain, count); ++i) {
                    run_node(*from.nodes[i], outcome);
                }
            }
        }
    } catch (...) {
        self.error = std::current_exception();
    }
    self.outcome = outcome;
}

// The heaviest node first, each to the share with the least so far. One share keeps the order of the nodes.
void quantum_runner::cut_shares() {
    for (const auto& s : m_shares) {
        s->nodes.clear();
    }
    std::vector<const load*> by_weight;
    for (const load& l : m_loads) {
        by_weight.push_back(&l);
    }
    if (m_shares.size() > 1) {
        std::stable_sort(by_weight.begin(), by_weight.end(),
                         [](const load* a, const load* b) { return a->weight > b->weight; });
    }
    std::vector<std::uint64_t> sum(m_shares.size());
    for (const load* l : by_weight) {
        const auto least = static_cast<std::size_t>(std::min_element(sum.begin(), sum.end()) - sum.begin());
        // Also a node without events costs a look.
        sum[least] += l->weight + 1;
        m_shares[least]->nodes.push_back(l->member);
    }
}

}  // namespace weir
