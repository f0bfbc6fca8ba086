// A search for PFC's worst case that knows nothing of the timing: a grid of phases and frame lengths, random
// traffic, and rounds of small changes to the best attack so far. The same seed finds the same.
//
//   attack_search search(setting, 1);
//   search_result found = search.grid(64, 64);
//   found.merge(search.random(4096));
//   found = search.climb(found, 12, 256);          // found.most: bytes on the wire after XOFF
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/pfc_adversary.h"
#include "weir/base/rng.h"

namespace weir::test::pfc_attack {

/// One point of the search. The attacker's frames are divided among the classes in their order: under PFC
/// the least urgent one first and each next one `class_slot` later, under 802.3x all at once.
struct candidate {
    /// Start of the reverse traffic.
    picoseconds phase{0};
    std::vector<std::uint16_t> forward;
    std::vector<std::uint16_t> reverse;
    /// An idle time before one of the attacker's frames; with one class only.
    std::size_t gap_before = 0;
    picoseconds gap{0};
    picoseconds class_slot{0};
};

struct search_result {
    /// Most bytes on the wire that arrived at one class after its XOFF had been decided.
    bytes most{0};
    candidate best;
    std::size_t cases = 0;
    std::size_t cases_with_xoff = 0;
    /// Most bytes of the port's memory in use, of all cases.
    bytes watermark{0};
    std::string violation;

    void merge(const search_result& other) {
        cases += other.cases;
        cases_with_xoff += other.cases_with_xoff;
        watermark = std::max(watermark, other.watermark);
        violation = violation.empty() ? other.violation : violation;
        if (other.most > most) {
            most = other.most;
            best = other.best;
        }
    }
};

class attack_search {
 public:
    attack_search(const pfc_setting& setting, std::uint64_t seed)
        : m_setting(setting),
          m_clock(setting),
          m_chance(seed, 0, random_purpose::adversary),
          m_full(static_cast<std::uint16_t>(setting.parameters.device.max_frame.count())),
          m_classes(setting.parameters.device.classes),
          m_one_class(setting.thresholds().limits.one_class),
          m_class_bytes(bytes{setting.thresholds().limits.xoff} + setting.terms().total_bytes() +
                        4 * setting.max_wire()),
          m_bytes(m_one_class ? m_class_bytes : m_class_bytes * m_classes) {}

    /// Full frames on the way out; on the way in one length only, or one among full ones: every length against
    /// every phase.
    search_result grid(unsigned lengths, unsigned phases) {
        std::vector<candidate> all;
        for (unsigned i = 0; i < 2 * lengths * phases; ++i) {
            const unsigned step = i / 2 % lengths;
            const auto length =
                static_cast<std::uint16_t>(64 + (m_full - 64U) * step / std::max(1U, lengths - 1));
            const bool mixed = i % 2 != 0;
            candidate c;
            c.phase = m_clock.unit * (i / 2 / lengths) / phases;
            fill(c.forward, [&] { return mixed && c.forward.size() % 4 != 0 ? m_full : length; });
            fill(c.reverse, [&] { return m_full; });
            all.push_back(std::move(c));
        }
        return run(all);
    }
    /// Any lengths, phases and idle times.
    search_result random(unsigned cases) {
        std::vector<candidate> all;
        for (unsigned i = 0; i < cases; ++i) {
            candidate c;
            const unsigned mix = m_chance.below(4);
            fill(c.forward, [&] { return length(mix); });
            const unsigned reverse_mix = m_chance.below(4) == 0 ? 1 + m_chance.below(3) : 0;
            fill(c.reverse, [&] { return length(reverse_mix); });
            c.phase = below(m_clock.unit);
            if (m_classes > 1) {
                c.class_slot =
                    m_setting.wire_time(m_class_bytes) / 4 + below(m_setting.wire_time(m_class_bytes));
            } else if (m_chance.below(4) == 0) {
                c.gap_before = m_chance.below(static_cast<std::uint32_t>(c.forward.size()));
                c.gap = below(2 * m_clock.unit);
            }
            all.push_back(std::move(c));
        }
        return run(all);
    }
    /// Rounds of `cases` small changes; each round's best is the next one's start.
    search_result climb(search_result from, unsigned rounds, unsigned cases) {
        for (unsigned round = 0; round < rounds && from.most > 0_B; ++round) {
            std::vector<candidate> all(cases, from.best);
            for (candidate& c : all) {
                for (unsigned n = 1 + m_chance.below(3); n > 0; --n) {
                    change(c);
                }
            }
            from.merge(run(all));
        }
        return from;
    }

 private:
    static constexpr std::size_t islands_at_once = 256;

