// The files of whole runs. The kernel can be elaborated once in a process, so each run has one of its own.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "support/scratch_directory.h"
#include "tb/run/options/load_config.h"
#include "tb/run/results/results_collector.h"
#include "tb/run/simulation/simulation.h"
#include "weir/traffic/apps/make_workload.h"

using namespace weir;
using namespace weir::tb;
using weir::test::contents;
using weir::test::scratch_directory;
namespace fs = std::filesystem;

namespace {

/// Simulates in a process of its own; logs are taken at every n-th barrier.
void run(const fs::path& out, std::vector<std::string> options, unsigned take_every = 1) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child != 0) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0) << "see above";
        return;
    }
    int result = 1;
    try {
        const loaded_config loaded = load_config(options);
        for (const config_error& e : loaded.errors) {
            std::cerr << format_error(e) << '\n';
        }
        const built_topology topology = build_topology(loaded.config);
        if (loaded.errors.empty() && topology.errors.empty()) {
            simulation sim(loaded.config, topology, {}, nullptr);
            run_directory directory(out);
            results_collector collector(directory, loaded.config, topology, sim.network(), sim.endpoints(),
                                        workload_tags(loaded.config.traffic),
                                        ideal_delays_of(loaded.config, loaded.config.device.lookup_delay));
            unsigned barriers = 0;
            sim.run([&](picoseconds time) {
                if (++barriers % take_every == 0) {
                    collector.take(time);
                }
                return true;
            });
            collector.finish(sim.complete(), sim.simulated());
            result = 0;
        }
    } catch (const std::exception& e) {
        std::cerr << e.what() << '\n';
    }
    ::_exit(result);
}

/// Rows of a table by the names of its columns.
using table = std::vector<std::map<std::string, std::string>>;

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields(1);
    for (char c : line) {
        c == ',' ? fields.emplace_back() : fields.back() += c;
    }
    return fields;
}

table read(const fs::path& name) {
    std::istringstream in(contents(name));
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> header = split(line);
    table rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = split(line);
        EXPECT_EQ(fields.size(), header.size()) << name << ": " << line;
        rows.emplace_back();
        for (std::size_t i = 0; i < header.size(); ++i) {
            rows.back()[header[i]] = fields[i];
        }
    }
    return rows;
}

std::uint64_t total(const table& rows, const std::string& column) {
    std::uint64_t sum = 0;
    for (const auto& row : rows) {
        sum += row.at(column).empty() ? 0 : std::stoull(row.at(column));
    }
    return sum;
}

/// Whole picoseconds of a time in nanoseconds.
std::int64_t ps(const std::string& ns) {
    const std::size_t point = std::min(ns.find('.'), ns.size());
    std::string decimals = point < ns.size() ? ns.substr(point + 1) : "";
    decimals.resize(3, '0');
    return std::stoll(ns.substr(0, point)) * 1000 + std::stoll(decimals);
}

/// Whole picoseconds of a column.
std::vector<std::int64_t> sorted_times(const table& rows, const std::string& column) {
    std::vector<std::int64_t> times;
    for (const auto& row : rows) {
        times.push_back(ps(row.at(column)));
    }
    std::sort(times.begin(), times.end());
    return times;
}

