// When a packet memory's banks are free: read and write bandwidth, and conflicts, cell by cell.
//
// A memory has `banks`, which work side by side. Each takes one access, of one cell, per access time: one read
// or write with a single port (`1rw`), one of each with two (`1r1w`). So
//
//     bandwidth = banks x cell / access time        of reads and writes together (1rw), of each (1r1w)
//
// A frame's cells lie in neighbouring banks. Where the first one goes is the writer's choice: a bank that is
// free, in turn, or the one that is free first. A reader has no choice, so reads meet in a bank while others
// are idle: a conflict. A bank serves in the order of the calls.
//
//   packet_sram memory(config);
//   const auto put = memory.write(cells, last_bit, cell_time);     // put.wait: how much later it is there
//   const auto wait = memory.read(put.first_bank, cells, asked, now, cell_time);
//
// What is counted is waiting. An access that does not wait takes no time of its own: that is part of a switch's
// fixed delays (`switch.lookup_delay`), and a frame's cells follow each other at the pace of the wire or
// crossbar.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

/// What a bank can do in one access time.
enum class sram_ports : std::uint8_t { one_read_or_write, one_read_one_write };
constexpr auto names_of(sram_ports) {
    return enum_names<sram_ports>({
        {sram_ports::one_read_or_write, "1rw", "one read or one write"},
        {sram_ports::one_read_one_write, "1r1w", "one read and one write"},
    });
}

/// Every packet memory of a switch: each port's ingress and egress memory, or each slice of a shared one.
/// Keys: [sram].
struct sram_config {
    picoseconds access_time{0};
    std::uint32_t banks = 1;
    sram_ports ports = sram_ports::one_read_or_write;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("access_time", &self::access_time)
                   .range(0_ps, 1ms)
                   .help("Duration of one access to a bank, which moves one cell (switch.memory_cell). "
                         "Bandwidth = banks x cell / access_time. 0: bandwidth is unlimited.")
                   .source("project; about 1 ns in an ASIC"));
        fields.all_need("sram.access_time above 0");
        fields(field("banks", &self::banks)
                   .range(1U, 256U)
                   .help("Number of banks per memory. The first cell of a frame goes to the bank that is free "
                         "first, the following cells to the next banks."));
        fields(field("ports", &self::ports)
                   .help("Accesses that a bank can make in one access time.")
                   .source("project; single-port cells are the smallest"));
    }

    /// Frames may have to wait for their memory.
    bool is_limited() const { return access_time > 0_ps; }
    /// Of all banks together: reads and writes together (1rw), or each (1r1w). Rounded down to kb/s. Only where
    /// it is limited.
    bit_rate bandwidth(bytes cell) const;
};

/// Since the start or the end of the warm-up.
struct sram_stats {
    /// Cells read or written.
    std::uint64_t accesses = 0;
    /// Those that waited for their bank while another one was idle.
    std::uint64_t conflicts = 0;
    std::uint64_t frames = 0;
    std::uint64_t waited_frames = 0;
    /// Sum and maximum of what frames waited.
    picoseconds wait_time{0};
    picoseconds longest_wait{0};
};

class packet_sram {
 public:
    /// `config` is limited.
    explicit packet_sram(const sram_config& config);

    struct placement {
        std::uint16_t first_bank = 0;
        /// How long after `last` the frame is in memory; 0 where no bank made it wait.
        picoseconds wait{0};
    };
    /// A frame of so many cells (at least 1), which come one each `pace`, the last one at `last`.
    placement write(unsigned cells, picoseconds last, picoseconds pace);

    /// A frame that lies from `first_bank` on. It can be read from `asked` on (at most `start`); its first
    /// cell is needed at `start`, the others one each `pace`. Returns how much later than `start` it has to
    /// begin so that no cell comes late.
    picoseconds read(unsigned first_bank, unsigned cells, picoseconds asked, picoseconds start,
                     picoseconds pace);

    const sram_stats& reads() const { return m_reads; }
    const sram_stats& writes() const { return m_writes; }
    void reset_stats() { m_reads = m_writes = {}; }

 private:
    /// When each bank can begin another access.
    using timetable = std::vector<picoseconds>;

    /// Returns when it begins.
    picoseconds access(timetable& free, unsigned bank, picoseconds asked, sram_stats& stats);
    unsigned bank_for_write(const timetable& free, picoseconds asked) const;
    static picoseconds count_frame(sram_stats& stats, picoseconds wait);
    timetable& free_for_reads() { return m_shares_ports ? m_free_for_writes : m_free_for_reads; }

    picoseconds m_access_time;
    bool m_shares_ports;
    timetable m_free_for_writes;
    timetable m_free_for_reads;
    /// Of several free banks the next one after the last write is taken.
    unsigned m_next_bank = 0;
    sram_stats m_reads;
    sram_stats m_writes;
};

}  // namespace weir::model
