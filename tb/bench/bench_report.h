// What `weir bench` has measured, as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tb/bench/bench_engine.h"

namespace weir {

/// One engine and number of threads in one case.
struct bench_row {
    std::string engine;
    unsigned threads = 1;
    /// In the order in which they were taken; at least one.
    std::vector<bench_sample> samples;
    std::optional<double> instructions_per_hop;

    /// The smallest of all samples, which other work on the machine has disturbed least.
    double cpu_seconds_per_hop() const;
    double setup_cpu_seconds() const;
    /// The largest.
    double hops_per_wall_second() const;
    std::uint64_t peak_memory_bytes() const;
};

struct bench_result {
    bench_case which;
    /// The first is weir with the first number of threads.
    std::vector<bench_row> rows;
};

/// What all results have in common.
struct bench_facts {
    std::string version;
    std::string machine;
    unsigned processors = 1;
    std::string date;
    std::string command_line;
    std::vector<std::string> overrides;
    /// Peers with their versions.
    std::vector<std::pair<std::string, std::string>> peers;
};

void print_bench(std::ostream& out, const std::vector<bench_result>& results);
nlohmann::ordered_json to_json(const bench_facts& facts, const std::vector<bench_result>& results);

}  // namespace weir
