// Reads a run's summary.json back.
//
//   summary_file read = read_summary("out/detail");
//   if (read.errors.empty()) { ... read.summary["jct_ns"]["p99"] ... }
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "weir/base/config_error.h"

namespace weir {

struct summary_file {
    nlohmann::ordered_json summary;
    /// A file that cannot be read, is cut or broken (with the line), or has not what every summary has.
    config_errors errors;
};

/// `path` is the file, or the directory that it is in.
summary_file read_summary(const std::filesystem::path& path);

}  // namespace weir
