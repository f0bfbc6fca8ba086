// Memory follows the transfers that are under way, not those that have been: four times as many transfers take
// as much. docs/performance.md has figures of longer runs.
#include <gtest/gtest.h>

#include "program.h"

using namespace weir::test;

namespace {

/// Moderate load on one switch, small flows, no time series.
const arguments small_flows{"run",
                            "--fabric.topology=single",
                            "--fabric.hosts=16",
                            "--link.rate=10Gbps",
                            "--link.latency=1us",
                            "--switch.scheme=detail",
                            "--switch.lookup_delay=300ns",
                            "--traffic.sizes=1KB",
                            "--traffic.load=0.3",
                            "--output.occupancy_interval=0",
                            "--out",
                            "out"};

struct measured {
    double transfers;
    double peak_bytes;
};

measured measure(const scratch_directory& where, const arguments& more) {
    const outcome o = run_program(where, combined(small_flows, more));
    EXPECT_EQ(o.status, 0) << o.err;
    const auto facts = nlohmann::json::parse(contents(where / "out/run.json"), nullptr, false);
    return {summary_of(where / "out")["flows"]["completed"].get<double>(),
            facts["peak_memory_bytes"].get<double>()};
}

/// `bytes_each`: what a further transfer may add. The heap's own grain is half a MiB.
void expect_no_growth(const measured& few, const measured& many, double bytes_each) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer keeps what was freed";
#endif
    EXPECT_GE(many.transfers, 3.5 * few.transfers);
    EXPECT_LE(many.peak_bytes - few.peak_bytes, bytes_each * (many.transfers - few.transfers) + (1 << 19))
        << few.transfers << " transfers: " << few.peak_bytes << " B, " << many.transfers
        << " transfers: " << many.peak_bytes << " B";
}

/// The warm-up takes all, so that no sample is kept: what remains are the transports and the fabric.
void expect_no_growth_without_samples(const arguments& traffic) {
    const scratch_directory where;
    const measured few = measure(where, combined(traffic, {"--run.duration=20ms", "--run.warmup=19.999ms"}));
    const measured many = measure(where, combined(traffic, {"--run.duration=80ms", "--run.warmup=79.999ms"}));
    EXPECT_GT(few.transfers, 60'000);
    expect_no_growth(few, many, 1);
}
TEST(memory, tcp_transfers_leave_nothing) {
    expect_no_growth_without_samples({"--traffic.kind=poisson"});
}
TEST(memory, udp_transfers_leave_nothing) {
    expect_no_growth_without_samples({"--traffic.kind=poisson", "--traffic.transport=udp"});
}
TEST(memory, queries_leave_nothing) {
    expect_no_growth_without_samples({"--traffic.kind=query", "--traffic.rate=100000"});
}

/// `count` flows of random sizes between 16 hosts, 100 ns apart; in the order of time or against it.
void write_trace(const fs::path& name, std::int64_t count, bool rising) {
    std::ofstream out(name, std::ios::binary);
    out << "start_ns,src,dst,bytes,priority\n";
    std::uint64_t chance = 1;
    for (std::int64_t i = 0; i < count; ++i) {
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        const auto src = static_cast<unsigned>(chance >> 60);
        const unsigned dst = (src + 1 + static_cast<unsigned>((chance >> 40) % 15)) % 16;
        out << 100 * (rising ? i : count - i) << ',' << src << ',' << dst << ',' << 100 + (chance >> 33) % 2900
            << ",7\n";
    }
}

// A chunk for sorting has 2^20 flows: both numbers are beyond. The run ends before its warm-up, so that no
// sample is kept.
void expect_no_growth_of_a_trace(bool rising) {
    const scratch_directory where;
    write_trace(where / "few.csv", 1'500'000, rising);
    write_trace(where / "many.csv", 6'000'000, rising);
    const arguments traffic{"--traffic.kind=trace", "--run.warmup=100s"};
    const measured few = measure(where, combined(traffic, {"--traffic.file=few.csv"}));
    const measured many = measure(where, combined(traffic, {"--traffic.file=many.csv"}));
    EXPECT_EQ(many.transfers, 6'000'000);
    expect_no_growth(few, many, 1);
}
TEST(memory, long_run_of_a_trace_of_millions_of_flows_takes_no_more_than_one_of_a_quarter) {
    expect_no_growth_of_a_trace(true);
}
TEST(memory, long_run_of_a_trace_that_goes_back_in_time_takes_no_more_than_one_of_a_quarter) {
    expect_no_growth_of_a_trace(false);
}
// All output, default options. Percentiles are exact up to 2^20 samples: both numbers are beyond.
TEST(memory, long_run_of_millions_of_udp_flows_takes_no_more_than_one_of_a_quarter) {
    const scratch_directory where;
    const arguments traffic{"--traffic.kind=poisson", "--traffic.transport=udp"};
    const measured few = measure(where, combined(traffic, {"--run.duration=250ms"}));
    const measured many = measure(where, combined(traffic, {"--run.duration=1s"}));
    expect_no_growth(few, many, 1);
}

// docs/performance.md: 19 MiB for the program, 7.6 KiB for a host with its switch's port, 2.3 KiB for a port
// between switches.
TEST(memory, of_a_fabric_that_is_idle_is_bounded_per_host_and_port) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer keeps what was freed";
#endif
    const scratch_directory where;
    const auto set_up = [&](unsigned k, unsigned hosts_per_edge) {
        const outcome o = run_program(
            where, {"run", "--fabric.topology=fat_tree", "--fabric.k=" + std::to_string(k),
                    "--fabric.hosts_per_edge=" + std::to_string(hosts_per_edge), "--switch.scheme=detail",
                    "--switch.ingress_buffer=1MiB", "--link.rate=10Gbps", "--link.latency=1us",
                    "--traffic.kind=none", "--run.duration=1us", "--out", "out"});
        EXPECT_EQ(o.status, 0) << o.err;
        return nlohmann::json::parse(contents(where / "out/run.json")).at("setup_memory_bytes").get<double>();
    };
    const double tiny = set_up(4, 2);     // 16 hosts, 64 further ports
    const double medium = set_up(32, 8);  // 4,096 hosts, 32,768 further ports
    const double large = set_up(32, 24);  // 12,288 hosts, as many
    const double host = (large - medium) / 8192;
    EXPECT_LT(tiny, 24 << 20);
    EXPECT_LT(host, 8 << 10);
    EXPECT_LT(medium - tiny, 4080 * host + 32704 * 2.6 * 1024);
    // What is measured grows with the fabric.
    EXPECT_GT(host, 4 << 10);
}
TEST(memory, long_run_8192_hosts_that_send_take_at_most_400_mib) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer keeps what was freed";
#endif
    const scratch_directory where;
    const outcome o = run_program(where, {"bench", "udp_8192", "--repeat=1", "--out", "b"});
    ASSERT_EQ(o.status, 0) << o.err;
    const auto measured = nlohmann::json::parse(contents(where / "b/bench.json"));
    EXPECT_LT(measured.at("cases").at(0).at("rows").at(0).at("peak_memory_bytes").get<double>(), 400 << 20);
}

}  // namespace
