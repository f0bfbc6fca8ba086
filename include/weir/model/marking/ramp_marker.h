// Marks by chance, the more often the longer the queue is as a frame finds it: never up to K_min, from there on
// with a probability that grows linearly to P_max at K_max, and always above that (DCQCN, SIGCOMM 2015, fig. 5;
// RED without its average and without its count of frames since the last mark).
//
//   ramp_marker marker(std::vector<ramp_marker::ramp>(ports * classes, {5'000, 200'000, 0.01}), classes);
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/model/marking/marker.h"

namespace weir::model {

class ramp_marker final : public marker {
 public:
    /// Lengths in B. Range: k_min <= k_max.
    struct ramp {
        std::uint64_t k_min;
        std::uint64_t k_max;
        double p_max;

        double probability(std::uint64_t length) const {
            if (length > k_max) {
                return 1;
            }
            return length > k_min
                       ? p_max * static_cast<double>(length - k_min) / static_cast<double>(k_max - k_min)
                       : 0;
        }
    };

    /// `ramps`: of each queue, by port and class.
    ramp_marker(std::vector<ramp> ramps, unsigned classes) : m_ramps(std::move(ramps)), m_classes(classes) {}

    /// Draws only where chance decides.
    marking decide(const queue_sight& queue) override {
        const double p =
            m_ramps[std::size_t{queue.port} * m_classes + queue.frame_class].probability(queue.bytes);
        return p > 0 && (p >= 1 || queue.chance.uniform() < p) ? marking::mark : marking::pass;
    }

 private:
    std::vector<ramp> m_ramps;
    unsigned m_classes;
};

}  // namespace weir::model
