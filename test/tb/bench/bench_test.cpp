// `weir bench`: its arguments, its cases, and what it makes of measurements.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/errors_said.h"
#include "tb/bench/bench_arguments.h"
#include "tb/bench/bench_report.h"
#include "tb/run/help/option_help.h"
#include "tb/run/options/load_config.h"

namespace weir::tb {
namespace {

std::string errors_of(const std::vector<std::string>& args) {
    bench_arguments given;
    std::ostringstream text;
    read_or_end(given, args, text, text);
    return text.str();
}
bench_arguments read_bench(const std::vector<std::string>& args) {
    bench_arguments given;
    std::ostringstream none;
    EXPECT_FALSE(read_or_end(given, args, none, none));
    return given;
}

TEST(bench_arguments, without_any_all_cases_run_with_one_thread_three_times) {
    const bench_arguments a = read_bench({});
    EXPECT_EQ(a.cases.size(), bench_cases().size());
    EXPECT_EQ(a.threads, std::vector<unsigned>{1});
    EXPECT_EQ(a.repeat, 3U);
    EXPECT_FALSE(a.instructions || a.list);
    EXPECT_FALSE(a.against);
    EXPECT_TRUE(a.out.empty());
}
TEST(bench_arguments, cases_keep_the_order_of_the_table_and_threads_theirs) {
    const bench_arguments a = read_bench({"tcp", "udp", "tcp", "--threads", "2,1,2", "--repeat=5",
                                          "--traffic.load=30%", "--instructions", "--out", "d"});
    EXPECT_EQ(errors_of({"tcp", "udp"}), "");
    ASSERT_EQ(a.cases.size(), 2U);
    EXPECT_EQ(a.cases[0].name, "udp");
    EXPECT_EQ(a.cases[1].name, "tcp");
    EXPECT_EQ(a.threads, (std::vector<unsigned>{2, 1}));
    EXPECT_EQ(a.repeat, 5U);
    EXPECT_TRUE(a.instructions);
    EXPECT_EQ(a.overrides, std::vector<std::string>{"--traffic.load=30%"});
    EXPECT_EQ(a.out, "d");
}
TEST(bench_arguments, what_makes_no_sense_is_refused_with_what_is_allowed) {
    const std::pair<std::vector<std::string>, const char*> wrong[] = {
        {{"udpp"}, "udpp: udp, tcp, cells"},
        {{"--threads=0"}, "--threads: 0, 1 to 1024"},
        {{"--threads="}, "--threads: empty"},
        {{"--threads=1,x"}, "--threads: x"},
        {{"--repeat=0"}, "--repeat: 0, 1 to 1000"},
        {{"--repeat=1", "--repeat=2"}, "--repeat: once"},
        {{"--against=booksim"}, "--against: booksim, ns3, htsim"},
        {{"--against="}, "--against: '', ns3, htsim"},
        {{"cells", "--against=ns3"}, "ns3, udp, tcp"},
        {{"cells", "--against=htsim", "--htsim=d"}, "htsim, udp, tcp, udp_1024, udp_8192"},
        {{"udp", "--against=ns3", "--traffic.load=10%"}, "ns3, traffic.load"},
        {{"udp", "--against=htsim"}, "--htsim: missing"},
        {{"udp", "--against=htsim", "--htsim="}, "--htsim: missing"},
        {{"udp", "--htsim=d"}, "--htsim: no effect, --against htsim"},
        {{"udp", "--against=ns3", "--htsim=d"}, "--htsim: no effect, --against htsim"},
        {{"--run.until=mean of fct within 50%"}, "--run.until: length"},
        {{"--out="}, "--out: empty"},
        {{"--speed"}, "--speed: "},
    };
    for (const auto& [args, message] : wrong) {
        EXPECT_TRUE(has_error(errors_of(args), message));
    }
    for (const char* option : {"--run.duration", "--run.progress", "--run.threads"}) {
        EXPECT_NE(errors_of({std::string(option) + "=2"}).find(std::string(option) + ": is set by "),
                  std::string::npos);
    }
}

TEST(bench_arguments, a_peer_is_named_with_where_its_sources_are) {
    EXPECT_EQ(read_bench({"udp", "--against", "ns3"}).against, peer_kind::ns3);
    const bench_arguments a = read_bench({"udp", "cells", "--against=htsim", "--htsim", "d"});
    EXPECT_EQ(a.against, peer_kind::htsim);
    EXPECT_EQ(a.htsim, "d");
}

std::string effective(loaded_config loaded) {
    EXPECT_TRUE(loaded.errors.empty());
    // Both have a length of their own.
    loaded.config.run.duration = picoseconds{0};
    loaded.config.traffic.stop = picoseconds{0};
    std::ostringstream text;
    write_effective_ini(text, loaded.config);
    return text.str();
}
TEST(bench_cases, udp_and_tcp_are_the_experiments_of_the_benchmark_fabric) {
    for (const bench_case& c : bench_cases()) {
        if (c.name != "udp" && c.name != "tcp") {
            continue;
        }
        std::vector<std::string> options{"--run.duration=1ms"};
        for (const std::string& option : c.options) {
            options.push_back("--" + option);
        }
        const std::string file = WEIR_GOLDEN_DIR "/../../tb/experiments/bench/permutation_" + c.name + ".ini";
        EXPECT_TRUE(effective(load_config(options)) == effective(load_config_files({}, {file}))) << c.name;
    }
}
TEST(bench_cases, a_case_sets_no_option_without_effect) {
    for (const bench_case& c : bench_cases()) {
        std::vector<std::string> options{"--run.duration=1ms"};
        for (const std::string& option : c.options) {
            options.push_back("--" + option);
        }
        EXPECT_TRUE(load_config(options).warnings.empty()) << c.name;
    }
}
TEST(bench_cases, names_are_unique_and_all_durations_ascend) {
    std::vector<std::string> names;
    for (const bench_case& c : bench_cases()) {
        names.push_back(c.name);
        EXPECT_LT(0U, c.counted_from_ns) << c.name;
        EXPECT_LT(c.counted_from_ns, c.counted_to_ns) << c.name;
        EXPECT_LT(c.counted_to_ns, c.timed_ns) << c.name;
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

std::string value(const std::vector<std::string>& options, const std::string& key) {
    for (const std::string& option : options) {
        if (option.rfind(key + "=", 0) == 0) {
            return option.substr(key.size() + 1);
        }
    }
    return {};
}
TEST(bench_cases, peers_get_the_size_rate_and_load_of_the_case) {
    for (const bench_case& c : bench_cases()) {
        std::vector<std::string> arguments{"--run.duration=1ms"};
        for (const std::string& option : c.options) {
            arguments.push_back("--" + option);
        }
        const run_config config = load_config(arguments).config;
        for (const auto& [peer, options] : c.peers) {
            const auto text = [&options = options](const std::string& key) { return value(options, key); };
            const auto number = [&](const std::string& key) { return std::stod(text(key)); };
            SCOPED_TRACE(c.name + " of " + peer);
            EXPECT_EQ(text("--k"), value(c.options, "fabric.k"));
            EXPECT_EQ(number("--gbps") * 1e9, static_cast<double>(config.link.rate.count()));
            EXPECT_EQ(number("--latency_ns") * 1e3, static_cast<double>(config.link.latency.count()));
            EXPECT_EQ(number("--frame"), static_cast<double>(config.device.max_frame.count()));
            EXPECT_EQ(number("--gap"), static_cast<double>(config.link.wire_overhead.count()));
            EXPECT_EQ(text("--transport"), config.traffic.transport == datagram_transport ? "udp" : "tcp");
            if (config.traffic.transport == datagram_transport) {
                EXPECT_EQ(number("--load"), config.traffic.load);
            }
        }
    }
}

bench_sample sample(double cpu, double wall, unsigned threads = 1) {
    bench_sample s;
    s.packet_hops = 1'000'000;
    s.cpu_seconds = cpu;
    s.wall_seconds = wall;
    s.setup_cpu_seconds = 0.5;
    s.setup_wall_seconds = 1;
    s.peak_memory_bytes = 32 << 20;
    s.threads = threads;
    return s;
}
const std::vector<bench_result> two_engines{
    {bench_cases().front(),
     {{"weir", 1, {sample(1.0, 3.0), sample(0.9, 5.0)}, 1000.4, 8, {}},
      // On two processors.
      {"weir", 8, {sample(1.2, 2.0, 2)}, {}, 8, {}},
      {"ns3", 1, {sample(4.5, 6.0), sample(5.5, 7.0)}, 27'010.8, 2, {"--k=8"}}}}};
const bench_facts some_facts{"1", true, "m", 2, "d", "c", {"--traffic.load=30%"}, {{"ns3", "3.37", "c++ -O3"}}};

TEST(bench_report, a_hop_costs_what_the_best_run_took_after_its_set_up) {
    const bench_row& weir = two_engines[0].rows[0];
    EXPECT_DOUBLE_EQ(weir.cpu_seconds_per_hop() * 1e9, 400);
    EXPECT_DOUBLE_EQ(weir.hops_per_wall_second(), 500'000);
}
TEST(bench_report, the_table_has_the_speed_up_of_threads_and_the_ratio_of_the_peer) {
    std::ostringstream out;
    print_bench(out, some_facts, two_engines);
    std::istringstream lines(out.str());
    std::vector<std::vector<std::string>> words;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        words.emplace_back(std::istream_iterator<std::string>(cells), std::istream_iterator<std::string>());
    }
    using row = std::vector<std::string>;
    ASSERT_EQ(words.size(), 7U);
    EXPECT_EQ(words[1], (row{"udp", "weir", "1", "1,000,000", "0.50", "s", "400", "ns", "+25", "%", "500,000",
                             "32", "MiB", "1,000"}));
    EXPECT_EQ(words[2],
              (row{"weir", "2", "1,000,000", "0.50", "s", "700", "ns", "1,000,000", "2.00", "32", "MiB"}));
    EXPECT_EQ(words[3], (row{"ns3", "1", "1,000,000", "0.50", "s", "4000", "ns", "+25", "%", "200,000", "32",
                             "MiB", "27,011"}));
    EXPECT_EQ(words[4], (row{"ns3", "/", "weir", "10.00", "x", "1.00", "x", "27.00", "x"}));
    EXPECT_EQ(words[5], (row{"median", "of", "2", "pairs", "10.25", "x", "8.00", "to", "12.50", "x"}));
    EXPECT_EQ(words[6], (row{"ns3:", "3.37,", "c++", "-O3"}));
}
TEST(bench_report, pairs_are_of_the_same_turn_and_their_median_is_the_one_in_the_middle) {
    const bench_row weir{"weir", 1, {sample(1.5, 3), sample(2.5, 3), sample(1.5, 3)}, {}, 8, {}};
    const bench_row peer{"htsim", 1, {sample(3.5, 3), sample(2.5, 3), sample(4.5, 3)}, {}, 8, {}};
    const cpu_ratios ratios(peer, weir);
    EXPECT_EQ(ratios.pairs, (std::vector<double>{3, 1, 4}));
    EXPECT_DOUBLE_EQ(ratios.median, 3);
    EXPECT_DOUBLE_EQ(ratios.smallest, 1);
    EXPECT_DOUBLE_EQ(ratios.largest, 4);
    EXPECT_DOUBLE_EQ(ratios.of_best, 2);
    // Interrupted after weir's third run.
    const bench_row behind{"htsim", 1, {sample(3.5, 3), sample(2.5, 3)}, {}, 8, {}};
    EXPECT_DOUBLE_EQ(cpu_ratios(behind, weir).median, 2);
}
TEST(bench_report, one_pair_is_not_told_twice) {
    std::ostringstream out;
    print_bench(out, some_facts,
                {{bench_cases().front(),
                  {{"weir", 1, {sample(1.0, 3.0)}, {}, 8, {}}, {"ns3", 1, {sample(4.5, 6.0)}, {}, 2, {}}}}});
    EXPECT_EQ(out.str().find("median"), std::string::npos) << out.str();
}
TEST(bench_report, json_has_every_sample_and_the_same_ratios) {
    const auto j = to_json(some_facts, two_engines);
    EXPECT_EQ(j["peers"]["ns3"], "3.37");
    EXPECT_EQ(j["peer_builds"]["ns3"], "c++ -O3");
    EXPECT_EQ(j["overrides"][0], "--traffic.load=30%");
    const auto& rows = j["cases"][0]["rows"];
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2]["simulated_ns"], 2);
    EXPECT_EQ(rows[2]["options"][0], "--k=8");
    EXPECT_EQ(rows[0]["samples"].size(), 2U);
    EXPECT_EQ(rows[0]["samples"][1]["wall_seconds"], 5.0);
    EXPECT_EQ(rows[1]["threads"], 2);
    EXPECT_DOUBLE_EQ(rows[1]["speed_up"], 2);
    EXPECT_TRUE(rows[1]["instructions_per_hop"].is_null());
    EXPECT_DOUBLE_EQ(rows[2]["cpu_ratio"], 10);
    EXPECT_DOUBLE_EQ(rows[2]["cpu_ratio_median"], 10.25);
    EXPECT_DOUBLE_EQ(rows[2]["cpu_ratio_pairs"][0], 8);
    EXPECT_DOUBLE_EQ(rows[2]["cpu_ratio_pairs"][1], 12.5);
    EXPECT_DOUBLE_EQ(rows[2]["instructions_ratio"], 27'010.8 / 1000.4);
}

}  // namespace
}  // namespace weir::tb
