// Scatter/gather in three levels (cross-layer study 2012, section III-C1): a high-level aggregator (a front
// end) asks one mid-level aggregator in each rack, which asks all other workers of its rack, and answers when
// all of them have; the query is over when all racks have answered.
//
//     front end -- request --> aggregator of a rack -- requests --> its workers
//     front end <-- rack_bytes -- aggregator         <-- worker_bytes -- workers
//
// Which worker of a rack is the aggregator is drawn for each query. Racks are those of the back ends: hosts of
// one edge switch. Jobs are the whole query (`job_kind::scatter_gather`), the queries to the racks, whose
// parent it is, and those to the workers, whose parents these are.
#pragma once

#include <memory>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/traffic/apps/query_exchange.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class scatter_gather_app final : public application {
 public:
    scatter_gather_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);
    /// What one rack answers to a query. Unit: B.
    static double response_bytes(const workload_config& config);

    void start(application_services& services) override { m_arrivals.arm(services); }
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    bool awaits_sent() const override { return false; }
    bool exhausted() const override {
        return m_arrivals.done() && m_queries.size() == 0 && m_gathers.size() == 0;
    }
    void list_open_jobs(std::vector<job_record>& open) const override;

    /// Tag of the requests to workers and of their responses.
    static constexpr std::uint8_t worker_tag = 2;

    /// Queries under way here: those that it asked, and those that it gathers for.
    std::size_t open() const { return m_queries.size() + m_gathers.size(); }

 private:
    struct query {
        picoseconds start{0};
        std::uint32_t racks = 0;
        std::uint32_t racks_missing = 0;
        pfc_class priority = 0;
    };
    /// Of a rack, for the request that came.
    struct gather {
        received_transfer request{};
        std::uint32_t workers_missing = 0;
    };

    void scatter_to_workers(application_services& services, const received_transfer& request);
    /// The whole query, as a job of host `self`.
    job_record job_of(std::uint64_t job, const query& asked, host_id self, picoseconds end) const;
    void rack_has_answered(application_services& services, std::uint64_t job);
    void worker_has_answered(application_services& services, std::uint64_t job);

    std::shared_ptr<const workload_plan> m_plan;
    arrival_timer m_arrivals;
    random_stream m_aggregator;
    random_stream m_priority;
    query_exchange m_to_racks;
    query_exchange m_to_workers;
    /// By job: of the whole query, and of the query to this rack.
    number_table<query> m_queries;
    number_table<gather> m_gathers;
};

}  // namespace weir::traffic
