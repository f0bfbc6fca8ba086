#include "tb/asic/headroom/attack_script.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "weir/model/flow_control/headroom_budget.h"

namespace weir::tb::pfc_attack {

namespace {

bytes wire_of_frames(const std::vector<std::uint16_t>& lengths, bytes overhead) {
    bytes sum{0};
    for (const std::uint16_t length : lengths) {
        sum += bytes{length} + overhead;
    }
    return sum;
}

/// The shortest frame of each number of cells.
std::vector<bytes> critical_lengths(bytes longest, bytes cell) {
    std::vector<bytes> all;
    for (bytes length = 64_B; length <= longest; length = memory_of(length, cell) + 1_B) {
        all.push_back(length);
    }
    return all;
}

/// By the best rate as long as that much is left, and exactly (dynamic programming) for the rest.
class cell_packer {
 public:
    cell_packer(bytes longest, bytes overhead, bytes cell)
        : m_lengths(critical_lengths(longest, cell)),
          m_best(most_crowded(64_B, longest, overhead, cell).length),
          m_overhead(overhead),
          m_cell(cell) {}

    std::vector<std::uint16_t> pack(bytes wire) const {
        // The part that is packed exactly is long enough for any remainder of the best frame's length.
        const bytes exact = 4 * (m_lengths.back() + m_overhead) + 64 * (m_best + m_overhead);
        std::vector<std::uint16_t> made;
        if (wire > exact) {
            const auto bulk = static_cast<std::size_t>((wire - exact) / (m_best + m_overhead));
            made.assign(bulk, static_cast<std::uint16_t>(m_best.count()));
            wire -= static_cast<std::int64_t>(bulk) * (m_best + m_overhead);
        }
        const std::vector<std::uint16_t> rest = pack_exactly(wire);
        made.insert(made.end(), rest.begin(), rest.end());
        return made;
    }

 private:
    bytes memory(bytes length) const { return memory_of(length, m_cell); }

    std::vector<std::uint16_t> pack_exactly(bytes wire) const {
        const auto size = static_cast<std::size_t>(wire.count()) + 1;
        std::vector<std::int64_t> most(size, 0);
        std::vector<std::uint16_t> last(size, 0);
        for (std::size_t w = 1; w < size; ++w) {
            most[w] = most[w - 1];
            for (const bytes length : m_lengths) {
                const auto on_wire = static_cast<std::size_t>((length + m_overhead).count());
                if (on_wire <= w && most[w - on_wire] + memory(length).count() > most[w]) {
                    most[w] = most[w - on_wire] + memory(length).count();
                    last[w] = static_cast<std::uint16_t>(length.count());
                }
            }
        }
        std::vector<std::uint16_t> made;
        for (std::size_t w = size - 1; w > 0;) {
            if (last[w] == 0) {
                --w;
            } else {
                made.push_back(last[w]);
                w -= last[w] + static_cast<std::size_t>(m_overhead.count());
            }
        }
        return made;
    }

