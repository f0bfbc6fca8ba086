// A run that ended with a verdict of the model: what failure.json says, and what its tables say up to that
// time.
//
//   const known_results read = read_known_results("out/broken");
//   read.failure->verdict;                    // deadlock
//   read.summary["drops"]["egress_full"];     // counted in ports.csv
//   read.summary["goodput"]["bps"];           // null: no table says it
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tb/run/results/run_verdict.h"
#include "tb/run/summary/summary_reader.h"

namespace weir::tb {

/// Reads failure.json; nothing if the directory has none, or if the environment ended the run.
std::optional<run_failure> failure_in(const std::filesystem::path& directory);

/// `lossless loss`; `failure` if the run left no verdict.
std::string verdict_text(const run_failure& failure);

/// Returns the message with which the run ended: `at 1.417ms: fabric.tor0: ...`, without the report's name.
std::string message_text(const run_failure& failure);

struct known_results : summary_file {
    std::optional<run_failure> failure;
    /// True if the run left no summary.json, so that `summary` holds only what its tables say.
    bool is_from_tables = false;
};

/// Reads the results of a run that ended, with a verdict or without. A run that was killed is an error. `path`
/// is the directory, or the summary.json in it.
known_results read_known_results(const std::filesystem::path& path);

}  // namespace weir::tb
