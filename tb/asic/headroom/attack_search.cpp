#include "tb/asic/headroom/attack_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace weir::tb::pfc_attack {

/// The most that any group takes before it is paused.
static bytes bytes_to_xoff(const pfc_setting& setting) {
    if (!setting.is_shared()) {
        return bytes{setting.thresholds().limits.xoff};
    }
    bytes most{0};
    for (const std::vector<std::uint16_t>& frames : up_to_thresholds(setting)) {
        most = std::max(most, memory_of_frames(frames, setting.cell()));
    }
    return most + memory_of(setting.lossless_frame(), setting.cell());
}

void search_result::merge(const search_result& other) {
    cases += other.cases;
    cases_with_xoff += other.cases_with_xoff;
    watermark = std::max(watermark, other.watermark);
    violation = violation.empty() ? other.violation : violation;
    if (other.most > most) {
        most = other.most;
        best = other.best;
    }
}

attack_search::attack_search(const pfc_setting& setting, std::uint64_t seed)
    : m_setting(setting),
      m_clock(setting),
      m_chance(seed, 0, random_purpose::adversary),
      m_full(static_cast<std::uint16_t>(setting.parameters.device.max_frame.count())),
      m_lossless(static_cast<std::uint16_t>(setting.lossless_frame().count())),
      m_groups(setting.groups()),
      m_one_class(setting.thresholds().limits.one_class),
      m_class_bytes(bytes_to_xoff(setting) + setting.terms().total_bytes() + 4 * setting.max_wire()),
      m_bytes(m_one_class ? m_class_bytes : m_class_bytes * static_cast<std::int64_t>(m_groups)) {}

std::int64_t attack_search::frames_per_case() const {
    return m_bytes / 64_B;
}

search_result attack_search::grid(unsigned lengths, unsigned phases) {
    std::vector<candidate> all;
    for (unsigned i = 0; i < 2 * lengths * phases; ++i) {
        const unsigned step = i / 2 % lengths;
        const double share = static_cast<double>(step) / std::max(1U, lengths - 1);
        const std::uint16_t length = length_at(share, m_lossless);
        // Every second one turns to full frames at some time.
        const bytes turn =
            i % 2 == 0
                ? m_bytes
                : bytes{static_cast<std::int64_t>(m_chance.uniform() * static_cast<double>(m_bytes.count()))};
        bytes sent{0};
        candidate c;
        c.phase = m_clock.unit * (i / 2 / lengths) / phases;
        fill(c.forward, [&] {
            const std::uint16_t next = sent < turn ? length : m_lossless;
            sent += bytes{next};
            return next;
        });
        fill(c.reverse, [&] { return m_full; });
        all.push_back(std::move(c));
    }
    return run(all);
}

search_result attack_search::random(unsigned cases) {
    std::vector<candidate> all;
    for (unsigned i = 0; i < cases; ++i) {
        candidate c;
        const unsigned mix = m_chance.below(4);
        fill(c.forward, [&] { return length(mix, m_lossless); });
        const unsigned reverse_mix = m_chance.below(4) == 0 ? 1 + m_chance.below(3) : 0;
        fill(c.reverse, [&] { return length(reverse_mix, m_full); });
        c.phase = below(m_clock.unit);
        if (m_groups > 1) {
            c.class_slot = m_setting.wire_time(m_class_bytes) / 4 + below(m_setting.wire_time(m_class_bytes));
            for (std::size_t g = 0; g < m_groups && !m_one_class; ++g) {
                c.group_phases.push_back(below(m_clock.unit));
            }
        } else if (m_chance.below(4) == 0) {
            c.gap_before = m_chance.below(static_cast<std::uint32_t>(c.forward.size()));
            c.gap = below(2 * m_clock.unit);
        }
        all.push_back(std::move(c));
    }
    return run(all);
}

