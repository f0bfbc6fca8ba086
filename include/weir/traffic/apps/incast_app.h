// Incast (DeTail TR Fig. 3): one server asks all others at once for equal parts of 1 MB, waits for all of
// them, and asks again, 25 times. A round is a job (`job_kind::incast_round`), and has one priority, drawn as
// other workloads draw theirs.
#pragma once

#include <memory>

#include "weir/traffic/apps/query_exchange.h"
#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {

class incast_app final : public application {
 public:
    incast_app(std::shared_ptr<const workload_plan> plan, host_id self);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    void on_sent(application_services&, const transfer_request&) override {}
    bool exhausted() const override { return m_rounds_left == 0; }

 private:
    void begin_round(application_services& services);
    std::uint32_t responses() const { return m_servers.size() * m_plan->config().incast_flows; }

    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_servers;
    random_stream m_first_server;
    random_stream m_priority;
    /// Counts the round that is under way.
    std::uint32_t m_rounds_left = 0;
    std::uint32_t m_responses_missing = 0;
    std::uint64_t m_job = 0;
    picoseconds m_round_start{0};
};

workload_traits incast_workload();

}  // namespace weir::traffic
