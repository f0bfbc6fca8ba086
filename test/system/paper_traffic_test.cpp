// Traffic of FlowBender's and DIBS's papers in whole runs, and what a run says of it on request, against what
// follows from the traffic alone.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "program.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

const arguments racks{"--fabric.topology=racks", "--fabric.racks=2",   "--fabric.hosts_per_rack=4",
                      "--link.rate=10Gbps",      "--link.latency=1us", "--switch.scheme=baseline",
                      "--tcp.initial_rto=auto"};

void run_in(const scratch_directory& where, const arguments& base, const arguments& more) {
    const outcome run = run_program(where, combined(combined({"run"}, base), combined(more, {"--out", "out"})));
    ASSERT_EQ(run.status, 0) << run.err;
}

double number(const table_row& row, const char* column) {
    return std::stod(row.at(column));
}

// 8 flows of 3 MB from one rack to the other, over two up-links: too few for the hash to spread.
TEST(paper_traffic, groups_of_long_flows_leave_congested_paths_and_tell_when_and_why) {
    const scratch_directory where;
    run_in(where, racks,
           {"--fabric.roots=2", "--traffic.kind=permutation", "--traffic.sources=tor0",
            "--traffic.destinations=tor1", "--traffic.flow_bytes=3MB", "--traffic.parallel_flows=2",
            "--marking.kind=step", "--marking.threshold=90KB", "--tcp.congestion=dctcp",
            "--tcp.path_choice=flowbender", "--output.segments=on", "--output.occupancy_interval=0s"});
    const auto flows = rows_of(where / "out/flows.csv");
    ASSERT_EQ(flows.size(), 8U);
    std::map<std::string, unsigned> from;
    for (const table_row& flow : flows) {
        EXPECT_LT(number(flow, "src"), 4);
        EXPECT_GE(number(flow, "dst"), 4);
        ++from[flow.at("src")];
    }
    EXPECT_EQ(from.size(), 4U);
    EXPECT_EQ(from.begin()->second, 2U);

    const auto segments = rows_of(where / "out/segments.csv");
    ASSERT_EQ(segments.size(), 1U);
    const nlohmann::json summary = summary_of(where / "out");
    const nlohmann::json& counts = summary["segments"]["permutation"];
    EXPECT_EQ(counts["received"], std::stoul(segments[0].at("received")));
    EXPECT_EQ(counts["marked"], summary["ecn"]["seen"]);
    // 3 MB are 2,055 segments of 1,460 B.
    EXPECT_GE(counts["received"], 8 * 2'055);
    EXPECT_NEAR(counts["echoes_percent"].get<double>(), counts["marked_percent"].get<double>(), 1);

    double paths = 0;
    for (const table_row& row : rows_of(where / "out/paths.csv")) {
        EXPECT_LT(number(row, "path"), 8);
        paths += number(row, "received");
    }
    EXPECT_EQ(paths, counts["received"].get<double>());

    // Stays of a transfer follow each other from its start to its end, and carry all its bytes.
    std::map<std::string, std::pair<double, double>> stays;
    unsigned changes = 0;
    for (const table_row& row : rows_of(where / "out/reroutes.csv")) {
        stays[row.at("flow")].first += number(row, "stayed_ns");
        stays[row.at("flow")].second += number(row, "sent_bytes");
        changes += row.at("why") != "done" ? 1 : 0;
        EXPECT_EQ(row.at("next_path").empty(), row.at("why") == "done");
    }
    EXPECT_EQ(counts["path_changes"], changes);
    EXPECT_GT(changes, 0U);
    for (const auto& [flow, sums] : stays) {
        EXPECT_EQ(sums.second, 3e6) << flow;
    }
}

// Two pairs on one switch: TCP in both directions, then UDP at a rate, of which everything is known.
TEST(paper_traffic, long_lived_pairs_share_alike_window_by_window) {
    const scratch_directory where;
    const arguments pairs{"--fabric.hosts=4",           "--link.rate=1Gbps",
                          "--traffic.kind=permutation", "--traffic.partners=pairs",
                          "--traffic.parallel_flows=4", "--run.warmup=10ms",
                          "--run.duration=40ms",        "--output.fairness_window=5ms",
                          "--tcp.receive_window=64KB"};
    run_in(where, pairs, {});
    nlohmann::json fairness = summary_of(where / "out")["fairness"]["permutation"];
    EXPECT_EQ(fairness["flows"], 16);
    EXPECT_EQ(fairness["windows"], 6);
    EXPECT_GT(fairness["jain_index"], 0.9);
    EXPECT_LE(fairness["jain_index"], 1);
    double goodput = 0;
    for (const table_row& row : rows_of(where / "out/fairness.csv")) {
        EXPECT_EQ(row.at("flows"), "16");
        EXPECT_LE(number(row, "min_bps"), number(row, "mean_bps"));
        EXPECT_LE(number(row, "mean_bps"), number(row, "max_bps"));
        goodput += 16 * number(row, "mean_bps") / 6;
    }
    // What is confirmed at the ends of the time differs from what has come by a window of each at most.
    const double received = summary_of(where / "out")["goodput"]["bps"];
    EXPECT_NEAR(goodput, received, 16 * 64e3 * 8 / 30e-3);

    run_in(where, pairs, {"--traffic.transport=udp", "--traffic.load=50%"});
    fairness = summary_of(where / "out")["fairness"]["permutation"];
    // An eighth of 1 Gb/s on the wire each, 1,472 B in 1,538 B.
    EXPECT_NEAR(fairness["mean_bps"].get<double>(), 1e9 / 8 * 1472 / 1538, 1e6);
    EXPECT_NEAR(fairness["jain_index"].get<double>(), 1, 1e-4);
    EXPECT_GE(fairness["window_share_max_percent"].get<double>(), 100.0 / fairness["flows"].get<double>());
    EXPECT_LE(fairness["window_share_max_percent"].get<double>(), 100.0);
}

TEST(paper_traffic, links_are_busy_where_the_traffic_fills_them) {
    const scratch_directory where;
    const arguments datagrams{"--fabric.hosts=6",           "--link.rate=1Gbps",
                              "--traffic.kind=permutation", "--traffic.transport=udp",
                              "--traffic.sources=h0,h1,h2", "--traffic.destinations=h3,h4,h5",
                              "--run.duration=20ms",        "--output.busy_links=90%"};
    for (const auto& [load, busy] : {std::pair{"95%", 3}, std::pair{"85%", 0}}) {
        run_in(where, datagrams, {std::string("--traffic.load=") + load});
        const auto rows = rows_of(where / "out/busy_links.csv");
        ASSERT_GT(rows.size(), 10U);
        for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
            EXPECT_EQ(rows[i].at("switch_links"), "6");
            EXPECT_EQ(rows[i].at("host_links"), "6");
            EXPECT_EQ(number(rows[i], "busy_switch_links"), busy);
            EXPECT_EQ(number(rows[i], "busy_host_links"), busy);
        }
        EXPECT_EQ(summary_of(where / "out")["busy_links"]["max_percent"], busy == 0 ? 0 : 50);
    }
}

