#include "weir/traffic/apps/incast_app.h"

#include <utility>

namespace weir::traffic {

incast_app::incast_app(std::shared_ptr<const workload_plan> plan, host_id self)
    : m_self(self),
      m_plan(std::move(plan)),
      m_servers(destination_set::all_others(self, m_plan->hosts())),
      m_first_server(m_plan->stream(self, random_purpose::destinations)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_size(m_plan->stream(self, random_purpose::sizes)),
      m_delay(m_plan->stream(self, random_purpose::response_delays)),
      m_delays(m_plan->config().response_delay.delays()) {}

void incast_app::start(application_services& services) {
    const workload_config& config = m_plan->config();
    if (config.incast_all_to_all || services.self() == config.incast_target) {
        m_rounds_left = config.incast_rounds;
        services.set_timer(config.start, 0);
    }
}

void incast_app::on_timer(application_services& services, std::uint64_t flow) {
    const received_transfer* const unanswered = m_unanswered.find(flow);
    if (unanswered == nullptr) {
        begin_round(services);
        return;
    }
    const received_transfer request = *unanswered;
    m_unanswered.remove(flow);
    answer_request(services, request);
}

void incast_app::answer_later(application_services& services, const received_transfer& request) {
    m_unanswered.add(request.flow) = request;
    services.set_timer(services.now() + m_delays.draw(m_delay), request.flow);
}

bytes incast_app::equal_part(std::uint32_t response, std::uint32_t server) const {
    const bytes all = m_plan->config().incast_bytes;
    const std::uint32_t place = response - response % m_servers.size() + server;
    return all / responses() + bytes{place < all.count() % responses() ? 1 : 0};
}

void incast_app::begin_round(application_services& services) {
    const workload_config& config = m_plan->config();
    const std::uint32_t servers = m_servers.size();
    const std::uint32_t count = responses();
    m_round_start = services.now();
    m_job = services.next_job();
    m_responses_missing = count;
    m_round_bytes = config.request * count;
    // The requests leave one after another: a random server is asked first, so that none always wins.
    m_round_priority = m_plan->draw_priority(m_priority);
    const std::uint32_t first = m_first_server.below(servers);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t server = (first + i) % servers;
        transfer_request request;
        request.dst = m_servers.at(server);
        request.flow_bytes = config.request;
        request.priority = m_round_priority;
        request.tag = workload_plan::main_tag;
        request.transport = config.transport;
        request.flow = services.next_flow();
        request.job = m_job;
        request.reply_bytes =
            config.distribution.empty() ? equal_part(i, server) : m_plan->draw_flow_size(m_size);
        m_round_bytes += request.reply_bytes;
        services.start_transfer(request);
    }
}

void incast_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag != workload_plan::main_tag) {
        return;
    }
    if (is_request(transfer)) {
        return m_plan->config().response_delay.mean > 0_ps ? answer_later(services, transfer)
                                                           : answer_request(services, transfer);
    }
    if (m_responses_missing == 0 || transfer.job != m_job || --m_responses_missing > 0) {
        return;
    }
    const workload_config& config = m_plan->config();
    services.job_done(round(services.now()));
    --m_rounds_left;
    if (services.now() >= config.stop_time()) {
        m_rounds_left = 0;
    }
    if (m_rounds_left > 0) {
        begin_round(services);
    }
}

job_record incast_app::round(picoseconds end) const {
    return {m_job,
            job_kind::incast_round,
            m_self,
            m_round_bytes,
            2 * responses(),
            m_round_priority,
            workload_plan::main_tag,
            m_round_start,
            end};
}

void incast_app::list_open_jobs(std::vector<job_record>& open) const {
    if (m_responses_missing > 0) {
        open.push_back(round(never));
    }
}

static workload_end end_of_incast(const workload_config& config) {
    workload_end end;
    // Of drawn sizes nothing is known here.
    end.least_bytes = config.distribution.empty()
                          ? static_cast<double>(config.incast_bytes.count()) *
                                static_cast<double>(config.stop > 0_ps ? 1 : config.incast_rounds)
                          : 0;
    end.least_key = "traffic.incast_bytes";
    end.needs_all_hosts = true;
    if (!config.incast_all_to_all) {
        end.centre = config.incast_target;
    }
    return end;
}

workload_traits incast_workload() {
    workload_traits traits;
    traits.make = make_application<incast_app>;
    traits.tags = {"incast"};
    traits.largest_size = largest_reply;
    traits.end = end_of_incast;
    traits.closed_loop = [](const workload_config& config) -> std::string {
        return config.incast_rounds > 1 ? "each round starts when the one before is complete" : "";
    };
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
