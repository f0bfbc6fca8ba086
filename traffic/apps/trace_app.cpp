#include "weir/traffic/apps/trace_app.h"

#include <algorithm>
#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

namespace {

/// For the standard heap functions, which put the largest first.
bool starts_after(const trace_flow& a, const trace_flow& b) {
    return starts_before(b, a);
}

}  // namespace

const trace_trigger* trigger_board::find(trigger_id trigger) const {
    const auto at = std::lower_bound(m_triggers->begin(), m_triggers->end(), trigger,
                                     [](const trace_trigger& t, trigger_id id) { return t.id < id; });
    return at != m_triggers->end() && at->id == trigger ? &*at : nullptr;
}

void trigger_board::wait(const trace_flow& flow) {
    m_entries[flow.trigger].flows.push_back(flow);
    ++m_waiting;
}

void trigger_board::fire(trigger_id trigger, std::vector<trace_flow>& starting) {
    entry& e = m_entries[trigger];
    ++e.fired;
    const trace_trigger* defined = find(trigger);
    const trigger_kind kind = defined != nullptr ? defined->kind : trigger_kind::oneshot;
    if (kind == trigger_kind::barrier && e.fired < defined->count) {
        return;
    }
    const std::size_t left = e.flows.size() - e.started;
    const std::size_t now = kind == trigger_kind::multishot ? std::min<std::size_t>(left, 1) : left;
    for (std::size_t i = 0; i < now; ++i) {
        starting.push_back(e.flows[e.started++]);
    }
    m_waiting -= now;
    if (e.started == e.flows.size()) {
        m_entries.erase(trigger);
    }
}

trace_app::trace_app(std::shared_ptr<const workload_plan> plan, host_id)
    : m_plan(std::move(plan)), m_board(m_plan->inputs().triggers) {}

void trace_app::add(const trace_flow& flow) {
    if (flow.trigger != no_trigger && !m_plan->inputs().triggers_across_hosts) {
        m_board.wait(flow);
        return;
    }
    m_flows.push_back(flow);
    std::push_heap(m_flows.begin(), m_flows.end(), starts_after);
    arm();
}

void trace_app::expect(const trace_flow& flow) {
    if (flow.fires_received != no_trigger) {
        m_fire_when_received.emplace(flow.flow, flow.fires_received);
    }
}

void trace_app::arm() {
    if (m_services != nullptr && next_start() < m_armed) {
        m_armed = next_start();
        m_services->set_timer(m_armed, 0);
    }
}

void trace_app::start(application_services& services) {
    m_services = &services;
    arm();
}

void trace_app::on_timer(application_services& services, std::uint64_t) {
    if (m_armed <= services.now()) {
        m_armed = never;
    }
    while (next_start() <= services.now()) {
        const trace_flow flow = m_flows.front();
        std::pop_heap(m_flows.begin(), m_flows.end(), starts_after);
        m_flows.pop_back();
        start_flow(services, flow);
    }
    arm();
}

void trace_app::start_flow(application_services& services, const trace_flow& flow) {
    if (flow.fires != no_trigger) {
        m_fire_when_sent.emplace(flow.flow, flow.fires);
    }
    transfer_request request;
    request.dst = flow.dst;
    request.flow_bytes = bytes{static_cast<std::int64_t>(flow.flow_bytes)};
    request.priority = flow.priority;
    request.tag = flow.tag;
    request.transport = m_plan->config().transport;
    request.flow = flow.flow;
    request.job = flow.flow;
    services.start_transfer(request);
}

void trace_app::on_received(application_services& services, const received_transfer& transfer) {
    complete(services, m_fire_when_received, transfer.flow);
}

void trace_app::on_sent(application_services& services, const transfer_request& transfer) {
    complete(services, m_fire_when_sent, transfer.flow);
}

void trace_app::complete(application_services& services, firing_flows& flows, std::uint64_t flow) {
    const auto found = flows.find(flow);
    if (found == flows.end()) {
        return;
    }
    const trigger_id trigger = found->second;
    flows.erase(found);
    if (m_plan->inputs().triggers_across_hosts) {
        m_firings.push_back({services.now(), trigger});
        return;
    }
    std::vector<trace_flow> starting;
    m_board.fire(trigger, starting);
    for (const trace_flow& next : starting) {
        start_flow(services, next);
    }
}

}  // namespace weir::traffic
