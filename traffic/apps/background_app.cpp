#include "weir/traffic/apps/background_app.h"

#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

background_app::background_app(std::shared_ptr<const workload_plan> plan, host_id self)
    : m_plan(std::move(plan)),
      m_targets(m_plan->background_targets(self)),
      m_destination(m_plan->background_stream(self, random_purpose::destinations)),
      m_phase(m_plan->background_stream(self, random_purpose::arrivals)) {}

void background_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    if (!m_plan->has_background(services.self())) {
        return;
    }
    const auto spread =
        static_cast<double>(transmission_time(config.background_bytes, services.link_rate()).count());
    for (std::uint32_t i = 0; i < config.background_flows; ++i) {
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
}

void background_app::start_flow(application_services& services) {
    const workload_config& config = m_plan->config();
    transfer_request request;
    request.dst = m_targets.draw(m_destination);
    request.flow_bytes = config.background_bytes;
    request.priority = config.background_priority;
    request.tag = m_plan->background_tag();
    request.flow = m_plan->background_numbers() + services.next_flow();
    request.job = m_plan->background_numbers() + services.next_job();
    services.start_transfer(request);
}

void background_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag == m_plan->background_tag()) {
        report_plain_flow(services, transfer);
    }
}

void background_app::on_sent(application_services& services, const transfer_request& transfer) {
    if (transfer.tag != m_plan->background_tag()) {
        return;
    }
    if (services.now() < m_plan->config().stop_time()) {
        start_flow(services);
    } else {
        --m_active;
    }
}

}  // namespace weir::traffic
