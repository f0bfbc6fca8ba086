// One process at a time in a directory. The lock is the system's (flock on the directory itself), so it leaves
// no file, and ends with the process, also with one that is killed.
//
//   const directory_lock lock(path);
//   if (lock.in_use()) { ... }    // another process has it
#pragma once

#include <chrono>
#include <filesystem>
#include <system_error>

namespace weir::tb {

class directory_lock {
 public:
    /// The directory exists. Waits up to `patience` for who has it. Throws output_error where the directory
    /// cannot
    ///  be opened.
    explicit directory_lock(const std::filesystem::path& directory,
                            std::chrono::milliseconds patience = std::chrono::milliseconds{0});
    directory_lock(const directory_lock&) = delete;
    directory_lock& operator=(const directory_lock&) = delete;
    /// It is free again, unless a child process has inherited `descriptor`.
    ~directory_lock();

    bool held() const { return !m_reason; }
    /// Another process has it.
    bool in_use() const { return m_reason == std::errc::operation_would_block; }
    /// Neither: the file system knows no locks (EBADF, ENOLCK, EOPNOTSUPP: network file systems).
    bool impossible() const { return !held() && !in_use(); }
    /// Why it is not held.
    const std::error_code& reason() const { return m_reason; }
    int descriptor() const { return m_descriptor; }

 private:
    int m_descriptor;
    std::error_code m_reason;
};

}  // namespace weir::tb
