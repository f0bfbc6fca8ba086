// `output.series`: its columns beside those of other tables of the same run, and its pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "program.h"
#include "table_rows.h"

namespace weir::test {
namespace {

const arguments burst{"--fabric.topology=racks",   "--fabric.racks=2",
                      "--fabric.hosts_per_rack=6", "--fabric.roots=1",
                      "--switch.scheme=detail",    "--traffic.kind=incast",
                      "--traffic.incast_rounds=2", "--traffic.incast_bytes=600KB",
                      "--run.duration=40ms",       "--output.occupancy_interval=10us",
                      "--output.series=*",         "--run.progress=false"};

TEST(port_series, sums_over_time_are_the_counts_of_ports_csv) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, combined(combined({"run"}, burst), {"--out", "out"})).status, 0);
    struct sums {
        double tx_bits = 0;
        double rx_bits = 0;
        double xoff = 0;
        double paused_ns = 0;
        double before_ns = 0;
        double threshold = 0;
        double most_counted = 0;
    };
    std::map<std::string, sums> all;
    double before = -1;
    double time = -1;
    for (const auto& row : rows_of(where / "out/port_series.csv")) {
        if (const double now = std::stod(row.at("time_ns")); now != time) {
            before = time;
            time = now;
        }
        sums& s = all[row.at("node") + ":" + row.at("port") + ":" + row.at("class")];
        if (!row.at("tx_bps").empty()) {
            const double passed = time - before;
            s.tx_bits += std::stod(row.at("tx_bps")) * passed * 1e-9;
            s.rx_bits += std::stod(row.at("rx_bps")) * passed * 1e-9;
            s.xoff += std::stod(row.at("xoff_sent"));
            s.paused_ns += std::stod(row.at("paused_percent")) / 100 * passed;
        }
        if (!row.at("threshold_bytes").empty()) {
            EXPECT_GE(std::stod(row.at("counted_bytes")), std::stod(row.at("ingress_bytes")));
            s.threshold = std::stod(row.at("threshold_bytes"));
            s.most_counted = std::max(s.most_counted, std::stod(row.at("counted_bytes")));
        }
    }
    std::size_t paused = 0;
    std::size_t crossed = 0;
    for (const auto& row : rows_of(where / "out/ports.csv")) {
        if (row.at("class") == "all") {
            continue;
        }
        const sums& s = all[row.at("node") + ":" + row.at("port") + ":" + row.at("class")];
        SCOPED_TRACE(row.at("node") + ":" + row.at("port") + ":" + row.at("class"));
        // Each rate is rounded down to a bit per second.
        EXPECT_NEAR(s.tx_bits / 8, std::stod(row.at("tx_bytes")), 1);
        EXPECT_NEAR(s.rx_bits / 8, std::stod(row.at("rx_bytes")), 1);
        EXPECT_EQ(s.xoff, std::stod(row.at("xoff_sent")));
        // A share has four decimals of a percent.
        EXPECT_NEAR(s.paused_ns, std::stod(row.at("paused_ns")), 40e6 * 0.5e-6 + 1);
        paused += s.paused_ns > 0 ? 1 : 0;
        crossed += s.threshold > 0 && s.most_counted >= s.threshold ? 1 : 0;
        // A threshold that no sample has crossed may have been crossed in between, not the other way round.
        if (s.threshold > 0 && s.most_counted >= s.threshold) {
            EXPECT_GT(s.xoff, 0);
        }
    }
    EXPECT_GT(paused, 0U);
    EXPECT_GT(crossed, 0U);
}

/// What an interface's lines say of one port's class: bits sent, and whether a rate was above the link's.
struct sent_bits {
    double bits = 0;
    double fastest_bps = 0;
    double most_paused_percent = 0;
};
std::map<std::string, sent_bits> sent_by(const fs::path& table, double from_ns = 0) {
    std::map<std::string, sent_bits> all;
    double before = 0;
    double time = 0;
    for (const auto& row : rows_of(table)) {
        if (const double now = std::stod(row.at("time_ns")); now != time) {
            before = time;
            time = now;
        }
        if (row.at("tx_bps").empty() || time <= from_ns) {
            continue;
        }
        sent_bits& sent = all[row.at("node") + ":" + row.at("port") + ":" + row.at("class")];
        const double rate = std::stod(row.at("tx_bps"));
        sent.bits += rate * (time - before) * 1e-9;
        sent.fastest_bps = std::max(sent.fastest_bps, rate);
        sent.most_paused_percent = std::max(sent.most_paused_percent, std::stod(row.at("paused_percent")));
    }
    return all;
}

