// RED at egress queues (red_rule.h): by the average length of its queue a frame is marked early, the more
// likely the longer the queue has been. What cannot be marked is dropped instead (RFC 3168, section 5), where
// the queue's class may lose frames. Above the maximum all frames are dropped; where the class may not lose
// frames, all are marked.
//
// Frames without payload (ACKs, SYNs, notifications) are spared up to the maximum, if so configured: they make
// the average longer and are neither marked nor dropped.
//
//   red_marker marker({red_rule{{0.002, 25'600, 76'800, 0.02}}}, {1200ns, 1200ns}, red_options{});
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weir/model/marking/marker.h"
#include "weir/model/marking/red_rule.h"

namespace weir::model {

struct red_options {
    /// Lengths are in frames; else in B.
    bool in_frames = false;
    bool spares_control = true;
    /// Classes that may lose frames.
    class_mask lossy = 0;
};

class red_marker final : public marker {
 public:
    /// `rules`: of each class. `mean_frame_times`: of each port, of a frame of mean length.
    red_marker(std::vector<red_rule> rules, std::vector<picoseconds> mean_frame_times, red_options options)
        : m_rules(std::move(rules)),
          m_mean_frame_times(std::move(mean_frame_times)),
          m_options(options),
          m_states(m_rules.size() * m_mean_frame_times.size()),
          m_arrived(m_states.size()) {}

    /// Draws only where chance decides.
    marking decide(const queue_sight& queue) override;
    double average(unsigned port, pfc_class c) const { return m_states[port * m_rules.size() + c].average; }

 private:
    std::vector<red_rule> m_rules;
    std::vector<picoseconds> m_mean_frame_times;
    red_options m_options;
    // By port and class.
    std::vector<red_state> m_states;
    // When the last frame came.
    std::vector<picoseconds> m_arrived;
};

}  // namespace weir::model
