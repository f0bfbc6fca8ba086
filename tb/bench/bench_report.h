// What `weir bench` has measured, as a table and as JSON.
#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tb/bench/bench_engine.h"

namespace weir::tb {

/// One engine and number of threads in one case.
struct bench_row {
    std::string engine;
    /// That were asked for; each sample says how many ran.
    unsigned threads = 1;
    /// In the order in which they were taken; at least one.
    std::vector<bench_sample> samples;
    std::optional<double> instructions_per_hop;
    /// What one run simulates, and its options.
    std::uint64_t simulated_ns = 0;
    std::vector<std::string> options;

    /// The smallest number of all samples, which other work on the machine has disturbed least.
    template <class Number>
    auto least(const Number& number) const {
        auto least = std::invoke(number, samples.front());
        for (const bench_sample& sample : samples) {
            least = std::min<decltype(least)>(least, std::invoke(number, sample));
        }
        return least;
    }
    double cpu_seconds_per_hop() const { return least(&bench_sample::cpu_seconds_per_hop); }
    double setup_cpu_seconds() const { return least(&bench_sample::setup_cpu_seconds); }
    std::uint64_t peak_memory_bytes() const { return least(&bench_sample::peak_memory_bytes); }
    /// The largest.
    double hops_per_wall_second() const {
        return -least([](const bench_sample& s) { return -s.hops_per_wall_second(); });
    }
    /// How much more than the smallest the largest sample took. Unit: 1.
    double cpu_spread() const {
        return -least([](const bench_sample& s) { return -s.cpu_seconds_per_hop(); }) / cpu_seconds_per_hop() -
               1;
    }
};

/// CPU time per packet-hop of a peer over that of weir: of each of the peer's runs and the run of weir in the
/// same turn, which met the same state of the machine. Unit: 1. At least one pair.
struct cpu_ratios {
    cpu_ratios(const bench_row& peer, const bench_row& weir);

    /// In the order of the turns.
    std::vector<double> pairs;
    double median = 0;
    double smallest = 0;
    double largest = 0;
    /// Of the smallest sample of each.
    double of_best = 0;
};

struct bench_result {
    bench_case which;
    /// The first is weir with the first number of threads.
    std::vector<bench_row> rows;

    /// Every row has a sample.
    bool is_measured() const;
};

struct peer_facts {
    std::string name;
    std::string version;
    /// The compiler and its flags.
    std::string build;
};

/// What all results have in common.
struct bench_facts {
    std::string version;
    /// Not everything was measured: what follows is what there is.
    bool complete = true;
    std::string machine;
    unsigned processors = 1;
    std::string date;
    std::string command_line;
    std::vector<std::string> overrides;
    std::vector<peer_facts> peers;
};

/// Whether this program was built with optimisation, without which no figure means anything.
bool is_optimised_build();
void print_bench(std::ostream& out, const bench_facts& facts, const std::vector<bench_result>& results);
nlohmann::ordered_json to_json(const bench_facts& facts, const std::vector<bench_result>& results);

}  // namespace weir::tb
