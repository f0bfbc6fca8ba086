// A transfer that is alone in its fabric takes what the sum over its path says, to the picosecond: on every
// generator, in DeTail's numbers and in those of 100 Gb/s links, through fabric, NICs and TCP.
//
// The sums stand here as a person writes them down; nothing is taken from unloaded_path.h, which has to agree.
#include <gtest/gtest.h>

#include "transfer_rig.h"
#include "weir/model/analysis/unloaded_path.h"
#include "weir/model/switch/block_kinds.h"

using namespace weir;
using namespace weir::model;
using namespace weir::traffic;
using weir::test::transfer_rig;

namespace {

struct expected_transfer {
    const char* what;
    host_id src;
    host_id dst;
    bytes size;
    /// From the application's start to the last byte at the receiver's application.
    picoseconds completion;
    /// From the last byte at the receiver to its ACK at the sender.
    picoseconds acknowledgement;
    transport_kind transport = transport_kind{};
};

/// One after another, each alone in the fabric.
void expect_to_the_picosecond(const topology& plan, const fabric_parameters& parameters, const tcp_config& tcp,
                              const std::vector<expected_transfer>& transfers) {
    const picoseconds apart = 20ms;
    transfer_rig rig(plan, parameters, tcp);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        // Odd picoseconds: nothing may depend on a round start.
        const picoseconds start = apart * static_cast<std::int64_t>(i) + 1'234'567_ps;
        rig.transfer(start, transfers[i].src, transfers[i].dst, transfers[i].size, transfers[i].transport);
    }
    rig.run(apart * static_cast<std::int64_t>(transfers.size()));

    unloaded_delays delays;
    delays.wire_overhead = parameters.wire_overhead;
    delays.lookup_delay = parameters.device.lookup_delay;
    delays.speedup = parameters.device.speedup;
    delays.stack_out = parameters.host.stack_out;
    delays.stack_in = parameters.host.stack_in;
    delays.segment_payload = tcp.mss;
    delays.header = tcp.header;
    unloaded_paths paths(rig.plan, delays);

    std::vector<std::size_t> delivered(plan.hosts());
    std::vector<std::size_t> confirmed(plan.hosts());
    for (const expected_transfer& t : transfers) {
        SCOPED_TRACE(t.what);
        ASSERT_GT(rig.ends[t.dst]->log().deliveries.size(), delivered[t.dst]);
        const delivery_record& d = rig.ends[t.dst]->log().deliveries[delivered[t.dst]++];
        ASSERT_EQ(d.src, t.src);
        EXPECT_EQ(d.flow_bytes, t.size);
        EXPECT_EQ((d.end - d.start).count(), t.completion.count());
        if (t.transport != datagram_transport) {  // UDP confirms nothing, and logs nothing of its senders
            ASSERT_GT(rig.ends[t.src]->log().senders.size(), confirmed[t.src]);
            const sender_record& s = rig.ends[t.src]->log().senders[confirmed[t.src]++];
            EXPECT_EQ(s.retransmits, 0U);
            EXPECT_EQ((s.time - d.end).count(), t.acknowledgement.count());
            EXPECT_EQ(paths.ideal_completion(t.src, t.dst, t.size).count(), t.completion.count());
        }
    }
    EXPECT_TRUE(rig.made.is_empty());
}

// --- DeTail: 1 Gb/s, 8 ns per byte; full frame of 1,530 B, ACK of 70 B, no wire overhead ------------------

fabric_parameters detail_parameters() {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    return p;
}
tcp_config detail_tcp() {
    tcp_config tcp;
    tcp.header = 70_B;
    tcp.initial_window = 100;
    tcp.initial_rto = 50ms;
    return tcp;
}

