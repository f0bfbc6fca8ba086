#include "weir/traffic/apps/scatter_gather_app.h"

#include <utility>

#include "weir/traffic/apps/query_app.h"

namespace weir::traffic {

scatter_gather_app::scatter_gather_app(std::shared_ptr<const workload_plan> plan, host_id self,
                                       bit_rate link_rate)
    : m_plan(std::move(plan)),
      m_arrivals(request_arrivals(*m_plan, self, link_rate)),
      m_aggregator(m_plan->stream(self, random_purpose::destinations)),
      m_priority(m_plan->stream(self, random_purpose::priorities)),
      m_to_racks(workload_plan::main_tag, m_plan->config()),
      m_to_workers(worker_tag, m_plan->config()) {}

double scatter_gather_app::response_bytes(const workload_config& config) {
    return static_cast<double>(config.scatter_gather.rack_bytes.count());
}

void scatter_gather_app::on_timer(application_services& services, std::uint64_t) {
    const std::uint64_t job = services.next_job();
    query& asked = m_queries.add(job);
    asked.start = services.now();
    asked.priority = m_plan->draw_priority(m_priority);
    for (const std::vector<host_id>& rack : m_plan->racks()) {
        const destination_set workers = destination_set::of(rack, services.self());
        if (workers.size() > 0) {
            ++asked.racks;
            m_to_racks.ask(services, workers.draw(m_aggregator), m_plan->config().scatter_gather.rack_bytes,
                           asked.priority, job);
        }
    }
    asked.racks_missing = asked.racks;
    m_arrivals.arm(services);
}

void scatter_gather_app::on_received(application_services& services, const received_transfer& transfer) {
    if (transfer.tag == workload_plan::main_tag && is_request(transfer)) {
        scatter_to_workers(services, transfer);
    } else if (const auto query = m_to_racks.on_received(services, transfer)) {
        rack_has_answered(services, *query);
    } else if (const auto gathering = m_to_workers.on_received(services, transfer)) {
        worker_has_answered(services, *gathering);
    }
}

void scatter_gather_app::scatter_to_workers(application_services& services, const received_transfer& request) {
    const destination_set workers =
        destination_set::of(m_plan->racks()[m_plan->rack_of(services.self())], services.self());
    if (workers.size() == 0) {
        answer_request(services, request);
        return;
    }
    m_gathers.add(request.job) = {request, workers.size()};
    for (std::uint32_t i = 0; i < workers.size(); ++i) {
        m_to_workers.ask(services, workers.at(i), m_plan->config().scatter_gather.worker_bytes,
                         request.priority, request.job);
    }
}

void scatter_gather_app::worker_has_answered(application_services& services, std::uint64_t job) {
    gather& of_rack = *m_gathers.find(job);
    if (--of_rack.workers_missing == 0) {
        const received_transfer request = of_rack.request;
        m_gathers.remove(job);
        answer_request(services, request);
    }
}

void scatter_gather_app::rack_has_answered(application_services& services, std::uint64_t job) {
    query& asked = *m_queries.find(job);
    if (--asked.racks_missing > 0) {
        return;
    }
    services.job_done(job_of(job, asked, services.self(), services.now()));
    m_queries.remove(job);
}

job_record scatter_gather_app::job_of(std::uint64_t job, const query& asked, host_id self,
                                      picoseconds end) const {
    const workload_config& config = m_plan->config();
    return {job,
            job_kind::scatter_gather,
            self,
            (config.request + config.scatter_gather.rack_bytes) * asked.racks,
            2 * asked.racks,
            asked.priority,
            workload_plan::aggregate_tag,
            asked.start,
            end};
}

void scatter_gather_app::list_open_jobs(std::vector<job_record>& open) const {
    m_queries.for_each(
        [&](std::uint64_t job, const query& asked) { open.push_back(job_of(job, asked, 0, never)); });
    m_to_racks.list_open_jobs(open);
    m_to_workers.list_open_jobs(open);
}

}  // namespace weir::traffic
