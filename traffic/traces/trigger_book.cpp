#include "weir/traffic/traces/trigger_book.h"

#include <algorithm>
#include <limits>

#include "weir/base/how_many.h"

namespace weir::traffic {

namespace {

std::string name_of(trigger_id id) {
    return "trigger " + std::to_string(id);
}

}  // namespace

bool trigger_book::define(trace_trigger trigger, int line) {
    entry& e = m_entries[trigger.id];
    if (e.defined_at != 0) {
        return false;
    }
    e.trigger = trigger;
    e.defined_at = line;
    ++m_defined;
    return true;
}

void trigger_book::use(entry& e, host_id host, int line) {
    if (e.first_use == 0) {
        e.first_use = line;
        e.host = host;
    } else if (host != e.host && e.other_host_at == 0) {
        e.other_host = host;
        e.other_host_at = line;
    }
}

void trigger_book::add_flow(const trace_flow& flow, int line) {
    const auto fire = [&](trigger_id id, host_id host) {
        if (id != no_trigger) {
            entry& e = m_entries[id];
            use(e, host, line);
            ++e.firing_flows;
            e.fired_by_started += flow.trigger == no_trigger ? 1 : 0;
        }
    };
    fire(flow.fires, flow.src);
    fire(flow.fires_received, flow.dst);
    if (flow.trigger != no_trigger) {
        entry& e = m_entries[flow.trigger];
        use(e, flow.src, line);
        e.waiting.push_back({flow.fires, flow.fires_received});
    }
}

std::map<trigger_id, std::uint64_t> trigger_book::reach() const {
    std::map<trigger_id, std::uint64_t> fired;
    std::map<trigger_id, std::uint64_t> started;
    std::vector<trigger_id> todo;
    for (const auto& [id, e] : m_entries) {
        fired[id] = e.fired_by_started;
        todo.push_back(id);
    }
    while (!todo.empty()) {
        const trigger_id id = todo.back();
        todo.pop_back();
        const entry& e = m_entries.at(id);
        const std::uint64_t all = e.waiting.size();
        const bool multishot = e.trigger.kind == trigger_kind::multishot;
        const std::uint64_t needed = e.trigger.kind == trigger_kind::barrier ? e.trigger.count : 1;
        const std::uint64_t now = multishot ? std::min(fired[id], all) : (fired[id] >= needed ? all : 0);
        for (std::uint64_t& w = started[id]; w < now; ++w) {
            for (const trigger_id next : {e.waiting[w].fires, e.waiting[w].fires_received}) {
                if (next != no_trigger) {
                    ++fired[next];
                    todo.push_back(next);
                }
            }
        }
    }
    return started;
}

std::vector<trigger_book::problem> trigger_book::check(bool across_hosts_allowed) const {
    std::vector<problem> problems;
    const std::map<trigger_id, std::uint64_t> started = reach();
    for (const auto& [id, e] : m_entries) {
        const std::string name = name_of(id);
        if (e.defined_at == 0) {
            problems.push_back({e.first_use, name + " is not defined; expected one with a line 'trigger id " +
                                                 std::to_string(id) + " ...'"});
            continue;
        }
        const std::uint64_t most = e.trigger.kind == trigger_kind::multishot
                                       ? std::numeric_limits<std::uint64_t>::max()
                                       : (e.trigger.kind == trigger_kind::barrier ? e.trigger.count : 1);
        if (e.firing_flows > most) {
            problems.push_back({e.defined_at, name + " is fired by " + how_many(e.firing_flows, "flow") +
                                                  "; expected " + std::to_string(most)});
        }
        if (e.other_host_at != 0 && !e.waiting.empty() && e.firing_flows > 0 && !across_hosts_allowed) {
            problems.push_back(
                {e.other_host_at, name + " links hosts " + std::to_string(e.host) + " and " +
                                      std::to_string(e.other_host) +
                                      ", but one host cannot react to another without delay; expected " +
                                      "triggers within one host, or traffic.trigger_delay > 0"});
        }
        if (started.at(id) < e.waiting.size()) {
            problems.push_back({e.first_use, std::to_string(e.waiting.size() - started.at(id)) + " of " +
                                                 how_many(e.waiting.size(), "flow") + " that wait for " + name +
                                                 " never start; expected a flow that fires it in every case"});
        }
    }
    return problems;
}

std::vector<trace_trigger> trigger_book::triggers() const {
    std::vector<trace_trigger> all;
    for (const auto& [id, e] : m_entries) {
        if (e.defined_at != 0) {
            all.push_back(e.trigger);
        }
    }
    return all;
}

}  // namespace weir::traffic
