#include "tb/files/run_directory.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace weir {

namespace fs = std::filesystem;

namespace {

/// The mark of a complete run comes first: it is the first to be removed.
constexpr std::string_view run_files[] = {"summary.json",
                                          "run.json",
                                          "effective.ini",
                                          "flows.csv",
                                          "jobs.csv",
                                          "ports.csv",
                                          "buffers.csv",
                                          "limits.csv",
                                          "limit_intervals.csv",
                                          "nodes.csv",
                                          "occupancy.csv",
                                          "pauses.csv",
                                          "trace.csv",
                                          "trace.pcapng",
                                          "run.vcd",
                                          "run.fst",
                                          "run.fst.partial.hier",
                                          "perfetto.json",
                                          "watchdog.csv",
                                          "pause_causes.csv",
                                          "pause_flows.csv",
                                          "pause_tree.json",
                                          "drop_causes.csv"};

}  // namespace

bool is_run_file(std::string_view name) {
    if (name.size() > partial_suffix.size() &&
        name.substr(name.size() - partial_suffix.size()) == partial_suffix) {
        name.remove_suffix(partial_suffix.size());
    }
    return std::find(std::begin(run_files), std::end(run_files), name) != std::end(run_files);
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
    std::string first_foreign;
    fs::directory_iterator entry(path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if ((!is_run_file(name) || entry->is_directory(error)) &&
            (first_foreign.empty() || name < first_foreign)) {
            first_foreign = name;
        }
    }
    if (error) {
        throw output_error(path, "cannot be read", error);
    }
    if (!first_foreign.empty()) {
        return refuse("holds '" + first_foreign +
                      "', which no run has written; expected a directory that is new, empty or holds a run");
    }
    check_access(path);
    return {};
}

// A file system that knows no locks takes runs all the same.
run_directory::run_directory(fs::path path) : m_path(std::move(path)), m_lock(make_directory(m_path)) {
    if (m_lock.in_use()) {
        throw output_error(m_path.string() + ": is in use: another run is writing into it", m_lock.reason());
    }
    remove_files();
}

void run_directory::remove_files() const {
    for (std::string_view name : run_files) {
        for (std::string_view suffix : {std::string_view{}, partial_suffix}) {
            fs::path old = m_path / name;
            old += suffix;
            remove_file(old);
        }
    }
}

void run_directory::write(std::string_view name, std::string_view text) const {
    output_file file = create(name);
    file.write(text);
    file.finish();
}

}  // namespace weir
