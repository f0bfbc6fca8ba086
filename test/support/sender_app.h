// An application that only sends: transfers to host 1 over one transport, so many after another, all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "support/loopback_network.h"

namespace weir::test {

class sender_app final : public traffic::application {
 public:
    sender_app(traffic::transport_kind carrier, std::vector<bytes> sizes)
        : m_carrier(carrier), m_sizes(std::move(sizes)) {}

    void start(traffic::application_services& services) override {
        for (const bytes size : m_sizes) {
            traffic::transfer_request request;
            request.dst = 1;
            request.flow_bytes = size;
            request.transport = m_carrier;
            request.flow = request.job = services.next_flow();
            services.start_transfer(request);
        }
    }
    void on_timer(traffic::application_services&, std::uint64_t) override {}
    void on_received(traffic::application_services&, const traffic::received_transfer&) override {}
    void on_sent(traffic::application_services&, const traffic::transfer_request&) override { ++sent; }
    bool exhausted() const override { return true; }

    std::size_t sent = 0;

 private:
    traffic::transport_kind m_carrier;
    std::vector<bytes> m_sizes;
};

/// Runs the network with these transfers from host 0.
inline sender_app& send_over(loopback_network& net, traffic::transport_kind carrier, std::vector<bytes> sizes,
                             picoseconds end = latest_time) {
    auto app = std::make_unique<sender_app>(carrier, std::move(sizes));
    sender_app& kept = *app;
    net[0].add(std::move(app));
    net.start();
    net.run(end);
    return kept;
}

}  // namespace weir::test
