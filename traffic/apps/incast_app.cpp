#include "weir/traffic/apps/incast_app.h"

#include <utility>

namespace weir::traffic {

incast_app::incast_app(std::shared_ptr<const workload_plan> plan, host_id self)
    : m_plan(std::move(plan)),
      m_servers(destination_set::all_others(self, m_plan->hosts())),
      m_first_server(m_plan->stream(self, random_purpose::destinations)),
      m_priority(m_plan->stream(self, random_purpose::priorities)) {}

void incast_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    if (services.self() == config.incast_target) {
        m_rounds_left = config.incast_rounds;
        services.set_timer(config.start, 0);
    }
}

void incast_app::on_timer(application_services& services, std::uint64_t) {
    begin_round(services);
}

void incast_app::begin_round(application_services& services) {
    const workload_config& config = m_plan->config();
    const std::uint32_t servers = m_servers.size();
    const std::uint32_t count = responses();
    m_round_start = services.now();
    m_job = services.next_job();
    m_responses_missing = count;
    // The requests leave one after another: a random server is asked first, so that none always wins.
    const pfc_class priority = m_plan->draw_priority(m_priority);
    const std::uint32_t first = m_first_server.below(servers);
    const std::int64_t one_more = config.incast_bytes.count() % count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t server = (first + i) % servers;
        transfer_request request;
        request.dst = m_servers.at(server);
        request.flow_bytes = config.request;
        request.priority = priority;
        request.tag = workload_plan::main_tag;
        request.transport = config.transport;
        request.flow = services.next_flow();
        request.job = m_job;
        request.reply_bytes = config.incast_bytes / count + bytes{i - i % servers + server < one_more ? 1 : 0};
        services.start_transfer(request);
    }
}

void incast_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag != workload_plan::main_tag) {
        return;
    }
    if (is_request(transfer)) {
        return answer_request(services, transfer);
    }
    if (m_responses_missing == 0 || transfer.job != m_job || --m_responses_missing > 0) {
        return;
    }
    const workload_config& config = m_plan->config();
    const std::uint32_t count = responses();
    services.job_done({m_job, job_kind::incast_round, services.self(),
                       config.incast_bytes + config.request * count, 2 * count, transfer.priority, transfer.tag,
                       m_round_start, services.now()});
    --m_rounds_left;
    if (services.now() >= config.stop_time()) {
        m_rounds_left = 0;
    }
    if (m_rounds_left > 0) {
        begin_round(services);
    }
}

static workload_end end_of_incast(const workload_config& config) {
    workload_end end;
    end.least_bytes = static_cast<double>(config.incast_bytes.count()) *
                      static_cast<double>(config.stop > 0_ps ? 1 : config.incast_rounds);
    end.least_key = "traffic.incast_bytes";
    end.needs_all_hosts = true;
    end.centre = config.incast_target;
    return end;
}

workload_traits incast_workload() {
    workload_traits traits;
    traits.make = make_application<incast_app>;
    traits.tags = {"incast"};
    traits.end = end_of_incast;
    traits.check = [](const workload_config& config, host_id hosts, range_check& check) {
        check.within("incast_target", config.incast_target, field_range<host_id>{0, hosts - 1});
        check.within("incast_bytes", config.incast_bytes,
                     field_range{bytes{hosts - 1} * config.incast_flows, largest_reply * (hosts - 1)});
        check.require((hosts - 1) <= UINT32_MAX / 2 / config.incast_flows, "incast_flows", config.incast_flows,
                      "at most {}", UINT32_MAX / 2 / (hosts - 1));
    };
    return traits;
}

}  // namespace weir::traffic
