#include "weir/model/analysis/unloaded_path.h"

#include <gtest/gtest.h>

#include <random>

#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

/// DeTail's numbers: 1,530 B everywhere, 1 Gb/s, speedup 4, 3.1 us lookup, 1.6 us + 5 us per link.
unloaded_delays detail_delays() {
    unloaded_delays d;
    d.wire_overhead = 0_B;
    d.header = 70_B;
    return d;
}

TEST(unloaded_path, a_detail_switch_delays_a_full_frame_by_25_us) {
    const topology t = make_topology(single_config{});
    unloaded_paths paths(t, detail_delays());
    // From last bit in at the switch to last bit in at the next node: all but the way to the switch.
    const picoseconds to_switch = 12240ns + 6600ns;
    EXPECT_EQ(paths.frame_time(0, 1, 1530_B) - to_switch, 25us);
    EXPECT_EQ(paths.frame_time(0, 1, 1530_B), 12240ns + 6600ns + 3100ns + 3060ns + 12240ns + 6600ns);
}

TEST(unloaded_path, each_further_switch_adds_another_25_us) {
    const topology t = make_topology(fat_tree_config{});
    unloaded_paths paths(t, detail_delays());
    const picoseconds to_switch = 12240ns + 6600ns;
    EXPECT_EQ(paths.frame_time(0, 1, 1530_B), to_switch + 25us);
    EXPECT_EQ(paths.frame_time(0, 4, 1530_B), to_switch + 3 * 25us);
    EXPECT_EQ(paths.frame_time(0, 127, 1530_B), to_switch + 5 * 25us);
}

TEST(unloaded_path, a_transfer_of_one_segment_is_one_frame_and_the_host_delays) {
    const topology t = make_topology(single_config{});
    unloaded_delays d;
    d.stack_out = 9500ns;
    d.stack_in = 24us;
    unloaded_paths paths(t, d);
    // 100 B payload + 58 B headers + 20 B on the wire = 178 B: 1.424 us, 0.356 us through the crossbar.
    EXPECT_EQ(paths.ideal_completion(2, 3, 100_B),
              9500ns + 1424ns + 6600ns + 3100ns + 356ns + 1424ns + 6600ns + 24us);
    // 1 B is padded to 64 B, 84 B on the wire: 0.672 us and 0.168 us; nothing at all too.
    const picoseconds smallest = 9500ns + 672ns + 6600ns + 3100ns + 168ns + 672ns + 6600ns + 24us;
    EXPECT_EQ(paths.ideal_completion(2, 3, 1_B), smallest);
    EXPECT_EQ(paths.ideal_completion(2, 3, 0_B), smallest);
}

TEST(unloaded_path, segments_follow_each_other_at_the_bottleneck) {
    dumbbell_config config;
    config.bottleneck = {100_Mbps, 6600ns};
    const topology t = make_topology(config);
    unloaded_paths paths(t, detail_delays());
    const picoseconds one = paths.ideal_completion(0, 7, 1460_B);
    EXPECT_EQ(one, 18840ns + 3100ns + 3060ns + 122400ns + 6600ns + 25us);
    // Ten full frames: nine more at 100 Mb/s.
    EXPECT_EQ(paths.ideal_completion(0, 7, 14600_B), one + 9 * 122400ns);
    // A last byte, in a frame of 70 + 1 B, catches up with the full frame in the last switch.
    EXPECT_EQ(paths.ideal_completion(0, 7, 1461_B), one + 568ns);
}