// Everything goes to one host; only ports on the way there fill. The root is one hop from its ToR, the other
// rack's ToR two.
TEST(paper_traffic, near_a_full_queue_memory_is_free_as_the_samples_say) {
    const scratch_directory where;
    run_in(
        where, racks,
        {"--fabric.roots=1", "--traffic.kind=incast", "--traffic.incast_flows=4", "--traffic.incast_bytes=20MB",
         "--traffic.incast_rounds=1", "--switch.egress_buffer=60KB", "--switch.ingress_buffer=60KB",
         "--run.duration=2ms", "--output.full_queues=on", "--output.occupancy_interval=1us"});
    std::map<std::string, double> fills;
    for (const table_row& row : rows_of(where / "out/occupancy.csv")) {
        if (row.at("side") == "egress" && row.at("node") == "root0") {
            fills[row.at("time_ns")] += number(row, "occupancy_bytes");
        }
    }
    const auto rows = rows_of(where / "out/full_queues.csv");
    unsigned at_target = 0;
    for (const table_row& row : rows) {
        EXPECT_GT(number(row, "occupancy_bytes"), 60'000 - 1'530);
        if (row.at("node") != "tor0") {
            continue;
        }
        ++at_target;
        EXPECT_EQ(row.at("switches_1_hop"), "1");
        EXPECT_EQ(row.at("switches_2_hops"), "2");
        // Two ports, of which the one to the other rack carries requests and ACKs.
        EXPECT_NEAR(number(row, "free_1_hop_percent"), 100 * (1 - fills[row.at("time_ns")] / 120e3), 2);
    }
    EXPECT_GT(at_target, 20U);
    const nlohmann::json full = summary_of(where / "out")["full_queues"];
    EXPECT_EQ(full["samples"], rows.size());
    EXPECT_GT(full["free_2_hops_percent"], 50);
}

// The hot spot keeps its rate beside TCP, which gets what is left.
TEST(paper_traffic, a_stream_keeps_its_rate_beside_tcp) {
    const scratch_directory where;
    run_in(where, racks,
           {"--traffic.kind=permutation", "--traffic.sources=h0", "--traffic.destinations=h4",
            "--traffic.stream_rate=6Gbps", "--traffic.stream_source=1", "--traffic.stream_destination=5",
            "--run.duration=20ms", "--fabric.roots=1", "--output.segments=on", "--traffic.stop=19ms"});
    std::map<std::string, double> received;
    for (const table_row& row : rows_of(where / "out/segments.csv")) {
        received[row.at("tag")] = number(row, "received");
    }
    // 19 ms at 6 Gb/s, 1,538 B on the wire: 9,265 datagrams, less what is lost in the queue before the root.
    EXPECT_GT(received["stream"], 9'000);
    EXPECT_LE(received["stream"], 9'266);
    EXPECT_GT(received["permutation"], 1'000);
}

TEST(paper_traffic, a_table_may_stay_stale_for_seconds) {
    const scratch_directory where;
    run_in(where, racks,
           {"--fabric.roots=2", "--traffic.kind=poisson", "--traffic.load=5%", "--traffic.stop=2ms",
            "--run.duration=3ms", "--fabric.reroute_delay=5s", "--fabric.link=tor0-root0 down at=1ms"});
    EXPECT_GT(summary_of(where / "out")["drops"]["link_down"], 0);
}

}  // namespace
