// What someone may have meant who wrote a name that does not exist.
//
//   nearest_search search("traffic.tate");
//   search.offer("traffic.rate");
//   search.offer("run.seed");
//   search.best();                     // "traffic.rate"
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; `limit` if they are no
/// fewer.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = SIZE_MAX);

/// Set of the characters of a text, one bit each (some characters share a bit). The edit distance of two texts
/// is at least the number of bits that one set has and the other lacks.
std::uint64_t letters_of(std::string_view text);

/// Finds the nearest of the names offered to it. A name counts if it is near enough to be what was meant.
class nearest_search {
 public:
    /// `text` must outlive the search.
    explicit nearest_search(std::string_view text);
    void offer(std::string_view name) { offer(name, letters_of(name)); }
    /// `letters` are those of the name, if they are known already.
    void offer(std::string_view name, std::uint64_t letters);
    /// The first of the nearest names; empty if none is near enough.
    const std::string& best() const { return m_best; }

 private:
    std::size_t distance_by_bits(std::string_view name) const;

    std::string_view m_text;
    std::uint64_t m_letters;
    /// Where the text's own name begins, behind its blocks: `speed` of `switch.speed`.
    std::size_t m_own_begin;
    std::size_t m_most_edits;
    /// For names in the same blocks: `speed` is compared with `speedup`.
    std::size_t m_most_edits_of_own;
    /// Bit i of m_places[c] is set if character i of the text is c, for the first 64 characters.
    std::array<std::uint64_t, 256> m_places{};
    /// Distance of the nearest name so far: a nearer one is below it.
    std::size_t m_limit = SIZE_MAX;
    std::string m_best;
};

/// The nearest of `candidates`, as `nearest_search` finds it.
std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates);

}  // namespace weir::tb
