#include "tb/files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <thread>

#include "tb/files/output_file.h"

namespace weir::tb {

directory_lock::directory_lock(const std::filesystem::path& directory, std::chrono::milliseconds patience)
    : m_descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (m_descriptor < 0) {
        throw output_error(directory, "cannot be opened", {errno, std::generic_category()});
    }
    const auto latest = std::chrono::steady_clock::now() + patience;
    while (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
        m_reason = std::error_code(errno, std::generic_category());
        const bool may_change = in_use() || m_reason == std::errc::interrupted;
        if (!may_change || std::chrono::steady_clock::now() >= latest) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    m_reason.clear();
}

directory_lock::~directory_lock() {
    ::close(m_descriptor);
}

}  // namespace weir::tb
