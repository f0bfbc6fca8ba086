// The runs of a campaign: many calls of `weir run`, each at a point (a configuration) with a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::tb {

/// A run that is to be made.
struct pending_run {
    std::size_t point = 0;
    std::uint64_t seed = 0;
};

/// What stays of a run's files. summary: summary.json, effective.ini and run.json; jobs: jobs.csv, too.
/// Each keeps what those before it do.
enum class kept_files : std::uint8_t { summary, jobs, all };

/// What a campaign knows of its points. A run reads its configuration file again, and its effective.ini must
/// then be the one that is expected here: that tells a file which was edited meanwhile.
class run_list {
 public:
    virtual ~run_list() = default;

    /// A point, for messages: `point 0012: traffic.rate=500`.
    virtual std::string describe(std::size_t point) const = 0;
    /// The configuration file of a point; empty without one.
    virtual std::string file(std::size_t point) const = 0;
    /// Behind `weir run`, without --out.
    virtual std::vector<std::string> arguments(const pending_run& run) const = 0;
    /// What the run will write as effective.ini.
    virtual std::string effective_ini(const pending_run& run) const = 0;
    virtual kept_files kept(std::size_t point) const = 0;
};

/// Whether two texts of effective.ini set the same values, whatever their comments say.
bool same_values(const std::string& a, const std::string& b);

}  // namespace weir::tb
