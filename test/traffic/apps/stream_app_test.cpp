#include "weir/traffic/apps/background_app.h"

#include <gtest/gtest.h>

#include "support/fake_services.h"

namespace weir::traffic {
namespace {

TEST(stream_app, one_host_sends_at_its_rate_until_stop_beside_the_rest) {
    workload_config c;
    c.background.interarrival = 1ms;
    c.start = 1ms;
    c.stop = 11ms;
    c.stream.rate = 6_Gbps;
    c.stream.source = 2;
    c.stream.destination = 3;
    c.stream.priority = 5;
    ASSERT_TRUE(c.validate(4).empty());
    EXPECT_TRUE(c.uses(datagram_transport));
    EXPECT_EQ(workload_tags(c), (std::vector<std::string>{"query", "background", "stream"}));
    fake_fabric fabric(c, 4, 1, 10_Gbps);
    fabric.run_until(never);
    unsigned streams = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.tag != 2) {
            EXPECT_EQ(t.request.transport, transport_kind{});
            continue;
        }
        ++streams;
        EXPECT_EQ(t.time, 1ms);
        EXPECT_EQ(t.src, 2U);
        EXPECT_EQ(t.request.dst, 3U);
        EXPECT_EQ(t.request.transport, datagram_transport);
        EXPECT_EQ(t.request.udp_rate, 6_Gbps);
        EXPECT_EQ(t.request.priority, 5);
        // 10 ms at 6 Gb/s, a datagram of 1,472 B in 1,538 B.
        EXPECT_NEAR(static_cast<double>(t.request.flow_bytes.count()), 7.5e6 * 1472 / 1538, 1472);
    }
    EXPECT_EQ(streams, 1U);
    EXPECT_GT(fabric.transfers().size(), 30U);
    EXPECT_TRUE(fabric.exhausted());
}

TEST(stream_app, its_ends_are_two_hosts_of_the_fabric) {
    workload_config c;
    c.stream.rate = 1_Gbps;
    c.stream.destination = 4;
    EXPECT_EQ(c.validate(4).size(), 1U);
    EXPECT_TRUE(c.validate(5).empty());
    c.stream.source = 4;
    EXPECT_EQ(c.validate(5).size(), 1U);
}

}  // namespace
}  // namespace weir::traffic
