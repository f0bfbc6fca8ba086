// Partition/aggregate requests (DeTail TR 8.1.2): a front end that gets a web request asks 10, 20 or 40
// back ends at once, and is done when all have answered.
//
// The back ends of a request are all different; where there are fewer than queries, each gets its equal
// share, and different ones the rest. Both the queries and the whole request are jobs, as in
// sequential_web_app.h.
#pragma once

#include <memory>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/traffic/apps/query_exchange.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

/// Draws `count` different numbers below `bound` into `chosen`, in random order. Range: count <= bound.
void draw_different(std::uint32_t count, std::uint32_t bound, random_stream& chance,
                    std::vector<std::uint32_t>& chosen);

class partition_aggregate_app final : public application {
 public:
    partition_aggregate_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);
    /// What the responses to one request carry on average. Unit: B.
    static double response_bytes(const workload_config& config);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return m_arrivals.done() && m_requests.size() == 0; }
    void list_open_jobs(std::vector<job_record>& open) const override;

    /// Web requests under way, and places for them: for memory reports.
    std::size_t open() const { return m_requests.size(); }
    std::size_t capacity() const { return m_requests.capacity() + m_queries.capacity(); }

 private:
    struct web_request {
        picoseconds start{0};
        std::uint32_t queries = 0;
        std::uint32_t responses_missing = 0;
        pfc_class priority = 0;
    };

    /// The request, as a job of host `self`.
    job_record job_of(std::uint64_t job, const web_request& request, host_id self, picoseconds end) const;
    /// Bytes of all responses to a request of so many queries.
    bytes total_bytes(std::uint32_t queries) const;

    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_servers;
    arrival_timer m_arrivals;
    random_stream m_destination;
    random_stream m_fan_out;
    random_stream m_priority;
    query_exchange m_queries;
    number_table<web_request> m_requests;
    /// Back ends of the request that is being started.
    std::vector<std::uint32_t> m_chosen;
};

}  // namespace weir::traffic
