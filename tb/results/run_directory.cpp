#include "tb/results/run_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "tb/results/link_target.h"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view partial_suffix = ".partial";

/// The mark of a complete run comes first: it is the first to be removed.
constexpr std::string_view run_files[] = {
    "summary.json",   "run.json",     "effective.ini",    "flows.csv",       "jobs.csv",
    "ports.csv",      "buffers.csv",  "limits.csv",       "occupancy.csv",   "pauses.csv",
    "trace.csv",      "trace.pcapng", "run.vcd",          "run.fst",         "run.fst.partial.hier",
    "perfetto.json",  "watchdog.csv", "pause_causes.csv", "pause_flows.csv", "pause_tree.json",
    "drop_causes.csv"};

[[noreturn]] void fail_on(const fs::path& name, const char* what, const std::string& reason) {
    throw output_error(name.string() + ": " + what + ": " + reason);
}

}  // namespace

bool is_run_file(std::string_view name) {
    if (name.size() > partial_suffix.size() &&
        name.substr(name.size() - partial_suffix.size()) == partial_suffix) {
        name.remove_suffix(partial_suffix.size());
    }
    return std::find(std::begin(run_files), std::end(run_files), name) != std::end(run_files);
}

// --- one file --------------------------------------------------------------------------------------------

// What the shell has open must not get another file in its place, and is written on from where it stands:
// opened anew, a file would have a place of its own.
static std::optional<int> descriptor_of(const fs::path& name) {
    if (name == "/dev/stdout" || name == "/dev/stderr") {
        return name == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    }
    const fs::path directory = name.parent_path();
    const std::string number = name.filename().string();
    int descriptor = -1;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), descriptor);
    const bool whole = read.ec == std::errc{} && read.ptr == number.data() + number.size();
    return whole && (directory == "/dev/fd" || directory == "/proc/self/fd") ? std::optional(descriptor)
                                                                             : std::nullopt;
}

output_file::output_file(fs::path name) : m_name(std::move(name)) {
    std::error_code error;
    const fs::file_status status = fs::status(m_name, error);
    if (fs::is_block_file(status)) {
        fail_on(m_name, "cannot be written", "it is a block device");
    }
    if (const auto open = descriptor_of(m_name)) {
        m_descriptor = ::fcntl(*open, F_DUPFD_CLOEXEC, 0);
        if (m_descriptor < 0) {
            fail("cannot be written", errno);
        }
    } else if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        m_descriptor = ::open(m_name.c_str(), O_WRONLY | O_CLOEXEC);
        if (m_descriptor < 0) {
            fail("cannot be opened", errno);
        }
    } else {
        m_name = link_target(m_name);
        m_partial = m_name;
        m_partial += partial_suffix;
        m_descriptor = ::open(m_partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (m_descriptor < 0) {
            fail("cannot be created", errno);
        }
    }
    m_buffer.reserve(buffer_bytes + 4096);
}

output_file::output_file(output_file&& other) noexcept
    : m_name(std::move(other.m_name)),
      m_partial(std::move(other.m_partial)),
      m_buffer(std::move(other.m_buffer)),
      m_descriptor(std::exchange(other.m_descriptor, -1)) {}

output_file::~output_file() {
    if (m_descriptor < 0) {
        return;
    }
    try {
        flush();
    } catch (const output_error&) {
        return;  // closed; the run has failed for another reason already
    }
    ::close(m_descriptor);
}

void output_file::fail(const char* what, int error) {
    if (m_descriptor >= 0) {
        ::close(std::exchange(m_descriptor, -1));
    }
    fail_on(m_partial.empty() ? m_name : m_partial, what, std::generic_category().message(error));
}

void output_file::flush() {
    std::string_view left = m_buffer;
    while (!left.empty()) {
        const ssize_t written = ::write(m_descriptor, left.data(), left.size());
        if (written < 0) {
            if (errno != EINTR) {
                fail("cannot be written", errno);
            }
            continue;
        }
        left.remove_prefix(static_cast<std::size_t>(written));
    }
    m_buffer.clear();
}

void output_file::complete() {
    if (m_descriptor < 0) {
        return;
    }
    flush();
    if (::close(std::exchange(m_descriptor, -1)) != 0) {
        fail("cannot be written", errno);
    }
}

void output_file::finish() {
    complete();
    if (m_partial.empty()) {
        return;
    }
    std::error_code error;
    fs::rename(m_partial, m_name, error);
    if (error) {
        fail_on(m_name, "cannot be renamed to this", error.message());
    }
    m_partial.clear();
}

void output_file::discard() noexcept {
    if (m_descriptor >= 0) {
        ::close(std::exchange(m_descriptor, -1));
    }
    if (!m_partial.empty()) {
        ::unlink(m_partial.c_str());
        m_partial.clear();
    }
}

// --- the directory ---------------------------------------------------------------------------------------

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
    if (::access(above.c_str(), W_OK | X_OK) != 0) {
        return refuse("cannot be made in '" + above.string() + "': " + std::generic_category().message(errno));
    }
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
        return refuse("cannot be read: " + error.message());
    }
    if (!first_foreign.empty()) {
        return refuse("holds '" + first_foreign +
                      "', which no run has written; expected a directory that is new, empty or holds a run");
    }
    if (::access(path.c_str(), W_OK | X_OK) != 0) {
        return refuse("cannot be written: " + std::generic_category().message(errno));
    }
    return {};
}

namespace {

const fs::path& made(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        fail_on(path, "cannot be created", error.message());
    }
    return path;
}

}  // namespace

// A file system that knows no locks takes runs all the same.
run_directory::run_directory(fs::path path) : m_path(std::move(path)), m_lock(made(m_path)) {
    if (m_lock.in_use()) {
        fail_on(m_path, "is in use", "another run is writing into it");
    }
    remove_files();
}

void run_directory::remove_files() const {
    std::error_code error;
    for (std::string_view name : run_files) {
        for (std::string_view suffix : {std::string_view{}, partial_suffix}) {
            fs::path old = m_path / name;
            old += suffix;
            fs::remove(old, error);
            if (error) {
                fail_on(old, "cannot be replaced", error.message());
            }
        }
    }
}

void run_directory::write(std::string_view name, std::string_view text) const {
    output_file file = create(name);
    file.write(text);
    file.finish();
}

}  // namespace weir
