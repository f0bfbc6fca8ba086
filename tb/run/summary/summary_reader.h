// Reads a run's summary.json back.
//
//   summary_file read = read_summary("out/detail");
//   if (read.errors.empty()) { read.summary["jct_ns"]["p99"]; }
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "weir/base/config_error.h"

namespace weir::tb {

struct summary_file {
    /// Has all that a run writes.
    nlohmann::ordered_json summary;
    /// A file that cannot be read, is cut or broken (with the line), or has not what every summary has (with
    /// the key).
    config_errors errors;
    /// It is empty, or ends in the middle.
    bool is_cut = false;
};

/// `path` is the file, or the directory that it is in.
summary_file read_summary(const std::filesystem::path& path);

/// A kind of directory with many runs.
struct campaign_kind {
    /// File that says what is run.
    const char* plan;
    /// `sweep` of `weir sweep`, `search` of `weir size`.
    const char* name;
    const char* command;
    bool repeats_failed;
};
/// Null for another directory.
const campaign_kind* campaign_in(const std::filesystem::path& directory);

/// What is wrong with a directory that holds files of a run and no summary.json: the run was killed, failed, or
/// is still at work.
std::optional<config_error> unfinished_run(const std::filesystem::path& directory);
/// What is wrong with the directory of a sweep or a search none of whose runs is done.
std::optional<config_error> without_done_runs(const std::filesystem::path& directory);

}  // namespace weir::tb
