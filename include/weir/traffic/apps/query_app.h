// Queries (DeTail TR 8.1.1): each front end asks random servers for responses of random sizes, at the
// times of an arrival process. Steady, bursty, mixed and prioritised workloads are this application with
// other numbers. Every server answers.
//
// What a host asks, whom and when depends on the seed alone, not on how the network does: two runs that
// differ in the switch see the same queries.
#pragma once

#include <memory>

#include "weir/traffic/apps/query_exchange.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class query_app final : public application {
 public:
    query_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);
    /// What the responses to one request carry on average. Unit: B.
    static double response_bytes(const workload_config& config);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return m_arrivals.done() && m_queries.open() == 0; }
    void list_open_jobs(std::vector<job_record>& open) const override { m_queries.list_open_jobs(open); }

    /// Queries under way, and places for them: for memory reports.
    std::size_t open() const { return m_queries.open(); }
    std::size_t capacity() const { return m_queries.capacity(); }

 private:
    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_servers;
    arrival_timer m_arrivals;
    random_stream m_destination;
    random_stream m_size;
    random_stream m_priority;
    query_exchange m_queries;
};

/// Arrivals of queries or web requests at one host; none if it is a back end.
arrival_timer request_arrivals(const workload_plan& plan, host_id self, bit_rate link_rate);

}  // namespace weir::traffic
