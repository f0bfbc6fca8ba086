#include "weir/traffic/apps/background_app.h"

#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

void stream_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    m_done = services.self() != config.stream.source;
    if (!m_done) {
        services.set_timer(config.start, 0);
    }
}

void stream_app::on_timer(application_services& services, std::uint64_t) {
    const stream_config& stream = m_plan->config().stream;
    m_done = true;
    transfer_request request;
    request.dst = stream.destination;
    request.flow_bytes = m_plan->datagrams_until_stop(services.now(), stream.rate);
    request.priority = stream.priority;
    request.tag = m_plan->stream_tag();
    request.transport = datagram_transport;
    request.flow = m_plan->first_number_beside() + services.next_flow();
    request.job = m_plan->first_number_beside() + services.next_job();
    request.udp_rate = stream.rate;
    services.start_transfer(request);
}

}  // namespace weir::traffic
