#include "weir/traffic/apps/plain_flow_app.h"

#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

flow_process poisson_flows(const workload_plan& plan, bit_rate link_rate) {
    const workload_config& config = plan.config();
    flow_process source{{}, config.transport, std::nullopt};
    source.arrivals.start = config.start;
    source.arrivals.stop = config.stop_time();
    source.arrivals.rate = poisson_rate(config.load, plan.full_rate(link_rate), plan.mean_flow_bytes());
    return source;
}

flow_process bernoulli_datagrams(const workload_plan& plan, bit_rate link_rate) {
    const workload_config& config = plan.config();
    flow_process source{{}, datagram_transport, config.datagram};
    source.arrivals.kind = arrival_kind::bernoulli;
    source.arrivals.start = config.start;
    source.arrivals.stop = config.stop_time();
    source.arrivals.slot = config.slot == picoseconds{0} ? plan.datagram_time(link_rate) : config.slot;
    source.arrivals.probability = config.load;
    return source;
}

static arrival_spec no_arrivals() {
    arrival_spec none;
    none.kind = arrival_kind::none;
    return none;
}

plain_flow_app::plain_flow_app(std::shared_ptr<const workload_plan> plan, host_id self,
                               const flow_process& source)
    : m_plan(std::move(plan)),
      m_source(source),
      m_targets(m_plan->targets(self)),
      m_arrivals(arrival_process{m_plan->is_source(self) ? source.arrivals : no_arrivals(),
                                 m_plan->stream(self, random_purpose::arrivals)}),
      m_destination(m_plan->stream(self, random_purpose::destinations)),
      m_size(m_plan->stream(self, random_purpose::sizes)),
      m_priority(m_plan->stream(self, random_purpose::priorities)) {}

void plain_flow_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void plain_flow_app::on_timer(application_services& services, std::uint64_t) {
    transfer_request request;
    request.dst = m_targets.draw(m_destination);
    request.flow_bytes = m_source.flow_bytes ? *m_source.flow_bytes : m_plan->draw_flow_size(m_size);
    request.priority = m_plan->draw_priority(m_priority);
    request.tag = workload_plan::main_tag;
    request.transport = m_source.transport;
    request.flow = services.next_flow();
    request.job = services.next_job();
    services.start_transfer(request);
    m_arrivals.arm(services);
}

}  // namespace weir::traffic
