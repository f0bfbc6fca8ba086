// Simulated time.
//
// All times inside the model are whole picoseconds: every standard Ethernet rate from 1 Gb/s to
// 1.6 Tb/s then has a whole number of picoseconds per byte, so that sums of transmission times are
// exact. `sc_core::sc_time` appears at TLM sockets only.
//
//   weir::picoseconds flight = 1us + 600ns;   // std::chrono literals convert without loss
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "weir/base/namespaces.h"

namespace weir {

using namespace std::chrono_literals;

/// A point in simulated time (since its start), or a span. Unit: ps.
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// Number of bits that an event key spends on time: 2^52 ps = 4,503 s.
inline constexpr unsigned time_bits = 52;

/// Latest time that an event may have. A run that asks for more is refused at configuration.
inline constexpr picoseconds latest_time{(std::int64_t{1} << time_bits) - 2};

/// Longest time that a configuration may name: below `latest_time`, with room for what is added to it.
inline constexpr picoseconds longest_time = 4500s;

/// "Never": later than any event.
inline constexpr picoseconds never{std::numeric_limits<std::int64_t>::max()};

inline namespace literals {
constexpr picoseconds operator""_ps(unsigned long long count) {
    return picoseconds{static_cast<std::int64_t>(count)};
}
}  // namespace literals

}  // namespace weir
