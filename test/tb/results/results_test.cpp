// What becomes of a run's results, without a run: joining, groups, accounts, tables.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/errors_said.h"
#include "support/scratch_directory.h"
#include "tb/run/completions/completion_statistics.h"
#include "tb/run/completions/flow_joiner.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/samples/fabric_totals.h"
#include "tb/run/samples/sample_tables.h"
#include "tb/run/summary/result_table.h"
#include "tb/run/summary/run_facts.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/text_format.h"
#include "weir/base/rng.h"

using namespace weir;
using namespace weir::tb;
using weir::test::contents;
using weir::test::scratch_directory;
namespace fs = std::filesystem;

namespace {

template <class Value>
distribution_of<Value> summary_of(const percentiles& completed) {
    observed_times times{completed, {}};
    return summarize<Value>(times);
}

// --- joining ---------------------------------------------------------------------------------------------

delivery_record delivered(std::uint64_t flow, transport_kind transport = transport_kind{},
                          picoseconds end = 1us) {
    return {flow, flow, 0, 1, 1000_B, 0, 0, transport, 0_ps, end};
}

std::string taken(flow_joiner& joiner, bool all = false) {
    std::string text;
    const auto take = [&](const completed_flow& f) {
        text += std::to_string(f.delivery.flow) + ":" +
                (f.sender_known ? std::to_string(f.retransmits) + "/" + std::to_string(f.timeouts) : "?") + " ";
    };
    all ? joiner.take_all(take) : joiner.take_ready(take);
    return text;
}

TEST(flow_joiner, transfers_leave_in_order_of_delivery_when_all_before_them_are_confirmed) {
    flow_joiner joiner;
    joiner.add(delivered(10));
    joiner.add(delivered(11));
    joiner.add(delivered(12));
    EXPECT_EQ(taken(joiner), "");
    joiner.add(sender_record{11, 2us, 3, 1});
    EXPECT_EQ(taken(joiner), "");
    joiner.add(sender_record{10, 3us, 0, 0});
    EXPECT_EQ(taken(joiner), "10:0/0 11:3/1 ");
    joiner.add(delivered(13));
    joiner.add(sender_record{13, 4us, 5, 0});
    EXPECT_EQ(taken(joiner), "");
    joiner.add(sender_record{12, 4us, 0, 2});
    EXPECT_EQ(taken(joiner), "12:0/2 13:5/0 ");
    EXPECT_EQ(joiner.held(), 0U);
}

TEST(flow_joiner, udp_waits_for_nobody_and_records_without_a_delivery_are_forgotten) {
    flow_joiner joiner;
    joiner.add(sender_record{1, 1us, 7, 7});
    joiner.add(delivered(1, datagram_transport));
    EXPECT_EQ(taken(joiner), "1:0/0 ");
    joiner.add(sender_record{2, 1us, 7, 7});
    joiner.add(delivered(2));
    EXPECT_EQ(taken(joiner), "");
    EXPECT_EQ(taken(joiner, true), "2:? ");
}

// Transfers 0 to 99 arrive 1 us apart; every sender confirms 500 ns later, but for some that take 10 us or are
// never heard of.
std::string of_slow_senders(std::size_t most_held, std::size_t batch) {
    flow_joiner joiner(most_held);
    std::string text;
    std::size_t most = 0;
    for (std::uint64_t first = 0; first < 120; first += batch) {
        const picoseconds until = static_cast<std::int64_t>(first + batch) * 1us;
        const picoseconds from = static_cast<std::int64_t>(first) * 1us;
        for (std::uint64_t f = first; f < std::min<std::uint64_t>(first + batch, 100); ++f) {
            joiner.add(delivered(f, transport_kind{}, static_cast<std::int64_t>(f) * 1us));
        }
        for (std::uint64_t f = 0; f < 100; ++f) {
            const picoseconds time = static_cast<std::int64_t>(f) * 1us + (f % 7 == 3 ? 10us : 500ns);
            if (f != 50 && time >= from && time < until) {
                joiner.add(sender_record{f, time, static_cast<std::uint32_t>(f), 1});
            }
        }
        text += taken(joiner);
        most = std::max(most, joiner.held());
    }
    EXPECT_LE(most, most_held);
    return text + taken(joiner, true);
}

TEST(flow_joiner, a_sender_holds_up_so_many_transfers_and_no_more_whenever_records_are_added) {
    std::string of_eight;
    std::string of_ten;
    for (std::uint64_t f = 0; f < 100; ++f) {
        const std::string known = std::to_string(f) + ":" + std::to_string(f) + "/1 ";
        const std::string unknown = std::to_string(f) + ":? ";
        // The tenth transfer after one that takes 10 us ends with it, which is in time. The last ones have no
        // eighth after them.
        of_eight += f == 50 || (f % 7 == 3 && f + 8 < 100) ? unknown : known;
        of_ten += f == 50 ? unknown : known;
    }
    for (const std::size_t batch : {1U, 2U, 5U, 40U, 120U}) {
        EXPECT_EQ(of_slow_senders(8, batch), of_eight) << batch;
        EXPECT_EQ(of_slow_senders(10, batch), of_ten) << batch;
    }
}

// --- groups ----------------------------------------------------------------------------------------------

TEST(completion_statistics, groups_are_equal_tag_size_and_priority_in_this_order) {
    completion_statistics s;
    s.add_job({1, 8_KB, 0}, {9us});
    s.add_flow({0, 8_KB, 7}, {3us});
    s.add_flow({0, 8_KB, 7}, {5us});
    s.add_job({0, 8_KB, 7}, {10us});
    s.add_flow({0, 2_KB, 7}, {1us});
    s.add_flow({0, 8_KB, 0}, {4us});
    const std::vector<completion_group> groups = s.groups();
    ASSERT_EQ(groups.size(), 4U);
    EXPECT_EQ(groups[0].largest, 2_KB);
    EXPECT_EQ(groups[1].priority, 0);
    EXPECT_EQ(groups[2].fct.count, 2U);
    EXPECT_EQ(groups[2].fct.mean, picoseconds{4us});
    EXPECT_EQ(groups[2].fct.p50, picoseconds{3us});
    EXPECT_EQ(groups[2].fct.p99_9, picoseconds{5us});
    EXPECT_EQ(groups[2].jct.max, picoseconds{10us});
    EXPECT_EQ(groups[3].tag, 1);
    EXPECT_EQ(s.fct().count, 4U);
    EXPECT_EQ(s.jct().count, 2U);
}

TEST(completion_statistics, what_has_not_completed_counts_with_its_age) {
    completion_statistics s;
    // 10, 20, 25+, 30, 40+, 45, 60, 60+, 80, 90+ us; a plus sign marks an age.
    for (const std::int64_t us : {10, 20, 30, 45, 60, 80}) {
        s.add_flow({0, 8_KB, 7}, {us * picoseconds{1us}, 10us});
    }
    for (const std::int64_t us : {25, 40, 60, 90}) {
        s.add_open_flow({0, 8_KB, 7}, {us * picoseconds{1us}, 10us});
    }
    s.add_open_job({1, 2_KB, 0}, {70us});
    const distribution fct = s.fct();
    EXPECT_EQ(fct.count, 6U);
    EXPECT_EQ(fct.unfinished, 4U);
    EXPECT_EQ(fct.mean, picoseconds{40'833'333});  // of what has completed
    EXPECT_EQ(fct.p50, picoseconds{60us});
    EXPECT_EQ(fct.p90, picoseconds{90us});  // at least: the largest age
    EXPECT_EQ(fct.max, picoseconds{90us});
    EXPECT_EQ(fct.reached, 5'000U);
    EXPECT_EQ(s.fct_slowdown().p50, slowdown_ratio{6'000'000});
    EXPECT_EQ(s.fct_slowdown().p99, slowdown_ratio{9'000'000});
    const std::vector<completion_group> groups = s.groups();
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].fct.p50, picoseconds{60us});
    EXPECT_EQ(groups[1].fct.unfinished, 0U);
    EXPECT_TRUE(groups[1].fct.is_empty());
    EXPECT_EQ(groups[1].jct.unfinished, 1U);
    EXPECT_EQ(groups[1].jct.p50, picoseconds{70us});
    EXPECT_EQ(groups[1].jct.reached, 0U);
}