    std::vector<bytes> m_lengths;
    bytes m_best;
    bytes m_overhead;
    bytes m_cell;
};

/// `total` as the fewest parts of `least` to `most`, the largest first. Empty if it cannot be done.
std::vector<std::int64_t> parts_of(std::int64_t total, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> parts;
    std::int64_t count = (total + most - 1) / most;
    if (count * least > total) {
        return parts;
    }
    for (; count > 0; --count) {
        parts.push_back(std::min(most, total - (count - 1) * least));
        total -= parts.back();
    }
    return parts;
}

/// `total` bytes as frames of at most `longest` and at least 64 B on top of `overhead` each, the longest first;
/// all three counts with overhead. Empty if it cannot be done.
std::vector<std::uint16_t> frames_for(bytes total, bytes longest, bytes overhead) {
    const std::vector<std::int64_t> parts = parts_of(total.count(), (64_B + overhead).count(), longest.count());
    std::vector<std::uint16_t> lengths;
    std::transform(parts.begin(), parts.end(), std::back_inserter(lengths),
                   [&](std::int64_t part) { return static_cast<std::uint16_t>(part - overhead.count()); });
    return lengths;
}

/// Exactly `memory`, in whole cells. Empty if it cannot be done.
std::vector<std::uint16_t> frames_of_memory(const pfc_setting& setting, bytes memory) {
    return setting.cell() == 0_B ? frames_for(memory, setting.lossless_frame(), 0_B)
                                 : frames_of_cells(memory, setting.lossless_frame(), setting.cell());
}

/// Brings a class's memory from 0 to XOFF, or below it by less than the smallest frame: by a byte or cell
/// wherever frames of its lengths can.
std::vector<std::uint16_t> up_to_xoff(const pfc_setting& setting, bool overshoot) {
    const bytes xoff{setting.thresholds().limits.xoff};
    std::vector<std::uint16_t> made = frames_of_memory(setting, overshoot ? xoff - 1_B : xoff);
    if (made.empty() && overshoot) {
        const bytes full = memory_of(setting.lossless_frame(), setting.cell());
        made.assign(static_cast<std::size_t>((xoff - 1_B) / full),
                    static_cast<std::uint16_t>(setting.lossless_frame().count()));
    }
    return made;
}

std::vector<std::uint16_t> fill_until_stop(const pfc_setting& setting, bytes wire) {
    const bytes overhead = setting.parameters.wire_overhead;
    std::vector<std::uint16_t> made;
    if (!setting.counts_memory && setting.cell() == 0_B) {
        made = frames_for(wire, setting.lossless_wire(), overhead);
    }
    return made.empty() ? most_memory(wire, setting.lossless_frame(), overhead, setting.cell()) : made;
}

}  // namespace

std::vector<std::uint16_t> most_memory(bytes wire, bytes longest, bytes overhead, bytes cell) {
    if (cell > 0_B) {
        return cell_packer(longest, overhead, cell).pack(wire);
    }
    // As few frames as there can be, n full ones, leave some wire unused. One more takes all of it, but for its
    // overhead as well: the wire less n + 1 overheads. More than that only lose overheads.
    const std::int64_t full = wire / (longest + overhead);
    const std::int64_t more = full + 1;
    if (more * (64_B + overhead) <= wire && wire - more * overhead > full * longest) {
        return frames_for(wire, longest + overhead, overhead);
    }
    return std::vector<std::uint16_t>(static_cast<std::size_t>(full),
                                      static_cast<std::uint16_t>(longest.count()));
}

std::vector<std::uint16_t> frames_of_cells(bytes memory, bytes longest, bytes cell) {
    const std::vector<std::int64_t> parts =
        parts_of(memory / cell, cells_of(64_B, cell).count(), cells_of(longest, cell).count());
    std::vector<std::uint16_t> lengths;
    std::transform(parts.begin(), parts.end(), std::back_inserter(lengths), [&](std::int64_t part) {
        return static_cast<std::uint16_t>(std::min(longest, part * cell).count());
    });
    return lengths;
}

bytes memory_of_frames(const std::vector<std::uint16_t>& lengths, bytes cell) {
    bytes sum{0};
    for (const std::uint16_t length : lengths) {
        sum += memory_of(bytes{length}, cell);
    }
    return sum;
}

std::vector<burst> egress_fill(const pfc_setting& setting, const attack_clock& clock) {
    std::vector<burst> bursts;
    const auto full = static_cast<std::uint16_t>(setting.parameters.device.max_frame.count());
    for (std::int64_t i = 1; i <= setting.frames_of_egress(); ++i) {
        bursts.push_back({clock.settle * i, 0, {full}});
    }
    return bursts;
}

picoseconds way_of_reverse(const pfc_setting& setting) {
    return setting.wire_time(setting.max_wire()) + setting.link.latency +
           setting.parameters.device.lookup_delay + setting.crossbar_time(setting.max_wire());
}

/// From the time at which the attacker's NIC starts a burst's first frame, which must be a full one with
/// `switch_partner`, to that frame's first bit on the link under attack.
static picoseconds way_to_link(const pfc_setting& setting) {
    return setting.switch_partner ? way_of_reverse(setting) : picoseconds{0};
}

std::vector<std::vector<std::uint16_t>> up_to_thresholds(const pfc_setting& setting) {
    std::vector<std::vector<std::uint16_t>> made(setting.groups());
    const bytes unit = std::max(1_B, setting.cell());
    std::int64_t free = *setting.parameters.shared.lossless_pool / unit;
    const std::int64_t alpha = std::llround(setting.parameters.shared.alpha * 1024);
    for (std::size_t g = 0; g < made.size() && !setting.full_pool; ++g) {
        // The most that is below alpha times what it leaves; then the most of that which frames can have.
        std::int64_t low = 0;
        for (std::int64_t high = free; low < high;) {
            const std::int64_t middle = (low + high + 1) / 2;
            const bool below = middle < alpha * (free - middle) / 1024;
            low = below ? middle : low;
            high = below ? high : middle - 1;
        }
        while (low > 0 && (made[g] = frames_of_memory(setting, low * unit)).empty()) {
            --low;
        }
        free -= low + memory_of(setting.lossless_frame(), setting.cell()) / unit;
    }
    return made;
}

std::vector<burst> pool_fill(const pfc_setting& setting, const attack_clock& clock) {
    if (!setting.is_shared() || !setting.full_pool) {
        return {};
    }
    const bytes pool = *setting.parameters.shared.lossless_pool;
    return {{clock.settle, 0, frames_of_memory(setting, pool)}};
}

computed_attack compute_attack(const pfc_setting& setting, unsigned classes, bool overshoot) {
    const attack_clock clock(setting);
    const bytes overhead = setting.parameters.wire_overhead;
    const auto full = static_cast<std::uint16_t>(setting.parameters.device.max_frame.count());
    const auto last = static_cast<std::uint16_t>(setting.lossless_frame().count());
    const pfc_headroom_terms terms = setting.terms();
    const auto filling =
        setting.is_shared() ? up_to_thresholds(setting) : std::vector<std::vector<std::uint16_t>>{};
    const unsigned groups = setting.is_shared() ? setting.groups() : classes;
    computed_attack made;
    made.script.forward = egress_fill(setting, clock);
    made.script.filler = pool_fill(setting, clock);
    picoseconds at = clock.main;
    for (unsigned g = 0; g < groups; ++g) {
        const unsigned port = g / setting.attacked_classes();
        burst b{at, static_cast<pfc_class>(g % setting.attacked_classes()), {}, port};
        b.lengths = setting.is_shared() ? filling[g] : up_to_xoff(setting, overshoot);
        if (overshoot || setting.is_shared()) {
            b.lengths.push_back(last);
        }
        made.memory_at_xoff.push_back(memory_of_frames(b.lengths, setting.cell()));
        const picoseconds crossing = at + way_to_link(setting) +
                                     setting.wire_time(wire_of_frames(b.lengths, overhead)) +
                                     setting.link.latency;
        const picoseconds xoff_at = crossing + terms.t_lookup;
        const picoseconds reverse_begins = xoff_at - 1_ps;
        made.script.reverse.push_back(
            {reverse_begins - way_of_reverse(setting), setting.reverse_class(), {full}, port});
        const picoseconds stop = reverse_begins + terms.t_o_local + terms.t_pfc + terms.t_p_out + terms.t_r;
        // Ends before `stop`, so that the last frame begins before it.
        const picoseconds room = stop - (crossing - setting.link.latency);
        bytes tail{terms.bytes_of(room - 1_ps)};
        tail -= setting.wire_time(tail) >= room ? 1_B : 0_B;
        const std::vector<std::uint16_t> rest = fill_until_stop(setting, tail);
        b.lengths.insert(b.lengths.end(), rest.begin(), rest.end());
        b.lengths.insert(b.lengths.end(), 3, last);  // one more, and two that the pause must hold
        made.script.forward.push_back(b);
        made.xoff_at.push_back(xoff_at);
        const bytes crossing_memory = memory_of(bytes{last}, setting.cell());
        made.wire_bytes_after = wire_of_frames(rest, overhead) + setting.lossless_wire();
        made.memory_after.push_back(memory_of_frames(rest, setting.cell()) + crossing_memory +
                                    (setting.full_pool ? crossing_memory : 0_B));
        at = stop + clock.settle;
    }
    made.end = at + clock.settle;
    return made;
}

}  // namespace weir::tb::pfc_attack
