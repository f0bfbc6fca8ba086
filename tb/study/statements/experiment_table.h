// experiments.csv of a paper: what is run. Each row is a sweep of its own.
//
//     name,file,vary,quick
//     steady,steady.ini,"traffic.rate=500..2500:500 switch.scheme=fc,detail",traffic.stop=100ms
//
// `vary` has what `weir sweep --vary` takes, with blanks between; an option with one value is set for all
// points. `file` is an INI file beside the table, or several with blanks between. `quick` is what --quick
// changes: each of its axes replaces the one of the same options, or is added. Columns that may be there:
// `cpu_seconds`, `quick_cpu_seconds` (processor time of a run, on average, where the reference run takes a
// second) and `memory_mb` (of a run), from which the cost is told before anything runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/study/points/sweep_plan.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct paper_experiment {
    int line = 0;
    std::string name;
    /// INI files; the last one that sets an option decides.
    std::vector<std::string> files;
    /// Axes of the sweep; the same with --quick.
    sweep_plan plan;
    sweep_plan quick;
    /// 0: not known.
    double cpu_seconds = 0;
    double quick_cpu_seconds = 0;
    std::uint64_t memory_mb = 0;
};

std::vector<paper_experiment> read_experiments(const std::filesystem::path& folder, config_errors& errors);

/// Path of the paper's table of experiments.
std::filesystem::path experiment_table(const std::filesystem::path& folder);

/// True for `PAPER/EXPERIMENT` if the paper stands beside the one in `folder` and has the experiment.
bool has_experiment_beside(const std::filesystem::path& folder, const std::string& name);

}  // namespace weir::tb
