#include "tb/bench/measured_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "tb/run/ending_signals.h"

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

/// Between fork and exec; only what POSIX allows there.
[[noreturn]] void become(char* const* argv, pid_t parent, int output, int errors) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(126);  // it died before the line above
    }
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execvp(argv[0], argv);
    ::_exit(127);
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = arguments;
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const captured output;
    const captured errors;
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        become(argv.data(), parent, output.descriptor(), errors.descriptor());
    }
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "a process cannot be started");
    }
    int wait_status = 0;
    while (::waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
        if (signal_guard::received() != 0) {
            ::kill(child, SIGKILL);
        }
    }
    const int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    return {status, output.text(), errors.text()};
}

}  // namespace weir
