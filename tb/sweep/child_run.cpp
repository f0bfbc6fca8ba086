#include "tb/sweep/child_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace weir {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Between fork and exec; only what POSIX allows there.
[[noreturn]] void become_run(char* const* argv, pid_t parent, int errors, int descriptor) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(126);  // it died before the line above
    }
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    if (null > STDERR_FILENO) {
        ::close(null);
    }
    if (descriptor >= 0) {
        ::fcntl(descriptor, F_SETFD, 0);
    }
    ::execv("/proc/self/exe", argv);
    ::_exit(127);
}

}  // namespace

child_run::child_run(const std::vector<std::string>& arguments, int descriptor)
    : m_started(std::chrono::steady_clock::now()) {
    std::vector<std::string> words{"weir", "run"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    m_errors = ::memfd_create("weir run: standard error", MFD_CLOEXEC);
    if (m_errors < 0) {
        fail("a run cannot be started");
    }
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process == 0) {
        become_run(argv.data(), parent, m_errors, descriptor);
    }
    if (m_process < 0) {
        m_process = 0;
        ::close(std::exchange(m_errors, -1));
        fail("a run cannot be started");
    }
}

child_run::~child_run() {
    kill();
    if (m_errors >= 0) {
        ::close(m_errors);
    }
}

child_run::child_run(child_run&& other) noexcept
    : m_process(std::exchange(other.m_process, 0)),
      m_status(other.m_status),
      m_errors(std::exchange(other.m_errors, -1)),
      m_started(other.m_started) {}

void child_run::take(int wait_status) {
    m_process = 0;
    m_status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

bool child_run::ended() {
    int wait_status = 0;
    if (m_process != 0 && ::waitpid(m_process, &wait_status, WNOHANG) == m_process) {
        take(wait_status);
    }
    return m_process == 0;
}

void child_run::kill() {
    if (m_process == 0) {
        return;
    }
    ::kill(m_process, SIGKILL);
    int wait_status = 0;
    while (::waitpid(m_process, &wait_status, 0) < 0 && errno == EINTR) {
    }
    take(wait_status);
}

std::string child_run::errors() const {
    std::string text(64 << 10, '\0');
    const ssize_t got = m_errors < 0 ? 0 : ::pread(m_errors, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

}  // namespace weir
