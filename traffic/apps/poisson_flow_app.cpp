#include "weir/traffic/apps/poisson_flow_app.h"

#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

namespace {

arrival_spec flow_arrivals(const workload_plan& plan, bit_rate link_rate) {
    arrival_spec spec;
    spec.start = plan.config().start;
    spec.stop = plan.config().stop_time();
    spec.rate = poisson_rate(plan.config().load, link_rate, plan.mean_flow_bytes());
    return spec;
}

}  // namespace

poisson_flow_app::poisson_flow_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_targets(destination_set::all_others(self, m_plan->hosts())),
      m_arrivals(
          arrival_process{flow_arrivals(*m_plan, link_rate), m_plan->stream(self, random_purpose::arrivals)}),
      m_destination(m_plan->stream(self, random_purpose::destinations)),
      m_size(m_plan->stream(self, random_purpose::sizes)),
      m_priority(m_plan->stream(self, random_purpose::priorities)) {}

void poisson_flow_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void poisson_flow_app::on_timer(application_services& services, std::uint64_t) {
    transfer_request request;
    request.dst = m_targets.draw(m_destination);
    request.flow_bytes = m_plan->draw_flow_size(m_size);
    request.priority = m_plan->draw_priority(m_priority);
    request.tag = workload_plan::main_tag;
    request.transport = m_plan->config().transport;
    request.flow = services.next_flow();
    request.job = services.next_job();
    services.start_transfer(request);
    m_arrivals.arm(services);
}

void poisson_flow_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag == workload_plan::main_tag) {
        report_plain_flow(services, transfer);
    }
}

}  // namespace weir::traffic
