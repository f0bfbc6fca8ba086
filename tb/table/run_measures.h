// What is known of one run: every number of its summary.json by the name that it has in a sweep's tables, and
// what its other files add. In the order in which tables show it.
//
//   measured_run run = read_measured_run("out/detail", read_files::all, errors);
//   run.find("jct_ns.p99")->value;     // 15160594.338
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/results/effective_options.h"
#include "tb/results/metric_catalogue.h"
#include "tb/results/run_verdict.h"
#include "tb/sweep/metrics.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct run_measure {
    /// `jct_ns.p99`; unique within a run.
    std::string key;
    measure_subject subject = measure_subject::others;
    /// Its label, as `table_column` has it.
    std::vector<std::string> words{};
    /// A number, a text or a list of texts; null where there is none, or a percentile of too few values.
    nlohmann::ordered_json value{};
    measure_show show = measure_show::never;
    /// By its ratio to the first run.
    bool is_compared = false;
    /// Within its subject: groups, then sums over them, then all together.
    std::uint8_t rank = 0;
    /// The value is only known to be at least this.
    bool is_lower_bound = false;
    /// The value leaves out transfers or jobs that have not completed, so that a ratio to it would mislead.
    bool is_of_completed_only = false;
    /// Of a split, what is split: it says something only where several runs together have several members.
    std::string split{};
    std::string member{};
};

struct measured_run {
    std::filesystem::path directory;
    bool is_complete = true;
    /// The verdict that ended the run. Its numbers are up to that time, and null where no table has them.
    std::optional<run_failure> failure;
    effective_options options;
    std::vector<run_measure> measures;
    /// Where each key is.
    std::map<std::string, std::size_t> places;

    const run_measure* find(const std::string& key) const;
    /// Forgets all other measures.
    void keep(const metric_filter& those);
    /// Sets `places`, after a change of `measures`.
    void number();
};

enum class read_files : std::uint8_t {
    summary,  ///< summary.json only
    all       ///< tables with a line per transfer or port, too, where they are there
};

/// `path`: a run's directory, or its summary.json. Without effective.ini its options are unknown.
measured_run read_measured_run(const std::filesystem::path& path, read_files which, config_errors& errors);

}  // namespace weir::tb
