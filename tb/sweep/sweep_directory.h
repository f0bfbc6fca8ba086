// The directory of a sweep:
//
//     plan.json                        what is run
//     run.json                         what may differ between equal sweeps: program, machine, dates
//     sweep.csv  sweep.json            a row per run
//     means.csv  means.json            a row per point and metric
//     points/0001/seed_1/              a run's directory, whole
//     points/0001/seed_1.partial/      one that is being written, or was when the sweep was killed
//     plots/
//
// A run's directory takes its name when everything in it has been written (and synchronised to the disk), so
// that a sweep can be killed at any moment. While a sweep runs it holds a lock on the directory, and so does
// each of its runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tb/files/directory_lock.h"
#include "tb/sweep/sweep_plan.h"
#include "weir/base/config_error.h"

namespace weir {

/// What has become of a run.
struct run_record {
    /// `failed` is a verdict of the model, which the run would come to again.
    enum class states { missing, done, failed };
    states state = states::missing;
    /// Exit status of one that has ended and is not done; 128 + n where signal n ended it.
    int status = 0;
    /// What it said.
    std::string error;
};
const char* to_text(run_record::states state);

/// A kind of directory with many runs: a sweep's, a search's.
struct directory_kind {
    /// `sweep`
    const char* name;
    /// The file that says what is run.
    const char* plan;
    /// Everything that may stand there.
    std::vector<std::string_view> entries;
};
const directory_kind& sweep_kind();

/// What forbids to write such a directory here; changes nothing. It may not exist yet, be empty, or hold one of
/// that kind. Throws output_error as check_run_directory.
config_errors check_directory(const std::filesystem::path& path, const directory_kind& kind);

/// Names and states of a sweep's files; reads only.
class sweep_layout {
 public:
    sweep_layout(std::filesystem::path path, const sweep_plan& plan) : m_path(std::move(path)), m_plan(plan) {}

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
    const sweep_plan& m_plan;
};

/// Text of the plan that a directory holds; empty where it holds none.
std::string read_plan_text(const std::filesystem::path& directory);
/// The plan that a directory has to hold.
sweep_plan read_plan(const std::filesystem::path& directory, config_errors& errors);
/// A whole file; empty where there is none. Throws `command_error` where it cannot be read.
std::string read_if_there(const std::filesystem::path& file);

/// Keeps other sweeps out of a directory for as long as it, or a run that inherited its descriptor, lives. The
/// directory exists. Waits up to two seconds, for the runs of a sweep that has been killed to end.
directory_lock lock_sweep(const std::filesystem::path& directory);

/// Changes to a sweep's runs. Errors of the file system are output_error.
class run_store {
 public:
    explicit run_store(const sweep_layout& layout, kept_files keep) : m_layout(layout), m_keep(keep) {}

    /// Makes room for a run: nothing of an earlier one is left, and the folder above is there.
    void prepare(std::size_t point, std::uint64_t seed) const;
    /// Whether the sweep was killed between a run's end and its new name. It can be accepted then.
    bool ended_unnamed(std::size_t point, std::uint64_t seed) const;
    /// The partial run is whole: leaves what is to be kept, and gives it its name.
    void accept(std::size_t point, std::uint64_t seed) const;
    /// The partial run failed: as above, with failure.json.
    void accept_failure(std::size_t point, std::uint64_t seed, const run_record& failure) const;
    /// Removes a partial run.
    void discard(std::size_t point, std::uint64_t seed) const;

 private:
    void keep_and_name(std::size_t point, std::uint64_t seed) const;

    const sweep_layout& m_layout;
    kept_files m_keep;
};

}  // namespace weir
