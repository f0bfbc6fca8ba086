// The command line of `weir sweep`, read and checked as far as it goes without the configuration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/campaign/campaign.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/sweep_axis.h"
#include "tb/sweep/sweep_plan.h"
#include "tb/sweep/sweep_tables.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct sweep_arguments {
    /// INI files; of an option in several the last one counts.
    std::vector<std::string> files;
    /// Options for every point, each as one `--key=value`.
    std::vector<std::string> overrides;
    std::vector<sweep_axis> axes;
    /// As given; empty: the configuration's run.seed.
    std::string seeds;
    campaign_options campaign;
    /// As given; nothing: all points.
    std::optional<std::string> points;
    kept_files keep = kept_files::summary;
    metric_filter metrics;
    table_options tables;
    /// Metrics to draw.
    std::vector<std::string> plots;
    bool extend = false;
    bool retry_failed = false;
    bool help = false;
    config_errors errors;
};

sweep_arguments read_sweep_arguments(const std::vector<std::string>& args);

std::string sweep_help();

}  // namespace weir::tb
