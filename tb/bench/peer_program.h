// What the programs of peers (tb/bench/PEER/fat_tree.cpp) share: their options, who sends to whom, and what a
// run took. The build puts this text into each of them.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace peer_program {

/// Seed of the permutation and of everything else that is drawn.
constexpr std::uint32_t seed = 1;

struct options {
    /// Ports of a switch, even.
    std::uint32_t k = 8;
    /// Rate of all links.
    double gbps = 10;
    /// Latency of all links.
    double latency_ns = 1000;
    /// Bytes of a full frame.
    std::uint32_t frame_bytes = 1500;
    /// Preamble, delimiter and gap.
    std::uint32_t gap_bytes = 20;
    /// `udp` or `tcp`.
    std::string transport = "udp";
    /// Share of a host's link, with UDP.
    double load = 0.7;
    /// ns-3: ways up are drawn for each `frame`, or for each `flow`.
    std::string spread = "frame";
    double duration_ns = 1e6;

    bool is_tcp() const { return transport == "tcp"; }
    /// Time from one frame to the next at the load.
    double frame_distance_ns() const { return (frame_bytes + gap_bytes) * 8 / gbps / load; }
};

/// Reads --name=value. Throws std::invalid_argument.
inline options read_options(int argc, char** argv) {
    options o;
    const std::map<std::string, std::variant<std::uint32_t*, double*, std::string*>> known{
        {"--k", &o.k},
        {"--gbps", &o.gbps},
        {"--latency_ns", &o.latency_ns},
        {"--frame", &o.frame_bytes},
        {"--gap", &o.gap_bytes},
        {"--transport", &o.transport},
        {"--load", &o.load},
        {"--spread", &o.spread},
        {"--duration_ns", &o.duration_ns}};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::size_t equals = word.find('=');
        const auto option = known.find(word.substr(0, equals));
        std::istringstream text(equals == std::string::npos ? "" : word.substr(equals + 1));
        if (option == known.end() ||
            !std::visit([&](auto* value) -> bool { return static_cast<bool>(text >> *value); },
                        option->second)) {
            throw std::invalid_argument(word + ": is no option; expected --name=value");
        }
    }
    const auto require = [](const char* name, const std::string& value, const char* first, const char* second) {
        if (value != first && value != second) {
            throw std::invalid_argument(std::string(name) + ": '" + value + "' is unknown; expected " + first +
                                        ", " + second);
        }
    };
    require("--transport", o.transport, "udp", "tcp");
    require("--spread", o.spread, "frame", "flow");
    return o;
}

/// One cycle through all hosts in random order: nobody sends to itself.
inline std::vector<std::uint32_t> partners(std::uint32_t hosts) {
    std::vector<std::uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 bits(seed);
    for (std::uint32_t i = hosts - 1; i > 0; --i) {
        std::swap(order[i], order[bits() % (i + 1)]);
    }
    std::vector<std::uint32_t> to(hosts);
    for (std::uint32_t i = 0; i < hosts; ++i) {
        to[order[i]] = order[(i + 1) % hosts];
    }
    return to;
}

/// Time and memory that this process has taken.
struct cost {
    double cpu_seconds = 0;
    double wall_seconds = 0;
    unsigned long long peak_bytes = 0;

    static cost so_far() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        const auto seconds = [](const timeval& t) {
            return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
        };
        return {seconds(used.ru_utime) + seconds(used.ru_stime),
                std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
                static_cast<unsigned long long>(used.ru_maxrss) * 1024};
    }
};

/// Prints one JSON object about a run, and ends the process: taking the simulation apart is no part of the run.
[[noreturn]] inline void report(const cost& begin, const cost& set_up, unsigned long long packet_hops,
                                unsigned long long drops, unsigned long long negative_acks = 0) {
    const cost end = cost::so_far();
    std::printf(
        "{\"packet_hops\": %llu, \"drops\": %llu, \"negative_acks\": %llu, \"setup_cpu_seconds\": %.6f, "
        "\"setup_wall_seconds\": %.6f, \"setup_memory_bytes\": %llu, \"cpu_seconds\": %.6f, "
        "\"wall_seconds\": %.6f, \"peak_memory_bytes\": %llu}\n",
        packet_hops, drops, negative_acks, set_up.cpu_seconds, set_up.wall_seconds - begin.wall_seconds,
        set_up.peak_bytes, end.cpu_seconds, end.wall_seconds - begin.wall_seconds, end.peak_bytes);
    std::fflush(stdout);
    std::_Exit(0);
}

}  // namespace peer_program
