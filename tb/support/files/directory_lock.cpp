#include "tb/support/files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <thread>

#include "tb/support/files/output_file.h"

namespace weir::tb {

directory_lock::directory_lock(const std::filesystem::path& directory, std::chrono::milliseconds patience,
                               kind how) {
    open(directory, O_RDONLY | O_DIRECTORY);
    lock(patience, how);
    if (m_reason == std::errc::bad_file_descriptor) {
        ::close(m_descriptor);
        open(directory / file, O_RDWR | O_CREAT);
        lock(patience, how);
    }
}

directory_lock::~directory_lock() {
    ::close(m_descriptor);
}

void directory_lock::open(const std::filesystem::path& path, int flags) {
    m_descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (m_descriptor < 0) {
        throw output_error(path, "cannot be opened", {errno, std::generic_category()});
    }
}

void directory_lock::lock(std::chrono::milliseconds patience, kind how) {
    const auto latest = std::chrono::steady_clock::now() + patience;
    while (::flock(m_descriptor, (how == kind::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        m_reason = std::error_code(errno, std::generic_category());
        const bool may_change = in_use() || m_reason == std::errc::interrupted;
        if (!may_change || std::chrono::steady_clock::now() >= latest) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    m_reason.clear();
}

}  // namespace weir::tb
