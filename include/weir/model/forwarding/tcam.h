// A ternary content-addressable memory and the RAM behind it: what a forwarding engine looks destinations up
// in (DeTail 2011, section 5.3 and figure 2).
//
// Each entry compares the key with a value under a mask. Of all entries that match, the one with the highest
// priority wins, and of equal priorities the lowest index. The winner's index addresses a RAM that holds the
// bitmap of acceptable ports. With priority = prefix length this is longest-prefix matching.
//
//   tcam table({16384, 32});
//   table.set_prefix(0, ipv4_address{0x0A000000}, 8, uplinks);
//   table.set_prefix(1, ipv4_address{0x0A000100}, 24, {3});
//   const port_bitmap& acceptable = table.acceptable_ports(table.lookup(to_uint(frame.dst)));
//
// Hardware compares all entries at once. Here the entries that can match stand in one compact array, winner
// first, so that a lookup ends at its first hit; a large table also remembers its last answers by key. None
// of this changes a result, and none of it takes simulated time: see lookup_pipeline.h for that.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/base/prefetch.h"
#include "weir/model/config/tcam_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// One line of the ternary memory.
struct tcam_entry {
    /// Range: below 2^key_bits.
    std::uint64_t value = 0;
    /// 1 = compare this bit, 0 = don't care. Range: below 2^key_bits.
    std::uint64_t mask = 0;
    /// Higher wins.
    std::uint32_t priority = 0;
    /// False: the line is taken, but matches nothing.
    bool valid = true;
};

/// What became of a change to the table. A change that is not `done` has changed nothing.
enum class tcam_status : std::uint8_t {
    done,
    beyond_capacity,  ///< index >= entries
    slot_in_use,      ///< `insert` where there is an entry, or a write under way
    slot_vacant,      ///< `replace` or `erase` where there is none
    no_write_begun,   ///< `end_write` without `begin_write`
    bits_beyond_key,  ///< value or mask has a 1 above the key's width
    prefix_too_long   ///< prefix length > 32
};
/// The status as a phrase for an error message, such as "index is beyond the table's capacity".
const char* describe(tcam_status status);

namespace detail {

/// Entries that can match, winner first, as arrays of values and masks of `Word` bits that a processor
/// compares several at a time. Padded to whole groups with an entry that matches nothing.
template <class Word>
class ternary_scan {
 public:
    std::uint32_t size() const { return m_size; }
    std::uint32_t index_at(std::uint32_t position) const { return m_index[position]; }

    /// It will be searched soon: the first lines of what it reads.
    void prefetch() const {
        prefetch_line(m_value.data());
        prefetch_line(m_mask.data());
        prefetch_line(m_index.data());
    }
    void insert(std::uint32_t position, Word value, Word mask, std::uint32_t index);
    void erase(std::uint32_t position);

    /// Index of the first entry that matches, or -1.
    int first_match(Word key) const {
        for (std::uint32_t base = 0; base < m_size; base += group) {
            const unsigned hits = matches_of_group(key, m_value.data() + base, m_mask.data() + base);
            if (hits != 0) {
                return static_cast<int>(m_index[base + static_cast<unsigned>(__builtin_ctz(hits))]);
            }
        }
        return -1;
    }

 private:
    /// Entries per step of the scan.
    static constexpr std::uint32_t group = 8;
    /// A bit for each entry.
    static unsigned matches_of_group(Word key, const Word* value, const Word* mask) {
        unsigned hits = 0;
#ifdef __AVX2__
        // By hand: GCC 12 leaves the loop below scalar.
        using pack __attribute__((vector_size(32))) = Word;
        constexpr std::uint32_t lanes = sizeof(pack) / sizeof(Word);
        for (std::uint32_t at = 0; at < group; at += lanes) {
            pack values;
            pack masks;
            std::memcpy(&values, value + at, sizeof(pack));
            std::memcpy(&masks, mask + at, sizeof(pack));
            const auto hit = (key & masks) == values;
            if constexpr (lanes == group) {
                using floats __attribute__((vector_size(32))) = float;
                hits = static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<floats>(hit)));
            } else {
                using doubles __attribute__((vector_size(32))) = double;
                hits |= static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<doubles>(hit))) << at;
            }
        }
#else
        for (std::uint32_t lane = 0; lane < group; ++lane) {
            hits |= static_cast<unsigned>((key & mask[lane]) == value[lane]) << lane;
        }
#endif
        return hits;
    }

    std::uint32_t m_size = 0;
    std::vector<Word> m_value;
    std::vector<Word> m_mask;
    std::vector<std::uint32_t> m_index;
};

}  // namespace detail

class alignas(64) tcam {
 public:
    /// Index that stands for "no entry matches".
    static constexpr int no_match = -1;
    /// A table remembers answers once it has had more matchable entries than this.
    static constexpr std::uint32_t memo_from = 32;

    /// `config.validate()` must be empty.
    explicit tcam(const tcam_config& config = {});

