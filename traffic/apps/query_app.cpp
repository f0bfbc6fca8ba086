#include "weir/traffic/apps/query_app.h"

#include <utility>

namespace weir::traffic {

arrival_timer request_arrivals(const workload_plan& plan, host_id self, bit_rate link_rate) {
    const workload_config& config = plan.config();
    random_stream chance = plan.stream(self, random_purpose::arrivals);
    picoseconds phase{0};
    if (config.burst_stagger && config.burst_period > picoseconds{0}) {
        const double shift = chance.uniform() * static_cast<double>(config.burst_period.count());
        phase = picoseconds{static_cast<std::int64_t>(shift)};
    }
    return arrival_timer{arrival_process{plan.request_arrivals(self, phase, link_rate), chance}};
}

query_app::query_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_servers(m_plan->servers_for(self)),
      m_arrivals(request_arrivals(*m_plan, self, link_rate)),
      m_destination(m_plan->stream(self, random_purpose::destinations)),
      m_size(m_plan->stream(self, random_purpose::sizes)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_queries(workload_plan::main_tag, m_plan->config()) {}

double query_app::response_bytes(const workload_config& config) {
    return mean_bytes(config.sizes);
}

void query_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void query_app::on_timer(application_services& services, std::uint64_t) {
    const std::vector<bytes>& sizes = m_plan->config().sizes;
    const host_id dst = m_servers.draw(m_destination);
    const bytes size = sizes[m_size.below(static_cast<std::uint32_t>(sizes.size()))];
    m_queries.ask(services, dst, size, m_plan->draw_priority(m_priority), job_record::no_job);
    m_arrivals.arm(services);
}

void query_app::on_received(application_services& services, const received_transfer& transfer) {
    m_queries.on_received(services, transfer);
}

}  // namespace weir::traffic
