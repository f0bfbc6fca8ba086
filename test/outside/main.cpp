// One switch with four places. Host 0 pings a module of ours in the place of host 3, host 1 sends a TCP
// transfer to host 2, and the switch's arbiter is ours. Exit status 0 if all comes out as computed by hand.
#include <iostream>
#include <memory>

#include "fixed_priority_arbiter.h"
#include "reflector.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/topology/topology_generators.h"
#include "weir/traffic/host/traffic_endpoint.h"

using namespace weir;
using namespace weir::model;
using namespace weir::traffic;

namespace {

int failures = 0;

template <class Value>
void expect(const char* what, const Value& actual, const Value& expected) {
    if (!(actual == expected)) {
        std::cerr << what << ": " << actual << ", expected " << expected << '\n';
        ++failures;
    }
}

/// What runs on host 0: one frame out, one back.
class pinger : public endpoint {
 public:
    explicit pinger(ipv4_address peer) : m_peer(peer) {}

    void start(host_services& host) override {
        m_host = &host;
        host.wake_at(10us);
    }
    void wake() override {
        if (m_sent != never || m_host->now() < 10us) {
            return;  // a wake may come more often than asked for
        }
        m_sent = m_host->now();
        ethernet_frame frame;
        frame.src = m_host->address();
        frame.dst = m_peer;
        frame.frame_bytes = 1000;
        m_host->send(frame);
    }
    void receive(const ethernet_frame&) override { m_round_trip = m_host->now() - m_sent; }

    picoseconds round_trip() const { return m_round_trip; }

 private:
    ipv4_address m_peer;
    host_services* m_host = nullptr;
    picoseconds m_sent = never;
    picoseconds m_round_trip{0};
};

/// An application above weir's own TCP.
class one_transfer : public application {
 public:
    one_transfer(host_id dst, bytes length) : m_dst(dst), m_length(length) {}

    void start(application_services& services) override {
        if (m_length.count() > 0) {
            transfer_request request;
            request.dst = m_dst;
            request.flow_bytes = m_length;
            request.flow = services.next_flow();
            services.start_transfer(request);
        }
    }
    void on_timer(application_services&, std::uint64_t) override {}
    void on_received(application_services&, const received_transfer& transfer) override {
        received += transfer.flow_bytes;
    }
    void on_sent(application_services&, const transfer_request&) override {}
    bool exhausted() const override { return true; }

    bytes received{0};

 private:
    host_id m_dst;
    bytes m_length;
};

}  // namespace

int sc_main(int, char**) {
    single_config plan_config;
    plan_config.hosts = 4;
    const topology plan = make_topology(plan_config);
    const topology_link link = plan.link(0);

    fabric_parameters parameters;  // DeTail's switch: lookup 3.1 us, speedup 4
    parameters.open_hosts = {3};
    fabric network("fabric", parameters, plan);
    switch_node& device = network.device(plan.edge_switch(3));

    // Our arbiter, bound where the default would be.
    outside::fixed_priority_arbiter arbiter("arbiter");
    device.arbiter.bind(arbiter.block);

    // Our module at the socket of the switch where host 3 would be.
    const unsigned port = plan.edge_port(3);
    outside::reflector mirror("mirror", link.rate, link.latency, parameters.wire_overhead);
    device.output(port).socket().bind(mirror.from_switch);
    mirror.to_switch.bind(device.input(port).socket());

    pinger ping(plan.address_of(3));
    network.host(0)->run(ping);

    endpoint_options options;
    options.addresses = &network;
    traffic_endpoint sender(options);
    traffic_endpoint receiver(options);
    sender.add(std::make_unique<one_transfer>(2, 100'000_B));
    auto sink = std::make_unique<one_transfer>(1, 0_B);
    const one_transfer& arrived = *sink;
    receiver.add(std::move(sink));
    network.host(1)->run(sender);
    network.host(2)->run(receiver);

    network.configure_run(engine_kind::fast, network.lookahead(), 10ms);
    sc_core::sc_start();
    network.settle(10ms);

    const picoseconds wire = 8'160ns;  // 1,000 B and 20 B of preamble and gap at 1 Gb/s
    const picoseconds to_last_bit = wire + 6'600ns;
    const picoseconds through_switch = 3'100ns + 2'040ns;  // lookup; crossbar at four times the line's rate
    const picoseconds one_way = to_last_bit + through_switch + to_last_bit;
    expect("frames at our module", mirror.first_bits.size(), std::size_t{1});
    if (!mirror.first_bits.empty()) {
        expect("first bit at our module", to_picoseconds(mirror.first_bits[0]).count(),
               (10us + one_way - wire).count());
    }
    expect("round trip", to_text(ping.round_trip()), to_text(2 * one_way));
    expect("bytes of the transfer", arrived.received.count(), std::int64_t{100'000});
    expect("matches", arbiter.matches(), device.stats().matches);
    expect("frames across the switch", arbiter.matches(), device.balance().sent);
    if (failures == 0) {
        std::cout << "outside: round trip " << to_text(ping.round_trip()) << ", " << arbiter.matches()
                  << " frames by our arbiter\n";
    }
    return failures == 0 ? 0 : 1;
}
