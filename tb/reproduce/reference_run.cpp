#include "tb/reproduce/reference_run.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tb/files/json_file.h"
#include "tb/files/work_directory.h"
#include "tb/process/child_process.h"
#include "tb/process/exit_status.h"

namespace weir::tb {

namespace {

/// Mean processor time of `jobs` equal runs beside each other. Unit: s.
double time_of_runs(unsigned jobs) {
    const work_directory work("weir_reference_");
    const auto folder = [&](unsigned job) { return (work.path() / std::to_string(job)).string(); };
    child_process::settings how;
    how.program = child_process::this_program;
    std::vector<child_process> runs;
    for (unsigned job = 0; job < jobs; ++job) {
        runs.emplace_back(
            std::vector<std::string>{"weir", "run", "--fabric.topology=racks", "--switch.scheme=detail",
                                     "--traffic.kind=query", "--traffic.rate=2000", "--run.duration=100ms",
                                     "--run.progress=off", "--out", folder(job)},
            how);
    }
    double seconds = 0;
    for (unsigned job = 0; job < jobs; ++job) {
        runs[job].wait();
        if (runs[job].status() != 0) {
            throw command_error("the run by which costs are measured has failed:\n" + runs[job].errors(),
                                exit_status::of_child(runs[job].status()));
        }
        seconds +=
            read_json(folder(job) + "/run.json", "facts of a run").document.at("cpu_seconds").get<double>();
    }
    return seconds / jobs;
}

}  // namespace

double time_of_reference_run(unsigned jobs) {
    // The median, because a machine's speed varies from one second to the next.
    constexpr std::size_t repetitions = 5;
    std::array<double, repetitions> seconds{};
    std::generate(seconds.begin(), seconds.end(), [&] { return time_of_runs(jobs); });
    std::sort(seconds.begin(), seconds.end());
    return seconds[repetitions / 2];
}

}  // namespace weir::tb
