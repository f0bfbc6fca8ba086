// run.json holds facts of a run that may differ between equal runs.
//
//   run_stopwatch watch("run", {"a.ini", "--out", "out"});
//   run_facts facts = watch.facts();
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weir/base/time.h"

namespace weir::tb {

struct run_facts {
    double wall_seconds = 0;
    /// User and system, all threads.
    double cpu_seconds = 0;
    std::uint64_t peak_memory_bytes = 0;
    /// The same when the fabric was built and nothing simulated yet.
    double setup_wall_seconds = 0;
    double setup_cpu_seconds = 0;
    std::uint64_t setup_memory_bytes = 0;
    std::uint32_t threads = 1;
    picoseconds quantum{0};
    /// `fast` or `literal`.
    std::string engine;
    std::uint64_t quanta = 0;
    std::uint64_t engine_events = 0;
    /// The processor's model.
    std::string machine;
    /// Start of the run, ISO 8601, UTC.
    std::string date;
    std::string command_line;
    /// Name of the plugin that is linked into the program; empty: none.
    std::string linked_plugin;
    /// `complete`, `interrupted`, or `failed`: then failure.json or what was printed says why.
    std::string ended;
    /// Warnings as they were printed, in order.
    std::vector<std::string> warnings;
    /// Clock cycles of RTL in the loop, by switch and block.
    struct rtl_cycles {
        std::string switch_name;
        std::string block;
        std::uint64_t cycles = 0;

        template <class Octets>
        void fields(Octets& o) {
            o(switch_name, block, cycles);
        }
    };
    std::vector<rtl_cycles> rtl;
    /// Parts of the ranks; empty where one process had the whole run.
    struct rank_part {
        std::uint32_t hosts = 0;
        std::uint32_t switches = 0;
        /// Links to other ranks.
        std::uint64_t cut_links = 0;
        std::uint64_t engine_events = 0;
        double cpu_seconds = 0;
        std::uint64_t peak_memory_bytes = 0;
    };
    std::vector<rank_part> ranks;

    /// Adds another rank's part and sums.
    void add(const run_facts& other);
    template <class Octets>
    void fields(Octets& o) {
        o(cpu_seconds, peak_memory_bytes, setup_cpu_seconds, setup_memory_bytes, engine_events, rtl, ranks);
    }
};

nlohmann::ordered_json to_json(const run_facts& facts);

/// Takes time and memory of this process from its construction on.
class run_stopwatch {
 public:
    /// `weir COMMAND ARGS ...` is the command line of the facts; without a command it is empty.
    explicit run_stopwatch(const std::string& command = {}, const std::vector<std::string>& args = {});
    /// Counts what has been taken so far as set-up.
    void set_up();
    /// Everything but the engine's part.
    run_facts facts() const;

 private:
    /// Wall and CPU seconds and memory up to now.
    void take(double& wall_seconds, double& cpu_seconds, std::uint64_t& memory_bytes) const;

    run_facts m_set_up;
    std::string m_command_line;
    std::string m_date;
    std::chrono::steady_clock::time_point m_start;
};

}  // namespace weir::tb
