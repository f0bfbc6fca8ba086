#include "weir/traffic/apps/bernoulli_app.h"

#include <utility>

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

namespace {

arrival_spec slot_arrivals(const workload_plan& plan, bit_rate link_rate) {
    const workload_config& config = plan.config();
    arrival_spec spec;
    spec.kind = arrival_kind::bernoulli;
    spec.start = config.start;
    spec.stop = config.stop_time();
    spec.slot = config.slot == picoseconds{0} ? plan.datagram_time(link_rate) : config.slot;
    spec.probability = config.load;
    return spec;
}

}  // namespace

bernoulli_app::bernoulli_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_targets(destination_set::all_others(self, m_plan->hosts())),
      m_arrivals(
          arrival_process{slot_arrivals(*m_plan, link_rate), m_plan->stream(self, random_purpose::arrivals)}),
      m_destination(m_plan->stream(self, random_purpose::destinations)),
      m_priority(m_plan->stream(self, random_purpose::priorities)) {}

void bernoulli_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void bernoulli_app::on_timer(application_services& services, std::uint64_t) {
    transfer_request request;
    request.dst = m_targets.draw(m_destination);
    request.flow_bytes = m_plan->config().datagram;
    request.priority = m_plan->draw_priority(m_priority);
    request.tag = workload_plan::main_tag;
    request.transport = transport_kind::udp;
    request.flow = services.next_flow();
    request.job = services.next_job();
    services.start_transfer(request);
    m_arrivals.arm(services);
}

void bernoulli_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag == workload_plan::main_tag) {
        report_plain_flow(services, transfer);
    }
}

}  // namespace weir::traffic