/// The summary has of a table's column what the column has; `unfinished` has the ages of what has not
/// completed. Percentiles multiply (1 - 1 / at risk) sample by sample.
void expect_distribution(const nlohmann::json& summary, const table& rows, const std::string& column,
                         const table& unfinished) {
    const std::vector<std::int64_t> times = sorted_times(rows, column);
    const std::vector<std::int64_t> ages = sorted_times(unfinished, "age_ns");
    ASSERT_EQ(summary.at("count"), times.size());
    ASSERT_EQ(summary.value("unfinished", std::size_t{0}), ages.size());
    ASSERT_FALSE(times.empty());
    std::vector<double> survivors;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto older = ages.end() - std::lower_bound(ages.begin(), ages.end(), times[i]);
        const auto at_risk = static_cast<double>(times.size() - i + static_cast<std::size_t>(older));
        survivors.push_back((i == 0 ? 1 : survivors.back()) * (1 - 1 / at_risk));
    }
    const auto expect_percentile = [&](const char* key, double share) {
        const auto reached = std::find_if(survivors.begin(), survivors.end(),
                                          [&](double left) { return left <= 1 - share + 1e-9; });
        const std::int64_t expected = reached != survivors.end()
                                          ? times[static_cast<std::size_t>(reached - survivors.begin())]
                                          : ages.back();
        EXPECT_EQ(summary.at(key), nlohmann::json(static_cast<double>(expected) / 1000)) << key;
        EXPECT_EQ(summary.contains(key + std::string("_is_lower_bound")), reached == survivors.end()) << key;
    };
    expect_percentile("p50", 0.5);
    expect_percentile("p90", 0.9);
    expect_percentile("p99", 0.99);
    expect_percentile("p99_9", 0.999);
    expect_percentile("max", 1);
    const auto count = static_cast<double>(times.size());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
    const double spread = std::accumulate(times.begin(), times.end(), 0.0, [&](double sum, std::int64_t time) {
        return sum + (static_cast<double>(time) - mean) * (static_cast<double>(time) - mean);
    });
    EXPECT_NEAR(summary.at("variation_percent").get<double>(), 100 * std::sqrt(spread / count) / mean, 1e-3);
}

const std::vector<std::string> overloaded{"--fabric.topology=racks",   "--fabric.racks=2",
                                          "--fabric.hosts_per_rack=4", "--fabric.roots=2",
                                          "--traffic.rate=4000",       "--run.duration=20ms",
                                          "--run.warmup=5ms",          "--traffic.sizes=2KB,32KB",
                                          "--traffic.priorities=0,7",  "--output.occupancy_interval=100us"};

