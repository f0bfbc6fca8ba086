// The progress line of a sweep, on a terminal only.
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "tb/sweep/sweep_runner.h"

namespace weir {

/// `37 of 200 runs done, 1 failed, 2 running, 3 min 12 s left`.
std::string progress_text(const sweep_status& status);
/// `4 s`, `3 min 12 s`, `5 h 02 min`, `3 d 4 h`. Range: not negative.
std::string waiting_text(double seconds);

class sweep_progress {
 public:
    /// Shows nothing if `enabled` is false or standard error is no terminal.
    sweep_progress(std::ostream& err, bool enabled);
    ~sweep_progress();
    sweep_progress(const sweep_progress&) = delete;
    sweep_progress& operator=(const sweep_progress&) = delete;

    bool enabled() const { return m_enabled; }
    void show(const sweep_status& status) { show(progress_text(status)); }
    void show(const std::string& text);
    /// A line of its own above the progress; shown in any case.
    void note(const std::string& text);

 private:
    std::ostream& m_err;
    bool m_enabled;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_last;
};

}  // namespace weir
