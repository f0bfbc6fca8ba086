// Attacks on PFC's reserve: one computed from the timing, and a search that knows nothing of it.
//
// What can be chosen: when each side's frames start, and how long each is. The most bytes arrive after XOFF if
//   - the port that has to send XOFF began a full frame just before (T_O), and
//   - the partner begins a full frame just before it has to stop (T_O), so that the frames which it sends
//     until then fill the time without a remainder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/pfc_island.h"
#include "weir/base/rng.h"

namespace weir::test {

/// `total` bytes as frames of at most `longest` and at least 64 B on top of `overhead` each, the longest
/// first; all three counts with overhead. Empty if it can not be done.
inline std::vector<std::uint16_t> frames_for(bytes total, bytes longest, bytes overhead) {
    std::vector<std::uint16_t> lengths;
    const bytes shortest = 64_B + overhead;
    while (total > 0_B) {
        bytes next = std::min(total, longest);
        if (total > next && total - next < shortest) {
            next = total - shortest;
        }
        if (next < shortest) {
            return {};
        }
        lengths.push_back(static_cast<std::uint16_t>((next - overhead).count()));
        total -= next;
    }
    return lengths;
}

/// Times that all attacks on a setting share. A unit is the time of a full frame.
struct attack_clock {
    explicit attack_clock(const pfc_setting& setting)
        : unit(setting.wire_time(setting.max_wire())),
          settle(4 * setting.link.latency + 8 * unit + 4 * setting.parameters.device.lookup_delay +
                 setting.thresholds().response),
          fill(settle),
          main(fill + settle +
               unit * (setting.parameters.device.egress_buffer / setting.parameters.device.max_frame)) {}
    picoseconds unit;
    /// Long enough for what has been sent to get where it stays.
    picoseconds settle;
    /// The egress memory in front of the paused sink is filled from here on,
    picoseconds fill;
    /// and the attack proper begins.
    picoseconds main;
};

/// Full frames that fill the egress memory, so that nothing leaves ingress memory any more.
inline burst egress_fill(const pfc_setting& setting, const attack_clock& clock) {
    const switch_config& device = setting.parameters.device;
    const auto count = static_cast<std::size_t>(device.egress_buffer / device.max_frame);
    return {clock.fill, 0, std::vector<std::uint16_t>(count, static_cast<std::uint16_t>(device.max_frame.count()))};
}

/// From the time at which the attacker's NIC starts a burst's first frame, which must be a full one, to that
/// frame's first bit on the link under attack.
inline picoseconds way_to_link(const pfc_setting& setting) {
    return setting.switch_partner ? setting.wire_time(setting.max_wire()) + setting.link.latency +
                                        setting.parameters.device.lookup_delay +
                                        setting.crossbar_time(setting.max_wire())
                                  : picoseconds{0};
}

/// From the time at which the reverse sender's NIC starts a full frame to its first bit out of port 0.
inline picoseconds way_of_reverse(const pfc_setting& setting) {
    return setting.wire_time(setting.max_wire()) + setting.link.latency + setting.parameters.device.lookup_delay +
           setting.crossbar_time(setting.max_wire());
}

struct computed_attack {
    attack script;
    /// Per attacked class, in order.
    std::vector<picoseconds> xoff_at;
    /// Bytes on the wire that shall arrive after each XOFF.
    bytes wire_bytes_after{0};
    picoseconds end{0};
};

/// The worst case, attacked classes in ascending order: with drain bytes a more urgent class's backlog would
/// pause the less urgent ones before they are full. `overshoot`: a full frame crosses the threshold, one byte
/// below it; else the class's last frame reaches it exactly.
inline computed_attack compute_attack(const pfc_setting& setting, unsigned classes, bool overshoot = true) {
    const attack_clock clock(setting);
    const bytes overhead = setting.parameters.wire_overhead;
    const bytes full_frame = setting.parameters.device.max_frame;
    const auto full = static_cast<std::uint16_t>(full_frame.count());
    const pfc_headroom_terms terms = setting.terms();
    const bytes xoff{setting.thresholds().limits.xoff};
    const picoseconds byte_time = setting.wire_time(1_B);
    computed_attack made;
    made.script.forward.push_back(egress_fill(setting, clock));
    picoseconds at = clock.main;
    for (unsigned c = 0; c < classes; ++c) {
        burst b{at, static_cast<pfc_class>(c), frames_for(overshoot ? xoff - 1_B : xoff, full_frame, 0_B)};
        if (overshoot) {
            b.lengths.push_back(full);
        }
        bytes before{0};
        for (const std::uint16_t length : b.lengths) {
            before += bytes{length} + overhead;
        }
        const picoseconds crossing =
            at + way_to_link(setting) + setting.wire_time(before) + setting.link.latency;
        const picoseconds xoff_at = crossing + terms.t_lookup;
        const picoseconds reverse_begins = xoff_at - 1_ps;
        made.script.reverse.push_back({reverse_begins - way_of_reverse(setting), 0, {full}});
        const picoseconds stop = reverse_begins + terms.t_o_local + terms.t_pfc + terms.t_p_out + terms.t_r;
        // Ends before `stop`, so that the last frame begins before it.
        const picoseconds room = stop - (crossing - setting.link.latency);
        const bytes tail{(room.count() - 1) / byte_time.count()};
        const std::vector<std::uint16_t> rest = frames_for(tail, setting.max_wire(), overhead);
        b.lengths.insert(b.lengths.end(), rest.begin(), rest.end());
        b.lengths.insert(b.lengths.end(), 3, full);  // one more, and two that the pause must hold
        made.script.forward.push_back(b);
        made.xoff_at.push_back(xoff_at);
        made.wire_bytes_after = tail + setting.max_wire();
        at = stop + clock.settle;
    }
    made.end = at + clock.settle;
    return made;
}

/// What the search varies: start of the reverse traffic, lengths on both sides, one idle time in between.
struct candidate {
    picoseconds phase{0};
    std::vector<std::uint16_t> forward;
    std::vector<std::uint16_t> reverse;
    std::size_t gap_before = 0;
    picoseconds gap{0};
    unsigned classes = 1;
};

class attack_search {
 public:
    struct found {
        bytes most{0};
        std::size_t cases = 0;
        /// Ports that never reached XOFF: a search that does not attack finds nothing.
        std::size_t without_xoff = 0;
        candidate best;
        std::string violation;
        std::uint32_t watermark = 0;

