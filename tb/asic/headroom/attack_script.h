// An attack on PFC's reserve that is computed from the timing.
//
// What can be chosen: when each side's frames start, and how long each is. The most arrives after XOFF if
// - the port that has to send XOFF began a full frame just before (T_O), and
// - the partner begins a full frame just before it has to stop (T_O). Its frames until then are chosen to take
//   as much memory as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/asic/headroom/attack_island.h"

namespace weir::tb::pfc_attack {

/// Frames of 64 B to `longest` that take at most `wire` bytes on the wire with their `overhead`, and of all
/// such frames the most memory in cells of `cell` bytes; 0: in single bytes.
std::vector<std::uint16_t> most_memory(bytes wire, bytes longest, bytes overhead, bytes cell);

/// Frames of 64 B to `longest` that take exactly `memory` in cells of `cell`, a multiple of it. Empty if it
/// cannot be done.
std::vector<std::uint16_t> frames_of_cells(bytes memory, bytes longest, bytes cell);

/// What frames take in memory. Unit: bytes.
bytes memory_of_frames(const std::vector<std::uint16_t>& lengths, bytes cell);

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
std::vector<burst> egress_fill(const pfc_setting& setting, const attack_clock& clock);

/// Of a shared memory with room in its pool: the frames by which each group, one after another, comes just
/// below its threshold, which the next full frame meets. None where the pool is full.
std::vector<std::vector<std::uint16_t>> up_to_thresholds(const pfc_setting& setting);

/// Of a shared memory whose pool is full: what others fill it with, before all else.
std::vector<burst> pool_fill(const pfc_setting& setting, const attack_clock& clock);

/// From the time at which the reverse sender's NIC starts a full frame to its first bit out of port 0.
picoseconds way_of_reverse(const pfc_setting& setting);

struct computed_attack {
    attack script;
    /// Per attacked class, or group of a shared memory, in order: when XOFF is decided, and the memory in use
    /// by then.
    std::vector<picoseconds> xoff_at;
    std::vector<bytes> memory_at_xoff;
    /// What takes memory after it; of a shared memory, headroom.
    std::vector<bytes> memory_after;
    /// On the wire after each XOFF.
    bytes wire_bytes_after{0};
    picoseconds end{0};
};

/// The worst case, attacked classes in ascending order (of a shared memory those of one port after those of the
/// one before, whatever `classes` and `overshoot` are): with drain bytes a more urgent class's backlog would
/// pause the less urgent ones before they are full. `overshoot`: a full frame crosses the threshold, one byte
/// (or cell) below it; else the class's last frame reaches it exactly.
computed_attack compute_attack(const pfc_setting& setting, unsigned classes, bool overshoot = true);

}  // namespace weir::tb::pfc_attack
