#include "tb/run/progress.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <string>

namespace weir {

progress_line::progress_line(std::ostream& err, bool enabled, picoseconds end)
    : m_err(err), m_enabled(enabled && isatty(STDERR_FILENO) != 0), m_end(end) {}

progress_line::~progress_line() {
    if (m_enabled && m_shown != m_start) {
        m_err << "\r\x1b[K" << std::flush;
    }
}

void progress_line::update(picoseconds simulated, std::uint64_t flows_completed) {
    const clock::time_point now = clock::now();
    if (now - m_shown < std::chrono::milliseconds(250)) {
        return;
    }
    m_shown = now;
    const double wall = std::chrono::duration<double>(now - m_start).count();
    const double seconds = std::chrono::duration<double>(simulated).count();
    char text[160];
    if (m_end == never) {
        std::snprintf(text, sizeof text, "%.3f ms simulated, %.3f ms/s, %llu transfers complete", seconds * 1e3,
                      seconds * 1e3 / wall, static_cast<unsigned long long>(flows_completed));
    } else {
        const double end = std::chrono::duration<double>(m_end).count();
        std::snprintf(text, sizeof text,
                      "%.3f of %.3f ms simulated, %.3f ms/s, %.0f s left, %llu transfers complete",
                      seconds * 1e3, end * 1e3, seconds * 1e3 / wall, (end - seconds) * wall / seconds,
                      static_cast<unsigned long long>(flows_completed));
    }
    m_err << '\r' << text << "\x1b[K" << std::flush;
}

namespace {
volatile std::sig_atomic_t noted_signal = 0;
timespec noted_at{};

// A second one after a second (`timeout` sends two at once) does not wait for the quantum's end.
void note(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (noted_signal == 0) {
        noted_at = now;
        noted_signal = signal;
    } else if (now.tv_sec - noted_at.tv_sec > 1) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);  // as soon as this handler returns
    }
}
}  // namespace

signal_guard::signal_guard() {
    noted_signal = 0;
    struct sigaction action {};
    action.sa_handler = note;
    sigaction(SIGINT, &action, &m_interrupt);
    sigaction(SIGTERM, &action, &m_terminate);
}

signal_guard::~signal_guard() {
    sigaction(SIGINT, &m_interrupt, nullptr);
    sigaction(SIGTERM, &m_terminate, nullptr);
}

int signal_guard::received() {
    return noted_signal;
}

}  // namespace weir
