// The directory of a campaign (a sweep's, a search's):
//
//     plan.json                        what is run; its name is the kind's
//     run.json                         what may differ between equal campaigns: program, machine, dates
//     points/0001/seed_1/              a run's directory, whole
//     points/0001/seed_1.partial/      one that is being written, or was when the campaign was killed
//     ...                              tables and pictures of its kind
//
// A run's directory takes its name when everything in it has been written (and synchronised to the disk), so
// that a campaign can be killed at any moment. While it runs it holds a lock on the directory, and so does each
// of its runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/run/results/run_verdict.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using weir::to_text;

/// A run that is to be made.
struct pending_run {
    std::size_t point = 0;
    std::uint64_t seed = 0;
};

/// What stays of a run's files. summary: summary.json, effective.ini and run.json; jobs: jobs.csv, too.
/// Each keeps what those before it do.
enum class kept_files : std::uint8_t { summary, jobs, all };
/// Kinds that a user may choose.
constexpr auto names_of(kept_files) {
    return enum_names<kept_files>({{kept_files::summary, "summary"}, {kept_files::all, "all"}});
}

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

/// What has become of a run. `status` is that of one that has ended and is not done; 128 + n where signal n
/// ended it.
struct run_record : run_failure {
    /// `failed` is a verdict of the model, which the run would come to again.
    enum class states { missing, done, failed };
    states state = states::missing;
};
constexpr auto names_of(run_record::states) {
    return enum_names<run_record::states>({{run_record::states::missing, "missing"},
                                           {run_record::states::done, "done"},
                                           {run_record::states::failed, "failed"}});
}

/// A kind of directory with many runs: a sweep's, a search's.
struct directory_kind {
    /// `sweep`
    const char* name;
    /// The file that says what is run.
    const char* plan;
    /// Tables: those of an earlier call are removed before runs are made, since they would look like this
    /// one's.
    std::vector<const char*> tables;
};

/// What forbids to write such a directory here; changes nothing. It may not exist yet, be empty, or hold one of
/// that kind. Throws output_error as check_run_directory.
config_errors check_directory(const std::filesystem::path& path, const directory_kind& kind);

/// `0012`: the folder of a point, one of so many: its number from 1.
std::string point_name(std::size_t point, std::size_t points);

/// Names and states of a campaign's runs; reads only.
class campaign_layout {
 public:
    campaign_layout(std::filesystem::path path, std::size_t points)
        : m_path(std::move(path)), m_points(points) {}

    /// Some of its points, numbered anew: those of one of several sweeps in the directory.
    campaign_layout part(std::vector<std::size_t> points) const {
        campaign_layout those = *this;
        those.m_part = std::move(points);
        return those;
    }

    const std::filesystem::path& path() const { return m_path; }
    /// points/0001/seed_1
    std::filesystem::path run(std::size_t point, std::uint64_t seed) const;
    /// points/0001/seed_1.partial
    std::filesystem::path partial_run(const pending_run& run) const;
    /// Reads failure.json; a run whose summary.json is not whole (the machine lost power) counts as missing.
    run_record record(std::size_t point, std::uint64_t seed) const;
    /// Of a run that is done; a null where it cannot be read.
    nlohmann::ordered_json summary(std::size_t point, std::uint64_t seed) const {
        return summary_in(run(point, seed));
    }
    /// Of a run's directory: null where there is none, or one that is cut. Throws `command_error` where it was
    /// changed or damaged otherwise.
    static nlohmann::ordered_json summary_in(const std::filesystem::path& run);

 private:
    std::filesystem::path m_path;
    std::size_t m_points;
    /// Numbers of the points of a part; empty: of all.
    std::vector<std::size_t> m_part;
};

/// A whole file; empty where there is none. Throws `command_error` where it cannot be read.
std::string read_if_there(const std::filesystem::path& file);

/// Whether two texts of effective.ini set the same values, whatever their comments say.
bool same_values(const std::string& a, const std::string& b);

// Counts the runs of a campaign, and names those that failed.
//
//   failed_runs runs;
//   runs.add({{"pfc.xoff", "130KB"}}, 1, layout.record(4, 1));
//   runs.text();      // 1 of 28 runs failed (pfc.xoff=130KB, seed 1: lossless loss)

class failed_runs {
 public:
    using settings = std::vector<std::pair<std::string, std::string>>;

    /// `varied`: the run's values of the options that the campaign varies. `seed`: nothing if they alone name
    /// the run.
    void add(const settings& varied, std::optional<std::uint64_t> seed, const run_record& record);

    bool any() const { return !m_failed.empty(); }
    /// Empty if all runs are done. Names up to eight runs.
    std::string text() const;

 private:
    std::size_t m_runs = 0;
    std::size_t m_missing = 0;
    std::vector<std::string> m_failed;
};

// run.json of a campaign: what may differ between equal ones. One entry per time that the command ran, with the
// build of weir that made its runs.

class build_ledger {
 public:
    /// Reads what there is; a file that is none counts as nothing.
    explicit build_ledger(std::filesystem::path directory);

    /// Fingerprint of the program whose runs are there; empty where there are none.
    std::string program() const;
    /// Fingerprint of this program.
    static std::string this_program();

    /// Adds this call of the command, and writes the file. Throws output_error.
    void begin(const std::string& command_line, unsigned jobs);
    /// How it ended: reads the file again, and writes it. Throws output_error.
    void end(const std::string& outcome, std::size_t runs);

 private:
    void read();
    void write() const;

    std::filesystem::path m_directory;
    nlohmann::ordered_json m_file;
    /// Place of this call among all.
    std::size_t m_session = 0;
    double m_started = 0;
};

}  // namespace weir::tb
