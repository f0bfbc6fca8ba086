// A search for PFC's worst case that knows nothing of the timing: a grid of phases and frame lengths, random
// traffic, and rounds of small changes to the best attack so far. The same seed finds the same.
//
//   pfc_attack::attack_search search(setting, 1);
//   pfc_attack::search_result found = search.grid(64, 64);
//   found.merge(search.random(4096));
//   found = search.sweep(found, 32);
//   found = search.climb(found, 12, 256);          // found.most: bytes on the wire after XOFF
//
// With memory in cells what counts is the memory taken, not the bytes on the wire, and lengths one byte above a
// whole number of cells are tried more often, few cells as often as many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tb/asic/headroom/attack_script.h"
#include "weir/base/rng.h"

namespace weir::tb::pfc_attack {

/// One point of the search. The attackers' frames are divided among the groups (of a port's memory: the
/// classes) in their order: under PFC the least urgent one first and each next one `class_slot` later, under
/// 802.3x all at once.
struct candidate {
    /// Start of the reverse traffic.
    picoseconds phase{0};
    std::vector<std::uint16_t> forward;
    std::vector<std::uint16_t> reverse;
    /// An idle time before one of the attacker's frames; with one class only.
    std::size_t gap_before = 0;
    picoseconds gap{0};
    picoseconds class_slot{0};
    /// Each group's own phase: how much later still it begins. Empty with one group only.
    std::vector<picoseconds> group_phases;
};

struct search_result {
    /// Most that arrived at one class (with `counts_all_groups`: at all) after its XOFF had been decided: bytes
    /// on the wire; with cells, of a shared memory, and with `counts_memory`, of memory.
    bytes most{0};
    candidate best;
    std::size_t cases = 0;
    std::size_t cases_with_xoff = 0;
    /// Of a single run: what each case brought, and the place of `best` among them.
    std::vector<bytes> of_cases;
    std::size_t best_case = 0;
    /// Most bytes of the port's memory in use, of all cases.
    bytes watermark{0};
    std::string violation;

    void merge(const search_result& other);
};

class attack_search {
 public:
    attack_search(const pfc_setting& setting, std::uint64_t seed);

    /// Told now and then how many cases have run so far.
    void watch(std::function<void(std::size_t)> told) { m_told = std::move(told); }

    /// Full frames on the way out; on the way in one length, which may turn to full ones at some time: every
    /// length against every phase.
    search_result grid(unsigned lengths, unsigned phases);
    /// Any lengths, phases and idle times.
    search_result random(unsigned cases);
    /// With frames of the three lengths of which most arrives, one number at a time, over all of its range and
    /// then ever closer around the best, `cases` at once: when each group's frames start beside the reverse
    /// traffic, and from which frame on they are full ones. What arrives grows with either up to some moment
    /// and then falls at once, which chance alone hardly meets.
    search_result sweep(search_result from, unsigned cases);
    /// Rounds of `cases` small changes; each round's best is the next one's start.
    search_result climb(search_result from, unsigned rounds, unsigned cases);

    /// What one attacker sends in one case, at most. Unit: frames of 64 B.
    std::int64_t frames_per_case() const;
    /// A found case as a script, and how long a run of it has to be.
    attack script_of(const candidate& c) const;
    picoseconds end() const;

 private:
    picoseconds below(picoseconds bound);
    std::size_t any_of(const std::vector<std::uint16_t>& frames);
    /// For the way in (`longest` is the largest lossless frame) or out.
    std::uint16_t length(unsigned mix, std::uint16_t longest);
    std::uint16_t any_length(std::uint16_t longest);
    /// `share` 0: the shortest, 1: `longest`; in between by cells, or by bytes.
    std::uint16_t length_at(double share, std::uint16_t longest) const;
    candidate all_of(std::uint16_t length) const;
    search_result sweep_from(candidate best, unsigned cases);
    /// The shortest frame of as many cells; `share` 0: of one, 1: of as many as `longest` has.
    std::uint16_t shortest_of_cells(double share, std::uint16_t longest) const;
    /// Enough frames to reach XOFF, and to go on until the pause holds.
    template <class Length>
    void fill(std::vector<std::uint16_t>& frames, Length&& next);
    void change(candidate& c);
    /// The best of `base` with `set(candidate, value)`, for values from 0 to `range`.
    template <class Set>
    search_result close_in(const candidate& base, unsigned cases, std::int64_t range, Set&& set);
    bytes worth(const outcome& o) const;
    search_result run(const std::vector<candidate>& all);

    const pfc_setting& m_setting;
    attack_clock m_clock;
    random_stream m_chance;
    std::uint16_t m_full;
    std::uint16_t m_lossless;
    std::size_t m_groups;
    bool m_one_class;
    bytes m_class_bytes;
    bytes m_bytes;
    std::function<void(std::size_t)> m_told;
    std::size_t m_cases_run = 0;
};

}  // namespace weir::tb::pfc_attack
