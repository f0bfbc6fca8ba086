// Random streams: one per node and purpose, so that no draw depends on what another node did, on threads
// or on the quantum.
//
//   random_stream scatter{seed, node, random_purpose::port_selection};
//   unsigned n = scatter.below(4);
//
// `random_stream` is a standard UniformRandomBitGenerator; use it with Boost.Random's distributions (the
// standard library's differ between implementations).
#pragma once

#include <cstdint>
#include <limits>

namespace weir {

/// What a stream is for. Values are part of the results' identity: append, never renumber.
enum class random_purpose : std::uint32_t {
    port_selection = 1,
    arbitration = 2,
    arrivals = 3,
    destinations = 4,
    sizes = 5,
    pacing = 6,
    priorities = 7,
    adversary = 8,
    bit_errors = 9,
    marking = 10,
    rate_limiting = 11,
    stack_out = 12,
    stack_in = 13,
    response_delays = 14,
};

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): a counter
/// with a 64-bit mixing function; 8 bytes of state, period 2^64.
class random_stream {
 public:
    using result_type = std::uint64_t;

    constexpr random_stream(std::uint64_t seed, std::uint32_t node, random_purpose purpose)
        : m_counter(mix(mix(mix(seed) + node) + static_cast<std::uint32_t>(purpose))) {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    constexpr result_type operator()() { return mix(m_counter += 0x9E3779B97F4A7C15U); }

    /// Uniform in [0, bound), bound > 0. One draw; the bias is below bound / 2^64.
    constexpr std::uint32_t below(std::uint32_t bound) {
        __extension__ using wide = unsigned __int128;
        return static_cast<std::uint32_t>((static_cast<wide>((*this)()) * bound) >> 64);
    }
    /// Uniform in [0, 1), 53 bits.
    constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

    /// The mixing function by itself; also serves as a hash of 64-bit values.
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

 private:
    std::uint64_t m_counter;
};

}  // namespace weir
