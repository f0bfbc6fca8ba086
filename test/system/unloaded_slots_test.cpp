// A transfer that is alone in its fabric takes what unloaded_path.h says, to the picosecond, also with a limit
// on lookups, with a handshake, and, if it starts at the best moment for the slots, with a crossbar that moves
// cells: on every generator, through fabric, NICs and TCP. unloaded_flow_test.cpp has the same without these.
#include <gtest/gtest.h>

#include "transfer_rig.h"
#include "weir/model/analysis/unloaded_path.h"

using namespace weir;
using namespace weir::model;
using namespace weir::traffic;
using weir::test::transfer_rig;

namespace {

struct transfer {
    host_id src;
    host_id dst;
    bytes size;
    transport_kind transport = transport_kind{};
};

using pairs = std::vector<std::pair<host_id, host_id>>;

/// Some sizes, each for each pair of hosts.
std::vector<transfer> transfers_between(const pairs& between, const std::vector<bytes>& sizes,
                                        transport_kind transport = transport_kind{}) {
    std::vector<transfer> all;
    for (const auto& [src, dst] : between) {
        for (const bytes size : sizes) {
            all.push_back({src, dst, size, transport});
        }
    }
    return all;
}

/// What a case has beside its fabric.
struct setting {
    fabric_parameters fabric;
    tcp_config tcp;
    link_properties link;
    std::vector<bytes> sizes;
    /// Starts are tried at this many moments, so far apart; together they are what after the slots repeat.
    int phases = 1;
    picoseconds step{0};
    /// Longer than any transfer takes; a whole number of phases.
    picoseconds apart{0};
};

picoseconds ideal_of(const topology& plan, const setting& s, const transfer& t) {
    const bool tcp = t.transport == transport_kind{};
    unloaded_delays d;
    d.wire_overhead = s.fabric.wire_overhead;
    d.lookup_delay = s.fabric.device.lookup_delay;
    d.lookup_interval = s.fabric.device.lookup_interval;
    d.speedup = s.fabric.device.speedup;
    d.cell = s.fabric.device.crossbar == crossbar_mode::cell ? s.fabric.device.cell : 0_B;
    d.stack_out = s.fabric.host.stack_out;
    d.stack_in = s.fabric.host.stack_in;
    d.segment_payload = tcp ? s.tcp.mss : udp_config{}.payload;
    d.header = tcp ? s.tcp.header : udp_config{}.header;
    d.handshake = tcp && s.tcp.handshake;
    return unloaded_paths(plan, d).ideal_completion(t.src, t.dst, t.size);
}

/// Of each transfer, at each phase alone in the fabric: the least completion time is the ideal one. Returns
/// these.
std::vector<picoseconds> expect_ideal(const topology& plan, const setting& s,
                                      const std::vector<transfer>& transfers) {
    transfer_rig rig(plan, s.fabric, s.tcp);
    picoseconds start = s.apart;
    for (const transfer& t : transfers) {
        for (int phase = 0; phase < s.phases; ++phase) {
            rig.transfer(start + s.step * phase, t.src, t.dst, t.size, t.transport);
            start += s.apart;
        }
    }
    rig.run(start);
    std::vector<std::size_t> delivered(plan.hosts());
    std::vector<picoseconds> ideals;
    for (const transfer& t : transfers) {
        SCOPED_TRACE(std::to_string(t.src) + " to " + std::to_string(t.dst) + ", " +
                     std::to_string(t.size.count()) + " B");
        picoseconds least = never;
        for (int phase = 0; phase < s.phases; ++phase) {
            const auto& deliveries = rig.ends[t.dst]->log().deliveries;
            EXPECT_GT(deliveries.size(), delivered[t.dst]);
            if (deliveries.size() <= delivered[t.dst]) {
                return ideals;
            }
            const delivery_record& d = deliveries[delivered[t.dst]++];
            EXPECT_EQ(d.flow_bytes, t.size);
            least = std::min(least, d.end - d.start);
        }
        ideals.push_back(ideal_of(plan, s, t));
        EXPECT_EQ(least.count(), ideals.back().count());
    }
    EXPECT_TRUE(rig.made.is_empty());
    return ideals;
}

// --- settings ----------------------------------------------------------------------------------------------

/// DeTail: 1 Gb/s, 8 ns per byte; frames of 70 B + payload, no wire overhead; 6.6 us links.
setting details_numbers() {
    setting s;
    s.fabric.wire_overhead = 0_B;
    s.tcp.header = 70_B;
    s.tcp.initial_window = 100;
    s.tcp.initial_rto = 50ms;
    s.link = {1_Gbps, 6'600ns};
    s.sizes = {100_B, 1'460_B, 8'000_B, 29'200_B, 146'000_B};
    s.apart = 128ns * 40'000;
    return s;
}
/// 100 Gb/s, 80 ps per byte; frames of 58 B + payload, 20 B of overhead; 600 ns links, 300 ns lookup.
setting fast_numbers() {
    setting s;
    s.fabric.device.lookup_delay = 300ns;
    s.fabric.host.stack_out = 9'500ns;
    s.fabric.host.stack_in = 24us;
    s.tcp.initial_window = 100;
    s.link = {100_Gbps, 600ns};
    s.sizes = {1_B, 100_B, 1'460_B, 14'600_B, 32'768_B};
    s.apart = 1'280_ps * 400'000;
    return s;
}
setting with_lookup_interval(setting s, picoseconds interval) {
    s.fabric.device.lookup_interval = interval;
    return s;
}
setting with_handshake(setting s) {
    s.tcp.handshake = true;
    return s;
}
/// 64 B in 128 ns at 4 Gb/s; all times are whole multiples of 4 ns.
setting with_details_cells(setting s) {
    s.fabric.device.crossbar = crossbar_mode::cell;
    s.phases = 32;
    s.step = 4ns;
    return s;
}
/// 64 B in 1.28 ns at 400 Gb/s; all times are whole multiples of 160 ps, or of 80 ps with a handshake.
setting with_fast_cells(setting s) {
    s.fabric.device.crossbar = crossbar_mode::cell;
    s.phases = 16;
    s.step = 80_ps;
    return s;
}

struct named_setting {
    const char* name;
    setting (*make)();
};
const named_setting settings[] = {
    {"lookups", [] { return with_lookup_interval(details_numbers(), 100ns); }},
    // More than a frame's time on a wire: lookups set the spacing. No ACK comes back before the last segment is
    // by.
    {"slow_lookups", [] { return with_lookup_interval(fast_numbers(), 200ns); }},
    {"handshake", [] { return with_handshake(details_numbers()); }},
    {"handshake_and_lookups", [] { return with_handshake(with_lookup_interval(fast_numbers(), 50ns)); }},
    {"cells", [] { return with_details_cells(details_numbers()); }},
    {"cells_and_slow_lookups", [] { return with_fast_cells(with_lookup_interval(fast_numbers(), 200ns)); }},
    {"cells_handshake_and_lookups",
     [] { return with_fast_cells(with_handshake(with_lookup_interval(fast_numbers(), 50ns))); }},
};

// --- fabrics -----------------------------------------------------------------------------------------------

/// A fabric whose links are all alike, and hosts at each distance.
struct small_fabric {
    topology plan;
    pairs between;
};
struct generator {
    const char* name;
    small_fabric (*make)(const link_properties& link);
};
const generator generators[] = {
    {"single",
     [](const link_properties& link) {
         single_config c;
         c.host_link = link;
         return small_fabric{make_topology(c), {{0, 3}}};
     }},
    {"dumbbell",
     [](const link_properties& link) {
         dumbbell_config c;
         c.host_link = c.bottleneck = link;
         return small_fabric{make_topology(c), {{0, 1}, {2, 7}}};
     }},
    {"racks",
     [](const link_properties& link) {
         racks_config c;
         c.racks = 2;
         c.host_link = c.root_link = link;
         return small_fabric{make_topology(c), {{0, 11}, {5, 20}}};
     }},
    {"pods",
     [](const link_properties& link) {
         pods_config c;
         c.host_link = c.agg_link = c.core_link = link;
         return small_fabric{make_topology(c), {{0, 7}, {1, 31}, {2, 127}}};
     }},
    {"fat_tree",
     [](const link_properties& link) {
         fat_tree_config c;
         c.k = 4;
         c.host_link = c.agg_link = c.core_link = link;
         return small_fabric{make_topology(c), {{0, 1}, {0, 3}, {1, 15}}};
     }},
};

class unloaded_slots : public testing::TestWithParam<std::tuple<generator, named_setting>> {};

TEST_P(unloaded_slots, a_lone_transfer_takes_its_ideal_time) {
    const setting s = std::get<1>(GetParam()).make();
    const small_fabric f = std::get<0>(GetParam()).make(s.link);
    std::vector<transfer> transfers = transfers_between(f.between, s.sizes);
    for (const transfer& t : transfers_between(f.between, {1'000_B, 14'720_B}, datagram_transport)) {
        transfers.push_back(t);
    }
    expect_ideal(f.plan, s, transfers);
}
INSTANTIATE_TEST_SUITE_P(system, unloaded_slots,
                         testing::Combine(testing::ValuesIn(generators), testing::ValuesIn(settings)),
                         [](const auto& of) {
                             return std::string(std::get<0>(of.param).name) + "_" + std::get<1>(of.param).name;
                         });

// --- by hand -----------------------------------------------------------------------------------------------

// A full frame of 1,530 B is 24 cells of 64 B, 3.072 us. From one crossbar's slots to the next's are 12.24 us
// on the wire, 6.6 us of link and 3.1 us of lookup: 171.4 slots, so it waits 76 ns at every switch but the
// first.
TEST(unloaded_slots_by_hand, a_full_frame_waits_for_its_slot_at_every_switch_but_the_first) {
    const setting s = with_details_cells(details_numbers());
    fat_tree_config c;
    c.k = 4;
    const std::vector<picoseconds> ideals =
        expect_ideal(make_topology(c), s, transfers_between({{0, 1}, {0, 3}, {1, 15}}, {1'460_B}));
    const picoseconds to_switch = 12'240ns + 6'600ns;
    const picoseconds each = 3'100ns + 3'072ns + 12'240ns + 6'600ns;
    EXPECT_EQ(ideals, (std::vector<picoseconds>{to_switch + each, to_switch + 3 * each + 2 * 76ns,
                                                to_switch + 5 * each + 4 * 76ns}));
}

// SYN and SYN-ACK of 84 B on the wire, 6.72 ns and 1.68 ns, and 33.5 us of stacks for each.
TEST(unloaded_slots_by_hand, a_handshake_is_a_small_frame_each_way) {
    single_config c;
    c.host_link = {100_Gbps, 600ns};
    const std::vector<picoseconds> ideals =
        expect_ideal(make_topology(c), with_handshake(fast_numbers()), transfers_between({{0, 3}}, {1'460_B}));
    const picoseconds small = 9'500ns + 6'720_ps + 600ns + 300ns + 1'680_ps + 6'720_ps + 600ns + 24'000ns;
    const picoseconds full = 9'500ns + 123'040_ps + 600ns + 300ns + 30'760_ps + 123'040_ps + 600ns + 24'000ns;
    EXPECT_EQ(ideals, (std::vector<picoseconds>{2 * small + full}));
}

// Hosts at 25 Gb/s, everything else at 10 Gb/s: cells take 2.56 or 6.4 ns, and the pattern repeats every 12.8
// ns.
TEST(unloaded_slots_by_hand, switches_may_have_slots_of_different_lengths) {
    setting s = with_fast_cells(fast_numbers());
    s.fabric.device.speedup = 8;
    s.phases = 160;
    s.step = 80_ps;
    pods_config c;
    c.host_link = {25_Gbps, 600ns};
    c.agg_link = c.core_link = {10_Gbps, 600ns};
    expect_ideal(make_topology(c), s, transfers_between({{1, 31}, {2, 127}}, {100_B, 1'460_B, 14'600_B}));
}

}  // namespace