TEST(port_series, rates_go_on_over_the_end_of_the_warm_up) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, combined(combined({"run"}, burst), {"--out", "whole"})).status, 0);
    ASSERT_EQ(
        run_program(where, combined(combined({"run"}, burst), {"--run.warmup=2503us", "--out", "warm"})).status,
        0);
    EXPECT_EQ(contents(where / "whole/port_series.csv"), contents(where / "warm/port_series.csv"));
}

TEST(port_series, thinned_out_no_rate_is_above_the_links_and_nothing_is_lost) {
    const scratch_directory where;
    // Of all nodes at 200 ns: more lines than the memory for them takes.
    const arguments many = combined(combined({"run"}, burst),
                                    {"--output.occupancy_interval=200ns", "--fabric.racks=8",
                                     "--fabric.hosts_per_rack=12", "--fabric.roots=4", "--traffic.kind=query",
                                     "--traffic.rate=8000", "--traffic.stop=6ms", "--run.duration=24ms"});
    arguments once;
    for (const std::string& option : many) {
        const std::string key = option.substr(0, option.find('='));
        once.erase(std::remove_if(once.begin(), once.end(),
                                  [&](const std::string& o) { return o.substr(0, o.find('=')) == key; }),
                   once.end());
        if (option.rfind("--traffic.incast", 0) != 0) {
            once.push_back(option);
        }
    }
    const outcome o = run_program(where, combined(once, {"--out", "out"}));
    ASSERT_EQ(o.status, 0) << o.err;
    std::set<std::string> times;
    for (const auto& row : rows_of(where / "out/port_series.csv")) {
        times.insert(row.at("time_ns"));
    }
    std::set<std::string> samples;
    for (const auto& row : rows_of(where / "out/pauses.csv")) {
        samples.insert(row.at("time_ns"));
    }
    EXPECT_LT(times.size(), samples.size()) << "the series was not thinned out: the test says nothing";
    const std::map<std::string, sent_bits> sent = sent_by(where / "out/port_series.csv");
    for (const auto& [port, s] : sent) {
        // A frame is counted with its first bit.
        EXPECT_LT(s.fastest_bps, 2e9) << port;
        EXPECT_LE(s.most_paused_percent, 100.001) << port;
    }
    double bits = 0;
    double bytes = 0;
    for (const auto& row : rows_of(where / "out/ports.csv")) {
        if (row.at("class") != "all") {
            bytes += std::stod(row.at("tx_bytes"));
            const auto at = sent.find(row.at("node") + ":" + row.at("port") + ":" + row.at("class"));
            bits += at == sent.end() ? 0 : at->second.bits;
        }
    }
    EXPECT_NEAR(bits / 8 / bytes, 1, 1e-4);
}

TEST(port_series, a_slice_that_pauses_is_at_its_threshold) {
    const scratch_directory where;
    const outcome o =
        run_program(where, combined(combined({"run"}, burst), {"--switch.buffer=shared", "--shared.slices=2",
                                                               "--shared.memory=900KB", "--out", "out"}));
    ASSERT_EQ(o.status, 0) << o.err;
    std::size_t paused = 0;
    double nearest = 0;
    for (const auto& row : rows_of(where / "out/port_series.csv")) {
        if (!row.at("xoff_sent").empty() && std::stod(row.at("xoff_sent")) > 0) {
            ++paused;
        }
        if (!row.at("threshold_bytes").empty()) {
            nearest =
                std::max(nearest, std::stod(row.at("counted_bytes")) / std::stod(row.at("threshold_bytes")));
        }
    }
    EXPECT_GT(paused, 0U);
    EXPECT_GE(nearest, 1) << "of samples each 10 us, many fall into pauses";
}

