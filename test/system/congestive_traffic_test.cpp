// The congestive traffic of the cross-layer study (figure 7) in whole runs: applications that write at a rate
// which changes, and what windows.csv, rates.csv, occupancy.csv and `segments` say of it, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "program.h"
#include "support/errors_said.h"
#include "table_rows.h"

using namespace weir::test;

namespace {

/// Seven sources and a sink on one switch: 10 % of the link each, 4/7 of it from 10 ms on, 10 % from 11 ms on.
const char* const seven_to_one =
    "[fabric]\ntopology = single\nhosts = 8\n"
    "[link]\nrate = 10Gbps\nlatency = 500ns\n"
    "[switch]\nscheme = fc\n"
    "[pfc]\nmode = pfc\n"
    "[tcp]\nmin_rto = 5ms\ninitial_rto = 5ms\nreceive_window = 128KB\n"
    "[traffic]\nkind = permutation\nsources = h0, h1, h2, h3, h4, h5, h6\ndestinations = h7\n"
    "write_loads = 10%, 57.142857%, 10%\nwrite_times = 10ms, 11ms\nstop = 30ms\n"
    "[output]\noccupancy_interval = 20us\n";

outcome try_congestive(const scratch_directory& where, const arguments& more) {
    std::ofstream(where / "seven_to_one.ini") << seven_to_one;
    return run_program(where, combined(combined({"run", "seven_to_one.ini"}, more), {"--out", "out"}));
}

void run_congestive(const scratch_directory& where, const arguments& more) {
    const outcome run = try_congestive(where, more);
    ASSERT_EQ(run.status, 0) << run.err;
}

double value(const table_row& row, const char* column) {
    return std::stod(row.at(column));
}

constexpr double link_bytes_per_ns = 10.0 / 8;
constexpr double segment = 1460;
/// Payload that the sink's link carries at most: 1,460 B of 1,538 B.
constexpr double payload_share = segment / 1538;

/// What each application has written. Unit: B.
double written(double time_ns) {
    const double burst = std::clamp(time_ns - 10e6, 0.0, 1e6);
    return link_bytes_per_ns * (0.1 * (std::min(time_ns, 30e6) - burst) + 4.0 / 7 * burst);
}

// Written and drained: the sink's link is full from the burst's beginning until the backlog of all sources is
// gone.
double end_of_backlog() {
    return 10e6 + 1e6 * (4 - 0.7) / (payload_share - 0.7);
}

TEST(congestive_traffic, senders_send_what_is_written_and_drain_their_backlog_at_the_links_rate) {
    const scratch_directory where;
    run_congestive(where, {"--output.windows=h*", "--output.occupancy_nodes=tor0"});
    std::map<double, double> sent;
    std::map<double, double> confirmed;
    std::set<std::string> flows;
    for (const table_row& row : rows_of(where / "out/windows.csv")) {
        const double time = value(row, "time_ns");
        EXPECT_EQ(row.at("dst"), "7");
        flows.insert(row.at("host") + " " + row.at("flow"));
        EXPECT_LE(value(row, "sent_bytes"), written(time) + 1);
        EXPECT_LE(value(row, "sent_bytes"), value(row, "confirmed_bytes") + 128'000);
        EXPECT_LE(value(row, "cwnd_bytes"), 128'000);
        EXPECT_EQ(row.at("receive_window_bytes"), "128000");
        // A first segment may have waited for the flow's begin, drawn within 12 us, and a segment may be
        // unfinished.
        const bool keeps_up = time < 10e6 || (time > 1.02 * end_of_backlog() && time < 30e6);
        if (keeps_up) {
            EXPECT_GT(value(row, "sent_bytes"), written(time) - segment - 15'400 * link_bytes_per_ns * 0.1);
        }
        sent[time] += value(row, "sent_bytes");
        confirmed[time] += value(row, "confirmed_bytes");
    }
    EXPECT_EQ(flows.size(), 7U);
    // While there is a backlog the sink's link is full of segments.
    const double begin = 11e6;
    const double end = 0.98 * end_of_backlog() / 20e3;
    const double until = std::floor(end) * 20e3;
    EXPECT_NEAR((confirmed.at(until) - confirmed.at(begin)) / (until - begin),
                payload_share * link_bytes_per_ns, 0.01 * link_bytes_per_ns);
    EXPECT_LT(sent.at(15e6), 7 * written(15e6) - 1'000 * segment);
    const nlohmann::json summary = summary_of(where / "out");
    EXPECT_EQ(summary["flows"]["completed"], 7);
    EXPECT_EQ(summary["drops"]["ingress_full"], 0);
    EXPECT_EQ(summary["drops"]["egress_full"], 0);
    EXPECT_NEAR(summary["goodput"]["bytes"].get<double>(), 7 * written(30e6), 7 * 15'400 * 0.125);

    // All ports of the named node, at the same times.
    std::set<std::string> columns;
    std::set<double> times;
    for (const table_row& row : rows_of(where / "out/occupancy.csv")) {
        columns.insert(row.at("node") + row.at("port") + row.at("side"));
        times.insert(value(row, "time_ns"));
    }
    EXPECT_EQ(columns.size(), 16U);
    for (const auto& [time, bytes] : sent) {
        EXPECT_EQ(times.count(time), 1U) << time;
    }
}

TEST(congestive_traffic, works_with_each_congestion_control_and_with_losses) {
    for (const char* name : {"newreno", "newreno_ecn", "dctcp", "cubic", "cubic_ecn", "vegas", "vegas_ecn"}) {
        const scratch_directory where;
        run_congestive(where, {"--pfc.mode=none", "--switch.scheme=baseline", "--marking.kind=step",
                               "--marking.threshold=60KB", std::string("--tcp.congestion=") + name});
        const nlohmann::json summary = summary_of(where / "out");
        EXPECT_EQ(summary["flows"]["completed"], 7) << name;
        EXPECT_NEAR(summary["goodput"]["bytes"].get<double>(), 7 * written(30e6), 7 * 15'400 * 0.125) << name;
    }
}

TEST(congestive_traffic, tables_do_not_depend_on_quantum_threads_and_engine) {
    std::map<std::string, std::string> first;
    for (const arguments& way : {arguments{}, arguments{"--run.threads=3", "--run.thread_grain=1"},
                                 arguments{"--run.quantum=170ns"}, arguments{"--run.engine=literal"}}) {
        const scratch_directory where;
        // Pauses of 2 ms in which nothing is written: nodes are idle, and looks are left out.
        run_congestive(where, combined(way, {"--switch.scheme=qcn", "--pfc.mode=pfc", "--qcn.set_point=20KB",
                                             "--output.windows=h0, h3", "--output.rates=tor0",
                                             "--traffic.write_loads=10%, 57%, 0%, 30%",
                                             "--traffic.write_times=1ms, 2ms, 4ms", "--traffic.stop=6ms"}));
        for (const char* name : {"windows.csv", "rates.csv", "occupancy.csv"}) {
            const std::string file = contents(where / "out" / name);
            EXPECT_GT(file.size(), 1'000U) << name;
            EXPECT_EQ(first.try_emplace(name, file).first->second, file) << name;
        }
    }
}

TEST(congestive_traffic, rates_begin_below_the_links_and_belong_to_voqs) {
    const scratch_directory where;
    run_congestive(where, {"--switch.scheme=qcn", "--pfc.mode=pfc", "--output.rates=h0, h1"});
    std::map<std::string, double> least;
    for (const table_row& row : rows_of(where / "out/rates.csv")) {
        EXPECT_GE(value(row, "time_ns"), 10e6);
        EXPECT_EQ(row.at("dst"), "7");
        EXPECT_EQ(row.at("flow"), "");
        EXPECT_LE(value(row, "rate_bps"), 10e9);
        double& known = least.try_emplace(row.at("host"), 10e9).first->second;
        known = std::min(known, value(row, "rate_bps"));
    }
    ASSERT_EQ(least.size(), 2U);
    for (const auto& [host, rate] : least) {
        EXPECT_LT(rate, 5e9) << host;
    }
}

// A run of 4,096 samples and more: every second one is dropped, and the rest is what a run with the longer
// interval has.
TEST(congestive_traffic, samples_that_are_thinned_out_are_those_of_a_longer_interval) {
    const auto rows = [](const char* interval) {
        const scratch_directory where;
        run_congestive(where, {"--output.windows=h0", std::string("--output.occupancy_interval=") + interval});
        std::map<std::string, std::string> all;
        for (const table_row& row : rows_of(where / "out/windows.csv")) {
            all[row.at("time_ns")] =
                row.at("cwnd_bytes") + " " + row.at("sent_bytes") + " " + row.at("confirmed_bytes");
        }
        return all;
    };
    const auto thin = rows("5us");
    const auto wide = rows("20us");
    EXPECT_GT(thin.size(), 1'000U);
    EXPECT_EQ(thin, wide);
}

TEST(congestive_traffic, what_udp_loses_is_what_switches_drop) {
    const scratch_directory where;
    // Two streams, one of them a permutation's, share a link that carries one: 2,000 datagrams of 1,472 B each.
    const outcome run =
        run_program(where, {"run", "--fabric.topology=single", "--fabric.hosts=3", "--link.rate=10Gbps",
                            "--switch.scheme=baseline", "--traffic.kind=permutation", "--traffic.transport=udp",
                            "--traffic.sources=h0, h1", "--traffic.destinations=h2", "--traffic.load=100%",
                            "--traffic.flow_bytes=2944000B", "--output.segments=on", "--out", "out"});
    ASSERT_EQ(run.status, 0) << run.err;
    const nlohmann::json summary = summary_of(where / "out");
    const nlohmann::json& counts = summary["segments"]["permutation"];
    const auto dropped = summary["frames"]["dropped"].get<std::uint64_t>();
    EXPECT_GT(dropped, 500U);
    EXPECT_EQ(counts["udp_sent_bytes"], 2 * 2'944'000);
    EXPECT_EQ(counts["udp_lost_bytes"], dropped * 1'472);
    EXPECT_NEAR(counts["udp_lost_percent"].get<double>(), 100.0 * static_cast<double>(dropped) / 4'000, 1e-6);
    const auto table = rows_of(where / "out/segments.csv");
    EXPECT_EQ(table.at(0).at("udp_lost_bytes"), std::to_string(dropped * 1'472));
}

TEST(congestive_traffic, transports_that_are_given_all_bytes_at_once_are_refused) {
    const scratch_directory where;
    for (const char* transport : {"roce", "pfabric", "udp"}) {
        const outcome run = try_congestive(where, {std::string("--traffic.transport=") + transport});
        EXPECT_EQ(run.status, 2);
        EXPECT_TRUE(has_error(run.err, "traffic.transport: all bytes, tcp"));
    }
}

}  // namespace