TEST(completion_statistics, ages_below_every_completion_leave_percentiles_as_they_are) {
    completion_statistics s;
    completion_statistics without;
    for (std::int64_t us = 100; us < 400; ++us) {
        s.add_flow({0, 8_KB, 7}, {us * picoseconds{1us}});
        without.add_flow({0, 8_KB, 7}, {us * picoseconds{1us}});
        s.add_open_flow({0, 8_KB, 7}, {(us - 99) * picoseconds{100'000}});
    }
    EXPECT_EQ(s.fct().p50, without.fct().p50);
    EXPECT_EQ(s.fct().p99_9, without.fct().p99_9);
    EXPECT_EQ(s.fct().reached, 10'000U);
}

TEST(completion_statistics, estimates_from_a_histogram_are_within_a_bucket) {
    completion_statistics s;
    const auto count = static_cast<std::int64_t>(completion_statistics::exact_group_samples) + 1;
    for (std::int64_t i = 0; i < count; ++i) {
        s.add_flow({0, 1_KB, 0}, {i * picoseconds{1us} / 100 + 10us});
    }
    s.add_open_flow({0, 1_KB, 0}, {1s});
    s.add_open_flow({0, 1_KB, 0}, {1ns});
    const completion_group group = s.groups().front();
    EXPECT_NEAR(static_cast<double>(group.fct.p50.count()), static_cast<double>(s.fct().p50.count()),
                static_cast<double>(s.fct().p50.count()) / 1'024);
    EXPECT_EQ(group.fct.max, picoseconds{1s});
    EXPECT_EQ(group.fct.reached, 9'990U);
    // The largest sample is exact, and no bound where nothing older has not completed.
    completion_statistics young;
    for (std::int64_t i = 0; i < count; ++i) {
        young.add_flow({0, 1_KB, 0}, {i * picoseconds{1us} / 100 + 10us});
    }
    young.add_open_flow({0, 1_KB, 0}, {1ns});
    EXPECT_EQ(young.groups().front().fct.max, (count - 1) * picoseconds{1us} / 100 + 10us);
    EXPECT_EQ(young.groups().front().fct.reached, 10'000U);
}

TEST(summary, has_keys_of_unfinished_work_only_where_there_is_any) {
    run_summary s;
    completion_statistics c;
    c.add_flow({0, 8_KB, 7}, {10us});
    s.fct = c.fct();
    s.groups = c.groups();
    EXPECT_EQ(to_text(to_json(s)).find("unfinished"), std::string::npos);
    EXPECT_EQ(to_text(to_json(s)).find("is_lower_bound"), std::string::npos);
    c.add_open_flow({0, 8_KB, 7}, {30us});
    c.add_open_flow({0, 8_KB, 7}, {20us});
    s.fct = c.fct();
    s.flows_unfinished = 3;
    const nlohmann::ordered_json j = to_json(s);
    EXPECT_EQ(j["flows"]["unfinished"], 3);
    EXPECT_EQ(j["fct_ns"]["unfinished"], 2);
    EXPECT_EQ(j["fct_ns"]["mean"], 10'000);
    EXPECT_EQ(j["fct_ns"]["p99"], 30'000);
    EXPECT_EQ(j["fct_ns"]["p99_is_lower_bound"], true);
    EXPECT_EQ(j["fct_ns"]["max_is_lower_bound"], true);
    EXPECT_FALSE(j["jct_ns"].contains("unfinished"));
}

TEST(completion_statistics, of_given_bins_has_a_group_for_each_and_one_for_all_that_is_larger) {
    completion_statistics s({10_KB, 128_KB});
    for (const bytes size : {0_B, 1_B, 10_KB, bytes{10'001}, 128_KB, bytes{128'001}, 250_MB}) {
        s.add_flow({0, size, 7}, {1us});
    }
    const std::vector<completion_group> groups = s.groups();
    ASSERT_EQ(groups.size(), 3U);
    const std::int64_t bounds[][2] = {{0, 10'000}, {10'001, 128'000}, {128'001, std::int64_t{1} << 48}};
    const std::uint64_t counts[] = {3, 2, 2};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        EXPECT_EQ(groups[i].smallest.count(), bounds[i][0]);
        EXPECT_EQ(groups[i].largest.count(), bounds[i][1]);
        EXPECT_EQ(groups[i].fct.count, counts[i]);
    }
}

TEST(completion_statistics, more_than_256_sizes_go_into_bins_of_powers_of_two_in_any_order) {
    completion_statistics rising;
    completion_statistics falling;
    for (std::int64_t size = 1; size <= 256; ++size) {
        rising.add_flow({0, bytes{size}, 0}, {picoseconds{size}});
    }
    EXPECT_EQ(rising.groups().size(), 256U);
    rising.add_job({0, bytes{257}, 0}, {picoseconds{257}});
    falling.add_job({0, bytes{257}, 0}, {picoseconds{257}});
    for (std::int64_t size = 256; size >= 1; --size) {
        falling.add_flow({0, bytes{size}, 0}, {picoseconds{size}});
    }
    for (completion_statistics* s : {&rising, &falling}) {
        const std::vector<completion_group> groups = s->groups();
        ASSERT_EQ(groups.size(), 10U);  // 1, 2, 3-4, 5-8, ..., 129-256, 257-512
        std::int64_t next = 1;
        std::uint64_t flows = 0;
        for (const completion_group& g : groups) {
            EXPECT_EQ(g.smallest.count(), next);
            next = g.largest.count() + 1;
            flows += g.fct.count;
            if (g.fct.count > 0) {
                EXPECT_EQ(g.fct.max.count(), g.largest.count());
                EXPECT_EQ(g.fct.count, static_cast<std::uint64_t>(next - g.smallest.count()));
            }
        }
        EXPECT_EQ(flows, 256U);
        EXPECT_EQ(groups.back().largest, bytes{512});
        EXPECT_EQ(groups.back().jct.count, 1U);
    }
}

template <class Value>
void expect_same(const distribution_of<Value>& a, const distribution_of<Value>& b) {
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.p50, b.p50);
    EXPECT_EQ(a.p90, b.p90);
    EXPECT_EQ(a.p99, b.p99);
    EXPECT_EQ(a.p99_9, b.p99_9);
    EXPECT_EQ(a.max, b.max);
    EXPECT_EQ(a.variation, b.variation);
}

// Groups below and beyond the limit of a group, all together below and beyond the limit of all.
TEST(completion_statistics, are_those_of_percentiles_for_each_group_and_for_all_whatever_is_kept) {
    random_stream chance(1, 0, random_purpose::sizes);
    completion_statistics s;
    percentiles all;
    percentiles slowdowns;
    std::vector<percentiles> of_group(3, percentiles(completion_statistics::exact_group_samples));
    std::vector<percentiles> slowdowns_of_group = of_group;
    std::size_t added = 0;
    for (const std::size_t until : {std::size_t{400'000}, percentiles::default_exact_samples + 100'000}) {
        for (; added < until; ++added) {
            const std::size_t g = added % 5 < 3 ? 0 : added % 5 - 2;
            const picoseconds time{static_cast<std::int64_t>(chance() >> (24 + chance.below(20)))};
            const completion_class of{0, bytes{static_cast<std::int64_t>(1 + g)}, 7};
            // Of every seventh the time in an empty fabric is not known.
            const bool is_known = added % 7 != 0;
            const measured_time measured{time, is_known ? picoseconds{1 + (time.count() >> 2)} : never};
            if (g == 0) {
                s.add_flow_and_job(of, measured, {time});
            } else {
                s.add_flow(of, measured);
            }
            all.add(time.count());
            of_group[g].add(time.count());
            if (is_known) {
                const double multiple =
                    static_cast<double>(time.count()) / static_cast<double>(measured.ideal.count());
                slowdowns.add(std::llround(1e6 * multiple));
                slowdowns_of_group[g].add(std::llround(1e6 * multiple));
            }
        }
        expect_same(s.fct(), summary_of<picoseconds>(all));
        expect_same(s.fct_slowdown(), summary_of<slowdown_ratio>(slowdowns));
        EXPECT_EQ(s.jct_slowdown().count, 0U);
        const std::vector<completion_group> groups = s.groups();
        ASSERT_EQ(groups.size(), of_group.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            expect_same(groups[g].fct, summary_of<picoseconds>(of_group[g]));
            expect_same(groups[g].fct_slowdown, summary_of<slowdown_ratio>(slowdowns_of_group[g]));
        }
        expect_same(groups[0].jct, groups[0].fct);
        EXPECT_EQ(groups[1].jct.count, 0U);
        expect_same(s.fct(), summary_of<picoseconds>(all));
    }
}

// --- the account of frames -------------------------------------------------------------------------------

frame_counts balanced() {
    // 100 frames from hosts: 3 on their first wire, 97 at a switch; there 5 lost, 2 inside, 90 sent on; of
    // these 4 on the wire, 86 at hosts; there 1 lost, 5 in stacks, 80 delivered.
    frame_counts c;
    c.host_sent = 100;
    c.switch_received = 97;
    c.switch_inside = 2;
    c.switch_sent = 90;
    c.host_received = 86;
    c.in_host_stacks = 5;
    c.delivered = 80;
    c.drops[static_cast<unsigned>(drop_reason::ingress_full)] = 5;
    c.drops[static_cast<unsigned>(drop_reason::bit_error)] = 1;
    c.drops[static_cast<unsigned>(drop_reason::nic_full)] = 12;  // never on a wire
    c.unsent_link_down = 4;
    c.on_wires = 7;
    return c;
}

TEST(frame_account, what_hosts_sent_is_delivered_dropped_or_inside) {
    const frame_account a = account_of(balanced());
    EXPECT_EQ(a.violation, "");
    EXPECT_EQ(a.sent, 100U);
    EXPECT_EQ(a.delivered, 80U);
    EXPECT_EQ(a.dropped, 6U);
    EXPECT_EQ(a.inside, 14U);
    frame_counts derived = balanced();
    derived.on_wires.reset();
    EXPECT_EQ(account_of(derived).inside, 14U);
    EXPECT_EQ(account_of(derived).violation, "");
}

TEST(frame_account, a_frame_too_few_or_too_many_anywhere_is_a_violation) {
    std::uint64_t frame_counts::*const members[] = {&frame_counts::host_sent, &frame_counts::delivered,
                                                    &frame_counts::in_host_stacks,
                                                    &frame_counts::switch_inside};
    for (auto member : members) {
        frame_counts c = balanced();
        ++(c.*member);
        EXPECT_NE(account_of(c).violation, "");
    }
    frame_counts lost_in_a_mailbox = balanced();
    lost_in_a_mailbox.on_wires = 6;
    EXPECT_EQ(account_of(lost_in_a_mailbox).violation,
              "hosts sent 100 frames, but 80 were delivered, 6 dropped, and 13 are inside (2 in switches, 6 on "
              "wires, 5 in hosts)");
}

// --- samples ---------------------------------------------------------------------------------------------

TEST(sample_tables, hold_the_busiest_ports_and_what_came_between_samples) {
    scratch_directory dir;
    run_directory directory(dir.path());
    views_over_time<fill_sample> fills(1us);
    views_over_time<tier_sample> pauses(1us);
    for (unsigned i = 1; i < 4; ++i) {
        // Ingress ports hold 0, i, 2 i, ...; egress ports 100 more, but for the first, which stays empty.
        std::vector<fill_sample> held{{0, 0, 50 * i}};
        for (std::uint32_t c = 1; c < 12; ++c) {
            if (c != 6) {
                held.push_back({1, c, c < 6 ? c * i : c * i + 100});
            }
        }
        fills.keep(i * 1us, held);
        // The host's transmitter is paused all the time since 500 ns before the first sample.
        tier_sample of_host{0};
        of_host.paused_now[7] = 1;
        of_host.paused_then[7] = -std::uint64_t{500'000};
        tier_sample of_device{1};
        of_device.paused_then[3] = i * 300'000;
        of_device.paused_then[0] = i * 900'000;
        of_device.xoff_sent[3] = 2 * i;
        of_device.xoff_sent[0] = 7 * i;
        of_device.frames_sent = 3 * i;
        pauses.keep(i * 1us, {of_host, of_device});
    }
    const views_over_time<drop_sample> no_drops;
    const fabric_samples samples{fills,
                                 pauses,
                                 no_drops,
                                 {{"h0", "host", 0, 1, false}, {"s0", "tier1", 1, 6, true}},
                                 {0us, 1us, 2us, 3us}};

    write_occupancy(directory.create("occupancy.csv"), samples, {}, {2us, 2us});
    EXPECT_EQ(contents(dir / "occupancy.csv"),
              "time_ns,node,port,side,occupancy_bytes\n"
              "2000,s0,5,ingress,10\n2000,s0,4,ingress,8\n2000,s0,3,ingress,6\n2000,s0,2,ingress,4\n"
              "2000,s0,5,egress,122\n2000,s0,4,egress,120\n2000,s0,3,egress,118\n2000,s0,2,egress,116\n");

    write_occupancy(directory.create("named.csv"), samples, {"h*"}, {1us, 2us});
    EXPECT_EQ(contents(dir / "named.csv"),
              "time_ns,node,port,side,occupancy_bytes\n1000,h0,0,egress,50\n2000,h0,0,egress,100\n");

    // Classes 3 and 7 have carried frames; what was announced of class 0 delayed nothing.
    write_pauses(directory.create("pauses.csv"), samples, 1 << 3 | 1 << 7, {1500ns, never});
    EXPECT_EQ(contents(dir / "pauses.csv"),
              "time_ns,tier,paused_ns,xoff_sent,transmitters,pfc_frames_sent\n"
              "2000,host,1000,0,2,0\n2000,tier1,300,2,12,3\n3000,host,1000,0,2,0\n3000,tier1,300,2,12,3\n");
}

TEST(sample_tables, have_the_finest_grid_with_fewer_than_half_of_the_samples_that_there_is_room_for) {
    const std::int64_t capacity = 16;
    for (std::int64_t end = 0; end < 150; ++end) {
        std::int64_t step = 1;
        while (end / step + 1 >= capacity / 2) {
            step *= 2;
        }
        for (const picoseconds beyond : {0_ps, 1_ps, 99'999_ps}) {
            const std::vector<picoseconds> times = sample_times(100ns, capacity, 100ns * end + beyond);
            ASSERT_EQ(times.size(), static_cast<std::size_t>(end / step + 1)) << "end " << end;
            for (std::size_t i = 0; i < times.size(); ++i) {
                ASSERT_EQ(times[i], 100ns * step * static_cast<std::int64_t>(i)) << "end " << end;
            }
        }
    }
    EXPECT_TRUE(sample_times(100ns, capacity, -1_ps).empty()) << "nothing has run";
}

TEST(sample_tables, tiers_have_paused_time_and_xoffs_of_each_class_up_to_now) {
    mac_port mac(pause_config{}, 1_Gbps, 1'024ns);
    pause_fields xoff;
    xoff.class_enable = 0b0000'0101;
    xoff.quanta.fill(1000);
    mac.timers.apply(xoff, 10us, mac.link);
    mac.requests.request_xoff(0b1000'0011);
    mac.requests.launch(12us);
    tier_sample sample;
    sample.add(mac, 15us);
    EXPECT_EQ(sample.paused_time(0, 15us), 5'000'000U);
    EXPECT_EQ(sample.paused_time(1, 15us), 0U);
    EXPECT_EQ(sample.paused_time(2, 17us), 7'000'000U) << "it is still paused";
    EXPECT_EQ(sample.xoff_sent, (std::array<std::uint64_t, pfc_classes>{1, 1, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(sample.frames_sent, 1U);
    sample.add(mac, 16us);
    EXPECT_EQ(sample.paused_time(2, 16us), 12'000'000U) << "adds to what is there: another port's share";
    EXPECT_EQ(sample.frames_sent, 2U);
}

// --- summaries -------------------------------------------------------------------------------------------

run_summary example(std::int64_t factor) {
    run_summary s;
    s.version = "0.1.0";
    s.seed = 3;
    s.complete = true;
    s.simulated = 10ms;
    s.packet_hops = 1'234'567;
    s.frames = account_of(balanced());
    s.pauses.xoff_sent = 12;
    s.pauses.frames_sent = 9;
    s.pauses.tiers = {{"host", {1'500, 4}}, {"tier1", {0, 16}}};
    s.goodput_bytes = 12'345'678;
    s.averaged = {2ms, 8ms, picoseconds{0}};
    s.flows_started = 8;
    s.flows_completed = 7;
    completion_statistics c;
    for (int i = 1; i <= 5; ++i) {
        c.add_job({0, 2_KB, 7}, {factor * i * 100us});
        c.add_flow({0, 2_KB, 7}, {i * 1us});
    }
    c.add_flow({0, 1460_B, 7}, {1us});
    s.fct = c.fct();
    s.jct = c.jct();
    s.groups = c.groups();
    s.tags = {"query"};
    s.buffers = {{"ingress", 131'072, 5'000}, {"headroom", 0, 0}};
    return s;
}

std::string keys(const nlohmann::ordered_json& object) {
    std::string text;
    for (const auto& item : object.items()) {
        text += (text.empty() ? "" : " ") + item.key();
    }
    return text;
}

TEST(summary, has_the_keys_that_are_documented_and_nothing_for_what_never_happened) {
    const nlohmann::ordered_json j = to_json(example(1));
    EXPECT_EQ(
        keys(j),
        "version seed complete simulated_ns packet_hops frames drops pfc buffers goodput limited_by resources "
        "flows fct_ns jct_ns fct_slowdown groups");
    EXPECT_EQ(keys(j["frames"]), "sent delivered dropped inside");
    EXPECT_EQ(keys(j["pfc"]), "xoff_sent xon_sent frames_sent paused_ns paused_percent");
    EXPECT_EQ(j["buffers"].dump(),
              R"({"ingress":{"size_bytes":131072,"watermark_bytes":5000,"watermark_percent":3.815},)"
              R"("headroom":{"size_bytes":0,"watermark_bytes":null,"watermark_percent":null}})");
    EXPECT_EQ(keys(j["flows"]), "started completed");
    EXPECT_EQ(j["goodput"].dump(), R"({"bytes":12345678,"bps":12345678000})");
    EXPECT_EQ(keys(j["jct_ns"]), "count mean p50 p90 p99 p99_9 max variation_percent");
    EXPECT_EQ(keys(j["groups"][0]), "tag bytes priority fct_ns jct_ns fct_slowdown");
    EXPECT_EQ(j["groups"][0]["jct_ns"]["count"], 0);
    EXPECT_TRUE(j["groups"][0]["jct_ns"]["p99_9"].is_null());
    EXPECT_EQ(j["groups"][1]["jct_ns"]["p50"].dump(), "300000");
    EXPECT_EQ(j["pfc"]["paused_ns"].dump(), R"({"host":1.5,"tier1":0})");
    EXPECT_EQ(to_json([] {
                  run_summary busy = example(1);
                  busy.pauses.tiers = {{"host", {4'000'000'000, 4}}, {"tier1", {0, 0}}};
                  return busy;
              }())["pfc"]["paused_percent"]
                  .dump(),
              R"({"host":12.5,"tier1":null})")
        << "4 ms of 4 transmitters in 8 ms";
    EXPECT_EQ(j["frames"]["sent"], 100);
    EXPECT_EQ(j["drops"]["nic_full"], 12);
    EXPECT_EQ(j["simulated_ns"].dump(), "10000000");
    EXPECT_EQ(keys(to_json(run_facts{})),
              "wall_seconds cpu_seconds peak_memory_bytes setup_wall_seconds setup_cpu_seconds "
              "setup_memory_bytes threads quantum_ns engine quanta engine_events machine "
              "date command_line version commit build libraries ended warnings");
}

TEST(summary, times_keep_every_picosecond) {
    for (std::int64_t ps : {1LL, 999LL, 123'456'789LL, 999'999'999'999'999LL, 12'345'678'901'001LL}) {
        EXPECT_EQ(json_ns(picoseconds{ps}).dump(), ns_text(picoseconds{ps}));
    }
    EXPECT_EQ(json_ns(picoseconds{0}).dump(), "0");
}

TEST(summary, a_command_line_is_quoted_as_a_shell_takes_it) {
    const run_facts facts = run_stopwatch("run", {"a b.ini", "--x='1'"}).facts();
    EXPECT_EQ(facts.command_line, R"(weir run 'a b.ini' '--x='\''1'\''')");
    EXPECT_GT(facts.peak_memory_bytes, 1'000'000U);
    EXPECT_EQ(facts.date.size(), 20U);
}

TEST(result_table, is_aligned_and_says_its_units) {
    std::ostringstream out;
    result_table(out, to_json(example(1)));
    EXPECT_EQ(
        out.str(),
        "jobs   size  priority  completed  mean of completed         p50  p90  p99  p99.9         max\n"
        "query   2KB         7          5         300.000 us  300.000 us    -    -      -  500.000 us\n"
        "all                            5         300.000 us  300.000 us    -    -      -  500.000 us\n"
        "\n"
        "simulated  10.000 ms, 1,234,567 packet-hops\n"
        "transfers  8 started, 7 completed\n"
        "frames     100 sent = 80 delivered + 6 dropped + 14 inside\n"
        "drops      ingress_full 5, nic_full 12, bit_error 1, unsent_link_down 4\n"
        "pfc        9 PFC frames, with 12 XOFF and 0 XON of classes that carried frames\n"
        "paused     host 1.500 ns (0.00 %), tier1 0.000 ns (0.00 %); summed over ports and classes (share of "
        "their time)\n"
        "goodput    12.346 Gb/s, of all hosts together\n"
        "limited by nothing\n");
}

TEST(result_table, names_the_warm_up_where_there_is_one) {
    std::ostringstream out;
    result_table(out, to_json(example(1)), {}, 1ms);
    EXPECT_NE(out.str().find("\ngoodput    12.346 Gb/s, of all hosts together, since the end of the warm-up\n"),
              std::string::npos)
        << out.str();
}

TEST(result_table, names_what_has_no_tag_and_mixes_it_with_no_other) {
    run_summary s = example(1);
    s.tags = {"", "0"};
    completion_statistics c;
    c.add_job({0, 2_KB, 7}, {1us});
    c.add_job({1, 2_KB, 7}, {2us});
    s.groups = c.groups();
    const nlohmann::ordered_json j = to_json(s);
    EXPECT_EQ(j["groups"][0]["tag"], "");
    EXPECT_EQ(j["groups"][1]["tag"], "0");
    EXPECT_EQ(tag_name(s.tags, 2), "2") << "nobody has named it";
    std::ostringstream out;
    result_table(out, j);
    EXPECT_NE(out.str().find("\n(no tag)   2KB"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("\n0          2KB"), std::string::npos) << out.str();
}

TEST(summary_reader, says_where_a_file_ends_or_is_broken_and_what_is_no_summary) {
    scratch_directory dir;
    const std::string whole = to_text(to_json(example(1)));
    const auto said = [&](const std::string& text) {
        run_directory(dir / "x").write("summary.json", text);
        std::string all;
        for (const config_error& error : read_summary(dir / "x").errors) {
            EXPECT_EQ(error.file, (dir / "x" / "summary.json").string());
            all += std::to_string(error.line) + ": " + error.message + "\n";
        }
        return all;
    };
    EXPECT_EQ(said(whole), "");
    EXPECT_TRUE(
        errors_are(said(whole.substr(0, whole.find("\"complete\": t") + 13)), {"4: incomplete, summary.json"}));
    EXPECT_TRUE(errors_are(said(""), {"1: empty, summary.json"}));
    EXPECT_TRUE(errors_are(said("{\n\"version\": what,\n\"seed\": 1}"), {"2: JSON, summary.json"}));
    EXPECT_TRUE(errors_are(said("[1, 2]"), {"0: summary.json"}));
    EXPECT_TRUE(has_error(said("{\"complete\": true}"), "0: 0, missing, number"));
}

TEST(summary_reader, names_the_key_of_a_value_that_was_changed) {
    scratch_directory dir;
    run_summary whole = example(1);
    whole.groups.push_back({0, 8_KB, 8_KB, 7, whole.fct, whole.jct});
    const std::string text = to_text(to_json(whole));
    const auto said = [&](nlohmann::ordered_json changed) {
        run_directory(dir / "x").write("summary.json", changed.dump());
        std::string all;
        for (const config_error& error : read_summary(dir / "x").errors) {
            EXPECT_EQ(error.file, (dir / "x" / "summary.json").string());
            all += error.key + ": " + error.message + "\n";
        }
        return all;
    };
    const auto with = [&](const char* pointer, const nlohmann::ordered_json& value) {
        nlohmann::ordered_json j = nlohmann::ordered_json::parse(text);
        j[nlohmann::ordered_json::json_pointer(pointer)] = value;
        return said(j);
    };
    EXPECT_EQ(with("/version", "another"), "");
    EXPECT_TRUE(errors_are(with("/fct_ns/p99", nullptr),
                           {"fct_ns.p99: " + std::to_string(whole.fct.count) + ", 0, null, number"}));
    EXPECT_TRUE(errors_are(with("/fct_ns/p99", -1), {"fct_ns.p99: -1, 0, null, number"}));
    EXPECT_TRUE(errors_are(with("/fct_ns/p99", 1e300), {"fct_ns.p99: 1e+300, at most 9e15"}));
    EXPECT_TRUE(errors_are(with("/fct_ns/count", 1.5), {"fct_ns.count: 1.5, 0, number"}));
    EXPECT_TRUE(errors_are(with("/fct_ns", "fast"), {"fct_ns: text, object"}));
    EXPECT_TRUE(errors_are(with("/frames/dropped", "none"), {"frames.dropped: 0, text, number"}));
    EXPECT_TRUE(errors_are(with("/pfc", nlohmann::ordered_json::array()), {"pfc: a list, object"}));
    EXPECT_TRUE(errors_are(with("/groups", 3), {"groups: 3, list"}));
    EXPECT_TRUE(errors_are(with("/complete", 1), {"complete: 1, true, false"}));
    const std::size_t last = whole.groups.size() - 1;
    const std::string group = "/groups/" + std::to_string(last);
    const std::string place = "groups[" + std::to_string(last) + "]";
    EXPECT_TRUE(errors_are(with((group + "/tag").c_str(), nullptr), {place + ".tag: null, text"}));
    EXPECT_TRUE(errors_are(with(group.c_str(), nullptr), {place + ": null, object"}));
    nlohmann::ordered_json j = nlohmann::ordered_json::parse(text);
    j["jct_ns"].erase("p50");
    EXPECT_TRUE(errors_are(said(j), {"jct_ns.p50: 0, null, missing, number"}));
}

TEST(summary_reader, a_number_that_no_double_holds_is_named_with_its_line) {
    scratch_directory dir;
    run_directory(dir / "x").write("summary.json", "{\n\"complete\": true,\n\"simulated_ns\": 1e400\n}");
    const config_errors errors = read_summary(dir / "x").errors;
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_TRUE(errors_are(errors[0], {(dir / "x" / "summary.json").string() + ":3: 1e400, at most 9e15"}));
}

TEST(summary_reader, a_directory_without_a_summary_is_a_run_that_did_not_end) {
    scratch_directory dir;
    std::filesystem::create_directories(dir / "x");
    std::ofstream(dir / "x" / "effective.ini") << "[run]\n";
    std::ofstream(dir / "x" / "flows.csv.partial") << "flow\n";
    const config_errors errors = read_summary(dir / "x").errors;
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_TRUE(errors_are(errors[0], {(dir / "x").string() + ": flows.csv.partial, summary.json"}));
}

}  // namespace
