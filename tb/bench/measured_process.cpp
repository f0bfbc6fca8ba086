#include "tb/bench/measured_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>

#include "tb/process/ending_signals.h"
#include "tb/process/exit_status.h"

namespace weir {

namespace {

/// A file in memory for what a process prints.
class captured {
 public:
    captured() : m_descriptor(::memfd_create("weir bench", MFD_CLOEXEC)) {
        if (m_descriptor < 0) {
            throw std::system_error(errno, std::generic_category(), "a process cannot be started");
        }
    }
    captured(const captured&) = delete;
    captured& operator=(const captured&) = delete;
    ~captured() { ::close(m_descriptor); }

    int descriptor() const { return m_descriptor; }
    std::string text() const {
        std::string all;
        std::array<char, 65536> part{};
        for (ssize_t n = 1; n > 0;) {
            n = ::pread(m_descriptor, part.data(), part.size(), static_cast<off_t>(all.size()));
            all.append(part.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
        }
        return all;
    }

 private:
    int m_descriptor;
};

void throw_if_interrupted() {
    if (signal_guard::received() != 0) {
        throw command_error("interrupted", exit_status::interrupted(signal_guard::received()));
    }
}

/// Between fork and exec; only what POSIX allows there.
[[noreturn]] void become(char* const* argv, pid_t parent, int output, int errors) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(126);  // it died before the line above
    }
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execvp(argv[0], argv);
    ::_exit(127);
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments) {
    throw_if_interrupted();
    std::vector<std::string> words = arguments;
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const captured output;
    const captured errors;
    // From before the process is there: a signal must not get lost between a look and a wait.
    std::optional<waiting_signals> signals(std::in_place);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        become(argv.data(), parent, output.descriptor(), errors.descriptor());
    }
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "a process cannot be started");
    }
    int wait_status = 0;
    int ending = 0;
    for (pid_t ended = 0; ended != child;) {
        ended = ::waitpid(child, &wait_status, WNOHANG);
        const int signal = ended == child ? 0 : signals->wait();
        if (signal != 0 && signal != SIGCHLD) {
            ending = signal;
            ::kill(child, SIGKILL);
        }
    }
    signals.reset();
    if (ending != 0) {
        std::raise(ending);  // the guard notes it
    }
    throw_if_interrupted();
    const int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    return {status, output.text(), errors.text()};
}

}  // namespace weir
