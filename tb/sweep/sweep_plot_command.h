// `weir plot SWEEP_DIR --metric M --over K1[,K2] --out DIR`: pictures of a sweep.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plan.h"
#include "tb/sweep/sweep_plot.h"

namespace weir::tb {

/// Whether the arguments of `weir plot` are about a sweep: they name a directory of one, or --metric or --over.
bool is_sweep_plot(const std::vector<std::string>& args);

/// Exit status as of `weir plot`.
std::string sweep_plot_help();
int sweep_plot_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

/// Draws metrics (names, beginnings or patterns) into `plots` in the sweep's directory, over its first two
/// options. Returns the exit status.
int draw_sweep(const sweep_plan& plan, const campaign_layout& layout, const std::vector<std::string>& metrics,
               double confidence, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
