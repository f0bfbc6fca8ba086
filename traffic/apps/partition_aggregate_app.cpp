#include "weir/traffic/apps/partition_aggregate_app.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weir/traffic/apps/query_app.h"

namespace weir::traffic {

void draw_different(std::uint32_t count, std::uint32_t bound, random_stream& chance,
                    std::vector<std::uint32_t>& chosen) {
    chosen.clear();
    // Floyd: every subset has the same chance, and no table of all numbers is needed.
    for (std::uint32_t last = bound - count; last < bound; ++last) {
        const std::uint32_t n = chance.below(last + 1);
        const bool taken = std::find(chosen.begin(), chosen.end(), n) != chosen.end();
        chosen.push_back(taken ? last : n);
    }
    // The order of the requests shall not favour low numbers.
    for (std::uint32_t i = count; i > 1; --i) {
        std::swap(chosen[i - 1], chosen[chance.below(i)]);
    }
}

partition_aggregate_app::partition_aggregate_app(std::shared_ptr<const workload_plan> plan, host_id self,
                                                 bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_servers(m_plan->servers_for(self)),
      m_arrivals(request_arrivals(*m_plan, self, link_rate)),
      m_destination(m_plan->stream(self, random_purpose::destinations)),
      m_fan_out(m_plan->stream(self, random_purpose::sizes)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_queries(workload_plan::main_tag, m_plan->config()) {
    const auto& fan_out = m_plan->config().fan_out;
    m_chosen.reserve(std::min(*std::max_element(fan_out.begin(), fan_out.end()), m_servers.size()));
}

double partition_aggregate_app::response_bytes(const workload_config& config) {
    if (config.aggregate_total > 0_B) {
        return static_cast<double>(config.aggregate_total.count());
    }
    const double queries = std::accumulate(config.fan_out.begin(), config.fan_out.end(), 0.0);
    return queries / static_cast<double>(config.fan_out.size()) *
           static_cast<double>(config.aggregate_bytes.count());
}

bytes partition_aggregate_app::total_bytes(std::uint32_t queries) const {
    const workload_config& config = m_plan->config();
    return config.aggregate_total > 0_B ? config.aggregate_total : config.aggregate_bytes * queries;
}

void partition_aggregate_app::start(application_services& services) {
    m_arrivals.arm(services);
}

void partition_aggregate_app::on_timer(application_services& services, std::uint64_t) {
    const workload_config& config = m_plan->config();
    const std::uint64_t job = services.next_job();
    web_request& request = m_requests.add(job);
    request.start = services.now();
    request.queries = config.fan_out[m_fan_out.below(static_cast<std::uint32_t>(config.fan_out.size()))];
    request.responses_missing = request.queries;
    request.priority = m_plan->draw_priority(m_priority);
    const bytes total = total_bytes(request.queries);
    const std::int64_t one_more = total.count() % request.queries;
    for (std::uint32_t asked = 0; asked < request.queries;) {
        const std::uint32_t now = std::min(request.queries - asked, m_servers.size());
        draw_different(now, m_servers.size(), m_destination, m_chosen);
        for (const std::uint32_t server : m_chosen) {
            const bytes response = total / request.queries + bytes{asked < one_more ? 1 : 0};
            m_queries.ask(services, m_servers.at(server), response, request.priority, job);
            ++asked;
        }
    }
    m_arrivals.arm(services);
}

void partition_aggregate_app::on_received(application_services& services, const received_transfer& transfer) {
    const auto job = m_queries.on_received(services, transfer);
    if (!job) {
        return;
    }
    web_request& request = *m_requests.find(*job);
    if (--request.responses_missing > 0) {
        return;
    }
    services.job_done(job_of(*job, request, services.self(), services.now()));
    m_requests.remove(*job);
}

job_record partition_aggregate_app::job_of(std::uint64_t job, const web_request& request, host_id self,
                                           picoseconds end) const {
    const bytes both_ways = m_plan->config().request * request.queries + total_bytes(request.queries);
    return {job,
            job_kind::partition_aggregate,
            self,
            both_ways,
            2 * request.queries,
            request.priority,
            workload_plan::aggregate_tag,
            request.start,
            end};
}

void partition_aggregate_app::list_open_jobs(std::vector<job_record>& open) const {
    m_requests.for_each(
        [&](std::uint64_t job, const web_request& request) { open.push_back(job_of(job, request, 0, never)); });
    m_queries.list_open_jobs(open);
}

}  // namespace weir::traffic
