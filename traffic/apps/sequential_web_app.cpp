#include "weir/traffic/apps/sequential_web_app.h"

#include <utility>

#include "weir/traffic/apps/query_app.h"

namespace weir::traffic {

sequential_web_app::sequential_web_app(std::shared_ptr<const workload_plan> plan, host_id self,
                                       bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_servers(m_plan->servers_for(self)),
      m_arrivals(request_arrivals(*m_plan, self, link_rate)),
      m_request_seed(m_plan->stream(self, random_purpose::sizes)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_queries(workload_plan::main_tag, m_plan->config()) {}

double sequential_web_app::response_bytes(const workload_config& config) {
    return config.queries_per_request * mean_bytes(config.web_sizes);
}

void sequential_web_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void sequential_web_app::on_timer(application_services& services, std::uint64_t) {
    const workload_config& config = m_plan->config();
    const std::uint64_t job = services.next_job();
    web_request& request = m_requests.add(job);
    request.start = services.now();
    request.chance = random_stream{m_request_seed(), services.self(), random_purpose::destinations};
    request.queries_left = config.queries_per_request;
    request.priority = m_plan->draw_priority(m_priority);
    for (std::size_t i = 0; i < config.web_sizes.size(); ++i) {
        request.deck[i] = static_cast<std::uint16_t>(config.queries_per_request / config.web_sizes.size());
    }
    next_query(services, job, request);
    m_arrivals.arm(services);
}

bytes sequential_web_app::draw_size(web_request& request) const {
    const std::vector<bytes>& sizes = m_plan->config().web_sizes;
    if (m_plan->config().web_size_draw == request_sizes::independent) {
        return sizes[request.chance.below(static_cast<std::uint32_t>(sizes.size()))];
    }
    // One card of those that are left, each with the same chance.
    std::uint32_t card = request.chance.below(request.queries_left);
    std::size_t i = 0;
    while (card >= request.deck[i]) {
        card -= request.deck[i++];
    }
    --request.deck[i];
    return sizes[i];
}

sequential_web_app::drawn_query sequential_web_app::draw_query(web_request& request) const {
    const host_id dst = m_servers.draw(request.chance);
    const bytes response = draw_size(request);
    --request.queries_left;
    request.job_bytes += m_plan->config().request + response;
    return {dst, response};
}

void sequential_web_app::next_query(application_services& services, std::uint64_t job, web_request& request) {
    const drawn_query next = draw_query(request);
    m_queries.ask(services, next.dst, next.response, request.priority, job);
}

void sequential_web_app::on_received(application_services& services, const received_transfer& transfer) {
    const auto job = m_queries.on_received(services, transfer);
    if (!job) {
        return;
    }
    web_request& request = *m_requests.find(*job);
    if (request.queries_left > 0) {
        return next_query(services, *job, request);
    }
    services.job_done(job_of(*job, request, services.self(), services.now()));
    m_requests.remove(*job);
}

job_record sequential_web_app::job_of(std::uint64_t job, const web_request& request, host_id self,
                                      picoseconds end) const {
    return {job,
            job_kind::web_request,
            self,
            request.job_bytes,
            2 * m_plan->config().queries_per_request,
            request.priority,
            workload_plan::aggregate_tag,
            request.start,
            end};
}

void sequential_web_app::list_open_jobs(std::vector<job_record>& open) const {
    m_requests.for_each([&](std::uint64_t job, web_request request) {
        while (request.queries_left > 0) {
            draw_query(request);
        }
        open.push_back(job_of(job, request, 0, never));
    });
    m_queries.list_open_jobs(open);
}

}  // namespace weir::traffic
