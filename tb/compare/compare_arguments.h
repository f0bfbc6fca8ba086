// The command line of `weir compare`, read and checked as far as it goes without the files.
#pragma once

#include <string>
#include <vector>

#include "tb/compare/column_roles.h"
#include "tb/compare/comparison.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct compare_arguments {
    std::string expected;
    std::string actual;
    /// Signal maps; empty: none.
    std::string expected_map;
    std::string actual_map;
    column_choice columns;
    std::vector<event_filter> only;
    comparison_options options;
    std::vector<std::string> waivers;
    /// Most mismatches that are listed.
    std::size_t most_listed = 20;
    /// Events shown before and after the first mismatch.
    std::size_t context = 3;
    /// Files without an event are right.
    bool allow_empty = false;
    bool help = false;
    config_errors errors;
};

compare_arguments read_compare_arguments(const std::vector<std::string>& args);

/// What `weir compare --help` says.
std::string compare_usage();

}  // namespace weir::tb
