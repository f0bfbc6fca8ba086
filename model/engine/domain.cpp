#include "weir/model/engine/domain.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <tuple>

#include "weir/base/unit_text.h"
#include "weir/protocol/systemc_versions.h"

namespace weir::model {

domain::domain(sc_core::sc_module_name name, simulation_clock& clock) : sc_module(name), m_clock(clock) {
    WEIR_HAS_PROCESS(domain);
    SC_METHOD(step);
}

void domain::add(node& member) {
    m_nodes.push_back(&member);
    for (unsigned port = 0; port < member.ports(); ++port) {
        member.input(port).set_wake(m_wake);
    }
}

void domain::configure(engine_kind engine, picoseconds quantum, picoseconds end, picoseconds deadlock_after,
                       const thread_config& threads) {
    m_engine = engine;
    m_quantum = quantum;
    m_end = std::min(end, longest_time);
    m_ends_by_itself = end == never;
    m_deadlock_after = deadlock_after;
    m_threads = threads;
}

picoseconds domain::next_event() const {
    if (m_runner != nullptr) {
        return m_runner->next_time(m_clock);
    }
    event_key next = no_event;
    for (const node* n : m_nodes) {
        if (n->has_new_mail()) {
            return m_clock.end;
        }
        next = std::min(next, n->next_key());
    }
    return next == no_event ? never : time_of(next);
}

void domain::step() {
    try {
        run_step();
    } catch (const std::runtime_error&) {  // of the ranks, of results; SystemC would report it in other words
        m_failure = std::current_exception();
        sc_core::sc_stop();
    }
}

// One quantum, at kernel time = its begin.
void domain::run_step() {
    const picoseconds begin = to_picoseconds(sc_core::sc_time_stamp());
    if (begin < m_clock.end) {  // woken within a quantum that the nodes have already run
        next_trigger(to_sc_time(m_clock.end - begin));
        return;
    }
    if (begin >= m_end) {
        if (m_clock.end < m_end) {  // the rest was empty
            m_clock.begin = m_clock.end = m_end;
            if (m_observer != nullptr) {
                m_observer->at_barrier(m_end, m_observed);
            }
        }
        sc_core::sc_stop();
        return;
    }
    if (!pass_idle_barrier(begin)) {
        sc_core::sc_stop();
        return;
    }
    look_if_due(begin);
    const picoseconds barrier = needed_barrier();
    const picoseconds end = std::min({begin + m_quantum, m_end, m_next_look, barrier});
    if (m_observer != nullptr) {
        m_observer->feed(end);
    }
    const quantum_outcome outcome =
        m_engine == engine_kind::literal ? run_literally(begin, end) : run_quantum(begin, end);
    ++m_quanta;
    if (outcome.has_foreign) {
        deliver_foreign();
    }
    if (m_exchange != nullptr) {
        m_exchange->exchange();
    }
    const barrier_state all = agree(outcome);
    if (all.active) {
        m_active_since_barrier = true;
        m_last_active = end;
        for (scheduled_look& look : m_looks) {
            look.idle = 0;
        }
    }
    check(end, all.broken);
    const bool go_on = m_observer == nullptr || m_observer->at_barrier(end, m_observed);
    if (!go_on) {
        sc_core::sc_stop();
        return;
    }
    m_active_since_barrier = m_active_since_barrier && end < barrier;
    const picoseconds next_input = m_observer != nullptr ? m_observer->next_input() : never;
    const picoseconds next_time = std::max(end, std::min(all.next_event, next_input));
    if (next_time - end > m_deadlock_after) {
        check_deadlock();  // nothing at all will happen for so long
    }
    const picoseconds wake_at = next_step(next_time);
    if (wake_at == never && m_ends_by_itself) {
        next_trigger(m_wake);
    } else {
        next_trigger(to_sc_time(std::min(wake_at, m_end) - begin), m_wake);
    }
}

// One small message decides for all ranks.
domain::barrier_state domain::agree(const quantum_outcome& outcome) {
    enum { broken, active, last_activity, next_event, observed };
    std::array<std::int64_t, observed + std::tuple_size_v<barrier_observer::rank_state>> greatest{};
    greatest[broken] = outcome.broken ? 1 : 0;
    greatest[active] = outcome.nodes > 0 ? 1 : 0;
    greatest[last_activity] = std::max(m_last_activity, outcome.last_activity).count();
    greatest[next_event] = -this->next_event().count();  // the earliest
    if (m_observer != nullptr) {
        m_observed = m_observer->state();
        std::copy(m_observed.begin(), m_observed.end(), greatest.begin() + observed);
    }
    m_team->agree(greatest.data(), greatest.size());
    std::copy(greatest.begin() + observed, greatest.end(), m_observed.begin());
    m_last_activity = picoseconds{greatest[last_activity]};
    return {greatest[broken] != 0, greatest[active] != 0, picoseconds{-greatest[next_event]}};
}

// Time was skipped up to a barrier that the observer needs. False: the run ends there.
bool domain::pass_idle_barrier(picoseconds now) {
    if (now < needed_barrier() || now == m_clock.end) {
        return true;
    }
    m_clock.begin = m_clock.end = now;
    m_active_since_barrier = false;
    return m_observer->at_barrier(now, m_observed);
}

void domain::look_if_due(picoseconds now) {
    if (now < m_next_look) {
        return;
    }
    for (scheduled_look& look : m_looks) {
        if (now == look.next) {
            ++look.idle;
            look.watch->look(now);
        }
        if (now >= look.next) {
            look.skip_to_after(now);
        }
    }
    find_next_look();
}

void domain::look_less(picoseconds interval, const periodic_look& watch) {
    for (scheduled_look& look : m_looks) {
        if (look.watch == &watch) {
            look.interval = interval;
        }
    }
}

void domain::find_next_look() {
    m_next_look = never;
    for (const scheduled_look& look : m_looks) {
        m_next_look = std::min(m_next_look, look.next);
    }
}

// A look is no event: after two of them without any, and two after the last frame on its way has arrived, those
// that follow would see the same.
picoseconds domain::next_step(picoseconds next_time) {
    constexpr unsigned enough_idle_looks = 2;
    picoseconds wake_at = next_time;
    if (next_time != never || m_active_since_barrier) {
        wake_at = std::min(wake_at, needed_barrier());
    }
    for (scheduled_look& look : m_looks) {
        if (next_time <= look.next) {
            look.idle = 0;
        } else if (look.idle < enough_idle_looks ||
                   look.next <= m_last_active + m_longest_flight + enough_idle_looks * look.interval) {
            wake_at = std::min(wake_at, look.next);
        } else if (next_time != never) {
            look.skip_to_after(next_time);
            look.idle = 0;
        }
    }
    find_next_look();
    return wake_at;
}

void domain::start_of_simulation() {
    if (m_engine == engine_kind::fast) {
        m_runner = std::make_unique<quantum_runner>(m_nodes, m_threads);
        if (m_exchange != nullptr) {
            m_exchange->set_lanes(m_runner->lanes());
        }
    }
}

quantum_outcome domain::run_quantum(picoseconds begin, picoseconds end) {
    m_clock.begin = begin;
    m_clock.end = end;
    m_clock.writing ^= 1;
    return m_runner->run(m_clock);
}

// The node with the earliest event runs that instant alone, then every frame it sent is passed on.
quantum_outcome domain::run_literally(picoseconds begin, picoseconds end) {
    m_clock.begin = begin;
    picoseconds reached = begin;
    std::uint32_t steps = 0;
    for (;;) {
        m_clock.end = reached;
        m_clock.writing ^= 1;
        for (node* n : m_nodes) {
            if (n->has_mail()) {
                n->set_lane(0, m_order);
                n->advance();
            }
        }
        node* first = nullptr;
        for (node* n : m_nodes) {
            if (first == nullptr || n->next_time() < first->next_time()) {
                first = n;
            }
        }
        if (first == nullptr || first->next_time() >= end) {
            break;
        }
        reached = first->next_time();
        m_clock.end = reached + 1_ps;
        first->set_lane(0, m_order);
        first->advance();
        ++steps;
    }
    m_clock.end = end;
    quantum_outcome outcome;
    for (node* n : m_nodes) {
        outcome.add(*n);
    }
    outcome.nodes = steps;
    return outcome;
}

// Modules that are not ours are called from here, the kernel's own thread, in the order of time, node, port.
void domain::deliver_foreign() {
    using entry = std::tuple<picoseconds, unsigned, unsigned, node*, foreign_delivery*>;
    std::vector<entry> deliveries;
    for (node* n : m_nodes) {
        for (foreign_delivery& d : n->foreign_outbox()) {
            deliveries.emplace_back(d.first_bit_sent, n->index(), d.port, n, &d);
        }
    }
    if (deliveries.empty()) {
        return;
    }
    std::sort(deliveries.begin(), deliveries.end());
    const picoseconds kernel_time = to_picoseconds(sc_core::sc_time_stamp());
    for (auto& [sent, index, port, n, d] : deliveries) {
        n->output(port).send_noting(d->frame, sent, d->first_bit_in - kernel_time, 0);
    }
    for (node* n : m_nodes) {
        n->clear_foreign_outbox();
    }
}

// Of those at one time the one of the first node.
violation domain::first_violation() const {
    std::pair<violation, std::uint32_t> first;
    for (node* n : m_nodes) {
        if (n->first_violation().time < first.first.time) {
            first = {n->first_violation(), n->index()};
        }
    }
    const auto parts = shared_parts(*m_team, first);
    return std::min_element(parts.begin(), parts.end(),
                            [](const auto& a, const auto& b) {
                                return std::tie(a.first.time, a.second) < std::tie(b.first.time, b.second);
                            })
        ->first;
}

void domain::check(picoseconds time, bool broken) {
    if (broken) {
        const violation v = first_violation();
        SC_REPORT_FATAL(violation_report_type, ("at " + to_text(v.time) + ": " + v.message).c_str());
    }
    if (time - m_last_activity > m_deadlock_after && time - m_last_look > m_deadlock_after) {
        m_last_look = time;  // look again after as long a time
        check_deadlock();
    }
}

// Call when nothing has moved, or will move, for longer than the longest pause.
void domain::check_deadlock() {
    std::vector<std::pair<std::uint32_t, std::string>> ports;
    for (const node* n : m_nodes) {
        if (std::string of_node = n->waiting_ports(); !of_node.empty()) {
            ports.emplace_back(n->index(), std::move(of_node));
        }
    }
    ports = shared(*m_team, std::move(ports));
    std::sort(ports.begin(), ports.end());
    std::string waiting;
    for (const auto& [index, of_node] : ports) {
        waiting += of_node;
    }
    if (!waiting.empty()) {
        SC_REPORT_FATAL(
            deadlock_report_type,
            ("deadlock: frames wait, but no transmission has finished since " + to_text(m_last_activity) +
             ", which is longer than the longest pause; waiting:" + waiting)
                .c_str());
    }
}

}  // namespace weir::model
