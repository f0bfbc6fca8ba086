// Closed forms of queueing, met by the whole model: program, traffic, hosts, links, lookup, crossbar, buffers
// and schedulers. Each mean is over eight seeds; the closed form must lie within their 99.9 % interval
// (Student's t for 7 degrees of freedom: 5.408), and the interval be narrow enough to mean something. The
// arbiters alone, at more loads and with intervals of 0.1 %: test/model/crossbar/arbiter_oracle_test.cpp. A
// switch with one FIFO per input, the head-of-line limit's, cannot be configured: the model has VOQs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "program.h"

using namespace weir::test;
using nlohmann::json;

namespace {

constexpr int seeds = 8;
constexpr double t_999 = 5.408;

template <class OfSeed>
void expect_mean(double expected, double widest, OfSeed&& of_seed) {
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const double value = of_seed(seed);
        sum += value;
        squares += value * value;
    }
    const double mean = sum / seeds;
    const double variance = (squares - sum * mean) / (seeds - 1);
    const double half = t_999 * std::sqrt(variance / seeds);
    testing::Test::RecordProperty("mean", std::to_string(mean) + " +-" + std::to_string(half));
    EXPECT_NEAR(mean, expected, half);
    EXPECT_LT(half, widest * expected) << "the interval says nothing";
}

json run_islip_experiment(const scratch_directory& where, int seed, const arguments& options) {
    const outcome o = run_program(
        where, combined({"run", WEIR_GOLDEN_DIR "/../../tb/experiments/islip/uniform.ini",
                         "--run.seed=" + std::to_string(seed), "--run.progress=false", "--out", "out"},
                        options));
    EXPECT_EQ(o.status, 0) << o.err;
    return summary_of(where / "out");
}

/// Sixteen ports, slots of 512 ns. At speedup 16 all that arrives in a slot has crossed before the next one: an
/// output queue. A host does not send to itself, so 15 inputs load an output: (N-2)/(N-1) x rho/(2 (1-rho)).
/// With a speedup of 0: a memory that is an output queue by itself.
double output_queue_wait(int load_percent, int seed, int speedup) {
    const scratch_directory where;
    const json summary = run_islip_experiment(
        where, seed,
        combined(speedup > 0 ? arguments{"--switch.speedup=" + std::to_string(speedup)}
                             : arguments{"--switch.buffer=output_queued"},
                 {"--traffic.load=" + std::to_string(load_percent) + "%", "--run.warmup=1ms",
                  "--traffic.stop=" + std::string(load_percent > 60 ? "12ms" : "6ms")}));
    // 1 slot to send, 2 on the link, 1 for the lookup, 1/16 to cross, 1 to send, 2 on the link.
    const double unloaded = 7 * 512 + (speedup > 0 ? 512.0 / speedup : 0);
    return (summary["fct_ns"]["mean"].get<double>() - unloaded) / 512;
}
TEST(queueing_forms_statistical, a_switch_with_a_crossbar_as_fast_as_all_ports_is_an_output_queue_at_load_50) {
    expect_mean(14.0 / 15 * 0.5 / (2 * 0.5), 0.03, [](int seed) { return output_queue_wait(50, seed, 16); });
}
TEST(queueing_forms_statistical, a_switch_with_a_crossbar_as_fast_as_all_ports_is_an_output_queue_at_load_80) {
    expect_mean(14.0 / 15 * 0.8 / (2 * 0.2), 0.06, [](int seed) { return output_queue_wait(80, seed, 16); });
}
TEST(queueing_forms_statistical, output_queued_memory_is_an_output_queue_at_load_50) {
    expect_mean(14.0 / 15 * 0.5 / (2 * 0.5), 0.03, [](int seed) { return output_queue_wait(50, seed, 0); });
}
TEST(queueing_forms_statistical, output_queued_memory_is_an_output_queue_at_load_80) {
    expect_mean(14.0 / 15 * 0.8 / (2 * 0.2), 0.06, [](int seed) { return output_queue_wait(80, seed, 0); });
}

/// Eight hosts at 100 Gb/s send segments of 1,000 B, 1,078 B on the wire, as one Poisson process, to a host at
/// 1 Gb/s: the egress port serves each in 8,624 ns.
double poisson_wait(double load, int segments, int seed) {
    const scratch_directory where;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::exponential_distribution<double> gap(load / 8624.0);
    std::ostringstream trace;
    trace << "start_ns,src,dst,bytes\n";
    double start = 0;
    for (int i = 0; i < segments; ++i) {
        start += gap(random);
        trace << static_cast<std::int64_t>(start) << ',' << 1 + random() % 8 << ",0,1000\n";
    }
    where.write("poisson.csv", trace.str());
    const outcome o = run_program(
        where, {"run", "--fabric.hosts=9", "--link.rate=100Gbps", "--fabric.link=h0-tor0 rate=1Gbps",
                "--link.wire_overhead=20B", "--tcp.header=58B", "--tcp.min_rto=10s", "--switch.scheme=baseline",
                "--switch.egress_buffer=64MiB", "--switch.ingress_buffer=64MiB", "--traffic.kind=trace",
                "--traffic.file=poisson.csv", "--output.occupancy_interval=0", "--run.progress=false", "--out",
                "out"});
    EXPECT_EQ(o.status, 0) << o.err;
    std::istringstream flows(contents(where / "out/flows.csv"));
    std::string line;
    std::getline(flows, line);
    double wait = 0;
    int count = 0;
    while (std::getline(flows, line)) {
        std::istringstream fields(line);
        std::string field;
        // flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns,ideal_ns,retransmits,timeouts
        for (int i = 0; i < 9; ++i) {
            std::getline(fields, field, ',');
        }
        wait += std::stod(field);
        std::getline(fields, field, ',');
        wait -= std::stod(field);
        ++count;
    }
    EXPECT_EQ(count, segments);
    return wait / count / 8624;
}
TEST(queueing_forms_statistical, segments_of_many_hosts_for_one_slow_link_wait_as_in_m_d_1_at_load_50) {
    expect_mean(0.5 / (2 * 0.5), 0.05, [](int seed) { return poisson_wait(0.5, 40'000, seed); });
}
TEST(queueing_forms_statistical, segments_of_many_hosts_for_one_slow_link_wait_as_in_m_d_1_at_load_80) {
    expect_mean(0.8 / (2 * 0.2), 0.10, [](int seed) { return poisson_wait(0.8, 60'000, seed); });
}

/// All VOQs full: each output grants one of 15 inputs at random, an input without any grant is idle.
double pim_throughput(int seed) {
    const scratch_directory where;
    const json summary =
        run_islip_experiment(where, seed,
                             {"--traffic.load=100%", "--switch.arbiter=pim", "--switch.iterations=1",
                              "--run.warmup=3ms", "--traffic.stop=5ms", "--run.duration=5ms"});
    std::istringstream ports(contents(where / "out/ports.csv"));
    std::string line;
    std::getline(ports, line);
    std::int64_t sent = 0;
    while (std::getline(ports, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        // node,port,class,peer,rx_frames,rx_bytes,tx_frames,...
        sent += fields[0] == "tor0" ? std::stoll(fields[6]) : 0;
    }
    return static_cast<double>(sent) / 16 / (2'000'000 / 512.0);
}
TEST(queueing_forms_statistical, pim_with_one_iteration_saturates_where_its_grants_miss_inputs) {
    expect_mean(1 - std::pow(14.0 / 15, 15), 0.01, pim_throughput);
}

}  // namespace
