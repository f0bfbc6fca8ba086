// Random early detection: the average length of a queue, and which arrivals it marks or drops (Floyd and
// Jacobson, IEEE/ACM Transactions on Networking 1(4), 1993, section 4; the gentle slope: Floyd, 2000). Knows
// neither frames nor switches; lengths are in B or in frames, as the thresholds are.
//
//   const red_rule rule({0.002, 25'600, 76'800, 0.02});
//   red_state s;
//   rule.arrive(s, 40'000, 0);                // the average is 80
//   rule.decide(s, 1500, 0.3);                // pass: it is below the minimum
#pragma once

#include <cstdint>

#include "weir/base/namespaces.h"

namespace weir::model {

struct red_parameters {
    /// W_q. Range: above 0, at most 1; 1 makes the average the length that the arrival finds.
    double weight = 0.002;
    /// Range: min <= max.
    double min = 0;
    double max = 0;
    /// Probability at `max`.
    double p_max = 0.02;
    /// Above `max` the probability grows on to 1 at twice that; else every arrival is marked or dropped there.
    bool gentle = false;
    /// At least 1 / probability arrivals lie between two marks, at most twice that (ns-2, ns-3; not in the
    /// paper).
    bool wait = false;
    /// Lengths are in B: long frames are marked more often, in proportion to `mean_frame`. Unit: B.
    bool in_bytes = true;
    double mean_frame = 1500;
};

/// Of one queue.
struct red_state {
    double average = 0;
    /// Arrivals since the last mark; -1 while the average is below the minimum.
    std::int64_t count = -1;
};

enum class red_answer : std::uint8_t {
    pass,
    early,  ///< by chance
    forced  ///< the average is above the maximum
};

class red_rule {
 public:
    explicit red_rule(const red_parameters& parameters) : m_red(parameters) {}

    /// A frame has come. `length`: of its queue without it. `idle_frames`: how many mean frames the link could
    /// have sent since the queue became empty; 0 where it is not empty.
    void arrive(red_state& s, double length, double idle_frames) const;

    /// What chance decides for a frame, with the average as it is.
    struct chance {
        /// By the average, and corrected by what has passed since the last mark.
        double by_average = 0;
        double corrected = 0;
    };
    bool is_early(const red_state& s) const {
        return s.average >= m_red.min && s.average < (m_red.gentle ? 2 : 1) * m_red.max;
    }
    /// Range: is_early(s), with `s.count` as it was before this arrival.
    chance chance_of(const red_state& s, double frame_bytes) const;
    /// Once for each arrival that may be marked, after `arrive`. `draw`: uniform in [0, 1).
    red_answer decide(red_state& s, double frame_bytes, double draw) const;

 private:
    red_parameters m_red;
};

}  // namespace weir::model
