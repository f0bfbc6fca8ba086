// Strong units: byte counts, cells, bit rates, pause quanta, cycles.
//
// Each is a thin integer with explicit construction, so that a threshold in cells cannot be passed
// where bytes are meant. Only sums of one unit, and products with plain numbers, exist.
//
//   bytes threshold = 16_KiB;
//   picoseconds t = transmission_time(1500_B, 10_Gbps);   // 1.2 us
#pragma once

#include <cstdint>

#include "weir/base/namespaces.h"
#include "weir/base/time.h"

namespace weir {

template <class Tag>
class quantity {
 public:
    constexpr quantity() = default;
    constexpr explicit quantity(std::int64_t count) : m_count(count) {}

    constexpr std::int64_t count() const { return m_count; }

    constexpr quantity& operator+=(quantity other) { return m_count += other.m_count, *this; }
    constexpr quantity& operator-=(quantity other) { return m_count -= other.m_count, *this; }

    friend constexpr quantity operator+(quantity a, quantity b) { return a += b; }
    friend constexpr quantity operator-(quantity a, quantity b) { return a -= b; }
    friend constexpr quantity operator*(quantity a, std::int64_t n) { return quantity{a.m_count * n}; }
    friend constexpr quantity operator*(std::int64_t n, quantity a) { return a * n; }
    /// How often `b` fits into `a`, rounded towards zero.
    friend constexpr std::int64_t operator/(quantity a, quantity b) { return a.m_count / b.m_count; }
    friend constexpr quantity operator/(quantity a, std::int64_t n) { return quantity{a.m_count / n}; }

    friend constexpr bool operator==(quantity a, quantity b) { return a.m_count == b.m_count; }
    friend constexpr bool operator!=(quantity a, quantity b) { return a.m_count != b.m_count; }
    friend constexpr bool operator<(quantity a, quantity b) { return a.m_count < b.m_count; }
    friend constexpr bool operator<=(quantity a, quantity b) { return a.m_count <= b.m_count; }
    friend constexpr bool operator>(quantity a, quantity b) { return a.m_count > b.m_count; }
    friend constexpr bool operator>=(quantity a, quantity b) { return a.m_count >= b.m_count; }

 private:
    std::int64_t m_count = 0;
};

/// Memory, or a length on the wire. Unit: B (octets).
using bytes = quantity<struct bytes_tag>;
/// Packet memory's or a slotted crossbar's unit of transfer; how many bytes it has is configuration.
using cells = quantity<struct cells_tag>;
/// Unit: bit/s.
using bit_rate = quantity<struct bit_rate_tag>;
/// PAUSE time. Unit: 512 bit times at the link's rate (IEEE 802.3 Annex 31B). Range of a frame: 0-65,535.
using pause_quanta = quantity<struct pause_quanta_tag>;
/// Clock cycles of a block whose clock the configuration gives.
using cycles = quantity<struct cycles_tag>;

inline namespace literals {
constexpr bytes operator""_B(unsigned long long n) {
    return bytes{static_cast<std::int64_t>(n)};
}
constexpr bytes operator""_KB(unsigned long long n) {
    return bytes{static_cast<std::int64_t>(n * 1000)};
}
constexpr bytes operator""_MB(unsigned long long n) {
    return bytes{static_cast<std::int64_t>(n * 1'000'000)};
}
constexpr bytes operator""_KiB(unsigned long long n) {
    return bytes{static_cast<std::int64_t>(n << 10)};
}
constexpr bytes operator""_MiB(unsigned long long n) {
    return bytes{static_cast<std::int64_t>(n << 20)};
}
constexpr bit_rate operator""_bps(unsigned long long n) {
    return bit_rate{static_cast<std::int64_t>(n)};
}
constexpr bit_rate operator""_Mbps(unsigned long long n) {
    return bit_rate{static_cast<std::int64_t>(n * 1'000'000)};
}
constexpr bit_rate operator""_Gbps(unsigned long long n) {
    return bit_rate{static_cast<std::int64_t>(n * 1'000'000'000)};
}
}  // namespace literals

/// How many cells of `cell` bytes a frame of `length` bytes occupies (whole cells). `cell` > 0.
constexpr cells cells_of(bytes length, bytes cell) {
    return cells{(length.count() + cell.count() - 1) / cell.count()};
}

/// Memory that a frame of `length` bytes occupies: whole cells of `memory_cell` bytes, or its own bytes where
/// that is 0.
constexpr bytes memory_of(bytes length, bytes memory_cell) {
    return memory_cell.count() > 0 ? cells_of(length, memory_cell).count() * memory_cell : length;
}

/// Time to put `length` on a wire (or through a crossbar) at `rate`. The one place that rounds: up, to
/// whole picoseconds; exact for every rate that divides 8e12 bit/s. Range: rate > 0, length >= 0.
constexpr picoseconds transmission_time(bytes length, bit_rate rate) {
    __extension__ using wide = __int128;
    const wide bit_picoseconds = static_cast<wide>(length.count()) * 8 * 1'000'000'000'000;
    return picoseconds{static_cast<std::int64_t>((bit_picoseconds + rate.count() - 1) / rate.count())};
}

/// Time of `quanta` PAUSE quanta on a link of `rate`.
constexpr picoseconds pause_time(pause_quanta quanta, bit_rate rate) {
    return transmission_time(bytes{quanta.count() * 64}, rate);
}

/// `transmission_time` at one fixed rate, for a frame's path: a multiplication where the rate has a whole
/// number of picoseconds per byte, and the same rounding where it has not.
class serializer {
 public:
    constexpr serializer() = default;
    constexpr explicit serializer(bit_rate rate) : m_rate(rate) {
        if (rate.count() > 0 && 8'000'000'000'000 % rate.count() == 0) {
            m_picoseconds_per_byte = 8'000'000'000'000 / rate.count();
        }
    }

    constexpr picoseconds operator()(bytes length) const {
        if (m_picoseconds_per_byte != 0) {
            return picoseconds{length.count() * m_picoseconds_per_byte};
        }
        return transmission_time(length, m_rate);
    }
    constexpr bit_rate rate() const { return m_rate; }

 private:
    bit_rate m_rate{0};
    std::int64_t m_picoseconds_per_byte = 0;
};

}  // namespace weir
