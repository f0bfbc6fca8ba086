// A query: a request that says how long its response shall be, and the response, with one job
// number for both. The requester's side and the server's side of it, shared by the query applications.
//
//   query_exchange queries{tag, config};
//   queries.ask(services, dst, 8_KB, priority, parent);
//   if (auto parent = queries.on_received(services, transfer)) { ... }   // a query of ours is complete
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/workload_config.h"

namespace weir::traffic {

/// A transfer that asks for a response is a request.
inline bool is_request(const received_transfer& transfer) {
    return transfer.reply_bytes > bytes{0};
}
/// Starts the response: same job, priority and tag.
void answer_request(application_services& services, const received_transfer& request);

class query_exchange {
 public:
    query_exchange(std::uint8_t tag, const workload_config& config)
        : m_tag(tag), m_transport(config.transport), m_request(config.request) {}

    /// Sends a request. `parent`, the job that it is a part of or
    /// `job_record::no_job`, is given back when the response is here.
    void ask(application_services& services, host_id dst, bytes response, pfc_class priority,
             std::uint64_t parent);
    /// Answers a request; or reports the query whose response has come (`job_kind::query`) and returns its
    /// parent. Transfers with other tags are ignored.
    std::optional<std::uint64_t> on_received(application_services& services, const received_transfer& transfer);

    /// Appends the queries that wait for their response, as `application::list_open_jobs`.
    void list_open_jobs(std::vector<job_record>& open) const;
    /// Queries that wait for their response.
    std::size_t open() const { return m_open.size(); }
    std::size_t capacity() const { return m_open.capacity(); }

 private:
    struct open_query {
        picoseconds start{0};
        std::uint64_t parent = 0;
        bytes response{0};
        pfc_class priority = 0;
    };
    std::uint8_t m_tag;
    transport_kind m_transport;
    bytes m_request;
    number_table<open_query> m_open;
};

}  // namespace weir::traffic
