// Runs the program as ranks under mpirun.
//
//   run_program(where, {"run", "c.ini", "--out", "out"}, as_ranks(3));
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "program.h"

namespace weir::test {

/// Why ranks cannot be tested here; empty: they can.
inline std::string why_not_as_ranks() {
#ifdef __SANITIZE_THREAD__
    return "OpenMPI's threads are not instrumented";
#else
    return why_no_ranks();
#endif
}

#define WEIR_NEEDS_MPIRUN()                                         \
    if (const std::string why = why_not_as_ranks(); !why.empty()) { \
        GTEST_SKIP() << why;                                        \
    }                                                               \
    static_assert(true)

/// One that hangs is ended.
inline surroundings as_ranks(unsigned ranks, unsigned seconds = 300) {
    surroundings around;
    around.ranks = ranks;
    // What mpirun says of ranks that fail would be mixed with what they say.
    around.environment["OMPI_MCA_orte_execute_quiet"] = "1";
    around.seconds = seconds;
#ifdef __SANITIZE_ADDRESS__
    // OpenMPI does not give all its memory back; what fails is loaded before the program (failing_disk.h).
    const char* const usual = std::getenv("ASAN_OPTIONS");
    around.environment["ASAN_OPTIONS"] = (usual != nullptr ? std::string(usual) + ':' : std::string()) +
                                         "detect_leaks=0:verify_asan_link_order=0";
#endif
    return around;
}

/// Without what mpirun says itself of ranks that fail: between lines of dashes, and after its name.
inline std::string said_by_ranks(const std::string& err) {
    std::string said;
    bool by_mpirun = false;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > 60 && line.find_first_not_of('-') == std::string::npos) {
            by_mpirun = !by_mpirun;
        } else if (!by_mpirun && !line.empty() && line.find("] PMIX ERROR") == std::string::npos) {
            said += line + '\n';
        }
    }
    return said;
}

/// Name and contents of every file that does not depend on how a run runs. effective.ini has what was said
/// of threads.
inline std::map<std::string, std::string> results_but_threads(const fs::path& directory) {
    std::map<std::string, std::string> files = results_in(directory);
    std::string& effective = files["effective.ini"];
    for (const char* option : {"\nthreads = ", "\nthread_grain = "}) {
        if (const std::size_t at = effective.find(option); at != std::string::npos) {
            effective.erase(at, effective.find('\n', at + 1) - at);
        }
    }
    return files;
}

/// Whether a process that is not this one's child ends within this time.
inline bool ends_within(std::chrono::milliseconds time, pid_t id) {
    const auto until = std::chrono::steady_clock::now() + time;
    do {
        const std::string stat = contents("/proc/" + std::to_string(id) + "/stat");
        // One that has ended may wait for its parent to ask how.
        if (stat.empty() || stat.find(") Z ") != std::string::npos) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } while (std::chrono::steady_clock::now() < until);
    return false;
}

/// The same on two machines that differ in their names alone, of which the first has rank 0: mpirun reaches
/// them by a program in the place of ssh, which lists them in the file `reached`.
inline surroundings as_ranks_of_two_machines(const scratch_directory& where, unsigned ranks) {
    where.write(
        "agent",
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexport MACHINE=$1\nshift\n"
        "exec unshare -u sh -c 'hostname $MACHINE && hostname >>reached && exec sh -c \"$*\"' sh \"$@\"\n");
    fs::permissions(where / "agent", fs::perms::owner_all);
    where.write("machines", "first slots=1\nsecond slots=" + std::to_string(ranks - 1) + "\n");
    surroundings around = as_ranks(ranks, 120);
    around.environment["OMPI_MCA_plm_rsh_agent"] = where / "agent";
    around.environment["OMPI_MCA_orte_default_hostfile"] = where / "machines";
    return around;
}
#define WEIR_NEEDS_MACHINES()                                                        \
    WEIR_NEEDS_MPIRUN();                                                             \
    if (std::system("unshare -u hostname machine >/dev/null 2>&1") != 0) {           \
        GTEST_SKIP() << "no names of machines of one's own here (unshare -u, root)"; \
    }                                                                                \
    static_assert(true)

/// Process of each rank, by rank, once there are so many; empty if that takes too long. On several machines
/// they are not the launcher's children, but have its list of machines.
inline std::map<unsigned, pid_t> ranks_of(const process& launcher, unsigned count,
                                          const std::string& machines = {}) {
    for (int i = 0; i < 1'000; ++i) {
        std::map<unsigned, pid_t> ranks;
        for (const auto& entry : fs::directory_iterator("/proc")) {
            const std::string name = entry.path().filename().string();
            if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) {
                continue;
            }
            std::istringstream stat(contents(entry.path() / "stat"));
            std::string id;
            std::string command;
            std::string state;
            pid_t parent = 0;
            stat >> id >> command >> state >> parent;
            const std::string environment = '\0' + contents(entry.path() / "environ");
            const std::string key = std::string(1, '\0') + "OMPI_COMM_WORLD_RANK=";
            const std::size_t at = environment.find(key);
            const bool is_of =
                machines.empty() ? parent == launcher.id() : environment.find(machines) != std::string::npos;
            if (is_of && command == "(weir)" && at != std::string::npos) {
                ranks[static_cast<unsigned>(std::stoul(environment.substr(at + key.size())))] = std::stoi(id);
            }
        }
        if (ranks.size() == count) {
            return ranks;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
}

}  // namespace weir::test