    /// Fills a vacant line.
    [[nodiscard]] tcam_status insert(std::uint32_t index, const tcam_entry& entry,
                                     const port_bitmap& acceptable_ports);
    /// Overwrites a line that holds an entry; ends a write under way.
    [[nodiscard]] tcam_status replace(std::uint32_t index, const tcam_entry& entry,
                                      const port_bitmap& acceptable_ports);
    /// Writes a line, vacant or not; ends a write under way.
    [[nodiscard]] tcam_status write(std::uint32_t index, const tcam_entry& entry,
                                    const port_bitmap& acceptable_ports);
    /// Vacates a line; ends a write under way.
    [[nodiscard]] tcam_status erase(std::uint32_t index);
    /// `write` of a prefix, with priority = length. The address is the key's low 32 bits; its bits after the
    /// prefix are stored as 0. Range of `prefix_length`: 0 (default route) to 32.
    [[nodiscard]] tcam_status set_prefix(std::uint32_t index, ipv4_address address, unsigned prefix_length,
                                         const port_bitmap& acceptable_ports);

    /// A write that takes time: from `begin_write` on, the line (vacant or not) matches nothing, until
    /// `end_write`, `replace`, `write`, `set_prefix` or `erase`. How long that is decides the caller.
    [[nodiscard]] tcam_status begin_write(std::uint32_t index);
    [[nodiscard]] tcam_status end_write(std::uint32_t index, const tcam_entry& entry,
                                        const port_bitmap& acceptable_ports);

    /// Index of the winner, or `no_match`. Bits of `key` above the key's width take no part. Not const: a
    /// large table remembers the answer.
    int lookup(std::uint64_t key) {
        key &= m_key_mask;
        return m_memo_mask == 0 ? scan(key) : remember(key).winner;
    }
    /// `acceptable_ports` of what `lookup` finds.
    const port_bitmap& lookup_ports(std::uint64_t key) {
        key &= m_key_mask;
        return acceptable_ports(m_memo_mask == 0 ? scan(key) : remember(key).winner);
    }
    /// Keys will be looked up soon.
    void prefetch() const {
        if (m_memo_mask == 0 && m_narrow) {
            m_scan32.prefetch();
            for (std::size_t at = 0; at < m_ports.size() && at < memo_from;
                 at += cache_line / sizeof(port_bitmap)) {
                prefetch_line(&m_ports[at]);
            }
        }
    }
    /// The same answer without the memo.
    int scan(std::uint64_t key) const {
        return m_narrow ? m_scan32.first_match(static_cast<std::uint32_t>(key & m_key_mask))
                        : m_scan64.first_match(key & m_key_mask);
    }

    /// RAM behind the ternary memory. The empty set for `no_match` and for a line never written. During a
    /// write it still holds what was there before, for lookups that have won the line already.
    const port_bitmap& acceptable_ports(int index) const {
        const auto at = static_cast<std::uint32_t>(index);
        return at < m_ports.size() ? m_ports[at] : m_no_ports;
    }

    /// The entries that match, in ascending order of their index: one by one, as the rule says. For comparison
    /// with RTL; not for a frame's path.
    std::vector<std::uint32_t> all_matches(std::uint64_t key) const;

    std::uint32_t capacity() const { return m_config.entries; }
    /// Lines that hold an entry, valid or not, or are being written.
    std::uint32_t size() const { return m_occupied; }
    const tcam_config& config() const { return m_config; }

 private:
    enum class slot_state : std::uint8_t { vacant, occupied, writing };
    struct slot {
        tcam_entry entry;
        slot_state state = slot_state::vacant;
    };
    /// Valid while `generation` is the table's.
    struct memo_line {
        std::uint64_t key = 0;
        std::uint32_t generation = 0;
        std::int32_t winner = no_match;
    };
    static_assert(sizeof(memo_line) == 16);
    std::uint64_t memo_place(std::uint64_t key) const {
        return ((key * 0x9E3779B97F4A7C15U) >> 32) & m_memo_mask;
    }
    memo_line& remember(std::uint64_t key) {
        memo_line& line = m_memo[memo_place(key)];
        if (line.generation != m_generation || line.key != key) {
            line = {key, m_generation, scan(key)};
        }
        return line;
    }

    tcam_status check(std::uint32_t index, const tcam_entry& entry) const;
    slot_state state_of(std::uint32_t index) const;
    bool matches(const slot& s, std::uint64_t key) const;
    bool is_matchable(const slot& s) const;
    std::uint32_t scan_position(std::uint32_t index) const;
    void store(std::uint32_t index, const tcam_entry& entry, const port_bitmap& acceptable_ports);
    void set_state(std::uint32_t index, slot_state state);
    void enter_scan(std::uint32_t index);
    void leave_scan(std::uint32_t index);
    void forget_answers();

    // What a lookup takes comes first, in two cache lines.
    std::uint64_t m_key_mask;
    /// Of an index into the memo; 0: there is none.
    std::uint64_t m_memo_mask = 0;
    std::vector<port_bitmap> m_ports;
    std::uint32_t m_generation = 1;
    bool m_narrow;
    detail::ternary_scan<std::uint32_t> m_scan32;
    std::vector<memo_line> m_memo;
    detail::ternary_scan<std::uint64_t> m_scan64;
    tcam_config m_config;
    std::uint32_t m_occupied = 0;
    /// Lines up to the highest one ever written; those above are vacant.
    std::vector<slot> m_slots;
    port_bitmap m_no_ports;
};

}  // namespace weir::model
