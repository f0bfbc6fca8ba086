// An averaged marker: marks by an exponentially weighted average of the queue's length, as RED does, but with a
// step instead of a ramp, and without decay while the queue is empty.
#pragma once

#include <memory>
#include <vector>

#include "weir/model/marking/marker.h"

namespace outside {

struct averaged_config {
    /// Weight of the newest length in the average (RED's w_q). No unit. Range: above 0 to 1.
    double weight = 0.002;
    /// A frame is marked while the average is at least this. Unit: B.
    double threshold = 30'000;
};

class averaged_marker final : public weir::model::marker {
 public:
    averaged_marker(const weir::model::marker_setup& setup, const averaged_config& config)
        : m_config(config), m_classes(setup.classes), m_averages(setup.queues(), 0) {}

    weir::model::frame_action decide(const weir::model::queue_sight& queue) override {
        double& average = m_averages[std::size_t{queue.port} * m_classes + queue.frame_class];
        average += m_config.weight * (static_cast<double>(queue.bytes) - average);
        return average >= m_config.threshold ? weir::model::frame_action::mark
                                             : weir::model::frame_action::keep;
    }

 private:
    averaged_config m_config;
    unsigned m_classes;
    // Unit: B. By port and class.
    std::vector<double> m_averages;
};

/// `config` outlives all runs.
inline weir::model::marker_kind add_averaged_marker(const averaged_config& config) {
    return weir::model::marker_kinds().add(
        {"averaged",
         "each frame while the average of its queue's length is at or above a threshold",
         {[&config](const weir::model::marker_setup& setup) {
             return std::make_unique<averaged_marker>(setup, config);
         }}});
}

}  // namespace outside
