// Files and directories that commands write.
//
// A file is written as `flows.csv.partial`; when all of it is on the disk it takes its name, so that there is
// never a half file that looks whole, not even after a power cut. A link stays a link: what it points at is
// replaced. What is no file proper (a pipe, /dev/stdout, a terminal) is written straight into, and disks are
// refused. Whatever goes wrong (a full disk) is an `output_error`.
//
//   output_file file(directory / "means.csv");
//   file.write("point,mean\n");
//   file.finish();
//   synchronise(directory);
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tb/support/process/output_error.h"

namespace weir::tb {

/// Of a file that is not whole.
inline constexpr std::string_view partial_suffix = ".partial";

/// Where a symbolic link leads, also if there is nothing yet: std::filesystem's weakly_canonical does not
/// follow the last link then. `path` itself if it is no link. Links in a circle are left after 40 steps, as by
/// the kernel.
std::filesystem::path link_target(std::filesystem::path path);

/// `seed_1` of `seed_1.partial`; other names as they are.
std::string_view without_partial(std::string_view name);

// All of these throw output_error.

/// What a directory holds, sorted.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory);

/// What was written to the file, or the names in the directory, are on the disk when this returns.
void synchronise(const std::filesystem::path& path);
/// With those above it, where they do not exist. Returns `path`.
const std::filesystem::path& make_directory(const std::filesystem::path& path);
/// The one that the user has named with `--out`. Throws command_error (`refused_path`).
void make_out_directory(const std::filesystem::path& path);
/// Returns whether it was there.
bool remove_file(const std::filesystem::path& path);
void remove_tree(const std::filesystem::path& path);
/// A whole file or directory gets its name, in place of what had it.
void name_whole(const std::filesystem::path& partial, const std::filesystem::path& name);

/// Buffered; a destroyed file that was not finished keeps its partial name.
class output_file {
 public:
    /// Throws output_error.
    explicit output_file(std::filesystem::path name);
    output_file(output_file&& other) noexcept;
    output_file& operator=(output_file&&) = delete;
    ~output_file();

    void write(std::string_view text) {
        char* const to = room(text.size());
        std::memcpy(to, text.data(), text.size());
        written(to + text.size());
    }
    /// Where the next text is to stand: for at most `most` characters.
    char* room(std::size_t most) {
        if (__builtin_expect(most > m_capacity - m_buffered, 0)) {
            make_room(most);
        }
        return m_buffer.get() + m_buffered;
    }
    /// It ends there.
    void written(const char* end) { m_buffered = static_cast<std::size_t>(end - m_buffer.get()); }
    /// Everything is in the file and on the disk; the file has no name yet. Nothing may be written after that.
    void complete();
    /// The same, and it gets its name. That the name is on the disk too is up to `synchronise` of the
    /// directory.
    void finish();
    /// After `finish`: the name is on the disk, for who does not know the directory.
    void synchronise_name() const;
    /// Takes back what was written, if it has no name yet.
    void discard() noexcept;

 private:
    static constexpr std::size_t buffer_bytes = 64 << 10;

    void make_room(std::size_t most);
    void flush();
    [[noreturn]] void fail(const char* what, int error);

    std::filesystem::path m_name;
    /// Empty where it is written straight.
    std::filesystem::path m_partial;
    std::size_t m_capacity = buffer_bytes;
    std::unique_ptr<char[]> m_buffer{new char[buffer_bytes]};
    std::size_t m_buffered = 0;
    /// -1: none, finished or failed.
    int m_descriptor = -1;
};

/// A file of this text, finished; where that fails, no part of it is left.
void write_file(const std::filesystem::path& name, std::string_view text);

/// A directory for files that nobody needs once the object has gone. It goes away with all that is in it.
class work_directory {
 public:
    /// `prefix` begins its name: `weir_bench_`. Throws std::system_error where it cannot be made.
    explicit work_directory(const char* prefix);
    work_directory(const work_directory&) = delete;
    work_directory& operator=(const work_directory&) = delete;
    ~work_directory();
    const std::filesystem::path& path() const { return m_path; }

 private:
    std::filesystem::path m_path;
};

}  // namespace weir::tb
