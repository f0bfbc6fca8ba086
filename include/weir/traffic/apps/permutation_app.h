// Permutation: each host sends to one other host and receives from one, drawn once with the seed. One
// endless flow, or flows of a size one after another; TCP, or UDP at `load` of the link. Over TCP the one
// flow's bytes may be written over time (`write_config`).
//
// A host begins at a random moment of the time between two of its full datagrams, so that hosts of equal
// rate are not synchronised.
#pragma once

#include <deque>
#include <memory>

#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/transport/write_schedule.h"

namespace weir::traffic {

class permutation_app final : public application {
 public:
    permutation_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services&, const received_transfer&) override {}
    void on_sent(application_services& services, const transfer_request& transfer) override;
    bool exhausted() const override { return m_done; }
    bool is_job(std::uint8_t tag) const override { return tag == workload_plan::main_tag; }

 private:
    void start_flow(application_services& services);
    write_schedule writes_from(picoseconds now) const;

    std::shared_ptr<const workload_plan> m_plan;
    host_id m_self;
    bit_rate m_link_rate;
    bit_rate m_rate;
    random_stream m_phase;
    random_stream m_priority;
    /// Still to be started; without end where that is.
    std::uint64_t m_flows_left;
    bool m_done = false;
    /// Of the host's flows, where they are written over time.
    std::deque<write_schedule> m_written;
};

workload_traits permutation_workload();

}  // namespace weir::traffic