    picoseconds below(picoseconds bound) {
        return picoseconds{static_cast<std::int64_t>(m_chance.uniform() * static_cast<double>(bound.count()))};
    }
    std::size_t any_of(const std::vector<std::uint16_t>& frames) {
        return m_chance.below(static_cast<std::uint32_t>(frames.size()));
    }
    std::uint16_t length(unsigned mix) {
        const auto any = [&] { return static_cast<std::uint16_t>(64 + m_chance.below(m_full - 63U)); };
        switch (mix) {
            case 0:
                return m_full;
            case 1:
                return any();
            case 2:
                return m_chance.below(2) == 0 ? std::uint16_t{64} : m_full;
            default:
                return m_chance.below(4) == 0 ? any() : m_full;
        }
    }
    /// Enough frames to reach XOFF, and to go on until the pause holds.
    template <class Length>
    void fill(std::vector<std::uint16_t>& frames, Length&& next) {
        for (bytes sum{0}; sum < m_bytes; sum += bytes{frames.back()}) {
            frames.push_back(next());
        }
    }
    void change(candidate& c) {
        const auto lengthen = [&](std::size_t i, int by) {
            c.forward[i] = static_cast<std::uint16_t>(std::clamp(c.forward[i] + by, 64, int{m_full}));
        };
        const auto size = static_cast<int>(1U + m_chance.below(1U << m_chance.below(11)));
        const int by = m_chance.below(2) == 0 ? size : -size;
        switch (m_chance.below(4)) {
            case 0: {
                const picoseconds width{m_clock.unit.count() >> m_chance.below(24)};
                c.phase = std::clamp(c.phase + below(2 * width) - width, -m_clock.unit, 2 * m_clock.unit);
                return;
            }
            case 1:
                return lengthen(any_of(c.forward), by);
            case 2:  // one at another's expense: what comes later keeps its place
                lengthen(any_of(c.forward), by);
                return lengthen(any_of(c.forward), -by);
            default:
                c.forward[any_of(c.forward)] = m_full;
        }
    }

    attack script_of(const candidate& c) const {
        attack a;
        a.forward = egress_fill(m_setting, m_clock);
        const picoseconds begin = m_clock.main + m_clock.settle;
        bytes sent{0};
        for (std::size_t i = 0; i < c.forward.size(); ++i) {
            const std::size_t part = i * m_classes / c.forward.size();
            const std::size_t k = m_one_class ? m_classes - 1 - part : part;
            const bool gap = c.gap > 0_ps && i == c.gap_before;
            if (i == 0 || gap || a.forward.back().frame_class != k) {
                const picoseconds slot = m_one_class ? 0_ps : c.class_slot * static_cast<std::int64_t>(part);
                const picoseconds idle = gap ? m_setting.wire_time(sent) + c.gap : 0_ps;
                a.forward.push_back({begin + slot + idle, static_cast<pfc_class>(k), {}});
            }
            a.forward.back().lengths.push_back(c.forward[i]);
            sent += bytes{c.forward[i]} + m_setting.parameters.wire_overhead;
        }
        const picoseconds reverse_begins = begin - way_of_reverse(m_setting) - m_clock.unit + c.phase;
        a.reverse.push_back({reverse_begins, 0, c.reverse});
        return a;
    }

    search_result run(const std::vector<candidate>& all) const {
        const bytes overhead = m_setting.parameters.wire_overhead;
        // Frames of 64 B take the longest for as many bytes.
        const picoseconds end = m_clock.main + 2 * m_clock.settle + 4 * m_clock.unit +
                                m_setting.terms().total() +
                                2 * m_setting.wire_time(m_bytes + m_bytes / 64_B * overhead);
        search_result found;
        found.cases = all.size();
        for (std::size_t first = 0; first < all.size(); first += islands_at_once) {
            const std::size_t last = std::min(all.size(), first + islands_at_once);
            std::vector<attack> attacks;
            for (std::size_t i = first; i < last; ++i) {
                attacks.push_back(script_of(all[i]));
            }
            const results r = run_attacks(m_setting, attacks, end);
            found.violation = found.violation.empty() ? r.violation : found.violation;
            for (std::size_t i = first; i < last; ++i) {
                const outcome& o = r.outcomes[i - first];
                found.watermark = std::max(found.watermark, bytes{o.watermark});
                found.cases_with_xoff += o.classes[0].xoff_at > 0_ps ? 1 : 0;
                for (unsigned c = 0; c < pfc_classes; ++c) {
                    const bytes after = o.wire_bytes_after(static_cast<pfc_class>(c), overhead);
                    if (after > found.most) {
                        found.most = after;
                        found.best = all[i];
                    }
                }
            }
        }
        return found;
    }

    const pfc_setting& m_setting;
    attack_clock m_clock;
    random_stream m_chance;
    std::uint16_t m_full;
    unsigned m_classes;
    bool m_one_class;
    bytes m_class_bytes;
    bytes m_bytes;
};

}  // namespace weir::test::pfc_attack
