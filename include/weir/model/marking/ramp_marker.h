// Marks by chance, the more often the longer the queue is as a frame finds it: never up to K_min, from there on
// with a probability that grows linearly to P_max at K_max, and always above that (DCQCN, SIGCOMM 2015, fig. 5;
// RED without its average and without its count of frames since the last mark).
//
//   ramp_marker marker(std::vector<ramp_marker::ramp>(ports * classes, {5'000, 200'000, 0.01}), classes);
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/model/config/largest_memory.h"
#include "weir/model/marking/marker.h"

namespace weir::model {

/// Keys: [marking]. RED has the same (red_marker.h).
struct ramp_config {
    /// For each class, or for all; so is `k_max`.
    std::vector<bytes> k_min{5'000_B};
    std::vector<bytes> k_max{200'000_B};
    double p_max = 0.01;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("marking.kind = ramp or red", "marking.k_min_frames = auto");
        fields(field("k_min", &self::k_min)
                   .memory()
                   .range(0_B, largest_memory)
                   .help("Up to this length of its queue no frame is marked. One value for all classes, or one "
                         "for each.")
                   .source("DCQCN, SIGCOMM 2015, fig. 14"));
        fields(
            field("k_max", &self::k_max)
                .memory()
                .range(0_B, largest_memory)
                .help("Above this length every frame is marked. Between marking.k_min and this length the "
                      "probability of a mark grows linearly from 0 to marking.p_max. At least marking.k_min.")
                .source("DCQCN, SIGCOMM 2015, fig. 14"));
        fields.all_need("marking.kind = ramp or red");
        fields(field("p_max", &self::p_max)
                   .range(0, 1)
                   .share()
                   .help("Probability of a mark at marking.k_max.")
                   .source("DCQCN, SIGCOMM 2015, fig. 14"));
    }

    /// Refuses lists whose length is wrong, and a k_max below its k_min.
    void check(range_check& check, unsigned classes) const;
};

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
    frame_action decide(const queue_sight& queue) override {
        const double p =
            m_ramps[std::size_t{queue.port} * m_classes + queue.frame_class].probability(queue.bytes);
        return p > 0 && (p >= 1 || queue.chance.uniform() < p) ? frame_action::mark : frame_action::keep;
    }

 private:
    std::vector<ramp> m_ramps;
    unsigned m_classes;
};

marker_entry ramp_marker_kind();

}  // namespace weir::model
