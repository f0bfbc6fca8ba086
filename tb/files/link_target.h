// Where a symbolic link leads, also if there is nothing yet: std::filesystem's weakly_canonical does not follow
// the last link then.
#pragma once

#include <filesystem>
#include <system_error>

namespace weir::tb {

/// `path` itself where it is no link. Links in a circle are left after 40 steps, as by the kernel.
inline std::filesystem::path link_target(std::filesystem::path path) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (int steps = 0; steps < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++steps) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) {
            break;
        }
        path = path.parent_path() / next;
    }
    return path;
}

}  // namespace weir::tb