std::vector<std::string> with(std::vector<std::string> options, const std::vector<std::string>& more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

const std::vector<std::string> lossy{"--switch.scheme=baseline", "--switch.ingress_buffer=12KiB",
                                     "--switch.egress_buffer=12KiB"};
const std::vector<std::string> lossless{"--switch.scheme=detail"};

TEST(results_of_a_run, are_the_same_bytes_whatever_the_quantum_and_the_engine_and_whenever_logs_are_taken) {
    for (const std::vector<std::string>& scheme : {lossy, lossless}) {
        scratch_directory dir;
        const std::vector<std::string> options = with(overloaded, scheme);
        run(dir / "a", options);
        run(dir / "b", with(options, {"--run.quantum=1777ns"}), 1000);
        run(dir / "c", with(options, {"--run.engine=literal", "--run.quantum=3us"}), 7);
        for (const char* name : {"flows.csv", "jobs.csv", "ports.csv", "occupancy.csv", "pauses.csv",
                                 "limits.csv", "limit_intervals.csv", "nodes.csv", "summary.json"}) {
            const std::string expected = contents(dir / "a" / name);
            EXPECT_GT(expected.size(), 200U) << name;
            EXPECT_EQ(expected == contents(dir / "b" / name), true) << name;
            EXPECT_EQ(expected == contents(dir / "c" / name), true) << name;
        }
    }
}

TEST(results_of_a_run, agree_with_each_other_where_frames_are_lost) {
    scratch_directory dir;
    run(dir.path(), with(overloaded, lossy));
    const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
    const table flows = read(dir / "flows.csv");
    const table jobs = read(dir / "jobs.csv");
    const table ports = read(dir / "ports.csv");

    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(summary["simulated_ns"], 20'000'000);
    const nlohmann::json& frames = summary["frames"];
    EXPECT_EQ(frames["sent"].get<std::uint64_t>(), frames["delivered"].get<std::uint64_t>() +
                                                       frames["dropped"].get<std::uint64_t>() +
                                                       frames["inside"].get<std::uint64_t>());
    EXPECT_GT(frames["dropped"], 0);
    EXPECT_EQ(total(ports, "egress_full_frames") + total(ports, "ingress_full_frames"), frames["dropped"]);
    EXPECT_EQ(summary["pfc"]["xoff_sent"], 0);
    EXPECT_GT(total(flows, "retransmits"), 0U);
    EXPECT_GT(total(flows, "timeouts"), 0U);
    EXPECT_GT(summary["flows"]["completed"], flows.size());  // those of the warm-up

    const table open_flows = read(dir / "unfinished.csv");
    const table open_jobs = read(dir / "unfinished_jobs.csv");
    EXPECT_GT(open_flows.size(), 0U);
    EXPECT_GT(open_jobs.size(), 0U);
    expect_distribution(summary["fct_ns"], flows, "fct_ns", open_flows);
    expect_distribution(summary["jct_ns"], jobs, "jct_ns", open_jobs);
    for (const nlohmann::json& group : summary["groups"]) {
        const auto in_group = [&](const table& rows) {
            table same;
            std::copy_if(rows.begin(), rows.end(), std::back_inserter(same), [&](const auto& row) {
                return row.at("tag") == group["tag"] && row.at("bytes") == group["bytes"].dump() &&
                       row.at("priority") == group["priority"].dump();
            });
            return same;
        };
        if (group["fct_ns"]["count"] > 0) {
            expect_distribution(group["fct_ns"], in_group(flows), "fct_ns", in_group(open_flows));
        }
        if (group["jct_ns"]["count"] > 0) {
            expect_distribution(group["jct_ns"], in_group(jobs), "jct_ns", in_group(open_jobs));
        }
    }
    for (const auto& [rows, time] : {std::make_pair(flows, "fct_ns"), std::make_pair(jobs, "jct_ns")}) {
        std::int64_t last = 0;
        for (const auto& row : rows) {
            const std::int64_t start = ps(row.at("start_ns"));
            EXPECT_GE(start, 5'000'000'000);  // the warm-up
            EXPECT_GE(start + ps(row.at(time)), last);
            last = start + ps(row.at(time));
        }
    }
    for (const auto& row : flows) {
        EXPECT_GE(ps(row.at("fct_ns")), ps(row.at("ideal_ns")));
    }
}

TEST(results_of_a_run, agree_with_each_other_where_ports_are_paused) {
    scratch_directory dir;
    run(dir.path(),
        {"--fabric.hosts=8", "--traffic.kind=incast", "--traffic.incast_rounds=2", "--run.duration=20ms",
         "--run.warmup=9ms", "--output.occupancy_interval=100us", "--switch.scheme=detail"});
    const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
    // Of the class that has all traffic: what is announced of others delays nothing.
    table ports = read(dir / "ports.csv");
    ports.erase(
        std::remove_if(ports.begin(), ports.end(),
                       [](const auto& row) { return row.at("class") != "7" && row.at("class") != "all"; }),
        ports.end());
    EXPECT_EQ(summary["frames"]["dropped"], 0);
    EXPECT_GT(summary["pfc"]["xoff_sent"], 0);
    EXPECT_EQ(total(ports, "xoff_sent"), summary["pfc"]["xoff_sent"]);
    EXPECT_EQ(total(ports, "xon_sent"), summary["pfc"]["xon_sent"]);
    std::int64_t paused = 0;
    for (const auto& row : ports) {
        paused += row.at("node")[0] == 'h' && !row.at("paused_ns").empty() ? ps(row.at("paused_ns")) : 0;
    }
    EXPECT_GT(paused, 1'000'000'000);
    EXPECT_EQ(summary["pfc"]["paused_ns"]["host"], static_cast<double>(paused) / 1000);
    // Fill never exceeds what it is at the watermark, and a busy port is busy less than all the time.
    for (const auto& row : ports) {
        for (const char* side : {"ingress_", "egress_"}) {
            if (!row.at(std::string(side) + "max_bytes").empty()) {
                EXPECT_LE(std::stod(row.at(std::string(side) + "p99_9_bytes")),
                          std::stod(row.at(std::string(side) + "max_bytes")));
            }
        }
        EXPECT_LE(std::stod(row.at("port_utilisation_percent")), 100.1);
    }
    // Samples count from the start, and the warm-up's end is the time of one: what came later is the rest.
    std::uint64_t xoff_sent = 0;
    std::int64_t sampled = 0;
    for (const auto& row : read(dir / "pauses.csv")) {
        if (ps(row.at("time_ns")) > 9'000'000'000) {
            xoff_sent += std::stoull(row.at("xoff_sent"));
            sampled += row.at("tier") == "host" ? ps(row.at("paused_ns")) : 0;
        }
    }
    EXPECT_EQ(summary["pfc"]["xoff_sent"], xoff_sent);
    EXPECT_EQ(sampled, paused);
    EXPECT_EQ(read(dir / "occupancy.csv").size() % 8, 0U);
}

TEST(results_of_a_run, at_its_own_end_have_no_frame_inside) {
    scratch_directory dir;
    run(dir.path(), {"--fabric.hosts=4", "--traffic.stop=2ms", "--run.duration=0ps", "--traffic.rate=2000"});
    const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
    EXPECT_EQ(summary["complete"], true);
    EXPECT_EQ(summary["frames"]["inside"], 0);
    EXPECT_EQ(summary["flows"]["started"], summary["flows"]["completed"]);
    EXPECT_EQ(read(dir / "flows.csv").size(), summary["flows"]["started"]);
}

// Segments that were sent again are delivered once.
TEST(results_of_a_run, have_all_transfers_bytes_as_goodput_where_all_complete) {
    scratch_directory dir;
    run(dir.path(), with(lossy, {"--fabric.topology=racks", "--fabric.racks=2", "--fabric.hosts_per_rack=4",
                                 "--fabric.roots=2", "--traffic.rate=4000", "--traffic.sizes=2KB,32KB",
                                 "--traffic.stop=6ms", "--run.duration=0ps"}));
    const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
    const table flows = read(dir / "flows.csv");
    EXPECT_EQ(flows.size(), summary["flows"]["started"]);
    EXPECT_GT(total(flows, "retransmits"), 0U);
    EXPECT_EQ(summary["goodput"]["bytes"], total(flows, "bytes"));
    const double seconds =
        (summary["simulated_ns"].get<double>() - summary["averaged_from_ns"].get<double>()) / 1e9;
    EXPECT_NEAR(summary["goodput"]["bps"], 8 * static_cast<double>(total(flows, "bytes")) / seconds, 0.51);
}

// Full datagrams without a gap: what is not payload is the header and the line's overhead.
TEST(results_of_a_run, have_the_payloads_share_of_a_full_line_as_goodput) {
    for (const char* warmup : {"0ps", "3ms"}) {
        scratch_directory dir;
        run(dir.path(),
            {"--fabric.hosts=2", "--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.load=100%",
             "--link.rate=10Gbps", "--run.duration=5ms", std::string("--run.warmup=") + warmup,
             "--udp.payload=1000B", "--udp.header=58B", "--link.wire_overhead=20B"});
        const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
        const double seconds = std::string(warmup) == "0ps" ? 5e-3 : 2e-3;
        const double line = 2 * 10e9 / 8 * seconds * 1000 / 1078;
        // A datagram each at the ends; at the start the fabric's delay too, below 30 us.
        const double filling = std::string(warmup) == "0ps" ? 2 * 10e9 / 8 * 30e-6 : 0;
        EXPECT_LE(summary["goodput"]["bytes"], line + 2000);
        EXPECT_GE(summary["goodput"]["bytes"], line - 2000 - filling);
        const double averaged = seconds - summary.value("averaged_from_ns", 0.0) / 1e9;
        EXPECT_NEAR(summary["goodput"]["bps"], summary["goodput"]["bytes"].get<double>() * 8 / averaged, 0.51);
    }
}

TEST(results_of_a_run, have_no_goodput_where_the_warm_up_outlasts_the_run) {
    scratch_directory dir;
    run(dir.path(), {"--fabric.hosts=4", "--traffic.rate=2000", "--traffic.stop=1ms", "--run.duration=0ps",
                     "--run.warmup=3s"});
    const nlohmann::json summary = nlohmann::json::parse(contents(dir / "summary.json"));
    EXPECT_EQ(summary["goodput"]["bytes"], 0);
    EXPECT_TRUE(summary["goodput"]["bps"].is_null());
}

}  // namespace
