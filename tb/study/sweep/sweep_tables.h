// The tables of a sweep: a row per run, a row per point and metric, and one for people.
#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>

#include "tb/study/sweep/sweep_results.h"

namespace weir::tb {

struct table_options {
    /// Of the intervals. Range: above 0, below 1.
    double confidence = 0.95;
    /// A swept key: each point is compared with the one that has this key's first value and is equal
    /// otherwise. Empty: with the first point.
    std::string against;
    /// Texts of `--metric`. Empty: the tables have all metrics, and people are shown a few.
    std::vector<std::string> metrics;
};

/// The point that `point` is compared with.
std::size_t reference_of(const sweep_plan& plan, std::size_t point, const std::string& against);

/// sweep.csv, sweep.json, means.csv and means.json; each takes its name when it is whole. Throws output_error.
void write_tables(const sweep_results& results, const table_options& options,
                  const std::filesystem::path& directory);

/// Means of the metrics that `options` names, in their order, or of a few metrics; at most `most_rows` points.
void print_means(std::ostream& out, const sweep_results& results, const table_options& options,
                 std::size_t most_rows = 60);

/// Schemas of sweep.csv and means.csv for the Python package (tb/python/weir/schema/sweep_tables.json).
std::string sweep_table_schemas();

}  // namespace weir::tb