constexpr picoseconds detail_link_time = 1'600ns + 5'000ns;
// Full frame: 1,530 x 8 ns on a wire, a quarter of it through the crossbar.
constexpr picoseconds full_first_link = 12'240ns + detail_link_time;                  // 18.84 us
constexpr picoseconds full_switch = 3'100ns + 3'060ns + 12'240ns + detail_link_time;  // 25 us
// A request of 100 B: 170 B.
constexpr picoseconds small_first_link = 1'360ns + detail_link_time;                // 7.96 us
constexpr picoseconds small_switch = 3'100ns + 340ns + 1'360ns + detail_link_time;  // 11.4 us
// ACK: 70 B.
constexpr picoseconds ack_first_link = 560ns + detail_link_time;                // 7.16 us
constexpr picoseconds ack_switch = 3'100ns + 140ns + 560ns + detail_link_time;  // 10.4 us

std::vector<expected_transfer> over_switches(const char* what, host_id src, host_id dst, int switches) {
    const picoseconds full = full_first_link + switches * full_switch;
    const picoseconds ack = ack_first_link + switches * ack_switch;
    return {
        {what, src, dst, 100_B, small_first_link + switches * small_switch, ack},
        {what, src, dst, 1'460_B, full, ack},
        // 8,000 B = 5 x 1,460 B + 700 B. Full frames follow each other by one transmission on every link, so
        // the fifth is 4 x 12.24 us behind the first; the last, of 770 B, catches up with it at each switch
        // and leaves the last one right behind it.
        {what, src, dst, 8'000_B, full + 4 * 12'240ns + 6'160ns, ack},
        // 29,200 B = 20 x 1,460 B.
        {what, src, dst, 29'200_B, full + 19 * 12'240ns, ack},
        // 146,000 B = 100 x 1,460 B: the whole initial window.
        {what, src, dst, 146'000_B, full + 99 * 12'240ns, ack},
    };
}
std::vector<expected_transfer> all_of(std::vector<std::vector<expected_transfer>> parts) {
    std::vector<expected_transfer> all;
    for (const auto& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

TEST(unloaded_flow_at_details_numbers, one_full_segment_takes_the_hand_computed_times) {
    EXPECT_EQ(full_first_link + 1 * full_switch, 43'840ns);
    EXPECT_EQ(full_first_link + 2 * full_switch, 68'840ns);
    EXPECT_EQ(full_first_link + 3 * full_switch, 93'840ns);
    EXPECT_EQ(full_first_link + 5 * full_switch, 143'840ns);
    EXPECT_EQ(ack_first_link + 1 * ack_switch, 17'560ns);
    EXPECT_EQ(full_first_link + 1 * full_switch + 4 * 12'240ns + 6'160ns, 98'960ns);
}
TEST(unloaded_flow_at_details_numbers, single) {
    single_config config;
    expect_to_the_picosecond(make_topology(config), detail_parameters(), detail_tcp(),
                             over_switches("one switch", 0, 3, 1));
}
TEST(unloaded_flow_at_details_numbers, dumbbell) {
    dumbbell_config config;
    expect_to_the_picosecond(
        make_topology(config), detail_parameters(), detail_tcp(),
        all_of({over_switches("same side", 0, 1, 1), over_switches("other side", 2, 7, 2)}));
}
TEST(unloaded_flow_at_details_numbers, racks) {
    racks_config config;  // 8 x 12
    expect_to_the_picosecond(
        make_topology(config), detail_parameters(), detail_tcp(),
        all_of({over_switches("same rack", 0, 11, 1), over_switches("other rack", 5, 95, 3)}));
}
TEST(unloaded_flow_at_details_numbers, pods) {
    pods_config config;  // 4 x 4 x 8
    expect_to_the_picosecond(make_topology(config), detail_parameters(), detail_tcp(),
                             all_of({over_switches("same ToR", 0, 7, 1), over_switches("same pod", 1, 31, 3),
                                     over_switches("other pod", 2, 127, 5)}));
}
TEST(unloaded_flow_at_details_numbers, fat_tree) {
    fat_tree_config config;
    config.k = 4;  // 16 hosts, 2 per edge switch
    expect_to_the_picosecond(make_topology(config), detail_parameters(), detail_tcp(),
                             all_of({over_switches("same edge", 0, 1, 1), over_switches("same pod", 0, 3, 3),
                                     over_switches("other pod", 1, 15, 5)}));
}
TEST(unloaded_flow_at_details_numbers, flow_control_and_per_packet_balancing_cost_an_unloaded_flow_nothing) {
    fat_tree_config config;
    config.k = 4;
    fabric_parameters p = detail_parameters();
    p.device.balance = named<balance_policy>("adaptive");
    p.flow_control.mode = flow_control_mode::pfc;
    expect_to_the_picosecond(make_topology(config), p, detail_tcp(), over_switches("other pod", 1, 15, 5));
}

// --- 100 Gb/s, 80 ps per byte; frames of 58 B + payload, 20 B of overhead; 600 ns links, 300 ns lookup; stack
// --- delays of the cross-layer study ----------------------------------------------------------------------

constexpr link_properties fast_link{100_Gbps, 600ns};
constexpr picoseconds stack_out = 9'500ns;
constexpr picoseconds stack_in = 24'000ns;

fabric_parameters fast_parameters() {
    fabric_parameters p;
    p.device.lookup_delay = 300ns;
    p.host.stack_out = stack_out;
    p.host.stack_in = stack_in;
    return p;
}
tcp_config fast_tcp() {
    tcp_config tcp;
    tcp.initial_window = 100;
    return tcp;
}

std::vector<expected_transfer> over_fast_switches(const char* what, host_id src, host_id dst, int switches) {
    // 1,518 + 20 B: 123.04 ns on a wire, 30.76 ns through the crossbar at 400 Gb/s.
    const picoseconds full =
        stack_out + 123'040_ps + 600ns + switches * (300ns + 30'760_ps + 123'040_ps + 600ns) + stack_in;
    // 100 B: 178 B on the wire, 14.24 and 3.56 ns.
    const picoseconds small =
        stack_out + 14'240_ps + 600ns + switches * (300ns + 3'560_ps + 14'240_ps + 600ns) + stack_in;
    // ACK: padded to 64 B, 84 B on the wire, 6.72 and 1.68 ns.
    const picoseconds ack =
        stack_out + 6'720_ps + 600ns + switches * (300ns + 1'680_ps + 6'720_ps + 600ns) + stack_in;
    return {
        {what, src, dst, 1_B, small - 94 * 80_ps - switches * 94 * (80_ps + 20_ps), ack},  // 64 + 20 B
        {what, src, dst, 100_B, small, ack},
        {what, src, dst, 1'460_B, full, ack},
        {what, src, dst, 14'600_B, full + 9 * 123'040_ps, ack},
        // 22 x 1,460 B + 648 B; 648 + 58 + 20 = 726 B.
        {what, src, dst, 32'768_B, full + 21 * 123'040_ps + 726 * 80_ps, ack},
        // UDP: 1,472 + 46 = 1,518 B, ten of them at the link's rate.
        {what, src, dst, 14'720_B, full + 9 * 123'040_ps, 0_ps, datagram_transport},
        // pFabric's frames are TCP's.
        {what, src, dst, 146'000_B, full + 99 * 123'040_ps, ack, named<transport_kind>("pfabric")},
    };
}

TEST(unloaded_flow_at_100_gbps, one_full_segment_takes_the_hand_computed_times) {
    const auto one = over_fast_switches("", 0, 1, 1);
    EXPECT_EQ(one[2].completion, 35'276'840_ps);
    EXPECT_EQ(one[2].acknowledgement, 35'015'120_ps);
    EXPECT_EQ(over_fast_switches("", 0, 1, 5)[2].completion, 39'492'040_ps);
}
TEST(unloaded_flow_at_100_gbps, single) {
    single_config config;
    config.host_link = fast_link;
    expect_to_the_picosecond(make_topology(config), fast_parameters(), fast_tcp(),
                             over_fast_switches("one switch", 1, 0, 1));
}
TEST(unloaded_flow_at_100_gbps, dumbbell) {
    dumbbell_config config;
    config.host_link = config.bottleneck = fast_link;
    expect_to_the_picosecond(
        make_topology(config), fast_parameters(), fast_tcp(),
        all_of({over_fast_switches("same side", 4, 5, 1), over_fast_switches("other side", 0, 4, 2)}));
}
TEST(unloaded_flow_at_100_gbps, racks) {
    racks_config config;
    config.host_link = config.root_link = fast_link;
    expect_to_the_picosecond(
        make_topology(config), fast_parameters(), fast_tcp(),
        all_of({over_fast_switches("same rack", 0, 11, 1), over_fast_switches("other rack", 5, 95, 3)}));
}
TEST(unloaded_flow_at_100_gbps, pods) {
    pods_config config;
    config.host_link = config.agg_link = config.core_link = fast_link;
    expect_to_the_picosecond(
        make_topology(config), fast_parameters(), fast_tcp(),
        all_of({over_fast_switches("same ToR", 0, 7, 1), over_fast_switches("same pod", 1, 31, 3),
                over_fast_switches("other pod", 2, 127, 5)}));
}
TEST(unloaded_flow_at_100_gbps, fat_tree) {
    fat_tree_config config;
    config.k = 4;
    config.host_link = config.agg_link = config.core_link = fast_link;
    expect_to_the_picosecond(
        make_topology(config), fast_parameters(), fast_tcp(),
        all_of({over_fast_switches("same edge", 0, 1, 1), over_fast_switches("same pod", 0, 3, 3),
                over_fast_switches("other pod", 1, 15, 5)}));
}

// --- links of several speeds --------------------------------------------------------------------------------

TEST(unloaded_flow_over_mixed_links, the_slowest_link_sets_the_spacing_of_segments) {
    // 100 Gb/s hosts, a bottleneck of 40 Gb/s (200 ps per byte) and 2 us. Crossbars stay at 4 x 100 Gb/s.
    dumbbell_config config;
    config.host_link = fast_link;
    config.bottleneck = {40_Gbps, 2us};
    const picoseconds first_link = 123'040_ps + 600ns;
    const picoseconds first_switch = 300ns + 30'760_ps + 1'538 * 200_ps + 2us;
    const picoseconds second_switch = 300ns + 30'760_ps + 123'040_ps + 600ns;
    const picoseconds full = stack_out + first_link + first_switch + second_switch + stack_in;
    const picoseconds ack = stack_out + 84 * 80_ps + 600ns + 300ns + 84 * 20_ps + 84 * 200_ps + 2us + 300ns +
                            84 * 20_ps + 84 * 80_ps + 600ns + stack_in;
    EXPECT_EQ(full, 37'915'200_ps);
    expect_to_the_picosecond(
        make_topology(config), fast_parameters(), fast_tcp(),
        {{"one segment", 0, 4, 1'460_B, full, ack},
         {"ten segments", 0, 4, 14'600_B, full + 9 * 307'600_ps, ack},
         // The short segment, 726 B, waits behind the last full one at the bottleneck only: it leaves it
         // 145.2 ns later, and passes the second switch in less time than a full one.
         {"with a short last one", 0, 4, 32'768_B,
          stack_out + first_link + 300ns + 30'760_ps + 22 * 307'600_ps + 726 * 200_ps + 2us + 300ns +
              726 * 20_ps + 726 * 80_ps + 600ns + stack_in,
          ack},
         {"the other way", 5, 3, 14'600_B, full + 9 * 307'600_ps, ack}});
}

TEST(unloaded_flow_over_mixed_links, a_rate_without_whole_picoseconds_per_byte_rounds_each_transmission_up) {
    // 3 Gb/s: 2,666.67 ps per byte; 1,538 B take 4,101,333.3 ps; the crossbar, at 12 Gb/s, 1,025,333.3 ps.
    single_config config;
    config.host_link = {3_Gbps, 1us};
    fabric_parameters p;
    p.device.lookup_delay = 300ns;
    const picoseconds full = 4'101'334_ps + 1us + 300ns + 1'025'334_ps + 4'101'334_ps + 1us;
    const picoseconds ack = 224'000_ps + 1us + 300ns + 56'000_ps + 224'000_ps + 1us;  // 84 B
    expect_to_the_picosecond(make_topology(config), p, fast_tcp(),
                             {{"one segment", 0, 1, 1'460_B, full, ack},
                              {"three segments", 0, 1, 4'380_B, full + 2 * 4'101'334_ps, ack}});
}

}  // namespace
