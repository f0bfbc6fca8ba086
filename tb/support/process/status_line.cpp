#include "tb/support/process/status_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace weir::tb {

status_line::status_line(std::ostream& err, bool enabled)
    : status_line(err, enabled, ::isatty(STDERR_FILENO) == 1, clock::now()) {}

status_line::status_line(std::ostream& err, bool enabled, bool terminal, clock::time_point start)
    : m_err(err),
      m_enabled(enabled),
      m_terminal(terminal),
      m_start(start),
      m_next(terminal ? start : start + first_line) {}

status_line::~status_line() {
    clear();
}

void status_line::clear() {
    if (m_shown) {
        m_err << "\r\x1b[K" << std::flush;
        m_shown = false;
    }
}

void status_line::show(const std::string& text, clock::time_point now) {
    if (!due(now)) {
        return;
    }
    if (m_terminal) {
        m_err << '\r' << text << "\x1b[K" << std::flush;
        m_shown = true;
        m_next = now + between_changes;
    } else {
        m_err << status_prefix << text << std::endl;
        m_next = now + std::min<clock::duration>(now - m_start, longest_silence);
    }
}

void status_line::note(const std::string& text) {
    clear();
    m_err << text << std::endl;
}

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

}  // namespace weir::tb
