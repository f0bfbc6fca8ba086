// Who runs a case of `weir bench`: this program, or a peer with the same fabric and load.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/bench/bench_cases.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/record/column.h"

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
    /// Threads actually used; never more than the number of processors.
    unsigned threads = 1;

    /// Columns that engines report of a run and bench.json has of each sample.
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("packet_hops", &self::packet_hops));
        columns(column("cpu_seconds", &self::cpu_seconds));
        columns(column("wall_seconds", &self::wall_seconds));
        columns(column("setup_cpu_seconds", &self::setup_cpu_seconds));
        columns(column("setup_wall_seconds", &self::setup_wall_seconds));
        columns(column("peak_memory_bytes", &self::peak_memory_bytes));
        columns(column("setup_memory_bytes", &self::setup_memory_bytes));
    }
    double cpu_seconds_per_hop() const {
        return (cpu_seconds - setup_cpu_seconds) / static_cast<double>(packet_hops);
    }
    double hops_per_wall_second() const {
        return static_cast<double>(packet_hops) / (wall_seconds - setup_wall_seconds);
    }
};

/// `took`: an object with what the sample describes.
bench_sample read_sample(const nlohmann::json& took);

/// Whether instructions can be counted. Throws command_error.
void check_callgrind();

class bench_engine {
 public:
    /// `name`: `weir`, `ns3`, `htsim`. `share_of_time`: how much of a case's simulated time this engine runs,
    /// for time and for instructions. 1, or less for a slow one.
    explicit bench_engine(std::string name, double share_of_time = 1)
        : m_name(std::move(name)), m_share_of_time(share_of_time) {}
    bench_engine(const bench_engine&) = delete;
    bench_engine& operator=(const bench_engine&) = delete;
    virtual ~bench_engine() = default;

    const std::string& name() const { return m_name; }
    /// Throws command_error.
    bench_sample run(const bench_case& which, unsigned threads);
    /// What a run of this case simulates. Unit: ns.
    std::uint64_t timed_ns(const bench_case& which) const { return share(which.timed_ns); }
    /// Its command line, but for the simulated time and the place of its files.
    virtual std::vector<std::string> options(const bench_case& which) const = 0;
    /// Instructions per packet-hop under callgrind, with one thread: set-up cancels. Throws command_error.
    double instructions_per_hop(const bench_case& which);

 protected:
    virtual std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                             unsigned threads) = 0;
    /// What a run of `command` that ended well has left and printed. Throws command_error.
    virtual bench_sample read(const std::string& output) = 0;

 private:
    std::uint64_t share(std::uint64_t ns) const {
        return static_cast<std::uint64_t>(m_share_of_time * static_cast<double>(ns));
    }

    std::string m_name;
    double m_share_of_time;
};

/// This program, as `weir run` in a process of its own.
class weir_engine : public bench_engine {
 public:
    /// `overrides`: options on top of each case's, as `--key=value`. `work`: a directory that it may write
    /// into.
    weir_engine(std::vector<std::string> overrides, const std::filesystem::path& work);

    /// Lets `weir run` check all cases with so many threads. Throws command_error.
    void check(const std::vector<bench_case>& cases, unsigned threads);
    /// Warnings of `weir run`, one per line, with the case before each.
    const std::string& warnings() const { return m_warnings; }
    std::vector<std::string> options(const bench_case& which) const override;
    /// The processor's model, once something has been run.
    const std::string& machine() const { return m_machine; }

 protected:
    std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                     unsigned threads) override;
    bench_sample read(const std::string& output) override;

 private:
    std::vector<std::string> m_overrides;
    std::filesystem::path m_out;
    std::string m_program;
    std::string m_machine;
    std::string m_warnings;
};

/// Another simulator with the same fabric and load: tb/bench/PEER/fat_tree.cpp, whose text weir carries in
/// itself and compiles against the peer when it is wanted.
class peer_engine : public bench_engine {
 public:
    /// `name`: `ns3`, as Debian's libns3-dev has it, or `htsim`, compiled from a copy of its repository
    /// (Broadcom/csg-htsim) in `sources`, which is only read. `work`: a directory that it may write into.
    peer_engine(std::string name, std::filesystem::path sources, std::filesystem::path work);

    /// Version of Debian's package, or the revision that `git describe --always` has; `unknown` without either.
    const std::string& version() const { return m_version; }
    std::vector<std::string> options(const bench_case& which) const override { return which.peers.at(name()); }
    /// The compiler and its flags, once the program has been compiled.
    const std::string& build() const { return m_build; }
    /// Compiles the program. Throws command_error.
    void prepare();

 protected:
    std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                     unsigned threads) override;
    bench_sample read(const std::string& output) override;

 private:
    std::filesystem::path m_sources;
    std::filesystem::path m_work;
    std::string m_version = "unknown";
    std::string m_build;
};

}  // namespace weir::tb
