// A transport from outside, beside TCP and UDP.
#include "weir/traffic/host/transports.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/loopback_network.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::traffic {
namespace {

/// A transfer is one frame, and over 5 us after it was sent.
class one_frame_transport final : public transport {
 public:
    explicit one_frame_transport(const transport_setup& setup) : m_setup(setup) {}

    const char* refusal(host_id dst) override { return dst == 2 ? "goes to host 2" : nullptr; }
    void open(ethernet_frame header, transfer_owner owner, const transfer_request&) override {
        header.kind = frame_kind::foreign;
        is_taken = m_setup.context.offer(header);
        m_setup.context.timers.push({m_setup.context.now + 5us, timer_id(m_setup.first_timer, 77)});
        m_frame = header;
        m_owner = owner;
        m_open = true;
    }
    void ready() override {
        ++times_asked;
        is_taken = m_setup.context.offer(m_frame);
    }
    void receive(const ethernet_frame& frame) override { m_setup.events.delivered(frame, m_setup.kind); }
    void expire(const timer_entry& entry) override {
        EXPECT_EQ(index_of_timer(entry.id), 77U);
        m_open = false;
        m_setup.events.sent(m_frame, m_owner, m_setup.kind, 0_bps, 0, 0);
    }
    void list_open(std::vector<open_transfer>& open, std::size_t most) const override {
        if (m_open && open.size() < most) {
            open.push_back(describe_open(m_frame, m_setup.kind, m_setup.context.host->id(), m_owner.dst, 0, 0));
        }
    }
    std::size_t sender_slots() const override { return 1; }
    std::size_t incoming() const override { return 0; }

    static inline int times_asked = 0;
    static inline bool is_taken = false;

 private:
    transport_setup m_setup;
    ethernet_frame m_frame;
    transfer_owner m_owner;
    bool m_open = false;
};

/// Starts one transfer at time 0.
class one_transfer final : public application {
 public:
    one_transfer(transport_kind transport, host_id dst) : m_transport(transport), m_dst(dst) {}
    void start(application_services& services) override {
        transfer_request request;
        request.dst = m_dst;
        request.flow_bytes = 40_B;
        request.transport = m_transport;
        request.flow = services.next_flow();
        services.start_transfer(request);
    }
    void on_timer(application_services&, std::uint64_t) override {}
    void on_received(application_services&, const received_transfer&) override {}
    void on_sent(application_services&, const transfer_request& transfer) override {
        EXPECT_EQ(transfer.transport, m_transport);
        ++sent;
    }
    bool exhausted() const override { return true; }
    int sent = 0;

 private:
    transport_kind m_transport;
    host_id m_dst;
};

transport_kind one_frame() {
    static const transport_kind kind =
        transports().add({"one_frame",
                          "",
                          {[](const transport_setup& setup, const transport_options&) {
                               return std::make_unique<one_frame_transport>(setup);
                           },
                           {frame_kind::foreign},
                           1,
                           true,
                           nullptr}});
    return kind;
}

TEST(transports, one_from_outside_gets_its_frames_timers_and_transfers) {
    const transport_kind kind = one_frame();
    test::loopback_network net({});
    auto app = std::make_unique<one_transfer>(kind, 1);
    const one_transfer& kept = *app;
    net[0].add(std::move(app));
    net.start();
    EXPECT_EQ(net[0].flows_open(), 1U);
    ASSERT_EQ(net[0].open_transfers(9).size(), 1U);
    EXPECT_EQ(net[0].open_transfers(9)[0].transport, kind);
    net.run();
    ASSERT_EQ(net[1].log().deliveries.size(), 1U);
    EXPECT_EQ(net[1].log().deliveries[0].transport, kind);
    ASSERT_EQ(net[0].log().senders.size(), 1U);
    EXPECT_EQ(net[0].log().senders[0].time, 5us);
    EXPECT_EQ(kept.sent, 1);
    EXPECT_EQ(net[0].flows_open(), 0U);
    EXPECT_TRUE(net[0].exhausted());
}

TEST(transports, one_whose_frame_the_nic_refused_is_asked_until_it_takes_it) {
    const transport_kind kind = one_frame();
    const test::loopback_network addresses{{}};
    endpoint_options options;
    options.addresses = &addresses;
    traffic_endpoint host(options);
    test::recording_host nic;
    nic.outcome = send_outcome::not_now;
    host.add(std::make_unique<one_transfer>(kind, 1));
    host.start(nic);
    one_frame_transport::times_asked = 0;
    host.ready();
    EXPECT_EQ(one_frame_transport::times_asked, 1);
    EXPECT_FALSE(one_frame_transport::is_taken);
    nic.outcome = send_outcome::taken;
    host.ready();
    EXPECT_EQ(one_frame_transport::times_asked, 2);
    EXPECT_TRUE(one_frame_transport::is_taken);
    ASSERT_EQ(nic.frames.size(), 1U);
    host.ready();
    EXPECT_EQ(one_frame_transport::times_asked, 2) << "nothing of it waits";
}

TEST(transports, a_transfer_that_its_transport_refuses_is_not_started) {
    const transport_kind kind = one_frame();
    test::loopback_options options;
    options.hosts = 3;
    test::loopback_network net(options);
    const std::vector<std::string>& failures = net.expect_failures();
    net[0].add(std::make_unique<one_transfer>(kind, 2));
    net.start();
    EXPECT_EQ(net[0].flows_open(), 0U);
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_NE(failures[0].find("goes to host 2"), std::string::npos);
}

}  // namespace
}  // namespace weir::traffic
