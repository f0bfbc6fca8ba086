// What is known of one run: every number of its summary.json by the name that it has in a sweep's tables, and
// what its other files add. In the order in which tables show it.
//
//   measured_run run = read_measured_run("out/detail", read_files::all, errors);
//   run.find("jct_ns.p99")->cell.value;     // 15160594.338
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/results/metric_catalogue.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/summary/effective_options.h"
#include "tb/study/sweep/metrics.h"
#include "tb/support/record/data_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// A column of tables of runs, and the run's cell in it.
struct run_measure {
    /// `jct_ns.p99`; unique within a run.
    std::string key;
    measure_subject subject = measure_subject::others;
    /// Its label, as `table_column` has it.
    std::vector<std::string> words{};
    /// Null where there is no value, or a percentile of too few values.
    table_cell cell{};
    measure_show show = measure_show::never;
    /// By its ratio to the first run.
    bool is_compared = false;
    /// Within its subject: groups, then sums over them, then all together.
    std::uint8_t rank = 0;
    /// Of a split, what is split: it says something only where several runs together have several members.
    std::string split{};
    std::string member{};
    /// The cell is null because the percentile is of too few values.
    bool is_of_few = false;
};

/// Measures in the order in which they were added.
class measure_list {
 public:
    void add(run_measure measure) {
        m_places.emplace(measure.key, m_all.size());
        m_all.push_back(std::move(measure));
    }
    /// Null if there is none.
    const run_measure* find(const std::string& key) const;
    /// Forgets all other measures.
    void keep(const metric_filter& those);
    /// Sorts the measures by subject and rank.
    void sort();

    auto begin() { return m_all.begin(); }
    auto end() { return m_all.end(); }
    auto begin() const { return m_all.begin(); }
    auto end() const { return m_all.end(); }

 private:
    void number();

    std::vector<run_measure> m_all;
    std::map<std::string, std::size_t> m_places;
};

struct measured_run {
    std::filesystem::path directory;
    bool is_complete = true;
    /// The verdict that ended the run. Its numbers are up to that time, and null where no table has them.
    std::optional<run_failure> failure;
    effective_options options;
    measure_list measures;

    const run_measure* find(const std::string& key) const { return measures.find(key); }
};

enum class read_files : std::uint8_t {
    summary,  ///< summary.json only
    all       ///< tables with a line per transfer or port, too, where they are there
};

/// `path`: a run's directory, or its summary.json. Without effective.ini its options are unknown.
/// `definitions`: metrics that the run has, too.
measured_run read_measured_run(const std::filesystem::path& path, read_files which, config_errors& errors,
                               const derived_metrics& definitions = {});

/// Definitions of metrics in the `output.metrics` of these runs, as their run.json have them; the first run's
/// count. Those of `metrics`, texts of `--metric`, replace them.
derived_metrics definitions_of_runs(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& metrics, config_errors& errors);

// --- parts of it -----------------------------------------------------------------------------------------
//
// Each adds what one kind of file has. Files that are not there are passed over.

/// flows.csv and jobs.csv: slowdown, and times by tag and by priority.
void add_completion_splits(const std::filesystem::path& directory, const nlohmann::ordered_json& summary,
                           measure_list& list, config_errors& errors);
/// ports.csv, buffers.csv, limits.csv: the fullest ports and the busiest links.
void add_port_measures(const std::filesystem::path& directory, const nlohmann::ordered_json& summary,
                       measure_list& list, config_errors& errors);

/// Words for completion times of jobs or of transfers, in keys and in labels.
struct completion_kind {
    measure_subject subject;
    /// Key in summary.json, and column of `file`.
    const char* measure;
    /// Key of times as multiples of those without other traffic.
    const char* slowdown;
    const char* file;
    /// Ages of what has not completed.
    const char* unfinished_file;
    const char* name;
};
inline constexpr completion_kind completion_of_jobs{measure_subject::jobs, "jct_ns", "jct_slowdown", "jobs.csv",
                                                    "unfinished_jobs.csv", "jobs"};
inline constexpr completion_kind completion_of_transfers{
    measure_subject::transfers, "fct_ns", "fct_slowdown", "flows.csv", "unfinished.csv", "transfers"};

// Ranks within a subject: groups, then sums over them.
inline constexpr std::uint8_t rank_of_tags = 1;
inline constexpr std::uint8_t rank_of_priorities = 2;
inline constexpr std::uint8_t rank_of_all = 3;

}  // namespace weir::tb
