// One `weir run` as a process of its own: the SystemC kernel can be elaborated once in a process.
//
//   child_run child({"steady.ini", "--run.seed=2", "--out", "out"}, lock.descriptor());
//   while (!child.ended()) { ... }
//   child.status();
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace weir {

class child_run {
 public:
    /// Starts this program (the same file, even if it has been replaced meanwhile) as `weir run ARGUMENTS`. It
    /// dies with this process and inherits `descriptor` (-1: none). Throws std::system_error where no process
    /// can be made.
    child_run(const std::vector<std::string>& arguments, int descriptor);
    /// Kills it if it has not ended.
    ~child_run();
    child_run(child_run&& other) noexcept;
    child_run& operator=(child_run&&) = delete;

    /// Whether it has; does not wait.
    bool ended();
    /// Ends it at once and waits for that.
    void kill();
    /// Exit status, or 128 + n where signal n ended it. Once it has ended.
    int status() const { return m_status; }
    /// What it wrote on standard error, up to 64 KiB. Once it has ended.
    std::string errors() const;
    std::chrono::steady_clock::time_point started() const { return m_started; }

 private:
    void take(int wait_status);

    /// 0: ended, or moved from.
    pid_t m_process = 0;
    int m_status = 0;
    int m_errors = -1;
    std::chrono::steady_clock::time_point m_started;
};

}  // namespace weir
