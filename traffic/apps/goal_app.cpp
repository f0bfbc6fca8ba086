#include "weir/traffic/apps/goal_app.h"

#include <algorithm>

#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {

namespace {

/// Cookies of timers: a CPU's number, or this.
constexpr std::uint64_t start_cookie = ~std::uint64_t{0};

/// Of a vector along a tree.
constexpr std::int64_t most_pieces = 1'000'000;

constexpr std::uint8_t message_tag = 0;
constexpr std::uint8_t rendezvous_tag = 1;
constexpr std::uint8_t rank_tag = 2;

bytes length_of(const goal_operation& operation) {
    return std::max(1_B, bytes{static_cast<std::int64_t>(operation.amount)});
}

/// A number that is there, or 0 and there from now on.
std::uint32_t& count_at(number_table<std::uint32_t>& table, std::uint32_t number) {
    std::uint32_t* const known = table.find(number);
    return known != nullptr ? *known : table.add(number) = 0;
}

}  // namespace

goal_app::goal_app(std::shared_ptr<const workload_plan> plan, host_id self)
    : m_plan(std::move(plan)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_rank(m_plan->rank_on(self)) {
    if (m_rank == workload_plan::no_rank) {
        return;
    }
    m_first = schedule().first(m_rank);
    m_left = schedule().first(m_rank + 1) - m_first;
    m_cpus.resize(schedule().cpus());
    for (goal_index i = m_first; i < m_first + m_left; ++i) {
        const goal_operation& operation = schedule()[i];
        m_requirements.push_back(operation.requirements);
        m_ended.push_back(false);
        m_bytes += operation.kind == goal_kind::calc ? 0_B : length_of(operation);
    }
}

bool goal_app::is_eager(goal_index operation) const {
    return length_of(schedule()[operation]) <= m_plan->config().program.eager_limit;
}

void goal_app::start(application_services& services) {
    if (m_left > 0) {
        services.set_timer(m_plan->config().start, start_cookie);
    }
}

void goal_app::on_timer(application_services& services, std::uint64_t cookie) {
    if (cookie == start_cookie) {
        m_has_begun = true;
        for (goal_index i = 0; i < m_requirements.size(); ++i) {
            if (m_requirements[i] == 0) {
                m_freed.push_back(m_first + i);
            }
        }
    } else {
        cpu& used = m_cpus[cookie];
        used.is_busy = false;
        finish(services, used.present);
    }
    advance(services);
}

void goal_app::release(goal_index operation, goal_event event) {
    schedule().for_each_waiting(operation, event, [&](goal_index waiting) {
        if (--m_requirements[waiting - m_first] == 0) {
            m_freed.push_back(waiting);
        }
    });
}

void goal_app::advance(application_services& services) {
    do {
        while (!m_freed.empty()) {
            begin_freed(services);
        }
    } while (use_cpus(services));
}

// Those that one event has freed: sends first, then receives, then computations, as LogGOPSim does it.
void goal_app::begin_freed(application_services& services) {
    const std::vector<goal_index> freed = [this] {
        std::vector<goal_index> taken;
        taken.swap(m_freed);
        std::stable_sort(taken.begin(), taken.end(), [this](goal_index a, goal_index b) {
            return schedule()[a].kind < schedule()[b].kind;
        });
        return taken;
    }();
    for (const goal_index operation : freed) {
        const goal_operation& what = schedule()[operation];
        if (what.kind != goal_kind::recv) {
            cpu_of(operation).waiting.push_back(operation);
            continue;
        }
        release(operation, goal_event::start);
        if (const auto arrived = m_matching.post({what.peer, what.tag}, operation)) {
            take(services, operation, *arrived);
        }
    }
}

/// False if none of them has anything to begin.
bool goal_app::use_cpus(application_services& services) {
    for (std::size_t i = 0; i < m_cpus.size(); ++i) {
        cpu& used = m_cpus[i];
        std::deque<goal_index>& queue = used.received.empty() ? used.waiting : used.received;
        if (!used.is_busy && !queue.empty()) {
            const work next{queue.front(), !used.received.empty()};
            queue.pop_front();
            begin(services, i, next);
            return true;
        }
    }
    return false;
}

void goal_app::begin(application_services& services, std::size_t number, const work& next) {
    const goal_operation& operation = schedule()[next.operation];
    if (!next.is_received) {
        release(next.operation, goal_event::start);
    }
    const picoseconds time = operation.kind == goal_kind::calc
                                 ? static_cast<std::int64_t>(operation.amount) * 1ns
                                 : m_plan->config().program.overhead;
    if (time == 0_ps) {
        return finish(services, next);
    }
    m_cpus[number].is_busy = true;
    m_cpus[number].present = next;
    services.set_timer(services.now() + time, number);
}

void goal_app::finish(application_services& services, const work& done) {
    if (!done.is_received && schedule()[done.operation].kind == goal_kind::send) {
        transmit(services, done.operation);
    } else {
        end(services, done.operation);
    }
}

void goal_app::transmit(application_services& services, goal_index send) {
    const goal_operation& operation = schedule()[send];
    if (operation.peer == m_rank) {
        arrive(services, m_rank, {send, false, 0});
        return end(services, send);
    }
    const std::uint32_t order = count_at(m_sent_to, operation.peer)++;
    const pfc_class priority = m_plan->draw_priority(m_priority);
    if (is_eager(send)) {
        return send_in_turn(services, {send, priority, order});
    }
    send_part(services, send, part::request, priority, order);
}

/// To the other side: of the message's sender, or of its receiver.
void goal_app::send_part(application_services& services, goal_index send, part which, pfc_class priority,
                         std::uint32_t order) {
    const std::uint32_t peer = which == part::answer ? schedule().rank_of(send) : schedule()[send].peer;
    transfer_request request;
    request.dst = m_plan->host_of(peer);
    request.flow_bytes = which == part::message ? length_of(schedule()[send]) : rendezvous_bytes;
    request.priority = priority;
    request.tag = which == part::message ? message_tag : rendezvous_tag;
    request.transport = m_plan->config().transport;
    request.flow = std::uint64_t{static_cast<std::uint8_t>(which)} * schedule().size() + send;
    request.job = m_rank;
    request.reply_bytes = bytes{order};
    ++m_transfers;
    services.start_transfer(request);
}

void goal_app::on_received(application_services& services, const received_transfer& transfer) {
    const auto send = static_cast<goal_index>(transfer.flow % schedule().size());
    const auto which = static_cast<part>(transfer.flow / schedule().size());
    if (which == part::answer) {
        send_in_turn(services, {send, transfer.priority, 0});
    } else if (which == part::request || is_eager(send)) {
        arrive_in_order(services, m_plan->rank_on(transfer.src),
                        static_cast<std::uint32_t>(transfer.reply_bytes.count()),
                        {send, which == part::request, transfer.priority});
    } else {
        const goal_index receive = *m_answered.find(send);
        m_answered.remove(send);
        cpu_of(receive).received.push_back(receive);
    }
    advance(services);
}

std::optional<std::uint32_t> goal_app::line_of(goal_index send) const {
    if (m_plan->config().program.turns == message_turns::in_turn) {
        return m_rank;
    }
    return is_eager(send) ? std::nullopt : std::optional{schedule()[send].peer};
}

void goal_app::send_in_turn(application_services& services, const waiting_message& message) {
    const auto line = line_of(message.send);
    if (line) {
        m_lines[*line].push_back(message);
    }
    if (!line || m_lines[*line].size() == 1) {
        send_message(services, message);
    }
}

void goal_app::send_message(application_services& services, const waiting_message& message) {
    send_part(services, message.send, part::message, message.priority, message.order);
    if (is_eager(message.send)) {
        end(services, message.send);
    }
}

void goal_app::on_sent(application_services& services, const transfer_request& transfer) {
    if (transfer.flow < schedule().size()) {
        const auto send = static_cast<goal_index>(transfer.flow);
        if (const auto line = line_of(send)) {
            std::deque<waiting_message>& queue = m_lines[*line];
            queue.pop_front();
            if (!queue.empty()) {
                send_message(services, queue.front());
            }
        }
        if (!is_eager(send)) {
            end(services, send);
        }
        advance(services);
    }
}

void goal_app::arrive_in_order(application_services& services, std::uint32_t src, std::uint32_t order,
                               const arrival& arrived) {
    if (order != count_at(m_come_from, src)) {
        m_early.insert({{src, order}, arrived});
        return;
    }
    arrive(services, src, arrived);
    std::uint32_t next = ++count_at(m_come_from, src);
    for (auto early = m_early.find({src, next}); early != m_early.end(); early = m_early.find({src, next})) {
        arrive(services, src, early->second);
        m_early.erase(early);
        next = ++count_at(m_come_from, src);
    }
}

void goal_app::arrive(application_services& services, std::uint32_t src, const arrival& arrived) {
    const message_envelope envelope{src, schedule()[arrived.send].tag};
    if (const auto receive = m_matching.arrive(envelope, arrived)) {
        take(services, *receive, arrived);
    }
}

void goal_app::take(application_services& services, goal_index receive, const arrival& arrived) {
    if (arrived.is_request) {
        m_answered.add(arrived.send) = receive;
        send_part(services, arrived.send, part::answer, arrived.priority);
    } else {
        cpu_of(receive).received.push_back(receive);
    }
}

std::string goal_app::waits_for() const {
    const auto first = std::find(m_ended.begin(), m_ended.end(), false);
    if (first == m_ended.end()) {
        return {};
    }
    const auto place = static_cast<goal_index>(first - m_ended.begin());
    const bool may_be_answered = schedule()[m_first + place].kind == goal_kind::send;
    return "rank " + std::to_string(m_rank) + ": " + operation_text(schedule()[m_first + place]) +
           " (operation " + std::to_string(place + 1) + " of the rank)" +
           (may_be_answered ? ", whose receive is not posted: ranks may wait for each other, which a larger "
                              "traffic.eager_limit would end"
                            : "");
}

void goal_app::end(application_services& services, goal_index operation) {
    m_ended[operation - m_first] = true;
    release(operation, goal_event::end);
    if (--m_left == 0) {
        services.job_done(job(services.self(), services.now()));
    }
}

job_record goal_app::job(host_id self, picoseconds end) const {
    const workload_config& config = m_plan->config();
    return {m_rank,   job_kind::rank, self, m_bytes, m_transfers, config.priorities.front(),
            rank_tag, config.start,   end};
}

void goal_app::list_open_jobs(std::vector<job_record>& open) const {
    if (m_left > 0 && m_has_begun) {
        open.push_back(job(0, never));
    }
}

workload_traits goal_workload() {
    workload_traits traits;
    traits.make = make_application<goal_app>;
    traits.tags = {"message", "rendezvous", "rank"};
    traits.carried = carriage::any;
    traits.runs_program = true;
    traits.numbers_itself = true;
    traits.end = [](const workload_config&) { return workload_end{}; };
    // Every fabric gets the messages of the schedule. How long they and the program take is the result.
    traits.closed_loop = is_open_loop;
    traits.check = [](const workload_config& config, host_id hosts, range_check& check) {
        const program_config& program = config.program;
        const std::int64_t pieces = program.message_bytes / program.piece_bytes;
        check.require(!programs()[program.kind].cuts_pieces || pieces <= most_pieces, "program_piece",
                      program.piece_bytes, "at least {program_bytes} / {}", most_pieces);
        check.require(!programs()[program.kind].iterate || program.ranks.value_or(hosts) <= hosts, "ranks",
                      config.program.ranks, "up to {}, the number of hosts", hosts);
        check.refuse(config.stop > 0_ps && !config.background.is_on() && !config.stream.is_on(), "stop",
                     "has no effect on a program, which runs to its end; expected 0s, or {run.duration}");
    };
    return traits;
}

}  // namespace weir::traffic
