// One process at a time in a directory, or several that share it. The lock is the system's (flock), and ends
// with the process, also with one that is killed. It is on the directory itself, so it leaves no file; on a
// network file system, which locks nothing that is opened for reading alone (NFS: EBADF), it is on the file
// `.lock` in the directory, and holds between machines.
//
//   const directory_lock lock(path);
//   if (lock.in_use()) { ... }    // another process has it
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace weir::tb {

class directory_lock {
 public:
    enum class kind : std::uint8_t { alone, shared };
    static constexpr const char* file = ".lock";

    /// The directory exists. Waits up to `patience` for who has it. Throws output_error where the directory, or
    /// the file, cannot be opened.
    explicit directory_lock(const std::filesystem::path& directory,
                            std::chrono::milliseconds patience = std::chrono::milliseconds{0},
                            kind how = kind::alone);
    directory_lock(const directory_lock&) = delete;
    directory_lock& operator=(const directory_lock&) = delete;
    /// It is free again, unless a child process has inherited `descriptor`.
    ~directory_lock();

    bool held() const { return !m_reason; }
    /// Another process has it.
    bool in_use() const { return m_reason == std::errc::operation_would_block; }
    /// Neither: the file system knows no locks (ENOLCK, EOPNOTSUPP).
    bool impossible() const { return !held() && !in_use(); }
    /// Why it is not held.
    const std::error_code& reason() const { return m_reason; }
    int descriptor() const { return m_descriptor; }

 private:
    void open(const std::filesystem::path& path, int flags);
    void lock(std::chrono::milliseconds patience, kind how);

    int m_descriptor = -1;
    std::error_code m_reason;
};

}  // namespace weir::tb
