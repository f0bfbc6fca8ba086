// Checks every point of a sweep as `weir run --dry-run` does, before anything is written or run.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tb/run/setup/prepare_run.h"
#include "tb/study/points/point_source.h"
#include "tb/study/points/sweep_plan.h"

namespace weir::tb {

struct plan_check {
    /// Ready to be printed. What is wrong at every point is said once; else the line names the point, or how
    /// many there are and the first of them. At most 50 lines, and one that counts the rest.
    std::vector<std::string> errors;
    /// Of an option without effect only where it has none at any point.
    std::vector<std::string> warnings;
    /// What says of an option that it has no effect, at some point or at all.
    std::set<std::string> idle;
    /// By point: what is wrong there; empty where nothing is.
    std::vector<std::vector<std::string>> refused;
    /// Files that the points read, each once, in the order of points.
    std::vector<plan_input> inputs;
};

/// `more` is asked about every point without errors.
using point_check = std::function<config_errors(const prepared_run&, std::size_t point)>;
plan_check check_plan(const point_source& source, const sweep_plan& plan, const point_check& more = {});

/// The configuration before any axis moves; errors: that its file cannot be read, or a seed that is none. The
/// others are found at the points.
loaded_config base_of(const point_source& source);
/// Metrics that the configuration and the command line define. `given`: texts of `--metric`, which
/// `request_metrics` has added to the options; their errors have that key.
derived_metrics definitions_of(const loaded_config& base, const std::vector<std::string>& given,
                               config_errors& errors);
/// Begins a plan whose axes are there: with the program's version, the configuration, and the options that no
/// axis moves, as `base` has them.
void fill_plan(sweep_plan& plan, const point_source& source, const run_config& base);

}  // namespace weir::tb
