// Runs part of a test in a process of its own: SystemC cannot elaborate twice in one.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

namespace weir::test {

/// What `work()` returns, as bytes. A check that fails there fails the calling test.
template <class Work>
std::string in_child(Work&& work) {
    std::array<int, 2> ends{};
    std::fflush(nullptr);
    const bool failed_before = testing::Test::HasFailure();
    const pid_t child = pipe(ends.data()) == 0 ? fork() : -1;
    if (child < 0) {
        ADD_FAILURE() << "no child process";
        return {};
    }
    if (child == 0) {
        const std::string made = work();
        FILE* const out = fdopen(ends[1], "wb");
        const bool written = std::fwrite(made.data(), 1, made.size(), out) == made.size();
        std::fflush(nullptr);
        _exit(std::fclose(out) == 0 && written && (failed_before || !testing::Test::HasFailure()) ? 0 : 1);
    }
    close(ends[1]);
    std::string received;
    std::array<char, 4096> part{};
    for (ssize_t n = read(ends[0], part.data(), part.size()); n > 0;
         n = read(ends[0], part.data(), part.size())) {
        received.append(part.data(), static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "the child process failed";
    return received;
}

}  // namespace weir::test
