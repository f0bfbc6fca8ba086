// A real fabric with real endpoints, on which single transfers start at given times.
#pragma once

#include <memory>
#include <vector>

#include "weir/model/fabric/fabric.h"
#include "weir/model/topology/topology_generators.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::test {

using namespace model;
using namespace traffic;

/// Starts transfers at the times it is told.
class timetable final : public application {
 public:
    void at(picoseconds time, const transfer_request& request) { m_steps.push_back({time, request}); }

    void start(application_services& services) override {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            services.set_timer(m_steps[i].time, i);
        }
    }
    void on_timer(application_services& services, std::uint64_t cookie) override {
        transfer_request request = m_steps[cookie].request;
        request.flow = request.job = services.next_flow();
        services.start_transfer(request);
    }
    void on_received(application_services&, const received_transfer&) override {}
    void on_sent(application_services&, const transfer_request&) override {}
    bool exhausted() const override { return true; }

 private:
    struct step {
        picoseconds time;
        transfer_request request;
    };
    std::vector<step> m_steps;
};

class transfer_rig {
 public:
    transfer_rig(const topology& plan_in, const fabric_parameters& parameters, const tcp_config& tcp,
                 const udp_config& udp = {})
        : plan(plan_in), made("fabric", parameters, plan) {
        endpoint_options options;
        options.addresses = &made;
        options.tcp = tcp;
        options.udp = udp;
        options.round_trip = 100us;
        options.wire_overhead = parameters.wire_overhead;
        for (host_id h = 0; h < plan.hosts(); ++h) {
            ends.push_back(std::make_unique<traffic_endpoint>(options));
            auto table = std::make_unique<timetable>();
            m_tables.push_back(table.get());
            ends.back()->add(std::move(table));
        }
    }
    /// Before the run.
    void transfer(picoseconds time, host_id src, host_id dst, bytes size,
                  transport_kind transport = transport_kind{}) {
        transfer_request request;
        request.dst = dst;
        request.flow_bytes = size;
        request.transport = transport;
        m_tables[src]->at(time, request);
    }
    void run(picoseconds end) {
        for (host_id h = 0; h < plan.hosts(); ++h) {
            made.host(h)->run(*ends[h]);
        }
        made.configure_run(engine_kind::fast, made.lookahead(), end);
        sc_core::sc_start();
        made.settle(end);
    }

    topology plan;
    fabric made;
    std::vector<std::unique_ptr<traffic_endpoint>> ends;

 private:
    std::vector<timetable*> m_tables;
};

}  // namespace weir::test
