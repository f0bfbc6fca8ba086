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

namespace weir::test::pfc_attack {

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

/// Times that all attacks on a setting share.
struct attack_clock {
    explicit attack_clock(const pfc_setting& setting)
        : unit(setting.wire_time(setting.max_wire())),
          settle(4 * setting.link.latency + 8 * unit + 4 * setting.parameters.device.lookup_delay +
                 setting.thresholds().response),
          main(settle * (2 + setting.frames_of_egress())) {}
    /// Of a full frame.
    picoseconds unit;
    /// Long enough for what has been sent to get where it stays.
    picoseconds settle;
    /// The sink has paused its link, the egress memory in front of it is full: nothing leaves ingress memory.
    picoseconds main;
};

/// Full frames that fill the egress memory one by one, so that none of them brings ingress near its threshold.
inline std::vector<burst> egress_fill(const pfc_setting& setting, const attack_clock& clock) {
    std::vector<burst> bursts;
    const auto full = static_cast<std::uint16_t>(setting.parameters.device.max_frame.count());
    for (std::int64_t i = 1; i <= setting.frames_of_egress(); ++i) {
        bursts.push_back({clock.settle * i, 0, {full}});
    }
    return bursts;
}

/// From the time at which the attacker's NIC starts a burst's first frame, which must be a full one, to that
/// frame's first bit on the link under attack.
inline picoseconds way_to_link(const pfc_setting& setting) {
    return setting.switch_partner
               ? setting.wire_time(setting.max_wire()) + setting.link.latency +
                     setting.parameters.device.lookup_delay + setting.crossbar_time(setting.max_wire())
               : picoseconds{0};
}

/// From the time at which the reverse sender's NIC starts a full frame to its first bit out of port 0.
inline picoseconds way_of_reverse(const pfc_setting& setting) {
    return setting.wire_time(setting.max_wire()) + setting.link.latency +
           setting.parameters.device.lookup_delay + setting.crossbar_time(setting.max_wire());
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
    made.script.forward = egress_fill(setting, clock);
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

}  // namespace weir::test::pfc_attack
