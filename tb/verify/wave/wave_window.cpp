#include "tb/verify/wave/wave_window.h"

#include <algorithm>
#include <tuple>

namespace weir::tb {

wave_window::wave_window(const wave_limits& limits, const std::vector<unsigned>& widths, wave_file& file)
    : m_limits(limits), m_file(file), m_widths(widths) {
    for (std::uint32_t signal = 0; signal < widths.size(); ++signal) {
        m_first_word.push_back(static_cast<std::uint32_t>(m_signal_of.size()));
        m_signal_of.insert(m_signal_of.end(), (widths[signal] + 63) / 64, signal);
    }
    m_latest.resize(m_signal_of.size());
    m_values.resize(m_signal_of.size());
}

void wave_window::add(std::vector<wave_change>& changes) {
    // One probe's changes of a word stand in their order.
    std::stable_sort(changes.begin(), changes.end(), [](const wave_change& a, const wave_change& b) {
        return std::tie(a.time, a.word) < std::tie(b.time, b.word);
    });
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const wave_change& change = changes[i];
        const bool last =
            i + 1 == changes.size() || changes[i + 1].time != change.time || changes[i + 1].word != change.word;
        if (last && m_latest[change.word] != change.value) {
            m_latest[change.word] = change.value;
            m_waiting.push_back(change);
        }
    }
    changes.clear();
}

void wave_window::fold_front() {
    m_values[m_waiting.front().word] = m_waiting.front().value;
    m_waiting.pop_front();
}

void wave_window::fold(picoseconds until) {
    while (!m_waiting.empty() && m_waiting.front().time <= until) {
        fold_front();
    }
}

std::size_t wave_window::count_until(picoseconds time) const {
    const auto end = std::upper_bound(m_waiting.begin(), m_waiting.end(), time,
                                      [](picoseconds t, const wave_change& c) { return t < c.time; });
    return static_cast<std::size_t>(end - m_waiting.begin());
}

// As many as a trigger that is still to come could ask for stay. What is folded is not asked for by any, so the
// barrier at which it happens changes nothing.
void wave_window::keep_bounded() {
    while (m_waiting.size() > m_limits.changes) {
        const picoseconds instant = m_waiting.front().time;
        const std::size_t here = count_until(instant);
        if (m_waiting.size() - here < m_limits.changes) {
            return;
        }
        m_floor = instant;
        fold(instant);
    }
}

// True: the file has begun.
bool wave_window::open(picoseconds reached, picoseconds trigger) {
    if (!m_limits.triggered) {
        if (reached < m_limits.start) {
            fold(reached);
            return false;
        }
        start_file(m_limits.start);
        return true;
    }
    if (trigger == never) {
        fold(reached - m_limits.before);
        keep_bounded();
        return false;
    }
    m_limits.end = std::min(m_limits.end, m_limits.after == never ? never : trigger + m_limits.after);
    picoseconds start = std::max(m_limits.start, trigger - m_limits.before);
    fold(start);
    // Of the time before the trigger, at most so many changes.
    while (!m_waiting.empty() && m_waiting.front().time < trigger && count_until(trigger) > m_limits.changes) {
        m_floor = m_waiting.front().time;
        fold(m_floor);
    }
    m_begins_late = m_floor > start;
    start_file(std::max(start, m_floor));
    return true;
}

void wave_window::start_file(picoseconds start) {
    fold(start);
    m_state = state::open;
    m_opened = true;
    m_written_until = start;
    m_file.begin(start);
    for (std::uint32_t signal = 0; signal < m_widths.size(); ++signal) {
        write_signal(signal);
    }
}

void wave_window::write_signal(std::uint32_t signal) {
    const unsigned width = m_widths[signal];
    m_bits.resize(width);
    for (unsigned bit = 0; bit < width; ++bit) {
        const std::uint64_t word = m_values[m_first_word[signal] + bit / 64];
        m_bits[width - 1 - bit] = (word >> (bit % 64) & 1) != 0 ? '1' : '0';
    }
    m_file.change(signal, m_bits);
}

// All words of a signal that change at one time are one change of the signal.
void wave_window::write_instant() {
    const picoseconds time = m_waiting.front().time;
    m_file.at(time);
    m_written_until = time;
    while (!m_waiting.empty() && m_waiting.front().time == time) {
        const std::uint32_t signal = m_signal_of[m_waiting.front().word];
        while (!m_waiting.empty() && m_waiting.front().time == time &&
               m_signal_of[m_waiting.front().word] == signal) {
            fold_front();
            ++m_written;
        }
        write_signal(signal);
    }
}

void wave_window::write(picoseconds until) {
    while (!m_waiting.empty() && m_waiting.front().time <= until && m_waiting.front().time < m_limits.end) {
        if (m_written >= m_limits.changes) {
            m_cut = m_written_until;
            m_limits.end = m_written_until;
            m_state = state::closed;
            return;
        }
        write_instant();
    }
    if (until >= m_limits.end) {
        m_state = state::closed;
    }
}

void wave_window::take(picoseconds reached, picoseconds trigger) {
    if (m_state == state::waiting && !open(reached, trigger)) {
        return;
    }
    if (m_state == state::open) {
        write(reached);
    }
    if (m_state == state::closed) {
        m_waiting.clear();
    }
}

void wave_window::finish(picoseconds end, picoseconds trigger) {
    take(end, trigger);
    m_file.finish(m_state == state::waiting ? picoseconds{-1}
                                            : std::max(m_written_until, std::min(m_limits.end, end)));
    m_state = state::closed;
}

}  // namespace weir::tb
