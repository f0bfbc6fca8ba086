// The directory of a sweep: a campaign's (tb/campaign/campaign_directory.h) with
//
//     plan.json                        what is run
//     sweep.csv  sweep.json            a row per run
//     means.csv  means.json            a row per point and metric
//     plots/
#pragma once

#include <filesystem>

#include "tb/campaign/campaign_directory.h"
#include "tb/sweep/sweep_plan.h"
#include "weir/base/config_error.h"

namespace weir::tb {

const directory_kind& sweep_kind();

/// The plan that a directory has to hold.
sweep_plan read_plan(const std::filesystem::path& directory, config_errors& errors);

}  // namespace weir::tb
