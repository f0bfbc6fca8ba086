// A child process: another program, this program again, or a part of it (SystemC elaborates once in a process).
// The one place where the program makes processes.
//
//   tb::child_process version({"valgrind", "--version"});
//   version.wait();
//   if (version.status() == 0) { std::cout << version.output(); }
//
// A child gets SIGKILL, or another signal, when this process ends, reads nothing, and has no signals blocked.
// Another program starts without the environment of a launcher (launcher.h): under mpirun it is no rank.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace weir::tb {

/// A file in memory for what a process writes.
class captured_text {
 public:
    captured_text() = default;
    /// Throws std::system_error.
    static captured_text make();
    captured_text(captured_text&& other) noexcept;
    captured_text& operator=(captured_text&& other) noexcept;
    ~captured_text();

    /// -1: nothing is captured.
    int descriptor() const { return m_descriptor; }
    /// Throws std::system_error.
    std::string text() const;

 private:
    int m_descriptor = -1;
};

class child_process {
 public:
    /// What becomes of what it writes. `together`: standard output and standard error are one text, in
    /// `output`.
    enum class streams { both, together, errors_only };
    struct settings {
        streams captured = streams::both;
        /// The file that is run; empty: the command's first word.
        std::string program{};
        /// Where it starts; empty: where this process is.
        std::string directory{};
        /// Inherited; -1: none.
        int descriptor = -1;
        /// Signal that it gets when this process ends.
        int at_parents_end = SIGKILL;
    };
    /// This program: the same file, even if it has been replaced meanwhile.
    static constexpr const char* this_program = "/proc/self/exe";

    /// Runs a program, which is searched in PATH. One that cannot be started has ended with status 127 (it is
    /// not there) or 126. Throws std::system_error where no process can be made.
    explicit child_process(const std::vector<std::string>& command) : child_process(command, settings{}) {}
    child_process(const std::vector<std::string>& command, const settings& how);
    /// Runs a part of this program; `output` is what it returns. An exception is said on standard error as the
    /// command's, and gives the exit status (`failure_of`).
    child_process(const std::string& command, const std::function<std::string()>& work);
    /// Kills it if it has not ended.
    ~child_process();
    child_process(child_process&& other) noexcept;
    child_process& operator=(child_process&&) = delete;

    /// Whether it has; does not wait.
    bool ended();
    void wait();
    /// To one that has not ended.
    void send(int signal);
    /// Ends it at once and waits for that.
    void kill();

    /// Exit status, or 128 + n where signal n ended it. Once it has ended, as the texts.
    int status() const { return m_status; }
    /// Why the program could not be started.
    std::error_code why_not() const { return m_why_not; }
    std::string output() const { return m_output.text(); }
    std::string errors() const { return m_errors.text(); }

 private:
    void fork_here(const std::function<void()>& child, int at_parents_end = SIGKILL);
    void take(int wait_status);

    /// 0: ended, or moved from.
    pid_t m_process = 0;
    int m_status = 0;
    std::error_code m_why_not;
    captured_text m_output;
    captured_text m_errors;
};

}  // namespace weir::tb
