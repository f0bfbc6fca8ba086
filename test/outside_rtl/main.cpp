// Four hosts at one switch, whose arbiter is RTL: each sends 100,000 bytes to the next, and all to the last.
// Exit status 0 if all of it arrives.
#include <array>
#include <iostream>
#include <memory>

#include "wavefront_arbiter.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/topology/topology_generators.h"
#include "weir/traffic/host/traffic_endpoint.h"

using namespace weir;
using namespace weir::model;
using namespace weir::traffic;

namespace {

constexpr host_id hosts = outside::wavefront_arbiter::ports;
constexpr bytes length{100'000};

class two_transfers : public application {
 public:
    explicit two_transfers(host_id self) : m_self(self) {}

    void start(application_services& services) override {
        for (const host_id dst : {(m_self + 1) % hosts, hosts - 1}) {
            if (dst != m_self) {
                transfer_request request;
                request.dst = dst;
                request.flow_bytes = length;
                request.flow = services.next_flow();
                services.start_transfer(request);
                ++started;
            }
        }
    }
    void on_timer(application_services&, std::uint64_t) override {}
    void on_received(application_services&, const received_transfer& transfer) override {
        received += transfer.flow_bytes;
    }
    void on_sent(application_services&, const transfer_request&) override {}
    bool exhausted() const override { return true; }

    int started = 0;
    bytes received{0};

 private:
    host_id m_self;
};

}  // namespace

int sc_main(int, char**) {
    single_config plan_config;
    plan_config.hosts = hosts;
    const topology plan = make_topology(plan_config);
    fabric network("fabric", fabric_parameters{}, plan);

    outside::wavefront_arbiter arbiter("arbiter");
    network.device(0).arbiter.bind(arbiter.block);

    endpoint_options options;
    options.addresses = &network;
    std::array<std::unique_ptr<traffic_endpoint>, hosts> ends;
    std::array<two_transfers*, hosts> applications{};
    for (host_id h = 0; h < hosts; ++h) {
        auto application = std::make_unique<two_transfers>(h);
        applications[h] = application.get();
        ends[h] = std::make_unique<traffic_endpoint>(options);
        ends[h]->add(std::move(application));
        network.host(h)->run(*ends[h]);
    }
    network.configure_run(engine_kind::fast, network.lookahead(), 50ms);
    sc_core::sc_start();
    network.settle(50ms);

    bytes sent{0};
    bytes received{0};
    for (const two_transfers* a : applications) {
        sent += length * a->started;
        received += a->received;
    }
    std::cout << to_text(received) << " of " << to_text(sent) << " arrived, "
              << network.device(0).stats().matches << " matches in " << arbiter.cycles()
              << " clock cycles of the RTL\n";
    return received == sent && network.device(0).stats().matches > 0 ? 0 : 1;
}
