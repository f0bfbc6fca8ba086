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

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tb/campaign/run_list.h"
#include "tb/files/directory_lock.h"
#include "tb/results/run_verdict.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using weir::to_text;

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
    std::filesystem::path partial_run(std::size_t point, std::uint64_t seed) const;
    /// Reads failure.json; a run whose summary.json is not whole (the machine lost power) counts as missing.
    run_record record(std::size_t point, std::uint64_t seed) const;
    /// Of a run that is done; a null where it cannot be read.
    nlohmann::ordered_json summary(std::size_t point, std::uint64_t seed) const;

 private:
    std::filesystem::path m_path;
    std::size_t m_points;
    /// Numbers of the points of a part; empty: of all.
    std::vector<std::size_t> m_part;
};

/// A whole file; empty where there is none. Throws `command_error` where it cannot be read.
std::string read_if_there(const std::filesystem::path& file);

/// Keeps other campaigns out of a directory for as long as it, or a run that inherited its descriptor, lives.
/// The directory exists. Waits up to two seconds, for the runs of one that has been killed to end.
/// `shared`: keeps out only those who want it alone.
directory_lock lock_campaign(const std::filesystem::path& directory, directory_lock::kind how);
/// The same for a moment, while plan.json and run.json are read and written: among commands that share the
/// directory. Waits up to a minute.
std::unique_ptr<directory_lock> lock_plan(const std::filesystem::path& directory);

/// Changes to a campaign's runs. Errors of the file system are output_error.
class run_store {
 public:
    /// Both must outlive it.
    run_store(const campaign_layout& layout, const run_list& runs) : m_layout(layout), m_runs(runs) {}

    /// Makes room for a run: nothing of an earlier one is left, and the folder above is there.
    void prepare(std::size_t point, std::uint64_t seed) const;
    /// Another process is writing its directory.
    bool is_being_made(std::size_t point, std::uint64_t seed) const;
    /// The partial run has ended, and all of its files are there: it can be accepted. A campaign that was
    /// killed before it did so leaves one.
    bool is_whole(std::size_t point, std::uint64_t seed) const;
    /// Of a partial run that is whole: leaves what is to be kept, and gives it its name.
    void accept(std::size_t point, std::uint64_t seed) const;
    /// Whether a partial run that ended with status 1 has said why itself, in its failure.json.
    bool has_verdict(std::size_t point, std::uint64_t seed) const;
    /// The partial run failed: as above, with failure.json. `failure` gets the verdict that the run has left.
    void accept_failure(std::size_t point, std::uint64_t seed, run_failure& failure) const;
    /// Removes a partial run.
    void discard(std::size_t point, std::uint64_t seed) const;

 private:
    void keep_and_name(std::size_t point, std::uint64_t seed) const;

    const campaign_layout& m_layout;
    const run_list& m_runs;
};

}  // namespace weir::tb