/// Every event by itself: a frame is handed from server to server, each with an explicit queue.
picoseconds literal_completion(const path_stages& stages, std::int64_t transfer, const unloaded_delays& d) {
    std::vector<std::int64_t> payloads;
    for (std::int64_t left = transfer; left > 0; left -= d.segment_payload.count()) {
        payloads.push_back(std::min(left, d.segment_payload.count()));
    }
    std::vector<picoseconds> ready(payloads.size(), d.stack_out);
    for (const path_stage& stage : stages) {
        picoseconds free{0};
        for (std::size_t i = 0; i < payloads.size(); ++i) {
            const std::int64_t frame = std::max(payloads[i] + d.header.count(), d.min_frame.count());
            const std::int64_t bits = (frame + d.wire_overhead.count()) * 8;
            const std::int64_t rate = stage.rate.count();
            __extension__ using wide = __int128;
            const auto time = static_cast<std::int64_t>((wide{bits} * 1'000'000'000'000 + rate - 1) / rate);
            free = std::max(free, ready[i]) + picoseconds{time};
            ready[i] = free + stage.delay_after;
        }
    }
    return ready.back() + d.stack_in;
}

TEST(unloaded_path, closed_form_and_recursion_equal_the_literal_pipeline_for_any_stages) {
    std::mt19937_64 random(3);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    for (unsigned trial = 0; trial < 3000; ++trial) {
        path_stages stages(static_cast<std::size_t>(1 + below(11)));
        for (path_stage& s : stages) {
            s.rate = bit_rate{1'000'000 * (1 + below(40'000))};
            s.delay_after = picoseconds{below(20'000'000)};
        }
        unloaded_delays d;
        d.wire_overhead = bytes{below(30)};
        d.header = bytes{below(90)};
        d.min_frame = bytes{below(300)};
        d.segment_payload = bytes{1 + below(1500)};
        d.stack_out = picoseconds{below(1'000'000)};
        d.stack_in = picoseconds{below(1'000'000)};
        const std::int64_t transfer = 1 + below(d.segment_payload.count() * (1 + below(150)));
        const picoseconds expected = literal_completion(stages, transfer, d);
        EXPECT_EQ(completion_by_recursion(stages, bytes{transfer}, d), expected);
        EXPECT_EQ(completion_in_closed_form(stages, bytes{transfer}, d), expected);
        EXPECT_EQ(ideal_completion(stages, bytes{transfer}, d), expected);
    }
}

/// One start: every segment by itself, through every stage, with its wait for a slot.
picoseconds slotted_completion(picoseconds start, const path_stages& stages, std::int64_t transfer,
                               const unloaded_delays& d) {
    std::vector<std::int64_t> free(stages.size(), 0);
    std::int64_t end = 0;
    for (std::int64_t left = transfer; left > 0; left -= d.segment_payload.count()) {
        const std::int64_t payload = std::min(left, d.segment_payload.count());
        const std::int64_t frame = std::max(payload + d.header.count(), d.min_frame.count());
        std::int64_t at = start.count() + d.stack_out.count();
        for (std::size_t j = 0; j < stages.size(); ++j) {
            const std::int64_t slot = stages[j].slot.count();
            if (slot > 0) {
                at = (at + slot - 1) / slot * slot;
                at = std::max(at, free[j]) + slot * ((frame + d.cell.count() - 1) / d.cell.count());
            } else if (stages[j].interval > 0_ps) {
                at = std::max(at, free[j]) + stages[j].interval.count();
            } else {
                const std::int64_t bits = (frame + d.wire_overhead.count()) * 8;
                const std::int64_t rate = stages[j].rate.count();
                __extension__ using wide = __int128;
                at = std::max(at, free[j]) +
                     static_cast<std::int64_t>((wide{bits} * 1'000'000'000'000 + rate - 1) / rate);
            }
            free[j] = at;
            at += stages[j].delay_after.count();
        }
        end = at;
    }
    return picoseconds{end} + d.stack_in - start;
}

/// Stages with slots that divide 24 ps, lookups and wires; services of some ten to some hundred ps.
path_stages random_slotted_stages(std::mt19937_64& random) {
    static constexpr std::int64_t slots[] = {2, 3, 4, 6, 8, 12, 24};
    path_stages stages(2 + random() % 8);
    for (std::size_t j = 0; j < stages.size(); ++j) {
        path_stage& s = stages[j];
        s.rate = bit_rate{static_cast<std::int64_t>(200'000'000'000 + random() % 3'000'000'000'000)};
        s.delay_after = picoseconds{static_cast<std::int64_t>(random() % 1000)};
        if (j % 3 == 1) {
            s.slot = picoseconds{slots[random() % 7]};
        } else if (random() % 4 == 0) {
            s.interval = picoseconds{static_cast<std::int64_t>(1 + random() % 300)};
            s.delay_after -= std::min(s.interval, s.delay_after + s.interval / 2);  // below 0 at times
        }
    }
    return stages;
}

TEST(unloaded_path, with_slots_the_time_is_the_least_of_the_literal_pipeline_over_all_starts) {
    std::mt19937_64 random(9);
    for (unsigned trial = 0; trial < 400; ++trial) {
        const path_stages stages = random_slotted_stages(random);
        unloaded_delays d;
        d.wire_overhead = bytes{static_cast<std::int64_t>(random() % 20)};
        d.header = bytes{static_cast<std::int64_t>(random() % 20)};
        d.min_frame = bytes{static_cast<std::int64_t>(random() % 30)};
        d.segment_payload = bytes{static_cast<std::int64_t>(1 + random() % 40)};
        d.cell = bytes{static_cast<std::int64_t>(1 + random() % 16)};
        d.stack_out = picoseconds{static_cast<std::int64_t>(random() % 100)};
        d.stack_in = picoseconds{static_cast<std::int64_t>(random() % 100)};
        const std::int64_t most = d.segment_payload.count() * (trial % 4 == 0 ? 1000 : 60);
        const auto transfer = static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(most));
        picoseconds least = never;
        for (picoseconds start = 0_ps; start < 24_ps; start += 1_ps) {
            const picoseconds literal = slotted_completion(start, stages, transfer, d);
            ASSERT_EQ(completion_from(start, stages, nullptr, bytes{transfer}, d), literal) << trial;
            least = std::min(least, literal);
        }
        ASSERT_EQ(ideal_completion(stages, bytes{transfer}, d), least) << trial;
        ASSERT_EQ(frame_time(stages, d.frame_length(1_B), d) + d.stack_out + d.stack_in,
                  ideal_completion(stages, 1_B, d));
    }
}

TEST(unloaded_path, with_slots_of_very_different_lengths_it_is_still_the_least_over_all_starts) {
    std::mt19937_64 random(12);
    static constexpr std::int64_t slots[] = {1, 2, 3, 8, 45, 144, 720, 1440};
    for (unsigned trial = 0; trial < 100; ++trial) {
        path_stages stages = random_slotted_stages(random);
        for (path_stage& s : stages) {
            s.slot = s.slot > 0_ps ? picoseconds{slots[random() % 8]} : 0_ps;
        }
        unloaded_delays d;
        d.segment_payload = bytes{static_cast<std::int64_t>(1 + random() % 40)};
        d.cell = bytes{static_cast<std::int64_t>(1 + random() % 16)};
        const auto transfer =
            static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(d.segment_payload.count() * 6));
        picoseconds least = never;
        for (picoseconds start = 0_ps; start < 1440_ps; start += 1_ps) {
            least = std::min(least, slotted_completion(start, stages, transfer, d));
        }
        ASSERT_EQ(ideal_completion(stages, bytes{transfer}, d), least) << trial;
    }
}

TEST(unloaded_path, a_slow_switch_behind_a_fast_one_is_met_at_its_slot) {
    racks_config config;
    config.racks = config.hosts_per_rack = 2;
    config.roots = 1;
    config.host_link = {800_Gbps, 333_ps};
    config.root_link = {1_Gbps, 333_ps};
    const topology t = make_topology(config);
    unloaded_delays d;
    d.cell = 4_KiB;
    d.lookup_delay = 0_ps;
    d.segment_payload = 1_B;
    unloaded_paths paths(t, d);
    const path_stages stages = paths.stages(0, 2);
    ASSERT_EQ(stages[1].slot, 10'240_ps);
    ASSERT_EQ(stages[3].slot, 8'192ns);
    picoseconds least = never;
    for (picoseconds start = 0_ps; start < 8'192ns; start += 1_ps) {
        least = std::min(least, slotted_completion(start, stages, 1, d));
    }
    EXPECT_EQ(paths.ideal_completion(0, 2, 1_B), least);
    // What random starts have found in a run.
    EXPECT_LE(least, 9'580'415_ps);
}

TEST(unloaded_path, slots_without_a_usable_common_multiple_give_a_bound_within_a_slot_per_switch) {
    std::mt19937_64 random(13);
    for (unsigned trial = 0; trial < 50; ++trial) {
        path_stages stages = random_slotted_stages(random);
        const std::int64_t primes[] = {999'983, 1'000'003, 1'000'033};
        picoseconds slots{0};
        std::size_t next = 0;
        for (path_stage& s : stages) {
            if (s.slot > 0_ps) {
                s.slot = picoseconds{primes[next++ % 3]};
                slots += s.slot;
            }
        }
        unloaded_delays d;
        d.segment_payload = 100_B;
        d.cell = 16_B;
        const picoseconds ideal = ideal_completion(stages, 250_B, d);
        for (int i = 0; i < 2'000; ++i) {
            const picoseconds start{static_cast<std::int64_t>(random() % 1'000'000'000'000)};
            const picoseconds literal = slotted_completion(start, stages, 250, d);
            ASSERT_LE(ideal, literal) << trial;
            ASSERT_LE(literal, ideal + slots) << trial;
        }
    }
}

TEST(unloaded_path, a_long_row_of_segments_in_slots_is_the_literal_one_and_takes_no_longer_to_compute) {
    // 64 B in 12.8 ns: 1,538 B at 10 Gb/s take 96.125 slots, so the waits repeat after eight segments.
    unloaded_delays d;
    d.cell = 64_B;
    d.lookup_interval = 100ns;
    fat_tree_config config;
    config.k = 4;
    config.host_link = config.agg_link = config.core_link = {10_Gbps, 1us};
    const topology t = make_topology(config);
    unloaded_paths paths(t, d);
    const path_stages stages = paths.stages(0, 15);
    ASSERT_EQ(stages.size(), 16U);  // NIC; a lookup, a crossbar and a port for each of five switches
    EXPECT_EQ(stages[2].slot, 12'800_ps);
    const std::int64_t transfer = 1'460 * 20'000 + 77;
    picoseconds least = never;
    for (int i = 0; i < 16; ++i) {
        least = std::min(least, slotted_completion(i * 800_ps, stages, transfer, d));
    }
    EXPECT_EQ(paths.ideal_completion(0, 15, bytes{transfer}), least);
    EXPECT_EQ(paths.ideal_completion(0, 15, 14'600_MB) - paths.ideal_completion(0, 15, 1'460_MB),
              9'000'000 * transmission_time(1'538_B, 10_Gbps));
}

TEST(unloaded_path, a_lookup_interval_spaces_segments_and_costs_a_lone_frame_nothing) {
    unloaded_delays d = detail_delays();
    d.lookup_interval = 20us;  // longer than a frame, and than a lookup
    const topology t = make_topology(fat_tree_config{});
    unloaded_paths paths(t, d);
    const picoseconds lone = 12240ns + 6600ns + 5 * 25us;
    EXPECT_EQ(paths.frame_time(0, 127, 1530_B), lone);
    EXPECT_EQ(paths.ideal_completion(0, 127, 1460_B), lone);
    EXPECT_EQ(paths.ideal_completion(0, 127, 14'600_B), lone + 9 * 20us);
    EXPECT_EQ(paths.ideal_completion(0, 127, 146'000_B), lone + 99 * 20us);
}

TEST(unloaded_path, a_handshake_adds_an_empty_frame_each_way_with_its_stack_delays) {
    unloaded_delays d;
    d.stack_out = 9500ns;
    d.stack_in = 24us;
    const topology t = make_topology(single_config{});
    const picoseconds data = unloaded_paths(t, d).ideal_completion(2, 3, 100_KB);
    d.handshake = true;
    // 84 B on the wire: 672 ns, 168 ns through the crossbar.
    EXPECT_EQ(unloaded_paths(t, d).ideal_completion(2, 3, 100_KB) - data,
              2 * (9500ns + 672ns + 6600ns + 3100ns + 168ns + 672ns + 6600ns + 24us));
}

// Worked out by hand: ns-3's dumbbell, a transfer of 1,474 B in segments of 1,460 and 14 B, over three links.
TEST(unloaded_path, a_handshake_may_have_options_and_end_with_a_frame_of_its_own) {
    unloaded_delays d;
    d.wire_overhead = 0_B;
    d.lookup_delay = picoseconds{0};
    d.speedup = 0;
    d.header = 42_B;
    d.min_frame = 40_B;
    d.handshake = d.handshake_ack = true;
    d.syn_options = 4_B;
    dumbbell_config config;
    config.left = config.right = 4;
    config.host_link = config.bottleneck = {1_Gbps, 10us};
    const topology t = make_topology(config);
    // SYN and SYN-ACK of 46 B, an ACK of 42 B, a segment of 1,502 B, and one of 56 B behind it.
    EXPECT_EQ(unloaded_paths(t, d).ideal_completion(0, 4, 1474_B),
              2 * (3 * 368ns + 30us) + 336ns + 3 * 12016ns + 448ns + 30us);
}

TEST(unloaded_path, the_longest_round_trip_is_that_of_all_pairs_of_hosts) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 30; ++trial) {
        topology t;
        const auto switches = static_cast<std::uint32_t>(1 + random() % 5);
        const auto any_link = [&] {
            return link_properties{bit_rate{1'000'000'000 * static_cast<std::int64_t>(1 + random() % 100)},
                                   picoseconds{1'000 * static_cast<std::int64_t>(1 + random() % 5'000)}};
        };
        for (std::uint32_t s = 0; s < switches; ++s) {
            t.add_switch("s" + std::to_string(s));
            for (std::uint32_t before = 0; before < s; ++before) {
                if (before + 1 == s || random() % 3 == 0) {
                    t.add_link(node_ref::of_switch(s), node_ref::of_switch(before), any_link());
                }
            }
        }
        for (int h = 0; h < 7; ++h) {
            t.add_link(node_ref::of_host(t.add_host("h" + std::to_string(h))),
                       node_ref::of_switch(static_cast<switch_id>(random() % switches)), any_link());
        }
        t.finish();
        unloaded_delays d;
        d.stack_out = 3us;
        d.stack_in = 2us;
        d.lookup_interval = trial % 2 == 0 ? 0_ps : picoseconds{20ns};
        unloaded_paths paths(t, d);
        picoseconds longest{0};
        for (host_id a = 0; a < t.hosts(); ++a) {
            for (host_id b = 0; b < t.hosts(); ++b) {
                if (a != b) {
                    longest = std::max(longest, paths.frame_time(a, b, 1518_B) + paths.frame_time(b, a, 64_B));
                }
            }
        }
        EXPECT_EQ(paths.longest_round_trip(1518_B, 64_B), longest + 10us);
    }
    EXPECT_EQ(unloaded_paths(make_topology(single_config{}), {}).longest_round_trip(1518_B, 64_B),
              2 * (6600ns + 6600ns + 3100ns) + (12304ns + 672ns) * 9 / 4);
}

TEST(unloaded_path, the_change_from_recursion_to_closed_form_shows_no_step) {
    const topology t = make_topology(pods_config{});
    unloaded_paths paths(t, {});
    const picoseconds a_segment = transmission_time(1460_B + 58_B + 20_B, 1_Gbps);
    for (std::int64_t n = 60; n < 70; ++n) {
        EXPECT_EQ(paths.ideal_completion(0, 127, 1460_B * (n + 1)) - paths.ideal_completion(0, 127, 1460_B * n),
                  a_segment);
    }
    // 1 GB over 1 Gb/s takes eight seconds and its headers.
    const picoseconds gigabyte = paths.ideal_completion(0, 127, 1000_MB);
    EXPECT_GT(gigabyte, 8s);
    EXPECT_LT(gigabyte, 9s);
}

TEST(unloaded_path, the_crossbar_runs_at_speedup_times_the_fastest_port) {
    fat_tree_config config;
    config.k = 4;
    config.agg_link = {40_Gbps, 1us};
    const topology t = make_topology(config);
    unloaded_paths paths(t, {});
    const path_stages stages = paths.stages(0, 15);
    // NIC; edge switch, aggregation switch, core, and down again: a crossbar and a port each.
    ASSERT_EQ(stages.size(), 11U);
    EXPECT_EQ(stages[0].rate, 1_Gbps);
    EXPECT_EQ(stages[0].delay_after, 6600ns + 3100ns);
    EXPECT_EQ(stages[1].rate, 160_Gbps);
    EXPECT_EQ(stages[1].delay_after, 0ns);
    EXPECT_EQ(stages[2].rate, 40_Gbps);
    EXPECT_EQ(stages[2].delay_after, 1us + 3100ns);
    EXPECT_EQ(stages[5].rate, 4_Gbps);
    EXPECT_EQ(stages[10].rate, 1_Gbps);
    EXPECT_EQ(stages[10].delay_after, 6600ns);
}

TEST(unloaded_path, of_equally_long_paths_the_quickest_is_taken) {
    topology t;
    const node_ref a = node_ref::of_switch(t.add_switch("a"));
    const node_ref slow = node_ref::of_switch(t.add_switch("slow"));
    const node_ref quick = node_ref::of_switch(t.add_switch("quick"));
    const node_ref b = node_ref::of_switch(t.add_switch("b"));
    t.add_link(a, slow, {1_Gbps, 1us});
    t.add_link(slow, b, {1_Gbps, 1us});
    t.add_link(a, quick, {10_Gbps, 1us});
    t.add_link(quick, b, {10_Gbps, 1us});
    t.add_link(node_ref::of_host(t.add_host("h0")), a, {10_Gbps, 1us});
    t.add_link(node_ref::of_host(t.add_host("h1")), b, {10_Gbps, 1us});
    t.finish();
    ASSERT_TRUE(t.validate().empty());
    link_states up = all_links_up(t);
    EXPECT_EQ(to_text(t, quickest_path(t, up, 0, 1, {})), "h0 > a > quick > b > h1");
    EXPECT_EQ(to_text(t, quickest_path(t, up, 1, 0, {})), "h1 > b > quick > a > h0");
    up[2] = false;
    EXPECT_EQ(to_text(t, quickest_path(t, up, 0, 1, {})), "h0 > a > slow > b > h1");
    up[0] = false;
    EXPECT_TRUE(quickest_path(t, up, 0, 1, {}).empty());
    up = all_links_up(t);
    up[5] = false;
    EXPECT_TRUE(quickest_path(t, up, 0, 1, {}).empty());
}

TEST(unloaded_path, the_cached_paths_equal_those_searched_for_one_by_one) {
    pods_config config;
    config.host_link = {10_Gbps, 500ns};
    config.core_link = {40_Gbps, 2us};
    const topology t = make_topology(config);
    unloaded_paths paths(t, {});
    std::mt19937 random(5);
    for (unsigned trial = 0; trial < 200; ++trial) {
        const auto src = static_cast<host_id>(random() % t.hosts());
        const auto dst = static_cast<host_id>(random() % t.hosts());
        if (src == dst) {
            continue;
        }
        const path_stages expected = stages_of(t, quickest_path(t, all_links_up(t), src, dst, {}), {});
        EXPECT_EQ(paths.frame_time(src, dst, 800_B), frame_time(expected, 800_B, {}));
        EXPECT_EQ(paths.ideal_completion(src, dst, 1_MB), ideal_completion(expected, 1_MB, {}));
        EXPECT_EQ(paths.ideal_completion(src, dst, 1_MB), paths.ideal_completion(dst, src, 1_MB));
    }
}

}  // namespace
}  // namespace weir::model
