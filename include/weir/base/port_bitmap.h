// A set of ports, one bit each, as a TCAM's result RAM, an arbiter's request vector or a favoured-ports
// register holds it.
//
//   port_bitmap acceptable{0, 3};
//   unsigned p = (acceptable & favored).first_from(pointer);   // round robin
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

namespace weir {

/// Most ports that a switch can have. A build may lower it to a multiple of 64; one word per bitmap is the
/// fastest. An event's key has 8 bits for the port, so 256 is the largest value.
#ifndef WEIR_MAX_PORTS
#define WEIR_MAX_PORTS 256
#endif
inline constexpr unsigned max_ports = WEIR_MAX_PORTS;

class port_bitmap {
 public:
    static constexpr unsigned words = max_ports / 64;
    static_assert(max_ports % 64 == 0 && max_ports >= 64 && max_ports <= 256);

    constexpr port_bitmap() = default;
    constexpr port_bitmap(std::initializer_list<unsigned> ports) {
        for (unsigned p : ports) {
            set(p);
        }
    }
    /// Ports 0 to count - 1.
    static constexpr port_bitmap first_ports(unsigned count) {
        port_bitmap all;
        for (unsigned p = 0; p < count; ++p) {
            all.set(p);
        }
        return all;
    }

    constexpr void set(unsigned port) { m_word[port >> 6] |= bit(port); }
    constexpr void reset(unsigned port) { m_word[port >> 6] &= ~bit(port); }
    constexpr void assign(unsigned port, bool value) { value ? set(port) : reset(port); }
    constexpr bool test(unsigned port) const { return (m_word[port >> 6] & bit(port)) != 0; }
    constexpr std::uint64_t word(unsigned index) const { return m_word[index]; }
    constexpr void set_word(unsigned index, std::uint64_t value) { m_word[index] = value; }

    constexpr bool any() const {
        std::uint64_t all = 0;
        for (std::uint64_t w : m_word) {
            all |= w;
        }
        return all != 0;
    }
    constexpr bool none() const { return !any(); }
    constexpr unsigned count() const {
        unsigned n = 0;
        for (std::uint64_t w : m_word) {
            n += static_cast<unsigned>(__builtin_popcountll(w));
        }
        return n;
    }

    /// Lowest port in the set. The set must not be empty.
    constexpr unsigned first() const {
        for (unsigned i = 0; i < words - 1; ++i) {
            if (m_word[i] != 0) {
                return i * 64 + static_cast<unsigned>(__builtin_ctzll(m_word[i]));
            }
        }
        return (words - 1) * 64 + static_cast<unsigned>(__builtin_ctzll(m_word[words - 1]));
    }

    /// First port of the set at or after `pointer`, wrapping: a round-robin pick. Not empty.
    constexpr unsigned first_from(unsigned pointer) const {
        const unsigned start = pointer >> 6;
        const std::uint64_t at_or_after = m_word[start] & (~std::uint64_t{0} << (pointer & 63));
        if (at_or_after != 0) {
            return start * 64 + static_cast<unsigned>(__builtin_ctzll(at_or_after));
        }
        for (unsigned i = start + 1; i < words; ++i) {
            if (m_word[i] != 0) {
                return i * 64 + static_cast<unsigned>(__builtin_ctzll(m_word[i]));
            }
        }
        return first();
    }

    /// The `n`-th port of the set, counted from 0. Range: n < count().
    constexpr unsigned nth(unsigned n) const {
        for (unsigned i = 0; i < words; ++i) {
            std::uint64_t w = m_word[i];
            const auto here = static_cast<unsigned>(__builtin_popcountll(w));
            if (n < here) {
                for (; n > 0; --n) {
                    w &= w - 1;
                }
                return i * 64 + static_cast<unsigned>(__builtin_ctzll(w));
            }
            n -= here;
        }
        return max_ports;
    }

    /// Calls `visit(port)` for each port in ascending order.
    template <class Visit>
    constexpr void for_each(Visit&& visit) const {
        for (unsigned i = 0; i < words; ++i) {
            for (std::uint64_t w = m_word[i]; w != 0; w &= w - 1) {
                visit(i * 64 + static_cast<unsigned>(__builtin_ctzll(w)));
            }
        }
    }

    constexpr port_bitmap& operator&=(const port_bitmap& o) {
        for (unsigned i = 0; i < words; ++i) {
            m_word[i] &= o.m_word[i];
        }
        return *this;
    }
    constexpr port_bitmap& operator|=(const port_bitmap& o) {
        for (unsigned i = 0; i < words; ++i) {
            m_word[i] |= o.m_word[i];
        }
        return *this;
    }
    /// Removes the ports of `o`.
    constexpr port_bitmap& operator-=(const port_bitmap& o) {
        for (unsigned i = 0; i < words; ++i) {
            m_word[i] &= ~o.m_word[i];
        }
        return *this;
    }
    friend constexpr port_bitmap operator&(port_bitmap a, const port_bitmap& b) { return a &= b; }
    friend constexpr port_bitmap operator|(port_bitmap a, const port_bitmap& b) { return a |= b; }
    friend constexpr port_bitmap operator-(port_bitmap a, const port_bitmap& b) { return a -= b; }
    friend constexpr bool operator==(const port_bitmap& a, const port_bitmap& b) {
        std::uint64_t difference = 0;
        for (unsigned i = 0; i < words; ++i) {
            difference |= a.m_word[i] ^ b.m_word[i];
        }
        return difference == 0;
    }
    friend constexpr bool operator!=(const port_bitmap& a, const port_bitmap& b) { return !(a == b); }

 private:
    static constexpr std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port & 63); }
    std::array<std::uint64_t, words> m_word{};
};

}  // namespace weir
