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
#include <optional>
#include <utility>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/model/marking/marker.h"
#include "weir/model/marking/red_rule.h"

namespace weir::model {

/// RED's keys in [marking] beside those of `ramp_config`.
struct red_config {
    /// For each class, or for all; so is `k_max_frames`.
    std::optional<std::vector<std::uint32_t>> k_min_frames;
    std::optional<std::vector<std::uint32_t>> k_max_frames;
    double weight = 0.002;
    bool gentle = false;
    bool wait = false;
    bytes mean_frame{1500};
    bool spares_control = true;
    std::optional<bool> may_drop;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need("marking.kind = red");
        fields(field("k_min_frames", &self::k_min_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.k_min in frames. auto: marking.k_min counts, and frames are marked in "
                         "proportion to their length.")
                   .source("Floyd and Jacobson 1993, section 5: packets or bytes"));
        fields(field("k_max_frames", &self::k_max_frames)
                   .range(0U, 1'000'000U)
                   .help("marking.k_max in frames. auto: marking.k_max counts.")
                   .source("Floyd and Jacobson 1993, section 5: packets or bytes"));
        fields(field("weight", &self::weight)
                   .range(0.0, 1.0, range_ends::low_excluded)
                   .help("W_q: weight of the present length in the average length. 1: no averaging.")
                   .source("Floyd and Jacobson 1993, section 6, and cross-layer study: 0.002"));
        fields(field("gentle", &self::gentle)
                   .help("The probability grows on from marking.p_max at marking.k_max to 1 at twice that "
                         "length. off: it is 1 from marking.k_max on.")
                   .source("Floyd 2000"));
        fields(field("wait", &self::wait)
                   .help("At least 1 / probability frames come between two marks.")
                   .source("ns-2 and ns-3"));
        fields(field("mean_frame", &self::mean_frame)
                   .range(64_B, 65'535_B)
                   .help("Length of a typical frame. It sets how fast the average decays while the queue is "
                         "empty. Frames of this length are marked as often as the probability says.")
                   .source("cross-layer study: frames of 1,500 B"));
        fields(field("spare_control", &self::spares_control)
                   .help("Up to the maximum, frames without payload (ACKs, SYNs, notifications) are neither "
                         "marked nor dropped.")
                   .source("cross-layer study V-B5"));
        fields(field("may_drop", &self::may_drop)
                   .help("Whether frames that cannot be marked are dropped early, and all frames above the "
                         "maximum. off: frames above the maximum are marked. auto: on in classes without flow "
                         "control, off in others. on: in all classes, lossless ones too.")
                   .source("RFC 3168 5; Floyd and Jacobson 1993"));
    }

    /// Refuses lists whose length is wrong, one of the two without the other, and a k_max_frames below its
    /// k_min_frames.
    void check(range_check& check, unsigned classes) const;
};

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
    frame_action decide(const queue_sight& queue) override;
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

marker_entry red_marker_kind();

}  // namespace weir::model
