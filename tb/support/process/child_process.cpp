#include "tb/support/process/child_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <utility>

#include "tb/support/process/exit_status.h"
#include "tb/support/process/launcher.h"

namespace weir::tb {

namespace {

constexpr int not_there = 127;
constexpr int not_startable = 126;

[[noreturn]] void fail() {
    throw std::system_error(errno, std::generic_category(), "a process cannot be started");
}

/// In the child, between fork and exec: only what POSIX allows there. A descriptor of -1 leads to /dev/null.
void lead_streams(int output, int errors) {
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(output < 0 ? null : output, STDOUT_FILENO);
    ::dup2(errors < 0 ? null : errors, STDERR_FILENO);
    if (null > STDERR_FILENO) {
        ::close(null);
    }
}

/// Ends at the exec of a child, which says here why there is none.
class exec_report {
 public:
    exec_report() {
        if (::pipe2(m_ends.data(), O_CLOEXEC) != 0) {
            fail();
        }
    }
    exec_report(const exec_report&) = delete;
    exec_report& operator=(const exec_report&) = delete;
    ~exec_report() {
        ::close(m_ends[0]);
        close_writer();
    }

    void say(int reason) const {
        [[maybe_unused]] const ssize_t written = ::write(m_ends[1], &reason, sizeof(reason));
    }
    /// 0 where the program runs.
    int hear() {
        close_writer();
        int reason = 0;
        ssize_t got = 0;
        do {
            got = ::read(m_ends[0], &reason, sizeof(reason));
        } while (got < 0 && errno == EINTR);
        return got == static_cast<ssize_t>(sizeof(reason)) ? reason : 0;
    }

 private:
    void close_writer() {
        if (m_ends[1] >= 0) {
            ::close(std::exchange(m_ends[1], -1));
        }
    }

    std::array<int, 2> m_ends{-1, -1};
};

/// As exec takes them. The texts outlive the list.
std::vector<char*> null_ended(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

bool write_all(int descriptor, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    return true;
}

}  // namespace

captured_text captured_text::make() {
    captured_text made;
    made.m_descriptor = ::memfd_create("weir: what a child process wrote", MFD_CLOEXEC);
    if (made.m_descriptor < 0) {
        fail();
    }
    return made;
}

captured_text::captured_text(captured_text&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

captured_text& captured_text::operator=(captured_text&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

captured_text::~captured_text() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

std::string captured_text::text() const {
    std::string all;
    std::array<char, 65536> part{};
    for (ssize_t n = m_descriptor < 0 ? 0 : 1; n > 0;) {
        n = ::pread(m_descriptor, part.data(), part.size(), static_cast<off_t>(all.size()));
        if (n < 0) {
            throw std::system_error(errno, std::generic_category(), "what a process wrote cannot be read");
        }
        all.append(part.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    }
    return all;
}

child_process::child_process(const std::vector<std::string>& command, const settings& how) {
    std::vector<std::string> words = command;
    const std::vector<char*> argv = null_ended(words);
    std::vector<std::string> variables = environment_without_launcher();
    const std::vector<char*> environment = null_ended(variables);
    if (how.captured != streams::errors_only) {
        m_output = captured_text::make();
    }
    if (how.captured != streams::together) {
        m_errors = captured_text::make();
    }
    exec_report report;
    fork_here(
        [&] {
            lead_streams(m_output.descriptor(),
                         how.captured == streams::together ? m_output.descriptor() : m_errors.descriptor());
            if (how.descriptor >= 0) {
                ::fcntl(how.descriptor, F_SETFD, 0);
            }
            if (how.directory.empty() || ::chdir(how.directory.c_str()) == 0) {
                ::execvpe(how.program.empty() ? argv[0] : how.program.c_str(), argv.data(), environment.data());
            }
            const int reason = errno;
            report.say(reason);
            ::_exit(reason == ENOENT ? not_there : not_startable);
        },
        how.at_parents_end);
    if (const int reason = report.hear(); reason != 0) {
        m_why_not = {reason, std::generic_category()};
    }
}

child_process::child_process(const std::string& command, const std::function<std::string()>& work)
    : m_output(captured_text::make()) {
    std::fflush(nullptr);
    fork_here([&] {
        int status = exit_status::success;
        try {
            status = write_all(m_output.descriptor(), work()) ? exit_status::success : exit_status::environment;
        } catch (const std::exception& error) {
            status = print_failure(command, failure_of(error), std::cerr);
            std::cerr.flush();
        }
        // What is left to be done at exit is the parent's.
        ::_exit(status);
    });
}

void child_process::fork_here(const std::function<void()>& child, int at_parents_end) {
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process < 0) {
        m_process = 0;
        fail();
    }
    if (m_process == 0) {
        ::prctl(PR_SET_PDEATHSIG, at_parents_end);
        if (::getppid() != parent) {
            ::_exit(not_startable);  // it died before the line above
        }
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        child();
    }
}

child_process::~child_process() {
    kill();
}

child_process::child_process(child_process&& other) noexcept
    : m_process(std::exchange(other.m_process, 0)),
      m_status(other.m_status),
      m_why_not(other.m_why_not),
      m_output(std::move(other.m_output)),
      m_errors(std::move(other.m_errors)) {}

void child_process::take(int wait_status) {
    m_process = 0;
    m_status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

bool child_process::ended() {
    int wait_status = 0;
    if (m_process != 0 && ::waitpid(m_process, &wait_status, WNOHANG) == m_process) {
        take(wait_status);
    }
    return m_process == 0;
}

void child_process::wait() {
    if (m_process == 0) {
        return;
    }
    int wait_status = 0;
    while (::waitpid(m_process, &wait_status, 0) < 0 && errno == EINTR) {
    }
    take(wait_status);
}

void child_process::send(int signal) {
    if (m_process != 0) {
        ::kill(m_process, signal);
    }
}

void child_process::kill() {
    send(SIGKILL);
    wait();
}

}  // namespace weir::tb
