#include "tb/support/files/run_directory.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "tb/support/files/run_files.h"

namespace weir::tb {

namespace fs = std::filesystem;

bool is_run_file(std::string_view name) {
    return run_files().find(without_partial(name)).has_value();
}

static void check_access(const fs::path& directory) {
    if (::access(directory.c_str(), W_OK | X_OK) != 0) {
        throw output_error(directory, "cannot be written", {errno, std::generic_category()});
    }
}

// A directory that does not exist yet: the nearest one above it that does has to take it.
template <class Refuse>
static config_errors refuse_new(const fs::path& path, const Refuse& refuse) {
    std::error_code error;
    fs::path above = fs::absolute(path, error).lexically_normal();
    while (!above.empty() && !fs::exists(above, error) && above.has_relative_path()) {
        above = above.parent_path();
    }
    if (!fs::is_directory(above, error)) {
        return refuse("cannot be made: '" + above.string() + "' is not a directory");
    }
    check_access(above);
    return {};
}

config_errors check_run_directory(const fs::path& path) {
    const auto refuse = [&](const std::string& what) {
        return config_errors{{"", 0, "--out", "'" + path.string() + "' " + what}};
    };
    if (path.empty()) {
        return refuse("is not a directory; expected one that is new, empty or holds a run");
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        return refuse_new(path, refuse);
    }
    if (!fs::is_directory(status)) {
        return refuse("is a file; expected a directory that is new, empty or holds a run");
    }
    for (const fs::path& entry : entries_of(path)) {
        const std::string name = entry.filename().string();
        if ((!is_run_file(name) && name != directory_lock::file) || fs::is_directory(entry, error)) {
            return refuse(
                "holds '" + name +
                "', which is not a file of a run; expected a directory that is new, empty or holds a run");
        }
    }
    check_access(path);
    return {};
}

// A file system that knows no locks takes runs all the same.
run_directory::run_directory(fs::path path) : m_path(std::move(path)) {
    m_lock.emplace(make_directory(m_path));
    if (m_lock->in_use()) {
        throw output_error(m_path.string() + ": is in use: another run is writing into it", m_lock->reason());
    }
    remove_files();
}

void run_directory::remove_files() const {
    for (const auto& file : run_files().entries()) {
        for (std::string_view suffix : {std::string_view{}, partial_suffix}) {
            fs::path old = m_path / file.name;
            old += suffix;
            remove_file(old);
        }
    }
}

void run_directory::synchronise() const {
    if (writes()) {
        tb::synchronise(m_path);
    }
}

void run_directory::write(std::string_view name, std::string_view text) const {
    output_file file = create(name);
    file.write(text);
    file.finish();
}

}  // namespace weir::tb
