#include "weir/traffic/apps/query_exchange.h"

namespace weir::traffic {

void answer_request(application_services& services, const received_transfer& request) {
    transfer_request response;
    response.dst = request.src;
    response.flow_bytes = request.reply_bytes;
    response.priority = request.priority;
    response.tag = request.tag;
    response.transport = request.transport;
    response.flow = services.next_flow();
    response.job = request.job;
    services.start_transfer(response);
}

void query_exchange::ask(application_services& services, host_id dst, bytes response, pfc_class priority,
                         std::uint64_t parent) {
    transfer_request request;
    request.dst = dst;
    request.flow_bytes = m_request;
    request.priority = priority;
    request.tag = m_tag;
    request.transport = m_transport;
    request.flow = services.next_flow();
    request.job = services.next_job();
    request.reply_bytes = response;
    m_open.add(request.job) = {services.now(), parent, response, priority};
    services.start_transfer(request);
}

std::optional<std::uint64_t> query_exchange::on_received(application_services& services,
                                                         const received_transfer& transfer) {
    if (transfer.tag != m_tag) {
        return std::nullopt;
    }
    if (is_request(transfer)) {
        answer_request(services, transfer);
        return std::nullopt;
    }
    const open_query* found = m_open.find(transfer.job);
    if (found == nullptr) {
        return std::nullopt;
    }
    const open_query query = *found;
    m_open.remove(transfer.job);
    services.job_done({transfer.job, job_kind::query, services.self(), transfer.flow_bytes, 2,
                       transfer.priority, transfer.tag, query.start, services.now(), query.parent});
    return query.parent;
}

void query_exchange::list_open_jobs(std::vector<job_record>& open) const {
    m_open.for_each([&](std::uint64_t job, const open_query& query) {
        open.push_back({job, job_kind::query, 0, query.response, 2, query.priority, m_tag, query.start, never,
                        query.parent});
    });
}

}  // namespace weir::traffic
