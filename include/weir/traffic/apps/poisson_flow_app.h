// Plain flows at a load: Poisson arrivals, sizes from a distribution or a list, destinations uniform over
// all others.
//
// `load` is the flows' own bytes over the host link's rate, without headers, gaps, ACKs or retransmissions:
// each host starts load x link rate / (8 x mean size) flows a second, as the HPCC generator does. The links
// carry more: at 1,460 B of payload in 1,538 B on the wire, 5.3 % more.
#pragma once

#include <memory>

#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

class poisson_flow_app final : public application {
 public:
    poisson_flow_app(std::shared_ptr<const workload_plan> plan, host_id self, bit_rate link_rate);

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
    random_stream m_size;
    random_stream m_priority;
};

}  // namespace weir::traffic
