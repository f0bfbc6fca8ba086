// Signals that end a command before its time: SIGINT, SIGTERM, and SIGHUP unless the program was started with
// SIGHUP ignored, as by nohup.
//
//   const signal_guard guard;                       // a command that computes looks now and then
//   while (signal_guard::received() == 0) { ... }
//
//   const waiting_signals signals;                  // a command that waits for processes
//   while (signals.wait(std::chrono::milliseconds{250}) == 0) { ... }
#pragma once

#include <chrono>
#include <csignal>

namespace weir::tb {

/// Those that end this process early. Unless it is ignored, SIGHUP is one of them.
sigset_t ending_signals();

/// While it lives, these signals are noted instead of ending the program; the next one, more than a second
/// later, ends it at once.
class signal_guard {
 public:
    signal_guard();
    ~signal_guard();
    signal_guard(const signal_guard&) = delete;
    signal_guard& operator=(const signal_guard&) = delete;

    /// The first that came, or 0.
    static int received();

 private:
    static constexpr int most_signals = 3;
    struct sigaction m_before[most_signals] {};
};

/// While it lives, these signals and SIGCHLD wait to be asked for: no handlers, and none is lost between a look
/// and a wait. A child process has to unblock them before its exec.
class waiting_signals {
 public:
    waiting_signals();
    waiting_signals(const waiting_signals&) = delete;
    waiting_signals& operator=(const waiting_signals&) = delete;
    ~waiting_signals() { sigprocmask(SIG_SETMASK, &m_before, nullptr); }

    /// The signal that came within this time, or 0.
    int wait(std::chrono::milliseconds longest) const;

 private:
    sigset_t m_wanted{};
    sigset_t m_before{};
};

}  // namespace weir::tb
