// The directory that a run writes, and the files in it.
//
// A run that dies leaves what it had, and never a half file that looks whole (output_file.h).
//
//   if (auto errors = check_run_directory(path); errors.empty()) {
//       run_directory directory(path);
//       output_file flows = directory.create("flows.csv");
//       flows.write("flow,job\n");
//       flows.finish();
//       directory.synchronise();
//   }
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tb/support/files/directory_lock.h"
#include "tb/support/files/output_file.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// What forbids a run to write here; changes nothing. A directory may not exist yet, be empty, or hold files
/// of a run (whole or partial), which are replaced; any other file in it is an error with the key `--out`.
/// Throws output_error where the environment is what forbids it: no permission, a disk that is read-only.
config_errors check_run_directory(const std::filesystem::path& path);

class run_directory {
 public:
    /// Creates the directory and its parents, or removes the files of the run that it holds; the path must
    /// have passed `check_run_directory`. The directory is locked until this object ends, by whatever way: the
    /// system drops the lock of a process that is killed. Throws output_error, also where another run holds the
    /// lock; nothing has been removed then.
    explicit run_directory(std::filesystem::path path);
    /// Of a rank that writes nothing (rank_team.h): its files go nowhere.
    run_directory() = default;
    run_directory(const run_directory&) = delete;
    run_directory& operator=(const run_directory&) = delete;

    bool writes() const { return m_lock.has_value(); }
    /// Empty where it writes nothing.
    const std::filesystem::path& path() const { return m_path; }
    /// `name` is one of the names that `is_run_file` knows.
    output_file create(std::string_view name) const {
        return output_file(writes() ? m_path / name : std::filesystem::path("/dev/null"));
    }
    /// File of the table that `Row` describes (record/column.h).
    template <class Row>
    output_file create() const {
        return create(Row::table.file);
    }
    /// A whole file at once.
    void write(std::string_view name, std::string_view text) const;
    /// The names of the files that are whole are on the disk, too. Throws output_error.
    void synchronise() const;

 private:
    void remove_files() const;

    std::filesystem::path m_path;
    /// None where it writes nothing.
    std::optional<directory_lock> m_lock;
};

/// Names that runs give their files (run_files.h), with or without `.partial`.
bool is_run_file(std::string_view name);

}  // namespace weir::tb
