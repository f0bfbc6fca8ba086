// How far a long command is, on standard error: on a terminal one line that changes, else a line of its own
// after a minute, and then ever more seldom, so that short commands are silent and the log of a long one tells
// that it goes on. Shows wall-clock time, so none of it may get into a file of results.
//
//   status_line status(err, true);
//   while (pool.active() > 0) { status.show("3 of 20 runs done"); }
#pragma once

#include <chrono>
#include <ostream>
#include <string>

namespace weir::tb {

/// What lines that are no terminal's begin with.
inline constexpr const char* status_prefix = "progress: ";

class status_line {
 public:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds between_changes{250};
    static constexpr std::chrono::minutes first_line{1};
    /// The time between two lines is the time since the start, and at most this.
    static constexpr std::chrono::minutes longest_silence{10};

    /// Shows nothing but notes if `enabled` is false.
    status_line(std::ostream& err, bool enabled);
    status_line(std::ostream& err, bool enabled, bool terminal, clock::time_point start);
    /// Nothing of it is left on a terminal.
    ~status_line();
    status_line(const status_line&) = delete;
    status_line& operator=(const status_line&) = delete;

    /// Whether `show` would show something.
    bool due(clock::time_point now = clock::now()) const { return m_enabled && now >= m_next; }
    void show(const std::string& text, clock::time_point now = clock::now());
    /// A line of its own, shown in any case.
    void note(const std::string& text);
    /// Unit: s.
    double seconds(clock::time_point now = clock::now()) const {
        return std::chrono::duration<double>(now - m_start).count();
    }

 private:
    void clear();

    std::ostream& m_err;
    bool m_enabled;
    bool m_terminal;
    bool m_shown = false;
    clock::time_point m_start;
    clock::time_point m_next;
};

/// `4 s`, `3 min 12 s`, `5 h 02 min`, `3 d 4 h`. Range: not negative.
std::string waiting_text(double seconds);

}  // namespace weir::tb
