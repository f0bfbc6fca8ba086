// Slotted Bernoulli arrivals: in each slot, with a given chance, one UDP datagram of one frame to a random
// other host. On one switch this is the traffic that crossbar arbiters are measured with.
//
// All hosts' slots begin together. That literature also sends to the output of the same number; a host has
// no reason to, so here N hosts load each output with N - 1 others' traffic.
#pragma once

#include <memory>

#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class bernoulli_app final : public application {
 public:
    bernoulli_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    void on_sent(application_services&, const transfer_request&) override {}
    bool exhausted() const override { return m_arrivals.done(); }

 private:
    std::shared_ptr<const workload_plan> m_plan;
    destination_set m_targets;
    arrival_timer m_arrivals;
    random_stream m_destination;
    random_stream m_priority;
};

}  // namespace weir::traffic
