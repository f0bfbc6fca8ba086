// Times at which things happen to one host: Poisson at a constant rate or with bursts, one chance per slot,
// or evenly spaced.
//
// A Poisson process whose rate changes is drawn by a change of time: an exponential of mean 1 is used up at
// the rate that holds at each moment. No arrival is lost or moved where the rate changes, and none is drawn
// and thrown away.
//
//   arrival_spec mixed;
//   mixed.rate = 500;                                  // per second, outside bursts
//   mixed.burst_period = 50ms;
//   mixed.burst_duration = 5ms;
//   mixed.burst_rate = 10'000;
//   arrival_process arrivals{mixed, random_stream{seed, host, random_purpose::arrivals}};
//   for (picoseconds t = arrivals.next(); t != never; t = arrivals.next()) { ... }
#pragma once

#include <cstdint>

#include "weir/base/rng.h"
#include "weir/base/time.h"

namespace weir::traffic {

enum class arrival_kind : std::uint8_t {
    none,
    poisson,       ///< constant, or with bursts
    bernoulli,     ///< at the start of each slot with a given chance
    deterministic  ///< every 1 / rate, the first at start + phase
};

struct arrival_spec {
    arrival_kind kind = arrival_kind::poisson;
    /// First moment. Slots and burst periods are counted from it.
    picoseconds start{0};
    /// No arrival at or after it.
    picoseconds stop = never;
    /// Poisson (outside bursts) and deterministic. Unit: 1/s. Range: >= 0; 0 = none.
    double rate = 0;
    /// Bursts last from start + phase + k x period for the duration, end excluded. 0 = no bursts.
    picoseconds burst_period{0};
    /// Range: (0, burst_period].
    picoseconds burst_duration{0};
    /// Unit: 1/s. Range: >= 0.
    double burst_rate = 0;
    /// Shifts bursts, slots or the first even arrival. Range: >= 0; bursts: [0, burst_period).
    picoseconds phase{0};
    /// Bernoulli. Range: > 0.
    picoseconds slot{0};
    /// Bernoulli: chance of an arrival in a slot. Range: 0-1.
    double probability = 0;
};

class arrival_process {
 public:
    arrival_process(const arrival_spec& spec, random_stream stream);

    /// The next arrival, not before the last one; `never` when there is none left. Two arrivals may share
    /// a picosecond.
    picoseconds next();

 private:
    struct segment {
        double per_picosecond;
        picoseconds end;
    };
    segment segment_at(picoseconds time) const;
    picoseconds next_poisson();
    picoseconds next_bernoulli();
    picoseconds next_deterministic();

    arrival_spec m_spec;
    random_stream m_stream;
    /// Poisson: the last arrival, or a change of rate after it, and the rest below a picosecond.
    picoseconds m_time;
    double m_fraction = 0;
    /// Slots or even arrivals gone by.
    std::int64_t m_count = 0;
    /// Bernoulli: logarithm of the chance that a slot has no arrival, and the slots of the longest run.
    double m_log_empty = 0;
    double m_slots = 0;
};

}  // namespace weir::traffic
