// What of the recorded changes gets into a waveform: the window, the time round a trigger, no more than a
// limit.
//
// Changes come in batches, each later than all before, in any order within; those of one instant are settled
// first: the last value counts, and a value that comes back within the instant is no change. What is not known
// to be wanted yet, the time before a trigger, waits here; it is bounded by the limit.
//
//   wave_window window(limits, widths, file);
//   window.add(changes);             // at a barrier
//   window.take(reached, trigger);   // all changes up to `reached` are there; the first trigger up to then
//   window.finish(end, trigger);
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "tb/verify/wave/wave_file.h"

namespace weir::tb {

/// Signals are kept as words of 64 bits, the lowest first, one signal after the other. `word` is the place
/// among all of them.
struct wave_change {
    picoseconds time;
    std::uint32_t word;
    std::uint64_t value;
};

struct wave_limits {
    picoseconds start{0};
    /// Not included; `never`: until `finish`.
    picoseconds end = never;
    /// Nothing is written before a trigger.
    bool triggered = false;
    picoseconds before{0};
    /// From the trigger on, its own time included.
    picoseconds after = never;
    /// Most changes, those at the begin not counted, and most that wait for a trigger.
    std::uint64_t changes = ~std::uint64_t{0};
};

class wave_window {
 public:
    /// `file` has the signals declared, whose widths these are.
    wave_window(const wave_limits& limits, const std::vector<unsigned>& widths, wave_file& file);

    /// All later than `reached` of any `take` before. Empties the list.
    void add(std::vector<wave_change>& changes);
    /// Writes what is decided. `trigger`: the first one up to `reached`, or `never`. Throws output_error.
    void take(picoseconds reached, picoseconds trigger);
    /// The run has come to its end. Throws output_error.
    void finish(picoseconds end, picoseconds trigger);

    /// Nothing more will be written.
    bool closed() const { return m_state == state::closed; }
    bool opened() const { return m_opened; }
    /// It has the values at its begin and no change after it.
    bool unchanged() const { return m_opened && m_written == 0; }
    /// The limit has ended it here; else `never`.
    picoseconds cut_at() const { return m_cut; }
    /// The limit has kept the time before the trigger from being whole.
    bool begins_late() const { return m_begins_late; }

 private:
    enum class state { waiting, open, closed };

    void fold_front();
    void fold(picoseconds until);
    void keep_bounded();
    bool open(picoseconds reached, picoseconds trigger);
    void start_file(picoseconds start);
    void write(picoseconds until);
    void write_instant();
    void write_signal(std::uint32_t signal);
    std::size_t count_until(picoseconds time) const;

    wave_limits m_limits;
    wave_file& m_file;
    std::vector<unsigned> m_widths;
    /// By signal: its first word. By word: its signal.
    std::vector<std::uint32_t> m_first_word;
    std::vector<std::uint32_t> m_signal_of;
    /// After all changes that are known.
    std::vector<std::uint64_t> m_latest;
    /// Before the first change that waits.
    std::vector<std::uint64_t> m_values;
    /// Settled, by time and word.
    std::deque<wave_change> m_waiting;
    /// Time of the last change that was folded away because too many wait.
    picoseconds m_floor{0};
    picoseconds m_written_until{0};
    state m_state = state::waiting;
    bool m_opened = false;
    std::uint64_t m_written = 0;
    picoseconds m_cut = never;
    bool m_begins_late = false;
    std::string m_bits;
};

}  // namespace weir::tb
