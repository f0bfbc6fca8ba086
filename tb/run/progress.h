// The progress line of a long run, on a terminal only; and the signals that end a run early.
#pragma once

#include <chrono>
#include <csignal>
#include <ostream>

#include "weir/base/time.h"

namespace weir {

class progress_line {
 public:
    /// `end`: of the simulated time, or `never` where it is not known. Nothing is shown if `enabled` is
    /// false or standard error is no terminal.
    progress_line(std::ostream& err, bool enabled, picoseconds end);
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// At a barrier. Looks at the clock now and then only.
    void show(picoseconds simulated, std::uint64_t flows_completed) {
        if (m_enabled && ++m_calls % 64 == 0) {
            update(simulated, flows_completed);
        }
    }

 private:
    using clock = std::chrono::steady_clock;
    void update(picoseconds simulated, std::uint64_t flows_completed);

    std::ostream& m_err;
    bool m_enabled;
    picoseconds m_end;
    clock::time_point m_start = clock::now();
    clock::time_point m_shown = m_start;
    std::uint64_t m_calls = 0;
};

/// While it lives, SIGINT and SIGTERM are noted instead of ending the program; the next one, more than a second
/// later, ends it at once.
class signal_guard {
 public:
    signal_guard();
    ~signal_guard();
    signal_guard(const signal_guard&) = delete;
    signal_guard& operator=(const signal_guard&) = delete;

    /// SIGINT, SIGTERM, or 0.
    static int received();

 private:
    struct sigaction m_interrupt {};
    struct sigaction m_terminate {};
};

}  // namespace weir
