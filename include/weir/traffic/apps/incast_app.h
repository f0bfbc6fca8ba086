// Incast (DeTail TR Fig. 3): one server asks all others at once for equal parts of 1 MB, waits for all of
// them, and asks again, 25 times. With `incast_all_to_all` each server does. A round is a job
// (`job_kind::incast_round`), and has one priority, drawn as other workloads draw theirs. Responses may be of
// drawn sizes, and servers may take a drawn time for each (cross-layer study 2012, IV-C5).
#pragma once

#include <memory>
#include <vector>

#include "weir/base/delay_distribution.h"
#include "weir/base/number_table.h"
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
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return m_rounds_left == 0; }
    void list_open_jobs(std::vector<job_record>& open) const override;

 private:
    void begin_round(application_services& services);
    /// The round that is under way, as a job of this host.
    job_record round(picoseconds end) const;
    void answer_later(application_services& services, const received_transfer& request);
    /// Of all responses of a round, by the number of the server among those that are asked.
    bytes equal_part(std::uint32_t response, std::uint32_t server) const;
    std::uint32_t responses() const { return m_servers.size() * m_plan->config().incast_flows; }

    host_id m_self;
    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_servers;
    random_stream m_first_server;
    random_stream m_priority;
    random_stream m_size;
    random_stream m_delay;
    const delay_distribution m_delays;
    /// By their flows: requests that wait for their answers to be found.
    number_table<received_transfer> m_unanswered;
    /// Counts the round that is under way.
    std::uint32_t m_rounds_left = 0;
    std::uint32_t m_responses_missing = 0;
    std::uint64_t m_job = 0;
    pfc_class m_round_priority = 0;
    /// Payload of all its transfers.
    bytes m_round_bytes{0};
    picoseconds m_round_start{0};
};

workload_traits incast_workload();

}  // namespace weir::traffic
