// pFabric in whole fabrics: who is served first at a bottleneck and at a host's own link, what losses cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// One switch at 10 Gb/s that serves by rank.
const arguments ranked_star{
    "--fabric.topology=single",     "--link.rate=10Gbps",        "--link.latency=1us",
    "--switch.lookup_delay=500ns",  "--switch.queue_order=rank", "--switch.drop=egress_tail",
    "--switch.ingress_buffer=10MB", "--traffic.kind=trace",      "--traffic.transport=pfabric",
    "--traffic.file=flows.csv",     "--run.progress=false"};
/// Nothing is lost and no timeout runs out.
const arguments deep{"--switch.egress_buffer=10MB", "--pfabric.rto=1s"};
/// 24 full frames of 1,518 B, as in the paper.
const std::string shallow = "--switch.egress_buffer=36432B";
/// Of a full frame at 10 Gb/s.
constexpr double frame_ns = 1'230.4;

struct flow {
    /// Unit: ns.
    std::int64_t start;
    int src;
    int dst;
    std::int64_t frames;
};

std::string trace_of(const std::vector<flow>& flows) {
    std::string text = "start_ns,src,dst,bytes\n";
    for (const flow& f : flows) {
        text += std::to_string(f.start) + ',' + std::to_string(f.src) + ',' + std::to_string(f.dst) + ',' +
                std::to_string(1'460 * f.frames) + '\n';
    }
    return text;
}

json run(const scratch_directory& where, const std::string& trace, const arguments& more,
         const arguments& base = ranked_star) {
    where.write("flows.csv", trace);
    const outcome o = run_program(where, combined(combined({"run"}, base), combined(more, {"--out", "out"})));
    EXPECT_EQ(o.status, 0) << o.err;
    return summary_of(where / "out");
}

/// In the order of the trace.
std::vector<table_row> flows_of(const scratch_directory& where) {
    std::vector<table_row> rows = rows_of(where / "out" / "flows.csv");
    std::sort(rows.begin(), rows.end(), [](const table_row& a, const table_row& b) {
        return std::stoll(a.at("flow")) < std::stoll(b.at("flow"));
    });
    return rows;
}

/// How much longer than in an empty fabric. Unit: full frames.
double delay_of(const table_row& row) {
    return (std::stod(row.at("fct_ns")) - std::stod(row.at("ideal_ns"))) / frame_ns;
}

TEST(pfabric_in_fabrics, a_transfer_alone_is_as_quick_as_its_links_at_any_size_and_distance) {
    const arguments fat_tree{"--fabric.topology=fat_tree", "--fabric.k=4",
                             "--link.rate=10Gbps",         "--link.latency=1us",
                             "--switch.queue_order=rank",  "--switch.drop=egress_tail",
                             "--traffic.kind=trace",       "--traffic.transport=pfabric",
                             "--traffic.file=flows.csv",   "--run.progress=false",
                             "--host.stack_out=2us",       "--host.stack_in=1us"};
    for (const std::string nic : {"auto", "class_queues"}) {
        const scratch_directory where;
        std::string trace = "start_ns,src,dst,bytes\n";
        std::int64_t start = 0;
        for (const int dst : {1, 3, 15}) {
            for (const int size : {1, 1'460, 1'461, 200'000, 10'000'000}) {
                trace +=
                    std::to_string(start) + ",0," + std::to_string(dst) + ',' + std::to_string(size) + '\n';
                start += 10'000'000;
            }
        }
        const json s = run(where, trace, {"--host.nic=" + nic}, fat_tree);
        EXPECT_EQ(s["pfabric"]["probes"], 0);
        const std::vector<table_row> rows = rows_of(where / "out" / "flows.csv");
        EXPECT_EQ(rows.size(), 15U);
        for (const table_row& row : rows) {
            EXPECT_EQ(row.at("fct_ns"), row.at("ideal_ns")) << row.at("dst") << ' ' << row.at("bytes");
            EXPECT_EQ(row.at("timeouts"), "0");
        }
    }
}

TEST(pfabric_in_fabrics, of_two_transfers_to_one_host_the_shorter_goes_first_and_the_other_waits_just_for_it) {
    for (const std::int64_t later : {0, 400'000}) {
        const scratch_directory where;
        const json s =
            run(where, trace_of({{0, 1, 2, 1'000}, {later, 0, 2, 200}}), combined(deep, {"--fabric.hosts=3"}));
        EXPECT_EQ(s["frames"]["dropped"], 0);
        const std::vector<table_row> rows = rows_of(where / "out" / "flows.csv");
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].at("src"), "0");
        // A frame of the other's may be on the wire.
        EXPECT_GE(delay_of(rows[0]), 0);
        EXPECT_LE(delay_of(rows[0]), 1.001);
        EXPECT_NEAR(delay_of(rows[1]), 200, 0.001);
    }
}

TEST(pfabric_in_fabrics, of_a_hosts_own_transfers_the_shorter_goes_first) {
    const scratch_directory where;
    run(where, trace_of({{0, 0, 1, 1'000}, {400'000, 0, 2, 200}}), combined(deep, {"--fabric.hosts=3"}));
    const std::vector<table_row> rows = rows_of(where / "out" / "flows.csv");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("dst"), "2");
    // One of the other's is on the wire, one in the adapter, and one goes while the window is full.
    EXPECT_GE(delay_of(rows[0]), 0);
    EXPECT_LE(delay_of(rows[0]), 3.001);
    EXPECT_NEAR(delay_of(rows[1]), 200, 0.001);
}

/// When each transfer is over, at one server that always serves the one with the least left; and the least
/// difference on which a decision turned. Unit: frames.
std::vector<double> shortest_remaining_first(const std::vector<flow>& flows, double& margin) {
    std::vector<double> left;
    for (const flow& f : flows) {
        left.push_back(static_cast<double>(f.frames));
    }
    std::vector<double> end(flows.size(), -1);
    const auto begins = [&](std::size_t i) { return static_cast<double>(flows[i].start) / frame_ns; };
    double now = 0;
    for (std::size_t over = 0; over < flows.size();) {
        std::size_t best = flows.size();
        double next_arrival = INFINITY;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (end[i] >= 0) {
                continue;
            }
            if (begins(i) > now) {
                next_arrival = std::min(next_arrival, begins(i));
            } else if (best == flows.size() || left[i] < left[best]) {
                best = i;
            }
        }
        if (best == flows.size()) {
            now = next_arrival;
            continue;
        }
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (i != best && end[i] < 0 && begins(i) <= now) {
                margin = std::min(margin, left[i] - left[best]);
            }
        }
        const double until = std::min(next_arrival, now + left[best]);
        left[best] -= until - now;
        now = until;
        if (left[best] < 1e-6) {
            end[best] = now;
            ++over;
        }
    }
    return end;
}

TEST(pfabric_in_fabrics, many_transfers_to_one_host_end_as_at_a_server_that_serves_the_least_left_first) {
    unsigned compared = 0;
    std::srand(7);
    for (unsigned draw = 0; compared < 4 && draw < 1'000; ++draw) {
        std::vector<flow> flows;
        for (int h = 0; h < 8; ++h) {
            flows.push_back({std::rand() % 3'000'000, h, 8, 50 + std::rand() % 1'000});
        }
        // Ranks are what was left a round trip ago, of 10 frames.
        double margin = INFINITY;
        const std::vector<double> ends = shortest_remaining_first(flows, margin);
        if (margin < 25) {
            continue;
        }
        ++compared;
        const scratch_directory where;
        run(where, trace_of(flows), combined(deep, {"--fabric.hosts=9"}));
        for (const table_row& row : rows_of(where / "out" / "flows.csv")) {
            const std::size_t i = std::stoul(row.at("src"));
            const double expected =
                ends[i] - static_cast<double>(flows[i].start) / frame_ns - static_cast<double>(flows[i].frames);
            EXPECT_NEAR(delay_of(row), expected, 8) << "host " << i << ", draw " << draw;
        }
    }
    EXPECT_EQ(compared, 4U);
}

TEST(pfabric_in_fabrics, what_is_evicted_comes_again_and_costs_the_shorter_transfer_nothing) {
    const scratch_directory where;
    const json s = run(where, trace_of({{0, 0, 2, 500}, {0, 1, 2, 2'000}}),
                       {"--fabric.hosts=3", shallow, "--pfabric.window=60", "--pfabric.rto=100us"});
    EXPECT_GT(s["drops"]["evicted"], 0);
    EXPECT_EQ(s["flows"]["completed"], 2);
    const std::vector<table_row> rows = flows_of(where);
    EXPECT_LE(delay_of(rows[0]), 1.001);
    EXPECT_EQ(rows[0].at("retransmits"), "0");
    EXPECT_GT(std::stoi(rows[1].at("retransmits")), 0);
    std::uint64_t in_table = 0;
    for (const table_row& row : rows_of(where / "out" / "ports.csv")) {
        in_table += row.at("evicted_frames").empty() ? 0 : std::stoull(row.at("evicted_frames"));
    }
    EXPECT_EQ(in_table, s["drops"]["evicted"]);
}

TEST(pfabric_in_fabrics, a_starved_transfer_probes_and_takes_the_link_again_when_it_is_free) {
    const scratch_directory where;
    const json s = run(where, trace_of({{0, 0, 2, 2'000}, {0, 1, 2, 4'000}}), {"--fabric.hosts=3", shallow});
    EXPECT_GT(s["pfabric"]["probes"], 20);
    const std::vector<table_row> rows = flows_of(where);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_GT(std::stoi(rows[1].at("timeouts")), 25);
    // It waits for the other one, and then for a timeout and a slow start at most.
    EXPECT_GE(delay_of(rows[1]), 1'950);
    EXPECT_LE(delay_of(rows[1]), 2'100);
}

TEST(pfabric_in_fabrics, an_incast_of_sixty_four_is_over_after_little_more_than_its_bytes_need) {
    for (const std::string memory : {"partitioned", "shared"}) {
        const scratch_directory where;
        std::vector<flow> flows;
        for (int h = 0; h < 64; ++h) {
            flows.push_back({0, h, 64, 14});
        }
        arguments more{"--fabric.hosts=65"};
        if (memory == "shared") {
            more =
                combined(more, {"--switch.buffer=shared", "--shared.memory=72864B", "--shared.queue_alpha=1"});
        } else {
            more = combined(more, {shallow});
        }
        const json s = run(where, trace_of(flows), more);
        EXPECT_EQ(s["flows"]["completed"], 64) << memory;
        EXPECT_GT(s["drops"]["evicted"], 0) << memory;
        EXPECT_LT(s["fct_ns"]["max"].get<double>(), 1.4 * 64 * 14 * frame_ns) << memory;
    }
}

TEST(pfabric_in_fabrics, queries_are_carried_by_it) {
    const scratch_directory where;
    const outcome o =
        run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=9", "--link.rate=10Gbps",
                            "--link.latency=1us", "--switch.queue_order=rank", "--switch.drop=egress_tail",
                            shallow, "--traffic.kind=incast", "--traffic.transport=pfabric",
                            "--traffic.incast_rounds=5", "--run.progress=false", "--out", "out"});
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(summary_of(where / "out")["flows"]["completed"], 2 * 8 * 5);
}

TEST(pfabric_in_fabrics, ranks_that_switches_do_not_read_are_warned_of) {
    const scratch_directory where;
    where.write("flows.csv", trace_of({{0, 0, 1, 10}}));
    const outcome o = run_program(where, {"run", "--traffic.kind=trace", "--traffic.transport=pfabric",
                                          "--traffic.file=flows.csv", "--run.progress=false", "--dry-run"});
    EXPECT_EQ(o.status, 0);
    EXPECT_NE(o.err.find("switches ignore the ranks of its frames"), std::string::npos) << o.err;
}

}  // namespace