// Frames of one length for all groups, as many as might be wanted, one group after the other, and reverse
// traffic for as long.
candidate attack_search::all_of(std::uint16_t length) const {
    candidate c;
    c.forward.assign((static_cast<std::size_t>(m_class_bytes.count()) / length + 2) * m_groups, length);
    const auto groups = static_cast<std::int64_t>(m_groups);
    if (groups > 1) {
        c.class_slot = 2 * m_setting.wire_time(m_class_bytes) + m_clock.unit;
        c.group_phases.assign(m_groups, 0_ps);
    }
    const picoseconds lasts = groups * c.class_slot + 2 * m_setting.wire_time(m_class_bytes);
    c.reverse.assign(static_cast<std::size_t>(lasts / m_clock.unit) + 1, m_full);
    return c;
}

search_result attack_search::sweep(search_result from, unsigned cases) {
    if (m_one_class) {
        return from;
    }
    // The length of which most arrives, all phases together: what one phase is good for is not the length's
    // merit.
    std::vector<candidate> lengths;
    constexpr unsigned phases = 4;
    const unsigned steps = std::max(2U, cases);
    for (unsigned i = 0; i < steps * phases; ++i) {
        const std::uint16_t length = length_at(static_cast<double>(i / phases) / (steps - 1), m_lossless);
        if (lengths.size() % phases == 0 && !lengths.empty() && lengths.back().forward.front() == length) {
            i += phases - 1;  // as few cells once more
            continue;
        }
        lengths.push_back(all_of(length));
        lengths.back().phase = m_clock.unit * (i % phases) / phases;
    }
    const search_result found = run(lengths);
    from.merge(found);
    std::vector<std::pair<bytes, std::size_t>> merits;
    for (std::size_t i = 0; i < lengths.size(); i += phases) {
        const auto at = found.of_cases.begin() + static_cast<std::ptrdiff_t>(i);
        merits.emplace_back(std::accumulate(at, at + phases, 0_B), i);
    }
    std::stable_sort(merits.begin(), merits.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t n = 0; n < std::min<std::size_t>(3, merits.size()) && found.most > 0_B; ++n) {
        from.merge(sweep_from(lengths[merits[n].second], cases));
    }
    return from;
}

// `best`: frames of one length.
search_result attack_search::sweep_from(candidate best, unsigned cases) {
    search_result from;
    const std::size_t frames = best.forward.size() / m_groups;
    for (std::size_t g = 0; g < m_groups; ++g) {
        const auto begin = static_cast<std::ptrdiff_t>(g * frames);
        const auto count = static_cast<std::int64_t>(frames);
        const auto set_phase = [&](candidate& c, std::int64_t phase) {
            (m_groups == 1 ? c.phase : c.group_phases[g]) = picoseconds{phase};
        };
        const auto set_turn = [&](candidate& c, std::int64_t turn) {
            const auto at = c.forward.begin() + begin;
            std::fill(at + turn, at + count, m_lossless);
        };
        // The phase decides when the partner has to stop, which the turn goes by.
        search_result found = close_in(best, cases, m_clock.unit.count(), set_phase);
        found.merge(close_in(found.best, cases, count, set_turn));
        best = found.best;
        from.merge(found);
    }
    return from;
}

template <class Set>
search_result attack_search::close_in(const candidate& base, unsigned cases, std::int64_t range, Set&& set) {
    search_result all_found;
    all_found.best = base;
    std::int64_t low = 0;
    std::int64_t high = range;
    for (std::int64_t step = range; step > 1;) {
        step = std::max<std::int64_t>(1, (high - low) / std::max(4U, cases));
        std::vector<candidate> all;
        for (std::int64_t value = low; value <= high; value += step) {
            all.push_back(base);
            set(all.back(), value);
        }
        const search_result found = run(all);
        all_found.merge(found);
        const std::int64_t best = low + step * static_cast<std::int64_t>(found.best_case);
        low = std::max<std::int64_t>(0, best - step);
        high = std::min(range, best + step);
    }
    return all_found;
}