        void merge(const found& other) {
            cases += other.cases;
            without_xoff += other.without_xoff;
            watermark = std::max(watermark, other.watermark);
            violation = violation.empty() ? other.violation : violation;
            if (other.most > most) {
                most = other.most;
                best = other.best;
            }
        }
    };

    attack_search(const pfc_setting& setting, std::uint64_t seed)
        : m_setting(setting), m_clock(setting), m_chance(seed, 0, random_purpose::adversary) {
        const pfc_headroom_terms terms = setting.terms();
        m_needed = bytes{setting.thresholds().limits.xoff} + terms.total_bytes() + 4 * setting.max_wire();
        m_full = static_cast<std::uint16_t>(setting.parameters.device.max_frame.count());
    }

    /// One frame length on the way in, full frames on the way out: every length against every phase.
    found grid(unsigned lengths, unsigned phases) {
        std::vector<candidate> all;
        for (unsigned l = 0; l < lengths; ++l) {
            for (unsigned p = 0; p < phases; ++p) {
                candidate c;
                const unsigned length = 64 + (m_full - 64U) * l / std::max(1U, lengths - 1);
                c.phase = m_clock.unit * p / phases;
                fill(c.forward, [&] { return static_cast<std::uint16_t>(length); });
                fill(c.reverse, [&] { return m_full; });
                all.push_back(std::move(c));
            }
        }
        return run(all);
    }
    /// Any lengths, any phase, idle times.
    found random(unsigned cases) {
        std::vector<candidate> all;
        for (unsigned i = 0; i < cases; ++i) {
            candidate c;
            const unsigned mix = m_chance.below(4);
            fill(c.forward, [&] { return length(mix); });
            const unsigned reverse_mix = m_chance.below(4) == 0 ? 1 + m_chance.below(3) : 0;
            fill(c.reverse, [&] { return reverse_mix == 0 ? m_full : length(reverse_mix); });
            c.phase = below(m_clock.unit);
            if (m_chance.below(4) == 0) {
                c.gap_before = m_chance.below(static_cast<std::uint32_t>(c.forward.size()));
                c.gap = below(2 * m_clock.unit);
            }
            all.push_back(std::move(c));
        }
        return run(all);
    }
    /// From the best so far: rounds of small changes, each round's best is the next one's start.
    found climb(found from, unsigned rounds, unsigned cases) {
        for (unsigned round = 0; round < rounds; ++round) {
            std::vector<candidate> all;
            for (unsigned i = 0; i < cases; ++i) {
                candidate c = from.best;
                change(c);
                all.push_back(std::move(c));
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
    /// Enough frames to reach XOFF and to go on until the pause holds.
    template <class Length>
    void fill(std::vector<std::uint16_t>& frames, Length&& next) {
        for (bytes sum{0}; sum < m_needed; sum += bytes{frames.back()}) {
            frames.push_back(next());
        }
    }
    void change(candidate& c) {
        const auto bounded = [&](int v) {
            return static_cast<std::uint16_t>(std::clamp(v, 64, static_cast<int>(m_full)));
        };
        const auto step = [&] {
            const auto size = static_cast<int>(1U + m_chance.below(1U << m_chance.below(11)));
            return m_chance.below(2) == 0 ? size : -size;
        };
        for (unsigned n = 1 + m_chance.below(3); n > 0; --n) {
            const auto i = m_chance.below(static_cast<std::uint32_t>(c.forward.size()));
            const int by = step();
            switch (m_chance.below(4)) {
                case 0: {  // the reverse traffic starts earlier or later
                    const picoseconds width{m_clock.unit.count() >> m_chance.below(24)};
                    c.phase += below(2 * width) - width;
                    c.phase = std::clamp(c.phase, -m_clock.unit, 2 * m_clock.unit);
                    break;
                }
                case 1:  // one frame is longer or shorter
                    c.forward[i] = bounded(c.forward[i] + by);
                    break;
                case 2: {  // so is one and, by as much, another one is not
                    const auto j = m_chance.below(static_cast<std::uint32_t>(c.forward.size()));
                    c.forward[i] = bounded(c.forward[i] + by);
                    c.forward[j] = bounded(c.forward[j] - by);
                    break;
                }
                default:
                    c.forward[i] = m_full;
            }
        }
    }

    attack script_of(const candidate& c) const {
        attack a;
        a.forward.push_back(egress_fill(m_setting, m_clock));
        const picoseconds begin = m_clock.main + m_clock.settle;
        // Each burst is one class's; 802.3x stops all of them.
        const unsigned classes = m_setting.parameters.device.classes;
        picoseconds gap{0};
        for (std::size_t i = 0; i < c.forward.size(); ++i) {
            if (i == 0 || (c.gap > 0_ps && i == c.gap_before) || classes > 1) {
                // A burst that comes while the one before is still being sent follows it without a gap.
                const auto k = static_cast<pfc_class>(classes - 1 - i * classes / c.forward.size());
                gap = c.gap > 0_ps && i >= c.gap_before ? c.gap : 0_ps;
                const picoseconds at = begin + gap + (gap > 0_ps ? sent(c.forward, i) : 0_ps);
                a.forward.push_back({at, k, {}});
            }
            a.forward.back().lengths.push_back(c.forward[i]);
        }
        a.reverse.push_back({begin - way_of_reverse(m_setting) - m_clock.unit + c.phase, 0, c.reverse});
        return a;
    }
    picoseconds sent(const std::vector<std::uint16_t>& frames, std::size_t count) const {
        bytes sum{0};
        for (std::size_t i = 0; i < count; ++i) {
            sum += bytes{frames[i]} + m_setting.parameters.wire_overhead;
        }
        return m_setting.wire_time(sum);
    }

    found run(const std::vector<candidate>& all) {
        found f;
        // Shortest frames take the longest for as many bytes.
        const picoseconds end = m_clock.main + 2 * m_clock.settle + 4 * m_clock.unit + m_setting.terms().total() +
                                m_setting.wire_time(m_needed + (m_needed / 64_B) * m_setting.parameters.wire_overhead);
        for (std::size_t first = 0; first < all.size(); first += islands_at_once) {
            const std::size_t last = std::min(all.size(), first + islands_at_once);
            std::vector<attack> attacks;
            for (std::size_t i = first; i < last; ++i) {
                attacks.push_back(script_of(all[i]));
            }
            const results r = run_attacks(m_setting, attacks, end);
            f.violation = f.violation.empty() ? r.violation : f.violation;
            for (std::size_t i = first; i < last; ++i) {
                const outcome& o = r.outcomes[i - first];
                bytes most{0};
                for (unsigned c = 0; c < pfc_classes; ++c) {
                    most = std::max(most, o.wire_bytes_after(static_cast<pfc_class>(c),
                                                             m_setting.parameters.wire_overhead));
                }
                f.without_xoff += most == 0_B ? 1 : 0;
                f.watermark = std::max(f.watermark, o.watermark);
                if (most > f.most) {
                    f.most = most;
                    f.best = all[i];
                }
            }
        }
        f.cases = all.size();
        return f;
    }

    const pfc_setting& m_setting;
    attack_clock m_clock;
    random_stream m_chance;
    bytes m_needed{0};
    std::uint16_t m_full = 0;
};

}  // namespace weir::test
