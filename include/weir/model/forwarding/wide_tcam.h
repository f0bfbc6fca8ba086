// A ternary memory for keys of any width: IPv6 addresses, five-tuples, exact-match keys with their labels.
//
// Hardware puts slices side by side: each compares its part of the key, and a line matches when it matches
// in every slice. Here a slice is a `tcam` of 64 bits. Winner as there: the highest priority, and of equal
// priorities the lowest index.
//
//   wide_tcam table(tcam_config{1024, 128});
//   table.write(0, {value, mask, 64});                       // priority 64: a prefix of that length
//   int winner = table.lookup(key);
//
// For comparison with RTL and for planning tables; the switch's forwarding table is `tcam`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/model/forwarding/tcam.h"

namespace weir::model {

/// A number of any width, 64 bits per word, the lowest word first. Missing words are 0.
using wide_bits = std::vector<std::uint64_t>;

/// Bits up to the highest 1; 0 for the number 0.
std::size_t bit_length(const wide_bits& bits);
/// `count` ones from bit `from` on.
wide_bits ones(std::size_t count, std::size_t from = 0);
/// All bits of [0, width) that are 0 in `bits`.
wide_bits complement(const wide_bits& bits, std::size_t width);

struct wide_tcam_entry {
    wide_bits value;
    /// 1 = compare this bit, 0 = don't care.
    wide_bits mask;
    /// Higher wins.
    std::uint32_t priority = 0;
    /// False: the line is taken, but matches nothing.
    bool valid = true;
};

class wide_tcam {
 public:
    /// Unit: bit.
    static constexpr std::uint32_t most_key_bits = 65'536;

    /// As for a `tcam`, with `key_bits` up to `most_key_bits`. `memo_entries` is not used.
    explicit wide_tcam(const tcam_config& config);

    /// Writes a line, vacant or not.
    tcam_status write(std::uint32_t index, const wide_tcam_entry& entry);
    /// Vacates a line; `slot_vacant` where there is none.
    tcam_status erase(std::uint32_t index);

    /// Index of the winner, or `tcam::no_match`. A key with a 1 above the key's width matches nothing.
    int lookup(const wide_bits& key) const;
    /// All lines that match, in ascending order of their index.
    std::vector<std::uint32_t> all_matches(const wide_bits& key) const;

    std::uint32_t key_bits() const { return m_key_bits; }

 private:
    std::uint32_t m_key_bits;
    std::vector<tcam> m_slices;
    /// By index, up to the highest one ever written.
    std::vector<std::uint32_t> m_priority;
};

}  // namespace weir::model
