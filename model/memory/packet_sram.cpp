#include "weir/model/memory/packet_sram.h"

#include <algorithm>

namespace weir::model {

bit_rate sram_config::bandwidth(bytes cell) const {
    // In whole kb/s: more would not fit 64 bits.
    const std::int64_t bits = cell.count() * 8 * banks;
    return bit_rate{bits * 1'000'000'000 / access_time.count() * 1'000};
}

packet_sram::packet_sram(const sram_config& config)
    : m_access_time(config.access_time),
      m_shares_ports(config.ports == sram_ports::one_read_or_write),
      m_free_for_writes(config.banks),
      m_free_for_reads(config.banks) {}

// `free[b]`: when bank b has served all accesses reserved so far. A conflict is a wait for one bank while
// another is idle.
picoseconds packet_sram::access(timetable& free, unsigned bank, picoseconds asked, sram_stats& stats) {
    ++stats.accesses;
    picoseconds begin = asked;
    if (free[bank] > asked) {
        begin = free[bank];
        const bool other = std::any_of(free.begin(), free.end(), [&](picoseconds at) { return at <= asked; });
        stats.conflicts += other ? 1 : 0;
    }
    free[bank] = begin + m_access_time;
    return begin;
}

// A write begins at the first bank, in turn, that is free; where none is, at the one that is free first.
unsigned packet_sram::bank_for_write(const timetable& free, picoseconds asked) const {
    const auto count = static_cast<unsigned>(free.size());
    unsigned first = m_next_bank;
    for (unsigned i = 0, bank = m_next_bank; i < count; ++i, bank = bank + 1 == count ? 0 : bank + 1) {
        if (free[bank] <= asked) {
            return bank;
        }
        first = free[bank] < free[first] ? bank : first;
    }
    return first;
}

picoseconds packet_sram::count_frame(sram_stats& stats, picoseconds wait) {
    ++stats.frames;
    if (wait > 0_ps) {
        ++stats.waited_frames;
        stats.wait_time += wait;
        stats.longest_wait = std::max(stats.longest_wait, wait);
    }
    return wait;
}

// Cells come one `pace` apart, the last one with the frame's last bit, and go to consecutive banks.
packet_sram::placement packet_sram::write(unsigned cells, picoseconds last, picoseconds pace) {
    timetable& free = m_free_for_writes;
    const auto count = static_cast<unsigned>(free.size());
    picoseconds comes = last - pace * (cells - 1);
    const unsigned first = bank_for_write(free, comes);
    picoseconds written = last;
    unsigned bank = first;
    for (unsigned i = 0; i < cells; ++i, comes += pace) {
        written = std::max(written, access(free, bank, comes, m_writes));
        bank = bank + 1 == count ? 0 : bank + 1;
    }
    m_next_bank = bank;
    return {static_cast<std::uint16_t>(first), count_frame(m_writes, written - last)};
}

// All cells may be asked for from `asked` on; the i-th is needed `i` paces after `start`. The frame is late by
// as much as the cell that is latest.
picoseconds packet_sram::read(unsigned first_bank, unsigned cells, picoseconds asked, picoseconds start,
                              picoseconds pace) {
    timetable& free = free_for_reads();
    const auto count = static_cast<unsigned>(free.size());
    picoseconds wait{0};
    picoseconds needed = start;
    unsigned bank = first_bank;
    for (unsigned i = 0; i < cells; ++i, needed += pace) {
        wait = std::max(wait, access(free, bank, asked, m_reads) - needed);
        bank = bank + 1 == count ? 0 : bank + 1;
    }
    return count_frame(m_reads, wait);
}

}  // namespace weir::model
