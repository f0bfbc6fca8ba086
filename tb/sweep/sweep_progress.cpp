#include "tb/sweep/sweep_progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdint>

namespace weir {

std::string waiting_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    const auto two = [](std::uint64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    if (whole < 60) {
        return std::to_string(whole) + " s";
    }
    if (whole < 3600) {
        return std::to_string(whole / 60) + " min " + two(whole % 60) + " s";
    }
    if (whole < 86400) {
        return std::to_string(whole / 3600) + " h " + two(whole % 3600 / 60) + " min";
    }
    return std::to_string(whole / 86400) + " d " + std::to_string(whole % 86400 / 3600) + " h";
}

std::string progress_text(const sweep_status& status) {
    std::string text = std::to_string(status.done) + " of " + std::to_string(status.total) + " runs done";
    if (status.failed > 0) {
        text += ", " + std::to_string(status.failed) + " failed";
    }
    text += ", " + std::to_string(status.running) + " running";
    if (status.seconds_left >= 0) {
        text += ", " + waiting_text(status.seconds_left) + " left";
    }
    return text;
}

sweep_progress::sweep_progress(std::ostream& err, bool enabled)
    : m_err(err), m_enabled(enabled && isatty(STDERR_FILENO) != 0) {}

sweep_progress::~sweep_progress() {
    if (m_shown) {
        m_err << "\r\x1b[K" << std::flush;
    }
}

void sweep_progress::show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (m_enabled && (!m_shown || now - m_last >= std::chrono::milliseconds(200))) {
        m_last = now;
        m_shown = true;
        m_err << '\r' << text << "\x1b[K" << std::flush;
    }
}

void sweep_progress::note(const std::string& text) {
    m_err << (m_shown ? "\r\x1b[K" : "") << text << '\n' << std::flush;
    m_shown = false;
}

}  // namespace weir
