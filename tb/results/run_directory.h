// The directory that a run writes, and the files in it.
//
// A file is written as `flows.csv.partial` and takes its name when it is whole: a run that dies leaves what
// it had, and never a half file that looks whole. A link stays a link: what it points at is replaced. What is
// no file proper (a pipe, /dev/stdout, a terminal) is written straight into, and disks are refused. Whatever
// goes wrong (a full disk) is an `output_error`.
//
//   if (auto errors = check_run_directory(path); errors.empty()) {
//       run_directory directory(path);
//       output_file flows = directory.create("flows.csv");
//       flows.write("flow,job\n");
//       flows.finish();
//   }
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tb/results/directory_lock.h"
#include "weir/base/config_error.h"

namespace weir {

/// A file could not be read or written: which one, what was tried, and the system's reason.
class output_error : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Buffered; a destroyed file that was not finished keeps its partial name.
class output_file {
 public:
    /// Throws output_error.
    explicit output_file(std::filesystem::path name);
    output_file(output_file&& other) noexcept;
    output_file& operator=(output_file&&) = delete;
    ~output_file();

    void write(std::string_view text) {
        m_buffer += text;
        if (m_buffer.size() >= buffer_bytes) {
            flush();
        }
    }
    /// Everything is in the file, which has no name yet. Nothing may be written after that.
    void complete();
    /// Everything is in the file; it gets its name.
    void finish();
    /// Takes back what was written, if it has no name yet.
    void discard() noexcept;

 private:
    static constexpr std::size_t buffer_bytes = 64 << 10;

    void flush();
    [[noreturn]] void fail(const char* what, int error);

    std::filesystem::path m_name;
    /// Empty where it is written straight.
    std::filesystem::path m_partial;
    std::string m_buffer;
    /// -1: none, finished or failed.
    int m_descriptor = -1;
};

/// What forbids a run to write here; changes nothing. A directory may not exist yet, be empty, or hold files
/// of a run (whole or partial), which are replaced; any other file in it is an error with the key `--out`.
config_errors check_run_directory(const std::filesystem::path& path);

class run_directory {
 public:
    /// Creates the directory and its parents, or removes the files of the run that it holds; the path must
    /// have passed `check_run_directory`. The directory is locked until this object ends, by whatever way: the
    /// system drops the lock of a process that is killed. Throws output_error, also where another run holds the
    /// lock; nothing has been removed then.
    explicit run_directory(std::filesystem::path path);
    run_directory(const run_directory&) = delete;
    run_directory& operator=(const run_directory&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// `name` is one of the names that `is_run_file` knows.
    output_file create(std::string_view name) const { return output_file(m_path / name); }
    /// A whole file at once.
    void write(std::string_view name, std::string_view text) const;

 private:
    void remove_files() const;

    std::filesystem::path m_path;
    directory_lock m_lock;
};

/// Names that runs give their files, with or without `.partial`.
bool is_run_file(std::string_view name);

}  // namespace weir