TEST(port_series, explains_a_run_that_failed) {
    const scratch_directory where;
    const outcome o = run_program(
        where, {"run", "--fabric.hosts=8", "--switch.scheme=detail", "--traffic.kind=incast",
                "--traffic.incast_bytes=4MB", "--traffic.incast_rounds=1", "--tcp.initial_window=1000",
                "--pfc.xoff=130KB", "--pfc.xon=10KB", "--switch.share_alpha=1", "--run.progress=false",
                "--output.series=tor0", "--out", "out"});
    ASSERT_EQ(o.status, 1) << o.err;
    double most = 0;
    for (const auto& row : rows_of(where / "out/port_series.csv")) {
        most = std::max(most, std::stod(row.at("ingress_bytes")));
    }
    EXPECT_GT(most, 100'000);
    const outcome table = run_program(where, {"table", "out"});
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_EQ(table.out.rfind("out failed (lossless loss): at ", 0), 0U) << table.out;
}

TEST(port_series, changes_no_other_file) {
    const scratch_directory where;
    arguments without = burst;
    without.erase(std::find(without.begin(), without.end(), "--output.series=*"));
    ASSERT_EQ(run_program(where, combined(combined({"run"}, burst), {"--out", "with"})).status, 0);
    ASSERT_EQ(run_program(where, combined(combined({"run"}, without), {"--out", "without"})).status, 0);
    for (const char* file :
         {"summary.json", "ports.csv", "flows.csv", "occupancy.csv", "pauses.csv", "limits.csv"}) {
        EXPECT_EQ(contents(where / "with" / file), contents(where / "without" / file)) << file;
    }
    EXPECT_FALSE(fs::exists(where / "without/port_series.csv"));
}

TEST(port_series, pools_hold_what_their_groups_hold) {
    const scratch_directory where;
    ASSERT_EQ(run_program(where, combined(combined({"run"}, burst),
                                          {"--switch.buffer=shared", "--shared.memory=400KB", "--out", "out"}))
                  .status,
              0);
    // Of each time and switch: groups at ingress, and the pools, whose cells are single bytes here.
    std::map<std::string, double> held;
    for (const auto& row : rows_of(where / "out/port_series.csv")) {
        if (!row.at("ingress_bytes").empty()) {
            held[row.at("time_ns") + row.at("node")] += std::stod(row.at("ingress_bytes"));
        }
    }
    std::map<std::string, double> pooled;
    for (const auto& row : rows_of(where / "out/pool_series.csv")) {
        if (row.at("pool") != "queue_pool" && row.at("pool") != "lossless_queue_pool") {
            pooled[row.at("time_ns") + row.at("node")] += std::stod(row.at("occupancy_bytes"));
        }
        EXPECT_LE(std::stod(row.at("occupancy_bytes")), std::stod(row.at("size_bytes")));
    }
    ASSERT_GT(pooled.size(), 100U);
    double most = 0;
    for (const auto& [place, bytes] : pooled) {
        EXPECT_EQ(bytes, held[place]) << place;
        most = std::max(most, bytes);
    }
    EXPECT_GT(most, 50'000);
}

TEST(port_series, is_drawn_with_its_thresholds) {
    const scratch_directory where;
    for (const char* buffer : {"partitioned", "shared"}) {
        ASSERT_EQ(run_program(where, combined(combined({"run"}, burst),
                                              {std::string("--switch.buffer=") + buffer, "--out", buffer}))
                      .status,
                  0);
    }
    const outcome drawn =
        run_program(where, {"plot", "partitioned", "shared", "--out", "plots", "--format=svg"});
    if (drawn.status == 3) {
        GTEST_SKIP() << drawn.err;
    }
    ASSERT_EQ(drawn.status, 0) << drawn.err;
    for (const char* picture : {"port_memory", "port_throughput", "port_pauses", "pool_memory"}) {
        EXPECT_TRUE(fs::exists(where / "plots" / (std::string(picture) + ".svg"))) << picture;
    }
    EXPECT_NE(contents(where / "plots/port_memory.gp").find("dt (12,5) notitle"), std::string::npos);
}

}  // namespace
}  // namespace weir::test
