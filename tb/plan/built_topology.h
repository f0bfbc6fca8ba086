// A fabric as the configuration has it: its plan, what changes, and what tables say of its switches.
#pragma once

#include <string>
#include <vector>

#include "tb/plan/profile_sources.h"
#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/forwarding/static_routes.h"

namespace weir::tb {

struct built_topology {
    topology plan;
    std::vector<fabric_change> changes;
    std::vector<static_route> routes;
    std::vector<broken_adapter> broken_adapters;
    /// Of shared memories, by switch; empty: none.
    std::vector<shared_profiles> profiles;
    /// Which lines of files say so; the same.
    std::vector<profile_sources> profile_lines;
    /// Of the file, or of an option; the latter without a file.
    config_errors errors;
    std::vector<std::string> warnings;
    /// What the file says of the switches' latency, which is no part of the fabric; empty if nothing.
    std::string latency_warning;
};

}  // namespace weir::tb
