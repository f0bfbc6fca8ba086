// The command line of `weir size`, read and checked as far as it goes without the configuration.
#pragma once

#include <string>
#include <vector>

#include "tb/campaign/campaign.h"
#include "tb/size/size_plan.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct size_arguments {
    /// INI files; of an option in several the last one counts.
    std::vector<std::string> files;
    /// Options for every place, each as one `--key=value`.
    std::vector<std::string> overrides;
    std::vector<sweep_axis> axes;
    std::vector<axis_wish> wishes;
    std::vector<size_goal> goals;
    size_search::limits limits;
    campaign_options campaign;
    bool help = false;
    config_errors errors;
};

size_arguments read_size_arguments(const std::vector<std::string>& args);

std::string size_help();

}  // namespace weir::tb
