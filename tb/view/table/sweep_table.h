// The points of sweeps in one table: what was varied, how many runs there are, and means over the seeds with
// their intervals.
//
//   data_table table = sweep_table({sweep}, {"bursts"}, sweep_table_request{}, errors);
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/sweep/metrics.h"
#include "tb/view/table/run_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

// The runs in the directory of a sweep, a search (`weir size`) or a reproduction, by point.
//
//   campaign_runs sweep = read_campaign_runs("out/bursts", errors);
//   sweep.points[0].done;      // out/bursts/points/0001/seed_1, ...

struct campaign_point {
    /// `0001`
    std::string name;
    /// Varied options with this point's values. Empty for a reproduction, whose experiments differ.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Directories of its runs, in the order of their seeds.
    std::vector<std::filesystem::path> done;
    /// Directories of its runs that failed.
    std::vector<std::filesystem::path> failed;
    std::size_t missing = 0;
    /// A reference point of a search, which is no tested value. Reference points follow all others.
    bool is_reference = false;
};

struct campaign_runs {
    std::filesystem::path directory;
    /// Options that the plan varies; a reproduction has none that all its points share.
    std::vector<std::string> keys;
    bool has_keys = false;
    /// Points. Those of searches and reproductions are left out if they have no runs.
    std::vector<campaign_point> points;
    failed_runs failures;
    /// Metrics that the plan defines.
    derived_metrics metrics;
};

/// Entries of a directory in the order of their numbers: `0001`, `0002`, ... or `figure_8`, `figure_10`. Empty
/// if it cannot be read.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& directory);

/// Errors: some of these directories are campaigns and others are not. Returns whether all are.
bool are_campaigns(const std::vector<std::string>& directories, config_errors& errors);

/// `a sweep`, `a search`, `a reproduction`; nothing for any other directory.
std::optional<std::string> campaign_name(const std::filesystem::path& directory);
/// Errors: a plan that is damaged, none of whose runs has ended.
campaign_runs read_campaign_runs(const std::filesystem::path& directory, config_errors& errors);

struct sweep_table_request {
    metric_filter filter;
    /// Texts of `--metric`. Their definitions replace those of the sweeps, of which the first one's count.
    std::vector<std::string> metrics{};
    /// Of the intervals. Range: above 0, below 1.
    double confidence = 0.95;
    /// For programs: every metric is read, not only what people are shown.
    bool is_complete = true;
    /// The sweep's name stands in each row, for people, too.
    bool names_sweeps = false;
};

/// Sweeps that vary the same options; `labels` are theirs. Reads their runs. Errors: options that differ, runs
/// that are damaged, metrics that no run has.
data_table sweep_table(const std::vector<campaign_runs>& sweeps, const std::vector<std::string>& labels,
                       const sweep_table_request& request, config_errors& errors);

}  // namespace weir::tb
