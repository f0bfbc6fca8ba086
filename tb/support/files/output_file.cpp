#include "tb/support/files/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

/// Waits for the disk. What is no file proper has nothing to wait for.
bool is_on_disk(int descriptor) {
    return ::fsync(descriptor) == 0 || errno == EINVAL;
}

// What the shell has open must not get another file in its place, and is written on from where it stands:
// opened anew, a file would have a place of its own.
std::optional<int> descriptor_of(const fs::path& name) {
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

}  // namespace

fs::path link_target(fs::path path) {
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

std::string_view without_partial(std::string_view name) {
    const std::size_t end = name.size() - std::min(name.size(), partial_suffix.size());
    return end > 0 && name.substr(end) == partial_suffix ? name.substr(0, end) : name;
}

std::vector<fs::path> entries_of(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(directory, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        found.push_back(at->path());
    }
    if (error) {
        throw output_error(directory, "cannot be read", error);
    }
    std::sort(found.begin(), found.end());
    return found;
}

void synchronise(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = descriptor >= 0 && is_on_disk(descriptor);
    const int reason = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!done) {
        throw output_error(path, "cannot be written", {reason, std::generic_category()});
    }
}

const fs::path& make_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        throw output_error(path, "cannot be created", error);
    }
    return path;
}

void make_out_directory(const fs::path& path) {
    try {
        make_directory(path);
    } catch (const output_error& error) {
        throw refused_path(error, "--out", "a directory that is there, or that can be made");
    }
}

bool remove_file(const fs::path& path) {
    std::error_code error;
    const bool was_there = fs::remove(path, error);
    if (error) {
        throw output_error(path, "cannot be removed", error);
    }
    return was_there;
}

void remove_tree(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) {
        throw output_error(path, "cannot be removed", error);
    }
}

void name_whole(const fs::path& partial, const fs::path& name) {
    std::error_code error;
    fs::rename(partial, name, error);
    if (error) {
        throw output_error(name, "cannot be renamed from " + partial.filename().string(), error);
    }
}

output_file::output_file(fs::path name) : m_name(std::move(name)) {
    std::error_code error;
    const fs::file_status status = fs::status(m_name, error);
    if (fs::is_block_file(status)) {
        throw output_error(m_name.string() + ": cannot be written: it is a disk",
                           std::make_error_code(std::errc::invalid_argument));
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
}

output_file::output_file(output_file&& other) noexcept
    : m_name(std::move(other.m_name)),
      m_partial(std::move(other.m_partial)),
      m_capacity(std::exchange(other.m_capacity, 0)),
      m_buffer(std::move(other.m_buffer)),
      m_buffered(std::exchange(other.m_buffered, 0)),
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
    throw output_error(m_partial.empty() ? m_name : m_partial, what, {error, std::generic_category()});
}

void output_file::flush() {
    std::string_view left(m_buffer.get(), std::exchange(m_buffered, 0));
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
}

void output_file::make_room(std::size_t most) {
    flush();
    if (most > m_capacity) {
        m_buffer.reset(new char[most]);
        m_capacity = most;
    }
}

void output_file::complete() {
    if (m_descriptor < 0) {
        return;
    }
    flush();
    if (!m_partial.empty() && !is_on_disk(m_descriptor)) {
        fail("cannot be written", errno);
    }
    if (::close(std::exchange(m_descriptor, -1)) != 0) {
        fail("cannot be written", errno);
    }
}

void output_file::finish() {
    complete();
    if (m_partial.empty()) {
        return;
    }
    name_whole(m_partial, m_name);
    m_partial.clear();
}

void output_file::synchronise_name() const {
    std::error_code error;
    if (fs::is_regular_file(m_name, error)) {
        synchronise(fs::absolute(m_name, error).parent_path());
    }
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

void write_file(const fs::path& name, std::string_view text) {
    output_file file(name);
    try {
        file.write(text);
        file.finish();
    } catch (const output_error&) {
        file.discard();
        throw;
    }
}

work_directory::work_directory(const char* prefix) {
    std::string name = (fs::temp_directory_path() / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    m_path = name;
}

work_directory::~work_directory() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

}  // namespace weir::tb
