// Sequential web requests (DeTail TR 8.1.2): a front end that gets a web request makes ten queries to
// random back ends, each as soon as the last one's response is here.
//
// Both are jobs: every query (`job_kind::query`, tag of queries) and the whole request
// (`job_kind::web_request`, a tag and a number of its own). Each request has a random stream of its own,
// drawn when it arrives, so its queries depend on the seed alone, not on how the network does.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/traffic/apps/query_exchange.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class sequential_web_app final : public application {
 public:
    sequential_web_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);
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
        random_stream chance{0, 0, random_purpose::sizes};
        /// Payload of the queries that have been drawn, both ways.
        bytes job_bytes{0};
        /// Queries that have not been drawn.
        std::uint32_t queries_left = 0;
        pfc_class priority = 0;
        /// How many queries of each size are left in the deck.
        std::array<std::uint16_t, 16> deck{};
    };

    struct drawn_query {
        host_id dst;
        bytes response;
    };

    /// Takes the next query out of those that are left.
    drawn_query draw_query(web_request& request) const;
    /// The request, as a job of host `self`.
    job_record job_of(std::uint64_t job, const web_request& request, host_id self, picoseconds end) const;
    void next_query(application_services& services, std::uint64_t job, web_request& request);
    bytes draw_size(web_request& request) const;

    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_servers;
    arrival_timer m_arrivals;
    random_stream m_request_seed;
    random_stream m_priority;
    query_exchange m_queries;
    number_table<web_request> m_requests;
};

}  // namespace weir::traffic
