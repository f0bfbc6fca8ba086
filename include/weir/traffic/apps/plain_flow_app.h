// Plain flows that begin whatever the network does, destinations uniform over all others: flows at a load, or
// datagrams in slots.
#pragma once

#include <memory>
#include <optional>

#include "weir/traffic/apps/workload_plan.h"

namespace weir::traffic {

struct flow_process {
    arrival_spec arrivals;
    transport_kind transport{};
    /// Not set: drawn for each flow, from the plan's distribution or list.
    std::optional<bytes> flow_bytes;
};

/// Poisson arrivals at `load`: the flows' own bytes over the host link's rate (or over the bisection,
/// `load_of`), without headers, gaps, ACKs or retransmissions. Each source starts
/// load x rate / (8 x mean size) flows a second, as the HPCC generator does. The links carry more: at 1,460 B
/// of payload in 1,538 B on the wire, 5.3 % more.
flow_process poisson_flows(const workload_plan& plan, bit_rate link_rate);

/// Slotted Bernoulli arrivals: in each slot, with a given chance, one UDP datagram of one frame. On one switch
/// this is the traffic that crossbar arbiters are measured with.
///
/// All hosts' slots begin together. That literature also sends to the output of the same number; a host has
/// no reason to, so here N hosts load each output with N - 1 others' traffic.
flow_process bernoulli_datagrams(const workload_plan& plan, bit_rate link_rate);

class plain_flow_app final : public application {
 public:
    plain_flow_app(std::shared_ptr<const workload_plan> plan, host_id self, const flow_process& source);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services&, const received_transfer&) override {}
    bool awaits_sent() const override { return false; }
    bool exhausted() const override { return m_arrivals.done(); }
    bool is_job(std::uint8_t tag) const override { return tag == workload_plan::main_tag; }

 private:
    std::shared_ptr<const workload_plan> m_plan;
    flow_process m_source;
    destination_set m_targets;
    arrival_timer m_arrivals;
    random_stream m_destination;
    random_stream m_size;
    random_stream m_priority;
};

}  // namespace weir::traffic
