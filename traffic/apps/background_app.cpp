#include "weir/traffic/apps/background_app.h"

#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

/// Of `background_interarrival`.
static arrival_process background_arrivals(const workload_plan& plan, host_id self) {
    const workload_config& config = plan.config();
    const picoseconds interarrival = config.background.interarrival;
    arrival_spec spec;
    spec.start = config.start;
    spec.stop = config.stop_time();
    if (interarrival > 0_ps && plan.has_background(self)) {
        spec.rate = 1e12 / static_cast<double>(interarrival.count());
    } else {
        spec.kind = arrival_kind::none;
    }
    return {spec, plan.background_stream(self, random_purpose::arrivals)};
}

background_app::background_app(std::shared_ptr<const workload_plan> plan, host_id self)
    : m_plan(std::move(plan)),
      m_targets(m_plan->background_targets(self)),
      m_destination(m_plan->background_stream(self, random_purpose::destinations)),
      m_phase(m_plan->background_stream(self, random_purpose::arrivals)),
      m_size(m_plan->background_stream(self, random_purpose::sizes)),
      m_arrivals(background_arrivals(*m_plan, self)) {
    const bool by_rack = m_plan->config().background.rack_share && m_plan->has_background(self);
    for (std::uint32_t i = 0; by_rack && i < m_targets.size(); ++i) {
        const host_id target = m_targets.at(i);
        (m_plan->are_of_one_rack(self, target) ? m_near : m_far).push_back(target);
    }
}

// Where a rack has no other host, or the fabric no other rack, all flows go where there are some.
host_id background_app::draw_target() {
    const std::optional<double>& share = m_plan->config().background.rack_share;
    if (!share) {
        return m_targets.draw(m_destination);
    }
    const bool near = m_destination.uniform() < *share;
    const std::vector<host_id>& among = (near && !m_near.empty()) || m_far.empty() ? m_near : m_far;
    return among[m_destination.below(static_cast<std::uint32_t>(among.size()))];
}

void background_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    m_arrivals.arm(services);
    const auto spread =
        static_cast<double>(transmission_time(config.background.flow_bytes, services.link_rate()).count());
    const bool follow = m_plan->has_background(services.self());
    for (std::uint32_t i = 0; follow && i < config.background.flows; ++i) {
        const picoseconds first =
            config.start + picoseconds{static_cast<std::int64_t>(m_phase.uniform() * spread)};
        if (first < config.stop_time()) {
            services.set_timer(first, i);
            ++m_active;
        }
    }
}

void background_app::on_timer(application_services& services, std::uint64_t) {
    start_flow(services);
    if (m_plan->config().background.interarrival > 0_ps) {
        m_arrivals.arm(services);
    }
}

void background_app::start_flow(application_services& services) {
    const background_config& background = m_plan->config().background;
    transfer_request request;
    request.dst = draw_target();
    request.flow_bytes = m_plan->draw_background_size(m_size);
    request.priority = background.priority;
    request.transport = background.transport;
    request.tag = m_plan->background_tag();
    request.flow = m_plan->first_number_beside() + services.next_flow();
    request.job = m_plan->first_number_beside() + services.next_job();
    services.start_transfer(request);
}

void background_app::on_sent(application_services& services, const transfer_request& transfer) {
    if (transfer.tag != m_plan->background_tag() || m_active == 0) {
        return;
    }
    if (services.now() < m_plan->config().stop_time()) {
        start_flow(services);
    } else {
        --m_active;
    }
}

}  // namespace weir::traffic
