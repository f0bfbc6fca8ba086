// Who runs a case of `weir bench`: this program, or a peer with the same fabric and load.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/bench/bench_cases.h"
#include "tb/bench/measured_process.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

/// What one run took. Times and memory contain the set-up.
struct bench_sample {
    std::uint64_t packet_hops = 0;
    double cpu_seconds = 0;
    double wall_seconds = 0;
    double setup_cpu_seconds = 0;
    double setup_wall_seconds = 0;
    std::uint64_t peak_memory_bytes = 0;
    std::uint64_t setup_memory_bytes = 0;
    /// That ran: at most as many as there are processors.
    unsigned threads = 1;

    double cpu_seconds_per_hop() const {
        return (cpu_seconds - setup_cpu_seconds) / static_cast<double>(packet_hops);
    }
    double hops_per_wall_second() const {
        return static_cast<double>(packet_hops) / (wall_seconds - setup_wall_seconds);
    }
};

/// `took`: an object with the times and memories under the names above.
bench_sample read_sample(std::uint64_t packet_hops, const nlohmann::json& took);

/// Whether instructions can be counted. Throws command_error.
void check_callgrind();

class bench_engine {
 public:
    bench_engine() = default;
    bench_engine(const bench_engine&) = delete;
    bench_engine& operator=(const bench_engine&) = delete;
    virtual ~bench_engine() = default;

    /// `weir`, `ns3`, `htsim`.
    virtual std::string name() const = 0;
    virtual std::string version() const = 0;
    virtual bool has(const bench_case& which) const = 0;
    /// Everything that has to be there before the first run. Throws command_error.
    virtual void prepare(const std::vector<bench_case>& cases) = 0;

    /// How much of a case's simulated time this engine runs, for time and for instructions. 1, or less for a
    /// slow one.
    virtual double share_of_time() const { return 1; }

    /// Throws command_error.
    bench_sample run(const bench_case& which, unsigned threads);
    /// What a run of this case simulates. Unit: ns.
    std::uint64_t timed_ns(const bench_case& which) const { return share(which.timed_ns); }
    /// Its command line, but for the simulated time and the place of its files.
    virtual std::vector<std::string> options(const bench_case& which) const = 0;
    /// Instructions per packet-hop under callgrind, with one thread: set-up cancels. Throws command_error.
    double instructions_per_hop(const bench_case& which);

 protected:
    std::uint64_t share(std::uint64_t ns) const {
        return static_cast<std::uint64_t>(share_of_time() * static_cast<double>(ns));
    }
    virtual std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                             unsigned threads) = 0;
    /// What a run of `command` that ended well has left and printed. Throws command_error.
    virtual bench_sample read(const std::string& output) = 0;
};

}  // namespace weir::tb
