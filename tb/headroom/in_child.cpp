#include "tb/headroom/in_child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <system_error>

#include "tb/process/exit_status.h"

namespace weir {

namespace {

/// Never returns: what is left to be done at exit is the parent's.
[[noreturn]] void be_child(const std::function<std::string()>& work, int end) {
    int status = exit_status::environment;
    try {
        const std::string made = work();
        FILE* const out = fdopen(end, "wb");
        const bool written = std::fwrite(made.data(), 1, made.size(), out) == made.size();
        status = std::fclose(out) == 0 && written ? exit_status::success : exit_status::environment;
    } catch (const std::exception& error) {
        status = print_failure("weir headroom", failure_of(error), std::cerr);
        std::cerr.flush();
    }
    _exit(status);
}

}  // namespace

std::string in_child(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    std::fflush(nullptr);
    if (pipe(ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe to a child process can be made");
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(exit_status::environment);  // it died before the line above
        }
        close(ends[0]);
        be_child(work, ends[1]);
    }
    close(ends[1]);
    std::string received;
    std::array<char, 4096> part{};
    ssize_t n = child < 0 ? 0 : 1;
    while (n > 0 || (n < 0 && errno == EINTR)) {
        n = read(ends[0], part.data(), part.size());
        received.append(part.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    }
    close(ends[0]);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
        throw command_error("a child process failed",
                            exit_status::of_child(WIFEXITED(status) ? WEXITSTATUS(status) : -1));
    }
    return received;
}

}  // namespace weir