search_result attack_search::climb(search_result from, unsigned rounds, unsigned cases) {
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

picoseconds attack_search::below(picoseconds bound) {
    return picoseconds{static_cast<std::int64_t>(m_chance.uniform() * static_cast<double>(bound.count()))};
}

std::size_t attack_search::any_of(const std::vector<std::uint16_t>& frames) {
    return m_chance.below(static_cast<std::uint32_t>(frames.size()));
}

std::uint16_t attack_search::any_length(std::uint16_t longest) {
    if (m_setting.cell() > 0_B && m_chance.below(2) == 0) {
        return shortest_of_cells(m_chance.uniform(), longest);
    }
    return static_cast<std::uint16_t>(64 + m_chance.below(longest - 63U));
}

std::uint16_t attack_search::length_at(double share, std::uint16_t longest) const {
    return m_setting.cell() > 0_B
               ? shortest_of_cells(share, longest)
               : static_cast<std::uint16_t>(64 + std::llround(std::floor((longest - 64) * share)));
}

// A frame of one byte more than a number of cells wastes most of its last one, and so much the more the fewer
// cells it has: small numbers come as often as large ones, by equal ratios.
std::uint16_t attack_search::shortest_of_cells(double share, std::uint16_t longest) const {
    const std::int64_t cell = m_setting.cell().count();
    const auto most = static_cast<double>((longest + cell - 1) / cell);
    const std::int64_t number = std::llround(std::pow(most, share));
    return static_cast<std::uint16_t>(std::clamp<std::int64_t>((number - 1) * cell + 1, 64, longest));
}

std::uint16_t attack_search::length(unsigned mix, std::uint16_t longest) {
    switch (mix) {
        case 0:
            return longest;
        case 1:
            return any_length(longest);
        case 2:
            return m_chance.below(2) == 0 ? std::uint16_t{64} : longest;
        default:
            return m_chance.below(4) == 0 ? any_length(longest) : longest;
    }
}

template <class Length>
void attack_search::fill(std::vector<std::uint16_t>& frames, Length&& next) {
    for (bytes sum{0}; sum < m_bytes; sum += bytes{frames.back()}) {
        frames.push_back(next());
    }
}

void attack_search::change(candidate& c) {
    const auto lengthen = [&](std::size_t i, int by) {
        c.forward[i] = static_cast<std::uint16_t>(std::clamp(c.forward[i] + by, 64, int{m_lossless}));
    };
    const auto size = static_cast<int>(1U + m_chance.below(1U << m_chance.below(11)));
    const int by = m_chance.below(2) == 0 ? size : -size;
    switch (m_chance.below(m_setting.cell() > 0_B ? 7 : 6)) {
        case 0: {
            const picoseconds width{m_clock.unit.count() >> m_chance.below(24)};
            const bool own = !c.group_phases.empty() && m_chance.below(2) == 0;
            picoseconds& phase =
                own ? c.group_phases[m_chance.below(static_cast<std::uint32_t>(m_groups))] : c.phase;
            phase = std::clamp(phase + below(2 * width) - width, own ? 0_ps : -m_clock.unit, 2 * m_clock.unit);
            return;
        }
        case 1:
            return lengthen(any_of(c.forward), by);
        case 2:  // one at another's expense: what comes later keeps its place
            lengthen(any_of(c.forward), by);
            return lengthen(any_of(c.forward), -by);
        case 3:
            c.forward[any_of(c.forward)] = m_lossless;
            return;
        case 4: {  // full ones, or some other length, from here on
            const std::uint16_t next = m_chance.below(2) == 0 ? m_lossless : any_length(m_lossless);
            std::fill(c.forward.begin() + static_cast<std::ptrdiff_t>(any_of(c.forward)), c.forward.end(),
                      next);
            return;
        }
        case 5: {  // one more or one less, or some: what comes later moves
            const auto at = c.forward.begin() + static_cast<std::ptrdiff_t>(any_of(c.forward));
            const auto some =
                std::min<std::ptrdiff_t>(std::ptrdiff_t{1} << m_chance.below(7), c.forward.end() - at);
            if (m_chance.below(2) == 0) {
                c.forward.insert(at, static_cast<std::size_t>(some), *at);
            } else if (c.forward.size() > static_cast<std::size_t>(some) + 1) {
                c.forward.erase(at, at + some);
            }
            return;
        }
        default:
            c.forward[any_of(c.forward)] = any_length(m_lossless);
    }
}

attack attack_search::script_of(const candidate& c) const {
    attack a;
    a.forward = egress_fill(m_setting, m_clock);
    a.filler = pool_fill(m_setting, m_clock);
    const picoseconds begin = m_clock.main + m_clock.settle;
    bytes sent{0};
    for (std::size_t i = 0; i < c.forward.size(); ++i) {
        const std::size_t part = i * m_groups / c.forward.size();
        const std::size_t k = m_one_class ? m_groups - 1 - part : part;
        const auto port = static_cast<unsigned>(k / m_setting.attacked_classes());
        const auto frame_class = static_cast<pfc_class>(k % m_setting.attacked_classes());
        const bool gap = c.gap > 0_ps && i == c.gap_before;
        if (i == 0 || gap || a.forward.back().frame_class != frame_class || a.forward.back().port != port) {
            const picoseconds slot = m_one_class ? 0_ps : c.class_slot * static_cast<std::int64_t>(part);
            const picoseconds idle = gap                      ? m_setting.wire_time(sent) + c.gap
                                     : c.group_phases.empty() ? 0_ps
                                                              : c.group_phases[part];
            a.forward.push_back({begin + slot + idle, frame_class, {}, port});
        }
        a.forward.back().lengths.push_back(c.forward[i]);
        sent += bytes{c.forward[i]} + m_setting.parameters.wire_overhead;
    }
    const picoseconds reverse_begins = begin - way_of_reverse(m_setting) - m_clock.unit + c.phase;
    for (unsigned port = 0; port < m_setting.attacked_ports; ++port) {
        a.reverse.push_back({reverse_begins, m_setting.reverse_class(), c.reverse, port});
    }
    return a;
}

bytes attack_search::worth(const outcome& o) const {
    const bool memory = m_setting.counts_memory || m_setting.cell() > 0_B || m_setting.is_shared();
    bytes all{0};
    bytes most{0};
    for (unsigned g = 0; g < most_groups; ++g) {
        const bytes after = memory ? bytes{o.classes[g].bytes_after}
                                   : o.wire_bytes_after(g, m_setting.parameters.wire_overhead);
        all += after;
        most = std::max(most, after);
    }
    return m_setting.counts_all_groups ? all : most;
}

picoseconds attack_search::end() const {
    // Frames of 64 B take the longest for as many bytes.
    return m_clock.main + 2 * m_clock.settle + 4 * m_clock.unit + m_setting.terms().total() +
           2 * m_setting.wire_time(m_bytes + m_bytes / 64_B * m_setting.parameters.wire_overhead);
}

search_result attack_search::run(const std::vector<candidate>& all) {
    // As many islands at once as have a million frames in their scripts.
    const auto islands_at_once =
        static_cast<std::size_t>(std::clamp<std::int64_t>(1'000'000 / frames_per_case(), 1, 256));
    search_result found;
    found.cases = all.size();
    for (std::size_t first = 0; first < all.size(); first += islands_at_once) {
        const std::size_t last = std::min(all.size(), first + islands_at_once);
        std::vector<attack> attacks;
        for (std::size_t i = first; i < last; ++i) {
            attacks.push_back(script_of(all[i]));
        }
        const results r = run_attacks(m_setting, attacks, end());
        m_cases_run += attacks.size();
        if (m_told) {
            m_told(m_cases_run);
        }
        found.violation = found.violation.empty() ? r.violation : found.violation;
        for (std::size_t i = first; i < last; ++i) {
            const outcome& o = r.outcomes[i - first];
            found.watermark = std::max(found.watermark, bytes{static_cast<std::int64_t>(o.watermark)});
            found.cases_with_xoff += o.classes[0].xoff_at > 0_ps ? 1 : 0;
            const bytes after = worth(o);
            found.of_cases.push_back(after);
            if (after > found.most) {
                found.most = after;
                found.best = all[i];
                found.best_case = i;
            }
        }
    }
    return found;
}

}  // namespace weir::tb::pfc_attack
