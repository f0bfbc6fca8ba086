// Runs the program as its user does: a process, its exit status, what it prints, the files it leaves.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/scratch_directory.h"

namespace weir::test {

namespace fs = std::filesystem;

struct outcome {
    /// Exit status, or 1000 + the signal that ended the process.
    int status = -1;
    std::string out;
    std::string err;
};

using arguments = std::vector<std::string>;

/// What the program is run in.
struct surroundings {
    /// What a full disk looks like. Unit: B; 0 = no limit.
    std::uintmax_t largest_file = 0;
    /// Memory that may be asked for. Unit: B; 0 = no limit.
    std::uintmax_t address_space = 0;
    std::map<std::string, std::string> environment{};
    /// Standard streams that are closed, as by `2>&-`.
    std::vector<int> closed_streams{};
    /// Standard output is a pipe that nobody reads any more.
    bool broken_pipe = false;
    /// SIGALRM ends it then: it hangs. 0: never.
    unsigned seconds = 0;
    /// As nohup leaves SIGHUP.
    int ignored_signal = 0;
    /// Processes that mpirun starts together; 0: without mpirun.
    unsigned ranks = 0;
    /// Another program, with arguments, that starts this one; in each rank.
    std::vector<std::string> starter{};
};

/// With single blanks, so that a row of a table does not depend on the widths of its columns.
inline std::string single_blanks(std::string text) {
    const auto two_blanks = [](char a, char b) { return a == ' ' && b == ' '; };
    text.erase(std::unique(text.begin(), text.end(), two_blanks), text.end());
    return text;
}

/// A running program.
class process {
 public:
    process(const scratch_directory& where, const arguments& args, const surroundings& around = {})
        : m_out(where / "stdout.txt"), m_err(where / "stderr.txt") {
        m_child = ::fork();
        if (m_child == 0) {
            become(where, args, around);
        }
        EXPECT_GT(m_child, 0);
    }
    pid_t id() const { return m_child; }
    void send(int signal) const { ::kill(m_child, signal); }
    outcome wait() const {
        int status = 0;
        while (::waitpid(m_child, &status, 0) < 0 && errno == EINTR) {
        }
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), contents(m_out),
                contents(m_err)};
    }

 private:
    [[noreturn]] void become(const scratch_directory& where, const arguments& args,
                             const surroundings& around) const {
        if (::chdir(where.path().c_str()) != 0 || std::freopen(m_out.c_str(), "w", stdout) == nullptr ||
            std::freopen(m_err.c_str(), "w", stderr) == nullptr) {
            ::_exit(120);
        }
        if (around.largest_file != 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{around.largest_file, around.largest_file};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        if (around.ignored_signal != 0) {
            std::signal(around.ignored_signal, SIG_IGN);
        }
        std::vector<std::string> words;
        if (around.ranks > 0) {
            words = {"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"};
            words.push_back(std::to_string(around.ranks));
        }
        words.insert(words.end(), around.starter.begin(), around.starter.end());
        words.emplace_back(WEIR_PROGRAM);
        words.insert(words.end(), args.begin(), args.end());
        std::vector<char*> argv;
        for (std::string& word : words) {
            argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        for (const auto& [name, value] : around.environment) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        if (around.address_space != 0) {
            const rlimit limit{around.address_space, around.address_space};
            ::setrlimit(RLIMIT_AS, &limit);
        }
        if (int ends[2]; around.broken_pipe && ::pipe(ends) == 0) {
            ::close(ends[0]);
            ::dup2(ends[1], STDOUT_FILENO);
        }
        for (const int stream : around.closed_streams) {
            ::close(stream);
        }
        ::alarm(around.seconds);
        ::execvp(argv[0], argv.data());
        ::_exit(121);
    }

    fs::path m_out;
    fs::path m_err;
    pid_t m_child;
};

inline outcome run_program(const scratch_directory& where, const arguments& args,
                           const surroundings& around = {}) {
    return process(where, args, around).wait();
}

/// Why runs of several ranks cannot be tested here; empty: they can.
inline std::string why_no_ranks() {
#ifdef WEIR_WITH_MPI
    return std::system("mpirun --version >/dev/null 2>&1") == 0
               ? ""
               : "mpirun is not installed (package openmpi-bin)";
#else
    return "built without MPI (package libopenmpi-dev)";
#endif
}

inline arguments combined(arguments first, const arguments& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

/// They stand between spaces; none has a quote.
inline arguments words_in(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

/// Name and contents of every file of a run's directory but run.json.
inline std::map<std::string, std::string> results_in(const fs::path& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(directory)) {
        const std::string name = entry.path().filename().string();
        if (name != "run.json") {
            files[name] = contents(entry.path());
        }
    }
    return files;
}

inline nlohmann::json summary_of(const fs::path& directory) {
    return nlohmann::json::parse(contents(directory / "summary.json"), nullptr, false);
}

/// Every file but run.json has the same bytes; names the first line that has not.
inline void expect_same_bytes(const fs::path& a, const fs::path& b) {
    const auto files_a = results_in(a);
    const auto files_b = results_in(b);
    EXPECT_FALSE(files_a.empty());
    for (const auto& [name, text] : files_a) {
        ASSERT_EQ(files_b.count(name), 1U) << name << " is missing in " << b;
        const std::string& other = files_b.at(name);
        if (text == other) {
            continue;
        }
        std::istringstream lines_a(text);
        std::istringstream lines_b(other);
        std::string line_a;
        std::string line_b;
        int number = 0;
        do {
            ++number;
        } while (std::getline(lines_a, line_a) && std::getline(lines_b, line_b) && line_a == line_b);
        ADD_FAILURE() << name << " differs at line " << number << ":\n" << line_a << '\n' << line_b;
    }
    EXPECT_EQ(files_a.size(), files_b.size());
}

}  // namespace weir::test
