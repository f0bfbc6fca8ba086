// Against the paths between the two hosts themselves.
#include "tb/run/completions/ideal_times.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::tb;

namespace {

/// Two switches with four hosts each, of which two have links of another rate or latency.
topology two_switches() {
    topology t;
    const switch_id left = t.add_switch("left");
    const switch_id right = t.add_switch("right");
    t.add_link(node_ref::of_switch(left), node_ref::of_switch(right), {40_Gbps, 3us});
    for (unsigned i = 0; i < 8; ++i) {
        const host_id host = t.add_host("host" + std::to_string(i));
        const bit_rate rate = i == 2 || i == 5 ? 1_Gbps : 10_Gbps;
        const picoseconds latency = i == 3 || i == 5 ? 2us : 1us;
        t.add_link(node_ref::of_host(host), node_ref::of_switch(i % 2 == 0 ? left : right), {rate, latency});
    }
    t.finish();
    return t;
}

TEST(ideal_times, of_hosts_that_are_alike_are_those_of_their_own_paths) {
    const topology t = two_switches();
    unloaded_delays tcp;
    unloaded_delays udp;
    udp.header = 46_B;
    tcp.handshake = true;
    ideal_times ideal(t, {tcp, udp});
    unloaded_paths paths[] = {{t, tcp}, {t, udp}};
    for (unsigned round = 0; round < 2; ++round) {  // looked up, and found again
        for (const bytes size : {1_B, 1'460_B, 100'000_B}) {
            for (host_id src = 0; src < t.hosts(); ++src) {
                for (host_id dst = 0; dst < t.hosts(); ++dst) {
                    for (const transport_kind transport : {transport_kind{}, datagram_transport}) {
                        delivery_record flow{};
                        flow.src = src;
                        flow.dst = dst;
                        flow.flow_bytes = size;
                        flow.transport = transport;
                        const picoseconds expected =
                            src == dst
                                ? never
                                : paths[static_cast<std::size_t>(transport)].ideal_completion(src, dst, size);
                        ASSERT_EQ(ideal.of(flow), expected) << src << " to " << dst;
                    }
                }
            }
        }
    }
    delivery_record outside{};
    outside.src = t.hosts();
    outside.flow_bytes = 1_B;
    EXPECT_EQ(ideal.of(outside), never);
}

}  // namespace
