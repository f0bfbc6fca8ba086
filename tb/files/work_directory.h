// A directory for files that nobody needs once the object has gone. It goes away with all that is in it.
#pragma once

#include <filesystem>

namespace weir::tb {

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
