// Checks every point of a sweep as `weir run --dry-run` does, before anything is written or run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/setup/prepare_run.h"
#include "tb/sweep/point_source.h"
#include "tb/sweep/sweep_plan.h"

namespace weir {

struct plan_check {
    /// Ready to be printed. What is wrong at every point is said once; else the line names the point, or how
    /// many there are and the first of them. At most 50 lines, and one that counts the rest.
    std::vector<std::string> errors;
    std::vector<std::string> warnings;
    /// By point: what is wrong there; empty where nothing is.
    std::vector<std::vector<std::string>> refused;
    /// Files that the points read, each once, in the order of points.
    std::vector<plan_input> inputs;
};

/// `more` is asked about every point without errors.
using point_check = std::function<config_errors(const prepared_run&)>;
plan_check check_plan(const point_source& source, const sweep_plan& plan, const point_check& more = {});

/// Options that results depend on, as `config` has them, but for `swept` keys and run.seed.
std::vector<plan_option> options_of(const run_config& config, const std::vector<std::string>& swept);

}  // namespace weir
